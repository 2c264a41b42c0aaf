import type { Language } from "../../../base/language.js";
import { type DrawInteger, seededIntegers } from "../../../base/random.js";
import type { Difficulty } from "../../../dataset/example.js";
import type { TokenScores } from "../../../model/requests.js";
import { LEAST_RESAMPLED } from "../../../stats/bootstrap.js";

/** An n-gram that the model would have written itself. */
interface NgramHit {
  /** Position of its first token, from 0, BOS not counted. */
  readonly start: number;
  /** Its text; characters that a token shares with its neighbour count where they end. */
  readonly text: string;
}

/** Numbers of one text. */
interface SequenceScore {
  /** Predicted tokens: all but a first one that has nothing before it. */
  readonly tokens: number;
  /** Sum of their negative log probabilities, nats. */
  readonly nll: number;
  /** Length of the text in UTF-16 units. */
  readonly characters: number;
  /** Number of n-grams tried; 0: the text is too short. */
  readonly ngramStarts: number;
  /** Number of n-grams that greedy generation gets right; `null` where the engine does not tell the greedy token. */
  readonly ngramHits: number | null;
  readonly hits: NgramHit[];
}

/**
 * Sums up a text's scores (paper §8). Greedy generation of n tokens after the true prefix equals the true tokens exactly
 * when each of them is the most probable one after the true tokens before it, so nothing has to be generated.
 * @returns `null` when no token was predicted, or a log probability is not finite
 */
export function sequenceScore(
  text: string,
  scores: TokenScores,
  starts: { readonly mode: StartMode; readonly seed: number },
): SequenceScore | null {
  const predicted = scores.logprobs.filter((logprob) => logprob !== null);
  const nll = predicted.reduce((sum, logprob) => sum - logprob, 0);
  if (predicted.length === 0 || !Number.isFinite(nll)) return null;
  const points = startingPoints(scores.logprobs.length, starts.mode, starts.seed) ?? [];
  const outcomes = points.map((start) => ({ start, isHit: isHit(scores, start) }));
  const { ends } = scores;
  const textAt = (start: number) => text.slice(ends[start - 1] ?? 0, ends[start + NGRAM.n - 1] ?? text.length);
  const hits = outcomes.filter((each) => each.isHit === true).map(({ start }) => ({ start, text: textAt(start) }));
  const isKnown = points.length > 0 && outcomes.every((outcome) => outcome.isHit !== null);
  return {
    tokens: predicted.length,
    nll,
    characters: text.length,
    ngramStarts: points.length,
    ngramHits: isKnown ? hits.length : null,
    hits: isKnown ? hits : [],
  };
}

/** `null` when no token of the n-gram is known to be wrong, and one is not known to be right. */
function isHit({ isGreedy }: TokenScores, start: number): boolean | null {
  const tokens = isGreedy.slice(start, start + NGRAM.n);
  if (tokens.includes(false)) return false;
  return tokens.includes(null) ? null : true;
}

/** exp(nll / tokens): paper §8, Eq. 5. */
export function perplexity({ tokens, nll }: Pick<SequenceScore, "tokens" | "nll">): number {
  return Math.exp(nll / tokens);
}

/** Share of n-grams that were hit, 0–1; `null` where none was tried, or it is not known. */
export function ngramAccuracy({
  ngramHits,
  ngramStarts,
}: Pick<SequenceScore, "ngramHits" | "ngramStarts">): number | null {
  return ngramHits === null || ngramStarts === 0 ? null : ngramHits / ngramStarts;
}

/** Surprisal of the text in bits, divided by its length: comparable between texts that are cut into tokens differently. */
export function bitsPerCharacter({ nll, characters }: Pick<SequenceScore, "nll" | "characters">): number {
  return nll / Math.LN2 / characters;
}

/** The paper's setting (§8): five starting points, five tokens each. */
export const NGRAM = { n: 5, starts: 5 } as const;

/** The first token that is predicted from at least two before it, as in the reference implementation. */
const FIRST = 2;

/**
 * Where the n-grams of a text begin (paper §8, Eq. 6, s_j; Xu et al. 2024): token positions from 0, BOS not counted,
 * ascending. `even`: ⌊2 + j (length − n − 2) / (K − 1)⌋ for j = 0 … K − 1, which is the reference implementation's choice:
 * from the third token to the last n-gram.
 * @param tokens length of the text
 * @param seed of this text; for `random` only
 * @returns `null` when the text is too short for K different ones
 */
export function startingPoints(tokens: number, mode: StartMode, seed: number): readonly number[] | null {
  const last = tokens - NGRAM.n;
  if (last - FIRST + 1 < NGRAM.starts) return null;
  if (mode === "random") return drawnPoints(last, seededIntegers(seed));
  // Whole numbers until the division, so that no rounding can take a point below its place.
  return Array.from({ length: NGRAM.starts }, (_, j) => FIRST + Math.floor((j * (last - FIRST)) / (NGRAM.starts - 1)));
}

function drawnPoints(last: number, draw: DrawInteger): number[] {
  const points = new Set<number>();
  while (points.size < NGRAM.starts) points.add(draw(FIRST, last));
  return [...points].sort((a, b) => a - b);
}

/** `ACR`: prompt and revision. `MCQA`: stem and options. `ACR_RENAMED`: as ACR, the identifiers made up. */
export const AUDIT_FORMS = ["ACR", "ACR_RENAMED", "MCQA"] as const;
export type AuditForm = (typeof AUDIT_FORMS)[number];

/** One way to write an example down. */
export interface SequenceForm {
  readonly form: AuditForm;
  /** `ACR` for both forms of it; else the probe. */
  readonly task: string;
  readonly difficulty: Difficulty | null;
}

/** Two forms with the same key are the same. */
export function formKey({ form, task, difficulty }: SequenceForm): string {
  return [form, task, difficulty ?? ""].join(" ");
}

export interface ScoreSummary extends Omit<SequenceScore, "hits"> {
  /** Characters of renamed code that differ from ACR's text, which is as long; `null` for other forms. */
  readonly renamedCharacters: number | null;
}

/** An example, and what was scored of it, by `formKey`. */
export interface ScoredExample {
  readonly id: string;
  readonly language: Language;
  readonly scores: ReadonlyMap<string, ScoreSummary>;
}

/** A benchmark, scored. */
export interface ScoredSet {
  readonly benchmark: string;
  readonly forms: readonly SequenceForm[];
  /** A few numbers a form for each example. */
  readonly examples: readonly ScoredExample[];
}

/**
 * Every metric of `contamination_summary.csv`, in the order of its rows, with what a reader must know. Intervals of fewer
 * than {@link LEAST_RESAMPLED} examples are Student's t, whichever way the others are found.
 */
export const CONTAMINATION_METRICS = {
  perplexity_mean:
    "Mean of the sequences' perplexities (paper §8, Eq. 5; Table 4). Interval: bootstrap by example, as everywhere here; " +
    `of fewer than ${LEAST_RESAMPLED} examples by Student's t. n: sequences.`,
  perplexity_corpus: "exp(Σ nll / Σ tokens): every token counts alike. n: tokens.",
  perplexity_median: "Median of the sequences' perplexities. n: sequences.",
  ngram_accuracy:
    "Share of the starting points whose 5 tokens greedy generation gets right, mean over the sequences (paper §8, Eq. 6; " +
    "Table 4). Interval: bootstrap by example. n: sequences that are long enough.",
  bits_per_character:
    "Σ surprisal in bits / Σ characters: comparable between texts that are cut into tokens differently. n: characters.",
  ln_perplexity_minus_acr:
    "Paired difference: ln perplexity of this form (mean over its sequences) minus that of ACR, mean over the examples that " +
    "have both. Above 0: harder to predict than ACR. exp of it is a factor. Interval: bootstrap by example. n: examples.",
  ngram_accuracy_minus_acr:
    "Paired difference of the n-gram accuracy: this form minus ACR, as ln_perplexity_minus_acr.",
  renaming_cost:
    "ACR_RENAMED only: surprisal in bits that the renaming adds to ACR's, divided by the characters it replaced, mean over the " +
    "examples that have both: how much better the model knows the names than made-up ones. Interval: bootstrap by example. " +
    "n: examples.",
  renaming_cost_difference:
    "The audited dataset's renaming_cost minus this benchmark's. Above 0: the model knows the names of the audited " +
    "dataset better, as it does when it has memorised the code. Interval: both resampled; by Welch's t where either has " +
    `fewer than ${LEAST_RESAMPLED} examples. n: examples of this benchmark.`,
} as const;

export type ContaminationMetric = keyof typeof CONTAMINATION_METRICS;

/**
 * Below this many examples nothing is concluded: one odd example decides.
 */
export const LEAST_EXAMPLES = 20;

/** Words in place of a conclusion. */
export function tooFewText(examples: number): string {
  return `too few examples (${examples}) for a verdict: it takes ${LEAST_EXAMPLES}`;
}

/** `even`: spread evenly over the text. `random`: drawn, all different. */
export const START_MODES = ["even", "random"] as const;
export type StartMode = (typeof START_MODES)[number];
