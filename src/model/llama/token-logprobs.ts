import type { ControlledEvaluateInputItem, LlamaContextSequence, Token } from "node-llama-cpp";
import type { Logprob } from "../../base/symbol.js";
import { asLogprob, isLogprob } from "../extraction/reported-numbers.js";
import { batchSizes } from "./batches.js";

/** Larger batches save nothing here: their logits no longer fit the processor's cache. */
const MAX_BATCH = 256;

/** Entry `i` is about token `i + 1`, given all before. */
interface TokenLogprobs {
  /** Nats, over the whole vocabulary. */
  readonly logprobs: readonly Logprob[];
  /** Whether greedy generation would choose it. */
  readonly isGreedy: readonly boolean[];
}

/**
 * Teacher-forced log probabilities of all tokens but the first, on an empty sequence. All tokens are evaluated, the last
 * too: in batches of at least two, see `batchSizes`.
 */
export async function tokenLogprobs(
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
