/** The answer along the thoughts before one answer. */
export interface AnswerTrace {
  /** Part of the thoughts, 0–1, after which the answer did not change any more. */
  readonly settledAt: number;
  /** Times that the chosen option changed from a point to the next that has one. */
  readonly switches: number;
  /** Symbol that was answered in the end, where the right option had been chosen before and another was then; else `null`. */
  readonly leftRightFor: string | null;
  /** After each part: whether the right option would have been chosen. */
  readonly isRight: readonly boolean[];
}

/** The answers along the thoughts of one question, over its orders and repeats. */
export interface TraceScore {
  /** Answers with a trace. */
  readonly answers: number;
  /** Mean part of the thoughts after which an answer did not change any more, 0–1. */
  readonly settledAt: number;
  /** Changes of the chosen option, all answers together. */
  readonly switches: number;
  /** Answers that left the right option, by the symbol that they ended with. */
  readonly leftRight: ReadonlyMap<string, number>;
  /** Share of the answers that are right after each part, 0–1. */
  readonly rightAt: readonly number[];
}

/** A point of a trace; `null`: undecided. */
export interface TracedPoint {
  /** Tokens of thoughts before it. */
  readonly tokens: number;
  readonly symbol: string | null;
  /** 0 is the right one. */
  readonly option: number | null;
}

/**
 * Reads one trace.
 * @param points at least one, the last behind all thoughts
 * @param tokens of all thoughts; `null`: those of the last point
 */
export function traceOfAnswer(points: readonly TracedPoint[], tokens: number | null): AnswerTrace {
  const last = points.at(-1);
  const all = Math.max(1, tokens ?? last?.tokens ?? 1);
  const firstSettled = points.findLastIndex(({ option }) => option !== last?.option) + 1;
  const chosen = points.flatMap(({ option }) => option ?? []);
  const hasLeft = last?.option != null && last.option !== 0 && chosen.includes(0);
  return {
    settledAt: Math.min(1, (points[firstSettled]?.tokens ?? all) / all),
    switches: chosen.filter((option, i) => i > 0 && option !== chosen[i - 1]).length,
    leftRightFor: hasLeft ? (last.symbol ?? null) : null,
    isRight: points.map(({ option }) => option === 0),
  };
}
