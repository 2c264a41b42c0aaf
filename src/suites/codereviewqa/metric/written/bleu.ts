import { countBy } from "../../../../base/grouping.js";
import { generatedLines, type RevisionPair, referenceLines } from "./exact-match.js";

/** Longest n-gram: BLEU-4. */
const ORDERS = [1, 2, 3, 4] as const;

/** Counts that BLEU needs of one pair, or (added up) of many: a few numbers, whatever the length of the code. */
export interface NgramCounts {
  readonly generatedTokens: number;
  readonly referenceTokens: number;
  /** For n = 1 to 4: generated n-grams, each as often as it also occurs in the reference ("clipped"). */
  readonly matches: readonly number[];
  /** For n = 1 to 4: all generated n-grams. */
  readonly totals: readonly number[];
}

/**
 * The tokens of code that BLEU compares: a run of letters, marks, digits and `_` is one token (identifiers, keywords,
 * the digits of a number); every other character but whitespace is one of its own. So `a.b+=1.5` is `a . b + = 1 . 5`.
 * The same for all languages and for broken code.
 */
export function codeTokens(code: string): string[] {
  return code.match(/[\p{L}\p{M}\p{N}_]+|\S/gu) ?? [];
}

/**
 * BLEU-4 of one generation: brevity penalty times the geometric mean of the n-gram precisions for n = 1 to 4, where for
 * n > 1 one is added to matches and total (Lin & Och 2004, "BLEUS": a single hunk often shares no 4-gram). 0–1; 1 for
 * equal tokens, 0 for an empty generation, or one without a common token; `null` where the reference is empty. The
 * brevity penalty is Papineni's (some smoothed implementations alter it too).
 *
 * Code is compared as `em` compares it: line numbers removed if echoed, comments kept.
 */
export function sentenceBleu(pair: RevisionPair, counts: NgramCounts = countNgrams(pair)): number | null {
  if (counts.referenceTokens === 0) return null;
  const precisions = ORDERS.map((n, i) => {
    const smoothing = n > 1 ? 1 : 0;
    return ((counts.matches[i] ?? 0) + smoothing) / ((counts.totals[i] ?? 0) + smoothing);
  });
  return counts.generatedTokens === 0 ? 0 : brevityPenalty(counts) * geometricMean(precisions);
}

interface CorpusBleu {
  /** 0–1; `null` where undefined. */
  readonly value: number | null;
  /** Pairs it is computed over: those whose reference is not empty. */
  readonly n: number;
}

/**
 * Corpus BLEU-4 (Papineni et al. 2002), one reference a pair: n-gram counts and lengths are added up over all pairs
 * first, so it is not the mean of `sentenceBleu`. No smoothing: 0 as soon as no n-gram of some length matches. Pairs with
 * an empty reference are left out; empty generations are not: they cost brevity. Undefined without pairs, and where no
 * generation is long enough for a 4-gram though the shorter ones match.
 */
export function corpusBleu(pairs: readonly NgramCounts[]): CorpusBleu {
  const counted = pairs.filter(({ referenceTokens }) => referenceTokens > 0);
  return { value: counted.length === 0 ? null : unsmoothedBleu(counted.reduce(add)), n: counted.length };
}

function unsmoothedBleu(counts: NgramCounts): number | null {
  if (counts.generatedTokens === 0) return 0;
  if (counts.totals.some((total, i) => total > 0 && counts.matches[i] === 0)) return 0;
  if (counts.totals.includes(0)) return null;
  return brevityPenalty(counts) * geometricMean(counts.totals.map((total, i) => (counts.matches[i] ?? 0) / total));
}

/** 1 for a generation as long as the reference or longer, else e^(1 − r/c); r and c in tokens. */
function brevityPenalty({ generatedTokens: c, referenceTokens: r }: NgramCounts): number {
  return Math.min(1, Math.exp(1 - r / c));
}

function geometricMean(values: readonly number[]): number {
  return values.reduce((product, value) => product * value, 1) ** (1 / values.length);
}

export function countNgrams({ postReviewLines, generation }: RevisionPair): NgramCounts {
  const reference = codeTokens(referenceLines(postReviewLines).join("\n"));
  const generated = codeTokens(generatedLines(generation).join("\n"));
  return {
    generatedTokens: generated.length,
    referenceTokens: reference.length,
    matches: clippedMatches(generated, reference),
    totals: ORDERS.map((n) => Math.max(0, generated.length - n + 1)),
  };
}

/** For n = 1 to 4: generated n-grams, each as often as it also occurs in the reference. */
function clippedMatches(generated: readonly string[], reference: readonly string[]): number[] {
  const token = numbering<string>();
  const texts = [generated.map(token), reference.map(token)];
  let ngrams = texts;
  return ORDERS.map((n) => {
    // An n-gram is a shorter one and the token behind it: two numbers in one, which is looked up faster than a text.
    const ngram = numbering<number>();
    const behind = (own: readonly number[], text: number) =>
      own.slice(0, -1).map((shorter, i) => ngram(shorter * token.size() + (texts[text]?.[i + n - 1] ?? 0)));
    if (n > 1) ngrams = ngrams.map(behind);
    return commonCount(ngrams[0] ?? [], ngrams[1] ?? []);
  });
}

/** Gives each value a number, equal ones the same. */
function numbering<T>(): ((value: T) => number) & { size(): number } {
  const known = new Map<T, number>();
  const of = (value: T) => {
    const number = known.get(value) ?? known.size;
    known.set(value, number);
    return number;
  };
  return Object.assign(of, { size: () => known.size });
}

function commonCount(generated: readonly number[], reference: readonly number[]): number {
  const left = countBy(reference);
  return generated.filter((ngram) => {
    const count = left.get(ngram) ?? 0;
    left.set(ngram, count - 1);
    return count > 0;
  }).length;
}

function add(a: NgramCounts, b: NgramCounts): NgramCounts {
  const sum = (of: readonly number[], and: readonly number[]) => of.map((value, i) => value + (and[i] ?? 0));
  return {
    generatedTokens: a.generatedTokens + b.generatedTokens,
    referenceTokens: a.referenceTokens + b.referenceTokens,
    matches: sum(a.matches, b.matches),
    totals: sum(a.totals, b.totals),
  };
}
