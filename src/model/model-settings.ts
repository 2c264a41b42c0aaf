import { z } from "zod";
import { badInput } from "../base/errors.js";
import { nearHint } from "../base/near-names.js";
import { shorten } from "../base/text.js";

const positive = z.coerce.number().positive();
const wholeNumber = z.coerce.number().int();

/** Node's timers take a longer time for none at all. */
const LONGEST_TIMER_SECONDS = 2_147_483;

const serverSettings = z.strictObject({
  /** Name of the way to use, of those the check tries; the best that works otherwise. */
  extraction: z.enum(["full", "guided", "top_logprobs", "generated"]).optional(),
  /** `required`: refuse a server that does not give the log probabilities of a whole text (for audits). */
  sequence: z.enum(["required"]).optional(),
  /** Most probable tokens to ask for. */
  topLogprobs: wholeNumber.min(1).optional(),
  /** Time to wait for one reply. */
  timeoutSeconds: positive.max(LONGEST_TIMER_SECONDS).default(120),
  /** Time to wait for a server that is down. */
  patienceSeconds: positive.default(300),
  /** Time between two looks at batches under way, and before one that a kill may have lost is taken for lost. */
  batchPollSeconds: positive.max(LONGEST_TIMER_SECONDS).default(60),
  /** Servers, for an alias in place of `--base-url`. */
  baseUrl: z.union([z.url(), z.array(z.url()).min(1)]).optional(),
  /** Variable of the key, for an alias in place of `--api-key-env`. */
  apiKeyEnv: z.string().min(1).optional(),
});

const llamaSettings = z.strictObject({
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
  /** `auto` uses a GPU when the engine build for it is installed and works; a name is for that way or none. */
  gpu: z.enum(["auto", "cuda", "vulkan", "metal", "false"]).default("auto"),
  /** Jinja text in place of the model's own chat template. */
  chatTemplate: z.string().min(1).optional(),
  /** Texts that open and close thoughts, where the template does not speak of known ones. */
  thinkOpen: z.string().min(1).optional(),
  thinkClose: z.string().min(1).optional(),
  /** Temperature of thoughts; 0: greedy, the same each time. */
  thinkTemperature: z.coerce.number().min(0).max(5).default(0),
});

type Settings = Readonly<Record<string, unknown>>;
export type ServerSettings = z.infer<typeof serverSettings>;
export type LlamaSettings = z.infer<typeof llamaSettings>;

/** Settings by which a server is reached, not what it is asked: where a secret may go, and so none that may be shown. */
const CONNECTION_SETTINGS: readonly string[] = ["baseUrl", "apiKeyEnv"];

/** `true` for a setting by which a server is reached: its name, or a recorded `name=value`. */
export function isConnectionSetting(setting: string): boolean {
  return CONNECTION_SETTINGS.includes(setting.split("=", 1)[0] ?? "");
}

/** `true` for a known setting in which nobody keeps a secret. */
export function isOpenSetting(name: string): boolean {
  const isKnown = [serverSettings, llamaSettings].some(({ shape }) => Object.hasOwn(shape, name));
  return isKnown && !isConnectionSetting(name);
}

/** @throws ProbeError `bad_input` naming the setting */
export function parseServerSettings(settings: Settings): ServerSettings {
  return parseSettings(serverSettings, "server", settings);
}

/** @throws ProbeError `bad_input` naming the setting: a script has none */
export function refuseSettings(settings: Settings): void {
  parseSettings(z.strictObject({}), "scripted", settings);
}

/** @throws ProbeError `bad_input` naming the setting */
export function parseLlamaSettings(settings: Settings): LlamaSettings {
  return parseSettings(llamaSettings, "llama", settings);
}

function parseSettings<T extends z.ZodObject>(schema: T, kind: string, settings: Settings): z.infer<T> {
  const parsed = schema.safeParse(settings);
  if (parsed.success) return parsed.data;
  const known = Object.keys(schema.shape);
  const strange = Object.keys(settings).find((name) => !known.includes(name));
  const found =
    strange === undefined
      ? parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ")
      : `${shorten(strange, 60)}.${nearHint(strange, known)}`;
  const expected = known.length === 0 ? "no settings" : "settings";
  const list = known.length === 0 ? "" : ` (${known.join(", ")})`;
  throw badInput(`Expected ${expected} of a ${kind} model${list}, found ${found}`);
}
