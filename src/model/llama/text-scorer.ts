import type { ControlledEvaluateInputItem, LlamaContextSequence, Token } from "node-llama-cpp";
import { messageOf } from "../../base/errors.js";
import { asLogprob, isLogprob, type Logprob } from "../../base/symbol.js";
import type { TokenReply } from "../requests.js";
import { tokenEnds } from "../wire/sequence-scores.js";
import { batchSizes, overflow } from "./cached-sequence.js";
import type { LlamaParts } from "./llama-writer.js";
import { beginning } from "./prompt-tokenizer.js";

/** Scores the tokens of a raw text, teacher-forced and from scratch (spec §8): earlier requests have no influence. */
export async function scoreText(parts: LlamaParts, text: string, signal: AbortSignal): Promise<TokenReply> {
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

function endsOf({ tokenText }: LlamaParts, text: string, tokens: readonly Token[]) {
  return tokenEnds(text, tokens.length, (start, end) => {
    const part = tokens.slice(start, end);
    return start === 0 ? tokenText.atStart(part) : tokenText.after(part);
  });
}

/** Larger batches save nothing here: their logits no longer fit the processor's cache. */
const MAX_BATCH = 256;

/** Entry `i` is about token `i + 1`, given all before. */
interface TokenLogprobs {
  /** Nats, over the whole vocabulary. */
  readonly logprobs: readonly Logprob[];
  /** `true` for a token that greedy generation would choose. */
  readonly isGreedy: readonly boolean[];
}

/**
 * Teacher-forced log probabilities of all tokens but the first, on an empty sequence. All tokens are evaluated, the last
 * too: in batches of at least two, see `batchSizes`.
 */
async function tokenLogprobs(
  sequence: LlamaContextSequence,
  tokens: readonly Token[],
  batchSize: number,
  signal: AbortSignal,
): Promise<TokenLogprobs> {
  const logprobs: Logprob[] = [];
  const isGreedy: boolean[] = [];
  let start = 0;
  for (const size of batchSizes(tokens.length, Math.min(batchSize, MAX_BATCH))) {
    signal.throwIfAborted();
    const end = start + size;
    const items = tokens.slice(start, end).map((token, i) => asked(token, tokens[start + i + 1]));
    const output = await sequence.controlledEvaluate(items);
    for (const [i, next] of tokens.slice(start + 1, end + 1).entries()) {
      const scored = scoreOf(next, output[i]?.next);
      logprobs.push(scored.logprob);
      isGreedy.push(scored.isGreedy);
    }
    start = end;
  }
  return { logprobs, isGreedy };
}

/** Asks for the logits of the next token and of the most probable one: at temperature 0 that is the one selected. */
function asked(token: Token, next: Token | undefined): ControlledEvaluateInputItem {
  if (next === undefined) return token;
  const logits = { filter: { tokens: [next], includeSelected: true } };
  return [token, { generateNext: { logits, totalLogitWeight: true, options: SAMPLING } }];
}

/** Nothing of it is used at temperature 0; the defaults would make the engine set up samplers, anew every second. */
const SAMPLING = { temperature: 0, topK: 1, topP: 1, seed: 0 };

interface NextOutput {
  readonly logits?: ReadonlyMap<Token, number>;
  readonly totalLogitWeight?: number;
}

function scoreOf(token: Token, output: NextOutput | undefined): { logprob: Logprob; isGreedy: boolean } {
  const logit = output?.logits?.get(token);
  if (output?.logits === undefined || output.totalLogitWeight === undefined || logit === undefined)
    throw new Error("The engine returned no logits.");
  // The total weight is the sum of exp(logit - largest).
  const logprob = logit - Math.max(...output.logits.values()) - Math.log(output.totalLogitWeight);
  if (!isLogprob(logprob))
    throw new Error(`Expected a log probability from the engine, found ${logprob}: its logits are not numbers.`);
  return { logprob: asLogprob(logprob), isGreedy: output.logits.size === 1 };
}
