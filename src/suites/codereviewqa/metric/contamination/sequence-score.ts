import type { TokenScores } from "../../../../model/requests.js";
import { NGRAM, type StartMode, startingPoints } from "./starting-points.js";

/** An n-gram that the model would have written itself. */
interface NgramHit {
  /** Position of its first token, from 0, BOS not counted. */
  readonly start: number;
  /** Its text; characters that a token shares with its neighbour count where they end. */
  readonly text: string;
}

/** What the audit keeps of one text. */
export interface SequenceScore {
  /** Predicted tokens: all but a first one that has nothing before it. */
  readonly tokens: number;
  /** Sum of their negative log probabilities, nats. */
  readonly nll: number;
  /** Length of the text in UTF-16 units. */
  readonly characters: number;
  /** How many n-grams were tried; 0: the text is too short. */
  readonly ngramStarts: number;
  /** How many of them greedy generation gets right; `null` where the engine does not tell which token is the greedy one. */
  readonly ngramHits: number | null;
  readonly hits: readonly NgramHit[];
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
  const hits = outcomes.filter((outcome) => outcome.isHit === true).map(({ start }) => hitAt(text, scores, start));
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

function hitAt(text: string, { ends }: TokenScores, start: number): NgramHit {
  return { start, text: text.slice(ends[start - 1] ?? 0, ends[start + NGRAM.n - 1] ?? text.length) };
}

/** exp(nll / tokens): paper §8, Eq. 5. */
export function perplexity({ tokens, nll }: Pick<SequenceScore, "tokens" | "nll">): number {
  return Math.exp(nll / tokens);
}

/** Surprisal of the text in bits, divided by its length: comparable between texts that are cut into tokens differently. */
export function bitsPerCharacter({ nll, characters }: Pick<SequenceScore, "nll" | "characters">): number {
  return nll / Math.LN2 / characters;
}
