import { z } from "zod";
import { parseSettings } from "../config.js";

const wholeNumber = z.coerce.number().int();

const settingsSchema = z.strictObject({
  /** Expected SHA-256 of the file; checked when the model is opened. */
  sha256: z.string().length(64).optional(),
  /** Tokens; the model's own limit when that is lower. */
  contextSize: wholeNumber.min(64).default(8192),
  /** Tokens evaluated at once. */
  batchSize: wholeNumber.min(16).default(512),
  /** 0: one for a small file, for a large one as many as cores are free (see `EngineThreads`). */
  threads: wholeNumber.min(0).default(0),
  /** F32 agrees with PyTorch to 1e-5 nats; F16 halves the memory and costs up to 2e-3. */
  kvCache: z.enum(["F32", "F16"]).default("F32"),
  /** `auto` uses a GPU when the engine build for it is installed. */
  gpu: z.enum(["auto", "false"]).default("auto"),
  /** Jinja text in place of the model's own chat template. */
  chatTemplate: z.string().min(1).optional(),
});

export type LlamaSettings = z.infer<typeof settingsSchema>;

/** @throws ProbeError `bad_input` naming the setting */
export function parseLlamaSettings(settings: Readonly<Record<string, unknown>>): LlamaSettings {
  return parseSettings(settingsSchema, "llama", settings);
}
