import type { ChoiceSymbol } from "../../domain/symbol.js";
import type { ReportedPosition } from "../extraction/reported-tokens.js";
import { scoreSymbols, symbolOfToken } from "../extraction/symbol-scores.js";
import { type CanaryPrompt, canaryPrompts } from "./canary.js";

/** What a server reported for one canary; `null`: no log probabilities. */
export interface CanaryReply {
  readonly canary: CanaryPrompt;
  readonly position: ReportedPosition | null;
}

/** What the canaries measured. */
export interface CanaryMeasures {
  /** Forced questions answered rightly, of four. */
  readonly right: number;
  /** Mean probability of the four symbols together, over the forced questions. */
  readonly symbolMass: number;
  /** Largest difference, nats, between two askings of the same prompt. */
  readonly repeatDifference: number;
}

export type Verdict =
  | { readonly status: "works"; readonly measures: CanaryMeasures; readonly warnings: readonly string[] }
  | { readonly status: "refused"; readonly reason: string };

export interface JudgeOptions {
  readonly symbols: readonly ChoiceSymbol[];
  /** Tokens asked for. */
  readonly listLength: number;
  /** Whether the answer was restricted to the symbols. */
  readonly isGuided: boolean;
}

const REPEAT_WARNING = 0.01;
const REPEAT_LIMIT = 0.5;
const SAME = 1e-9;
const LOW_MASS = 0.05;

/**
 * Whether the numbers a server reports are the log probabilities of the prompt's next token (spec §4.2): they are there,
 * they are logarithms of probabilities, they name the symbols, they follow the prompt, they repeat with it, and where the
 * answer is restricted, the restriction works and has not been applied to the numbers.
 */
export function judgeCanaries(replies: readonly CanaryReply[], options: JudgeOptions): Verdict {
  const missing = replies.filter(({ position }) => position === null || position.top.length === 0).length;
  if (missing > 0)
    return refused(
      `reported no log probabilities in ${missing} of ${replies.length} replies: it ignores the request for them`,
    );
  const known = replies.flatMap(({ canary, position }) => (position === null ? [] : [{ canary, position }]));
  const fault =
    faultOfNumbers(known) ??
    (options.isGuided ? faultOfGuidance(known, options.symbols) : null) ??
    faultOfSymbols(known, options);
  return fault === null ? measure(known, options) : refused(fault);
}

interface KnownReply {
  readonly canary: CanaryPrompt;
  readonly position: ReportedPosition;
}

function refused(reason: string): Verdict {
  return { status: "refused", reason };
}

function faultOfNumbers(replies: readonly KnownReply[]): string | null {
  for (const { position } of replies) {
    const highest = Math.max(...position.top.map(({ logprob }) => logprob));
    if (highest > 1e-3) return `reported a log probability above 0 (${highest})`;
    const mass = massOf(position);
    if (mass > 1.01) return `reported probabilities that sum to ${mass.toFixed(3)}, more than 1`;
  }
  return null;
}

function massOf({ top }: ReportedPosition): number {
  return top.reduce((mass, { logprob }) => mass + Math.exp(logprob), 0);
}

function faultOfGuidance(replies: readonly KnownReply[], symbols: readonly ChoiceSymbol[]): string | null {
  for (const { canary, position } of replies) {
    if (position.sampled !== null && symbolOfToken(position.sampled, symbols) === null) {
      return `answered ${show(position.sampled.bytes)} where only ${symbols.join(", ")} were allowed: it ignores the restriction`;
    }
    if (canary.right !== null) continue;
    const letters = position.top.filter((token) => symbolOfToken(token, symbols) !== null);
    const mass = letters.reduce((sum, { logprob }) => sum + Math.exp(logprob), 0);
    // On a sentence that no letter continues, letters that share all the probability are what a mask left.
    if (mass > 0.999)
      return "reports probabilities after the mask (the letters share all of it where none fits): their true mass is lost";
  }
  return null;
}

function faultOfSymbols(replies: readonly KnownReply[], { symbols }: JudgeOptions): string | null {
  const forced = replies.filter(({ canary }) => canary.right !== null);
  const named = forced.filter(({ position }) => position.top.some((token) => symbolOfToken(token, symbols) !== null));
  if (named.length > 0) return null;
  const seen = forced[0]?.position.top.slice(0, 3).map(({ bytes }) => show(bytes)) ?? [];
  return (
    `named none of ${symbols.join(", ")} among the first tokens (but ${seen.join(", ")}): the chat template or a reasoning ` +
    "prefix takes the answer's place"
  );
}

function show(bytes: Buffer): string {
  return JSON.stringify(bytes.toString("utf8"));
}

function measure(replies: readonly KnownReply[], options: JudgeOptions): Verdict {
  const tables = replies.map(({ canary, position }) => ({ canary, numbers: numbersOf(position, options), position }));
  const forced = tables.filter(({ canary }) => canary.right !== null);
  const first = forced[0];
  if (first === undefined) throw new RangeError(`Expected replies to ${canaryPrompts().length} canaries.`);
  const again = forced.filter(({ canary }) => canary.name === first.canary.name);
  const different = [...new Map(forced.map((table) => [table.canary.name, table])).values()];
  const movement = Math.max(...different.map((table) => largestDifference(first.position, table.position)));
  if (movement < SAME)
    return refused("reported the same numbers for different prompts: they do not depend on the prompt");
  const repeatDifference = Math.max(...again.map((table) => largestDifference(first.position, table.position)));
  if (repeatDifference > REPEAT_LIMIT) {
    return refused(
      `reported numbers that differ by ${repeatDifference.toFixed(2)} nats when the same prompt is asked twice`,
    );
  }
  const right = different.filter(({ canary, numbers }) => best(numbers) === canary.right).length;
  const symbolMass = different.reduce((sum, { numbers }) => sum + massOfNumbers(numbers), 0) / different.length;
  const measures = { right, symbolMass, repeatDifference };
  return { status: "works", measures, warnings: warningsOf(measures, different.length) };
}

function warningsOf({ right, symbolMass, repeatDifference }: CanaryMeasures, asked: number): string[] {
  return [
    ...(right <= 1 ? [`weak: ${right} of ${asked} questions that give their answer away were answered rightly`] : []),
    ...(symbolMass < LOW_MASS ? [`wants to answer with a letter in ${(symbolMass * 100).toFixed(2)} % only`] : []),
    ...(repeatDifference > REPEAT_WARNING
      ? [`the same prompt differs by up to ${repeatDifference.toFixed(3)} nats`]
      : []),
  ];
}

type Numbers = ReadonlyMap<ChoiceSymbol, number>;

function numbersOf(position: ReportedPosition, { symbols, listLength }: JudgeOptions): Numbers {
  const scores = scoreSymbols(position, symbols, listLength);
  return new Map([...scores].flatMap(([symbol, score]) => (score.status === "known" ? [[symbol, score.logprob]] : [])));
}

function best(numbers: Numbers): ChoiceSymbol | null {
  return [...numbers].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}

function massOfNumbers(numbers: Numbers): number {
  return [...numbers.values()].reduce((mass, logprob) => mass + Math.exp(logprob), 0);
}

/** Largest difference between two reports over what both name; infinite when they name nothing in common. */
function largestDifference(a: ReportedPosition, b: ReportedPosition): number {
  const [mine, theirs] = [byBytes(a), byBytes(b)];
  const differences = [...mine].flatMap(([bytes, logprob]) => {
    const match = theirs.get(bytes);
    return match === undefined ? [] : [Math.abs(match - logprob)];
  });
  return differences.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...differences);
}

/** The best log probability of each text: a vocabulary may hold several tokens that decode to the same bytes. */
function byBytes({ top }: ReportedPosition): Map<string, number> {
  const best = new Map<string, number>();
  for (const { bytes, logprob } of top) {
    const key = bytes.toString("hex");
    best.set(key, Math.max(best.get(key) ?? Number.NEGATIVE_INFINITY, logprob));
  }
  return best;
}
