import { mean, sampleCorrelation, sum } from "simple-statistics";
import { groupBy } from "../../../base/grouping.js";
import { symbolsFor } from "../../../base/symbol.js";
import type { Estimate } from "../../../stats/interval.js";
import type { CaseOf } from "../record/run-file.js";
import { positionBias, type QuestionScore } from "./question-score.js";
import { type Measure, meanByCase, measure, rateByCase } from "./summary-row.js";

/** Questions of fewer are in no quarter. */
const LEAST_QUARTERED = 8;
const QUARTERS = [1, 2, 3, 4] as const;

/**
 * Position bias of one question: total variation distance of its chosen letters from uniform, ½ Σ |p − 1/N|, 0 to
 * 1 − 1/N. Each option stands at each place equally often, so who reads chooses each letter equally often. `null` where
 * nothing was chosen. A score of ours; that of arXiv 2605.06672 is of the same kind.
 */
export function questionBias(
  { symbolCounts }: Pick<QuestionScore, "symbolCounts">,
  optionCount: number,
): number | null {
  const counts = symbolsFor(optionCount).map((symbol) => symbolCounts.get(symbol) ?? 0);
  const all = sum(counts);
  // One division of whole numbers: questions that are equally biased are equal to the bit, and so in their ranks.
  const distance = sum(counts.map((count) => Math.abs(count * optionCount - all)));
  return all === 0 ? null : distance / (2 * optionCount * all);
}

/** A question with thoughts: their mean length, its position bias and its mean accuracy. */
interface ThoughtQuestion {
  readonly exampleId: string;
  readonly tokens: number;
  readonly bias: number;
  readonly accuracy: number;
}

/** Measures of thoughts and of what they do to the order; no rows where no question tells the length of its thoughts. */
export function thoughtMeasures(
  scores: readonly QuestionScore[],
  optionCount: number,
  caseOf: CaseOf | null,
): Measure[] {
  const thought = scores.flatMap((score): ThoughtQuestion[] => {
    const [bias, tokens] = [questionBias(score, optionCount), score.thinkingTokens];
    if (bias === null || tokens === undefined) return [];
    return [{ exampleId: score.exampleId, tokens, bias, accuracy: score.correctPermutations / score.answered }];
  });
  if (thought.length === 0) return [];
  return [
    measure("thinking_tokens", meanTokens(thought), thought.length, "mean over questions"),
    ...lengthMeasures(thought, caseOf),
    ...traceMeasures(scores, optionCount, caseOf),
  ];
}

function meanTokens(thought: readonly ThoughtQuestion[]) {
  return { value: mean(thought.map(({ tokens }) => tokens)), low: null, high: null };
}

function lengthMeasures(thought: readonly ThoughtQuestion[], caseOf: CaseOf | null): Measure[] {
  const cases = [...groupBy(thought, ({ exampleId }) => caseOf?.(exampleId) ?? exampleId).values()].map((own) => {
    const of = (value: (question: ThoughtQuestion) => number) => mean(own.map(value));
    return [of(({ tokens }) => tokens), of(({ bias }) => bias), of(({ accuracy }) => accuracy)] as const;
  });
  const correlation = measure(
    "thought_bias_correlation",
    partialRankCorrelation(cases),
    cases.length,
    "length of the thoughts and position bias, accuracy held fixed",
  );
  if (thought.length < LEAST_QUARTERED) return [correlation];
  const sorted = thought.toSorted((a, b) => a.tokens - b.tokens);
  const bounds = [0, ...QUARTERS].map((k) => Math.round((k * sorted.length) / 4));
  return [
    correlation,
    ...QUARTERS.map((k) => {
      const own = sorted.slice(bounds[k - 1], bounds[k]);
      const lengths = `thoughts of ${rounded(own[0])} to ${rounded(own.at(-1))} tokens`;
      return measure(
        `thought_bias_q${k}`,
        meanByCase(own, caseOf, ({ bias }) => bias),
        own.length,
        lengths,
      );
    }),
  ];
}

function rounded(question: ThoughtQuestion | undefined): number {
  return Math.round(question?.tokens ?? 0);
}

/** The answer along the thoughts (`--trace-thoughts`). */
function traceMeasures(scores: readonly QuestionScore[], optionCount: number, caseOf: CaseOf | null): Measure[] {
  const traced = scores.flatMap((score) => (score.trace === undefined ? [] : [{ ...score, trace: score.trace }]));
  if (traced.length === 0) return [];
  const preferred = preferredSymbol(scores, optionCount);
  const answers = sum(traced.map(({ trace }) => trace.answers));
  const share = (count: (trace: (typeof traced)[number]["trace"]) => number) =>
    rateByCase(traced, caseOf, ({ trace }) => [count(trace), trace.answers]);
  return [
    measure(
      "settled_at",
      meanByCase(traced, caseOf, ({ trace }) => trace.settledAt),
      answers,
      "part of the thoughts",
    ),
    measure(
      "answer_switches",
      { value: sum(traced.map(({ trace }) => trace.switches)) / answers, low: null, high: null },
      answers,
      "an answer",
    ),
    measure(
      "left_right_option",
      share(({ leftRight }) => sum([...leftRight.values()])),
      answers,
      "of answers",
    ),
    measure(
      "left_right_for_preferred",
      share(({ leftRight }) => (preferred === null ? 0 : (leftRight.get(preferred) ?? 0))),
      answers,
      preferred === null ? "no letter is preferred" : `of answers; the commonest letter is ${preferred}`,
    ),
  ];
}

/** The commonest letter of a form; `null` where nothing was chosen. */
function preferredSymbol(scores: readonly QuestionScore[], optionCount: number) {
  const symbols = symbolsFor(optionCount);
  const counts = symbols.map(
    (symbol) => [symbol, sum(scores.map(({ symbolCounts }) => symbolCounts.get(symbol) ?? 0))] as const,
  );
  return positionBias(new Map(counts), symbols)?.symbol ?? null;
}

/** The 97.5 % point of the standard normal distribution. */
const Z = 1.959963984540054;

/** Fewer cases than this have no interval worth its name. */
const LEAST = 10;

/**
 * Spearman's rank correlation of x and y, a third measure held fixed: (r_xy − r_xz r_yz) / √((1 − r_xz²)(1 − r_yz²)) over
 * mid-ranks, −1 to 1. Its 95 % interval by Fisher's z with variance (1 + r²/2) / (n − 4) (Bonett & Wright 2000; one
 * covariate). Where z does not vary nothing has to be held fixed.
 * @param cases independent ones, such as questions: x, y, z
 * @returns `null` where x or y does not vary, or z tells one of them; no interval below 10 cases
 */
export function partialRankCorrelation(cases: readonly (readonly [number, number, number])[]): Estimate | null {
  const [x, y, z] = [0, 1, 2].map((k) => midRanks(cases.map((each) => each[k] ?? 0))) as [number[], number[], number[]];
  if (!varies(x) || !varies(y)) return null;
  const correlation = sampleCorrelation(x, y);
  const [xz, yz] = varies(z) ? [sampleCorrelation(x, z), sampleCorrelation(y, z)] : [0, 0];
  const left = (1 - xz ** 2) * (1 - yz ** 2);
  if (left < 1e-12) return null;
  const value = Math.max(-1, Math.min(1, (correlation - xz * yz) / Math.sqrt(left)));
  if (cases.length < LEAST || Math.abs(value) > 1 - 1e-12) return { value, low: null, high: null };
  const half = Z * Math.sqrt((1 + value ** 2 / 2) / (cases.length - 4));
  return { value, low: Math.tanh(Math.atanh(value) - half), high: Math.tanh(Math.atanh(value) + half) };
}

function varies(values: readonly number[]): boolean {
  return values.some((value) => value !== values[0]);
}

/** Ranks from 1; equal values have the mean of their ranks. */
function midRanks(values: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  const ranks = new Map<number, number>();
  for (let i = 0; i < sorted.length; ) {
    const value = sorted[i] ?? 0;
    let end = i;
    while (sorted[end] === value) end++;
    ranks.set(value, (i + 1 + end) / 2);
    i = end;
  }
  return values.map((value) => ranks.get(value) ?? 0);
}
