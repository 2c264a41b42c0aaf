import type { Token } from "node-llama-cpp";
import { hash32 } from "../../base/random.js";
import type { ChoiceSymbol } from "../../base/symbol.js";
import {
  pointsOf,
  type SymbolRequest,
  type SymbolScore,
  type Think,
  type Thoughts,
  thoughtLimit,
} from "../requests.js";
import { type LlamaParts, type MessageThoughts, samplingOf } from "./llama-writer.js";
import type { ThinkTokenizer } from "./think-tokenizer.js";

/** Scores of the tokens wanted after a sequence of tokens. */
export type ScoreAfter = (tokens: readonly Token[]) => Promise<ReadonlyMap<ChoiceSymbol, SymbolScore>>;

/** A request that is thought about before it is answered. */
export interface Thinking {
  readonly request: SymbolRequest & { readonly think: NonNullable<SymbolRequest["think"]> };
  /** Prompt up to the beginning of the thoughts. */
  readonly prompt: readonly Token[];
  readonly temperature: number;
  /** Of the run. */
  readonly seed: number;
}

/** Thoughts, and the symbols behind them. */
interface Thought {
  readonly thoughts: Thoughts;
  readonly scores: ReadonlyMap<ChoiceSymbol, SymbolScore>;
}

/** Tokens in which a mark that closes thoughts is looked for. */
const MARK_TOKENS = 32;

/**
 * Tokens of thoughts that there is room for; 0 or less: the prompt leaves none.
 * @param room of the context
 */
export function thoughtRoom({ request, prompt }: Thinking, tokenizer: ThinkTokenizer, room: number): number {
  return Math.min(thoughtLimit(request.think), room - prompt.length - tokenizer.closing("…").length);
}

/**
 * Has the model think until it closes its thoughts, or `most` tokens are spent and they are closed for it (budget forcing,
 * arXiv 2501.19393); then scores the symbols, behind parts of the same thoughts too where a trace is asked for. Thoughts are
 * generated token by token and scored in batches, from the cache that the part before left: the same thoughts have the same
 * scores to the bit, however they came about.
 */
export async function thinkThenScore(
  parts: LlamaParts,
  tokenizer: ThinkTokenizer,
  thinking: Thinking,
  {
    most,
    scoreAfter,
    signal,
  }: { readonly most: number; readonly scoreAfter: ScoreAfter; readonly signal: AbortSignal },
): Promise<Thought> {
  const { prompt, request } = thinking;
  const { temperature } = thinking;
  const asked = { prompt, temperature, seed: seedOf(request, thinking.seed) };
  const { tokens, end } = await thinkOf(parts, tokenizer, asked, most, signal);
  const scoreBehind = (count: number) => {
    signal.throwIfAborted();
    const part = tokens.slice(0, count);
    return scoreAfter([...prompt, ...part, ...tokenizer.closing(parts.tokenText.after(part))]);
  };
  const trace: { tokens: number; scores: ReadonlyMap<ChoiceSymbol, SymbolScore> }[] = [];
  const points = tokens.length === 0 ? [] : pointsOf(tokens.length, request.trace ?? 0);
  for (const count of points.slice(0, -1)) trace.push({ tokens: count, scores: await scoreBehind(count) });
  const scores = await scoreBehind(tokens.length);
  if (points.length > 0) trace.push({ tokens: tokens.length, scores });
  const text = parts.tokenText.after(tokens);
  const traced = request.trace === undefined ? {} : { trace };
  return { scores, thoughts: { text, tokens: tokens.length, end, ...traced } };
}

/** Thoughts before the messages of a conversation; they may take half of the room that it leaves. */
export function messageThoughts(
  { tokenizer, temperature }: { readonly tokenizer: ThinkTokenizer; readonly temperature: number },
  think: Think,
): MessageThoughts {
  return {
    lead: tokenizer.lead(think),
    async thinkBehind(parts, prompt, seed, signal) {
      if (think === "off") return { tokens: [], closing: [] };
      const room = Math.floor((parts.cache.room - prompt.length) / 2) - tokenizer.closing("…").length;
      const most = Math.min(thoughtLimit(think), room);
      const asked = { prompt, temperature, seed };
      const tokens = most <= 0 ? [] : (await thinkOf(parts, tokenizer, asked, most, signal)).tokens;
      return { tokens, closing: tokenizer.closing(parts.tokenText.after(tokens)) };
    },
  };
}

interface ThoughtTokens {
  readonly tokens: readonly Token[];
  readonly end: "closed" | "forced";
}

async function thinkOf(
  { model, cache, tokenText }: LlamaParts,
  tokenizer: ThinkTokenizer,
  { prompt, temperature, seed }: Pick<Thinking, "prompt" | "temperature" | "seed">,
  most: number,
  signal: AbortSignal,
): Promise<ThoughtTokens> {
  const { close } = tokenizer.marks();
  const closing = model.tokenize(close, true, "trimLeadingSpace");
  const [closeToken] = closing.length === 1 && closing.every((token) => model.isSpecialToken(token)) ? closing : [];
  const sampling = samplingOf({ temperature, topK: null, seed });
  const rest = await cache.startGenerating(prompt, signal);
  const tokens: Token[] = [];
  for await (const token of cache.sequence.evaluate(rest, sampling)) {
    signal.throwIfAborted();
    if (token === closeToken || model.isEogToken(token)) return { tokens, end: "closed" };
    tokens.push(token);
    if (tokenText.after(tokens.slice(-MARK_TOKENS)).includes(close)) {
      return { tokens: beforeMark(tokens, close, tokenText, (text) => model.tokenize(text)), end: "closed" };
    }
    if (tokens.length >= most) return { tokens, end: "forced" };
  }
  throw new Error("The engine stopped before the thoughts ended.");
}

/**
 * The tokens before a mark that their text ends with; where the mark begins within one, what stands before it there is
 * tokenised by itself.
 */
export function beforeMark<T extends number>(
  tokens: readonly T[],
  mark: string,
  text: { after(tokens: readonly T[]): string },
  tokenize: (text: string) => readonly T[],
): T[] {
  const whole = text.after(tokens);
  const at = whole.lastIndexOf(mark);
  let count = tokens.length;
  while (count > 0 && text.after(tokens.slice(0, count)).length > at) count--;
  const kept = tokens.slice(0, count);
  const between = whole.slice(text.after(kept).length, at);
  return between === "" ? kept : [...kept, ...tokenize(between)];
}

/** Seed of one time that one order is asked: what is asked before or after it changes nothing. */
function seedOf({ key, repeat = 0 }: SymbolRequest, seed: number): number {
  const { task, difficulty, ablation = null, exampleId, permutation } = key;
  return hash32(JSON.stringify([task, difficulty, ablation, exampleId, permutation, repeat]), seed);
}
