import { z } from "zod";
import { errorOfContent } from "../http/request-error.js";
import type { PromptMode } from "../model.js";
import type { EncodePrompt, Transport } from "../server/server-channel.js";
import type { ServerFacts } from "./server-facts.js";

const tokenIds = z.looseObject({ tokens: z.array(z.number().int()).min(1) });

/**
 * llama.cpp's server reads special tokens in the text of a prompt: a review that holds `<s>` would be another prompt
 * (measured: up to 13 nats). Its own tokenizer, told not to, gives the ids to send instead. Elsewhere text is sent.
 */
export function promptEncoder({ kind }: ServerFacts, mode: PromptMode, transport: Transport): EncodePrompt {
  if (kind !== "llama.cpp" || mode === "chat") return (_, prompt) => Promise.resolve(prompt);
  return async (baseUrl, prompt, signal) => {
    const body = { content: prompt, add_special: true, parse_special: false };
    const { json, text } = await transport(baseUrl, { path: "/tokenize", body }, signal);
    const tokens = tokenIds.safeParse(json).data?.tokens;
    if (tokens === undefined) throw errorOfContent("without token ids", text);
    return tokens;
  };
}
