import type { LlamaModel, Token } from "node-llama-cpp";
import { messageOf } from "../../base/errors.js";
import type { TokenReply } from "../model.js";
import { tokenEnds } from "../token-ends.js";
import type { CachedSequence } from "./cached-sequence.js";
import { overflow } from "./overflow.js";
import { tokenLogprobs } from "./token-logprobs.js";
import type { TokenText } from "./token-text.js";
import { beginning } from "./tokenize.js";
import type { Turns } from "./turns.js";

interface TextScorerParts {
  readonly model: LlamaModel;
  readonly cache: CachedSequence;
  readonly turns: Turns;
  readonly tokenText: TokenText;
}

/** Scores the tokens of a raw text, teacher-forced and from scratch (spec §8): what was asked before has no say. */
export async function scoreText(parts: TextScorerParts, text: string, signal: AbortSignal): Promise<TokenReply> {
  signal.throwIfAborted();
  const { model, cache, turns } = parts;
  const tokens = model.tokenize(text);
  if (tokens.length === 0) return { status: "scored", tokens: [], ends: [], logprobs: [], isGreedy: [] };
  const before = beginning(model);
  const sequence = [...before, ...tokens];
  if (sequence.length > cache.room) return overflow("the text", sequence.length, cache.room);
  const aligned = endsOf(parts, text, tokens);
  if (aligned.status === "differs") {
    const detail = `the model's ${tokens.length} tokens do not spell the text: they differ from character ${aligned.at + 1} on`;
    return { status: "failed", failure: "bad_response", detail };
  }
  try {
    const scores = await turns.take(async () => {
      signal.throwIfAborted();
      await cache.startScoring(false);
      return tokenLogprobs(cache.sequence, sequence, cache.batchSize, signal);
    });
    // A model without BOS predicts nothing before its first token.
    const first = before.length === 0 ? [null] : [];
    return {
      status: "scored",
      tokens,
      ends: aligned.ends,
      logprobs: [...first, ...scores.logprobs],
      isGreedy: [...first, ...scores.isGreedy],
    };
  } catch (error) {
    signal.throwIfAborted();
    return { status: "failed", failure: "unavailable", detail: messageOf(error) };
  }
}

function endsOf({ tokenText }: TextScorerParts, text: string, tokens: readonly Token[]) {
  return tokenEnds(text, tokens.length, (start, end) => {
    const part = tokens.slice(start, end);
    return start === 0 ? tokenText.atStart(part) : tokenText.after(part);
  });
}
