import type { LlamaModel, Token } from "node-llama-cpp";
import { messageOf } from "../../base/errors.js";
import type { CompletionReply, CompletionRequest } from "../model.js";
import type { CachedSequence } from "./cached-sequence.js";
import { generate } from "./generate.js";
import { overflow } from "./overflow.js";
import type { TokenText } from "./token-text.js";
import type { Turns } from "./turns.js";

interface CompleterParts {
  readonly model: LlamaModel;
  readonly cache: CachedSequence;
  readonly turns: Turns;
  readonly tokenText: TokenText;
}

/**
 * Continues a prompt up to a stop text, the model's own end, or the end of the context. The same request has the same reply
 * whatever was asked before (see `CachedSequence.startGenerating`).
 */
export async function continuePrompt(
  { model, cache, turns, tokenText }: CompleterParts,
  prompt: readonly Token[],
  request: CompletionRequest,
  options: { readonly signal: AbortSignal; readonly endsAtSpecial: boolean },
): Promise<CompletionReply> {
  const { signal, endsAtSpecial } = options;
  signal.throwIfAborted();
  const started = performance.now();
  if (prompt.length === 0) {
    const detail = "the prompt is empty, and this model has no token to begin with";
    return { status: "failed", failure: "refused", detail };
  }
  if (prompt.length > cache.room) return overflow("the prompt", prompt.length, cache.room);
  const limits = {
    ...request,
    // The last token generated is not evaluated, so it needs no place.
    maxTokens: Math.min(request.maxTokens, cache.room - prompt.length + 1),
    textOf: (tokens: readonly Token[]) => tokenText.after(tokens),
    isEnd: (token: Token) => model.isEogToken(token) || (endsAtSpecial && model.isSpecialToken(token)),
  };
  try {
    const generation = await turns.take(async () => {
      signal.throwIfAborted();
      return generate(cache.sequence, await cache.startGenerating(prompt, signal), limits, signal);
    });
    const durationMs = performance.now() - started;
    return { status: "completed", ...generation, promptTokens: prompt.length, durationMs };
  } catch (error) {
    signal.throwIfAborted();
    return { status: "failed", failure: "unavailable", detail: messageOf(error) };
  }
}
