import type { ControlledEvaluateInputItem, LlamaContextSequence, Token } from "node-llama-cpp";
import type { Logprob } from "../../base/symbol.js";
import { batchSizes } from "./batches.js";

interface NextTokenScores {
  readonly logprobs: ReadonlyMap<Token, Logprob>;
  /** Prompt tokens found in the cache. */
  readonly cachedTokens: number;
}

/**
 * Exact log probabilities (nats, over the whole vocabulary) of some tokens after a prompt of at least 2 tokens. The
 * longest prefix the cache shares with the prompt is reused, but for the last 2 tokens, which are always evaluated (see
 * `batchSizes`).
 */
export async function scoreNextToken(
  sequence: LlamaContextSequence,
  prompt: readonly Token[],
  wanted: readonly Token[],
  batchSize: number,
): Promise<NextTokenScores> {
  // `false`: cells are never shifted to other positions, which would change the result.
  await sequence.adaptStateToTokens(prompt.slice(0, -2), false);
  const cachedTokens = sequence.nextTokenIndex;
  const logits = await evaluate(sequence, prompt.slice(cachedTokens), wanted, batchSize);
  return { logprobs: logits, cachedTokens };
}

async function evaluate(
  sequence: LlamaContextSequence,
  tokens: readonly Token[],
  wanted: readonly Token[],
  batchSize: number,
): Promise<ReadonlyMap<Token, Logprob>> {
  const sizes = batchSizes(tokens.length, batchSize);
  let start = 0;
  for (const size of sizes.slice(0, -1)) {
    await sequence.controlledEvaluate(tokens.slice(start, start + size));
    start += size;
  }
  const input: ControlledEvaluateInputItem[] = tokens.slice(start, -1);
  const last = tokens.at(-1);
  if (last === undefined) throw new Error("Expected a token to evaluate.");
  // At temperature 0 no sampler touches the logits. The largest (that of the selected token) is needed to turn the
  // total weight, the sum of exp(logit - largest), into the logarithm of the sum.
  const generateNext = {
    logits: { filter: { tokens: [...wanted], includeSelected: true } },
    totalLogitWeight: true,
  } as const;
  input.push([last, { generateNext }]);
  const next = (await sequence.controlledEvaluate(input)).at(-1)?.next;
  if (next?.logits === undefined || next.totalLogitWeight === undefined)
    throw new Error("The engine returned no logits.");
  const { logits } = next;
  const logSum = Math.max(...logits.values()) + Math.log(next.totalLogitWeight);
  return new Map(wanted.map((token) => [token, ((logits.get(token) ?? Number.NEGATIVE_INFINITY) - logSum) as Logprob]));
}
