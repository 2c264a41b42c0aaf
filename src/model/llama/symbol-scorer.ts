import type { ControlledEvaluateInputItem, LlamaContextSequence, LlamaModel, Token } from "node-llama-cpp";
import { messageOf } from "../../base/errors.js";
import { asLogprob, type ChoiceSymbol, isLogSum, type Logprob, SYMBOLS } from "../../base/symbol.js";
import type { Model } from "../model.js";
import type { SymbolReply, SymbolRequest, SymbolScore } from "../requests.js";
import { batchSizes, type CachedSequence, overflow } from "./cached-sequence.js";
import type { LlamaParts } from "./llama-writer.js";
import type { PromptTokenizer } from "./prompt-tokenizer.js";
import type { ThinkTokenizer } from "./think-tokenizer.js";
import { type Thinking, thinkThenScore, thoughtRoom } from "./thinker.js";

/** Thinking of a model before it answers. */
export interface Thinks extends Pick<Thinking, "temperature" | "seed"> {
  /** @throws ProbeError `bad_input` for a model without a template */
  readonly tokenizer: () => ThinkTokenizer;
}

/**
 * Scorer of symbols as the next token after prompts, over the whole vocabulary; behind thoughts, where these are asked for.
 */
export function symbolScorer(
  parts: LlamaParts,
  tokenizer: PromptTokenizer,
  thinks: Thinks,
): NonNullable<Model["scoreSymbols"]> {
  const symbolTokens = findSymbolTokens(parts.model, SYMBOLS);
  const tokenize = promptTokens(tokenizer, thinks);
  const answer = (request: SymbolRequest, prompt: readonly Token[], signal: AbortSignal) => {
    const { think } = request;
    const scoring = { cache: parts.cache, symbolTokens, request, prompt };
    if (think === undefined || think === "off") return scoreOne(scoring);
    const thinking = { ...thinks, request: { ...request, think }, prompt };
    return scoreBehindThoughts(parts, thinks.tokenizer(), { ...scoring, thinking }, signal);
  };
  return async function* score(group, signal) {
    const prompts = await Promise.all(group.map((request) => tokenize(request, signal)));
    for (const index of depthFirstOrder(prompts)) {
      signal.throwIfAborted();
      const [request, tokens] = [group[index], prompts[index]];
      if (request !== undefined && tokens !== undefined)
        yield { index, reply: await parts.turns.take(() => answer(request, tokens, signal)) };
    }
  };
}

/** Tokens of prompts, up to the thoughts where there are to be any. */
export function promptTokens(tokenizer: PromptTokenizer, thinks: Pick<Thinks, "tokenizer">) {
  return ({ prompt, think }: Pick<SymbolRequest, "prompt" | "think">, signal: AbortSignal): Promise<Token[]> => {
    // Without a template there are no thoughts to leave out.
    const isPlain = think === undefined || (think === "off" && !tokenizer.isTemplate);
    return isPlain ? tokenizer.tokenize(prompt, signal) : thinks.tokenizer().tokenize(prompt, think, signal);
  };
}

/** A prompt, and the symbols that are wanted behind it. */
interface Scoring {
  readonly cache: CachedSequence;
  readonly symbolTokens: SymbolTokens;
  readonly request: Pick<SymbolRequest, "symbols">;
  readonly prompt: readonly Token[];
}

async function scoreOne(scoring: Scoring): Promise<SymbolReply> {
  const { cache, prompt } = scoring;
  const started = performance.now();
  const meter = (cachedTokens: number | null) => ({
    promptTokens: prompt.length,
    cachedTokens,
    durationMs: performance.now() - started,
  });
  if (prompt.length > cache.room) return { ...overflow("the prompt", prompt.length, cache.room), ...meter(null) };
  try {
    const { scores, cachedTokens } = await scoresAfter(scoring, prompt);
    return { status: "scored", scores, extraction: "full", ...meter(cachedTokens) };
  } catch (error) {
    return { status: "failed", failure: "unavailable", detail: messageOf(error), ...meter(null) };
  }
}

async function scoresAfter({ cache, symbolTokens, request: { symbols } }: Scoring, tokens: readonly Token[]) {
  const wanted = symbols.flatMap((symbol) => symbolTokens.get(symbol) ?? []);
  await cache.startScoring(true);
  const { logprobs, cachedTokens } = await scoreNextToken(cache.sequence, tokens, wanted, cache.batchSize);
  const scores = new Map(symbols.map((symbol) => [symbol, sumOf(symbolTokens.get(symbol) ?? [], logprobs)]));
  return { scores, cachedTokens };
}

async function scoreBehindThoughts(
  parts: LlamaParts,
  tokenizer: ThinkTokenizer,
  scoring: Scoring & { readonly thinking: Thinking },
  signal: AbortSignal,
): Promise<SymbolReply> {
  const { cache, prompt, thinking } = scoring;
  const started = performance.now();
  const meter = () => ({
    promptTokens: prompt.length,
    cachedTokens: null,
    durationMs: performance.now() - started,
  });
  const most = thoughtRoom(thinking, tokenizer, cache.room);
  if (most < 1) return { ...overflow("the prompt with thoughts", prompt.length + 1, cache.room), ...meter() };
  const scoreAfter = async (tokens: readonly Token[]) => (await scoresAfter(scoring, tokens)).scores;
  try {
    const { scores, thoughts } = await thinkThenScore(parts, tokenizer, thinking, { most, scoreAfter, signal });
    const completionTokens = (thoughts.tokens ?? 0) + 1;
    return { status: "scored", scores, extraction: "full", ...meter(), completionTokens, thoughts };
  } catch (error) {
    signal.throwIfAborted();
    return { status: "failed", failure: "unavailable", detail: messageOf(error), ...meter() };
  }
}

/** Total probability of all tokens that decode to a symbol; unknown when the vocabulary has none. */
function sumOf(variants: readonly Token[], logprobs: ReadonlyMap<Token, Logprob>): SymbolScore {
  const sum = variants.reduce((total, token) => total + Math.exp(logprobs.get(token) ?? Number.NEGATIVE_INFINITY), 0);
  const logprob = Math.log(sum);
  if (logprob === Number.NEGATIVE_INFINITY) return { status: "unknown", upperBound: null };
  if (!isLogSum(logprob)) throw new Error(`Expected a log probability from the engine, found ${logprob}.`);
  return { status: "known", logprob: asLogprob(logprob) };
}

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

/** The tokens that decode to each symbol. */
type SymbolTokens = ReadonlyMap<ChoiceSymbol, readonly Token[]>;

/**
 * Finds, in the whole vocabulary, all tokens that decode to a symbol, with or without spaces before it: `A`, ` A`,
 * `▁A`, a byte token. Compared by decoded text, so no variant is missed and none is guessed (spec §4.1).
 */
export function findSymbolTokens(model: LlamaModel, symbols: readonly ChoiceSymbol[]): SymbolTokens {
  const found = new Map<ChoiceSymbol, Token[]>(symbols.map((symbol) => [symbol, []]));
  for (const token of model.iterateAllTokens()) {
    const text = model.detokenize([token], true).replace(/^[ \u2581]+/, "");
    found.get(text as ChoiceSymbol)?.push(token);
  }
  return found;
}

/**
 * Indices of token sequences in lexicographic order: the depth-first order of their prefix tree, in which every shared
 * prefix is evaluated once when the cache holds the sequence before.
 */
export function depthFirstOrder(sequences: readonly (readonly number[])[]): number[] {
  return sequences.map((_, index) => index).sort((a, b) => compareTokens(sequences[a] ?? [], sequences[b] ?? []));
}

function compareTokens(a: readonly number[], b: readonly number[]): number {
  const shared = sharedPrefixLength(a, b);
  return (a[shared] ?? -1) - (b[shared] ?? -1);
}

/** Length of the beginning that two sequences share, tokens. */
export function sharedPrefixLength(a: readonly number[], b: readonly number[]): number {
  const limit = Math.min(a.length, b.length);
  let i = 0;
  while (i < limit && a[i] === b[i]) i++;
  return i;
}

/** Nodes of the prefix tree of the sequences: the fewest tokens that have to be evaluated to score them all. */
export function treeNodeCount(sequences: readonly (readonly number[])[]): number {
  const order = depthFirstOrder(sequences);
  return order.reduce((nodes, index, i) => {
    const sequence = sequences[index] ?? [];
    const before = i === 0 ? [] : (sequences[order[i - 1] ?? 0] ?? []);
    return nodes + sequence.length - sharedPrefixLength(before, sequence);
  }, 0);
}
