import { z } from "zod";
import { ProbeError } from "../../base/errors.js";
import type { PromptMode } from "../model.js";
import type { ReadJson } from "../server/server-reader.js";
import type { ServerFacts } from "./server-facts.js";

const tokens = z.looseObject({ tokens: z.array(z.unknown()).nullish(), count: z.number().int().nullish() });
const template = z.looseObject({ prompt: z.string() });

/** Counts a prompt's tokens by the server's own tokenizer, without asking the model; `null` where it offers none. */
export function tokenCounter(
  read: ReadJson,
  { kind }: ServerFacts,
  model: string,
  mode: PromptMode,
): ((prompt: string) => Promise<number>) | null {
  if (kind === "other") return null;
  return async (prompt) => {
    const body = kind === "vllm" ? vllmBody(model, mode, prompt) : await llamaBody(read, mode, prompt);
    const reply = tokens.safeParse(await read("/tokenize", body)).data;
    const count = reply?.count ?? reply?.tokens?.length;
    if (count === undefined)
      throw new ProbeError("model_unavailable", "Expected a token count from the server's /tokenize, found none.");
    return count;
  };
}

function vllmBody(model: string, mode: PromptMode, prompt: string): Record<string, unknown> {
  return mode === "chat" ? { model, messages: [{ role: "user", content: prompt }] } : { model, prompt };
}

async function llamaBody(read: ReadJson, mode: PromptMode, prompt: string): Promise<Record<string, unknown>> {
  if (mode === "completion") return { content: prompt, add_special: true, parse_special: false };
  const rendered = template.safeParse(await read("/apply-template", { messages: [{ role: "user", content: prompt }] }))
    .data?.prompt;
  if (rendered === undefined)
    throw new ProbeError(
      "model_unavailable",
      "Expected the chat template from the server's /apply-template, found none.",
    );
  return { content: rendered, add_special: true, parse_special: true };
}
