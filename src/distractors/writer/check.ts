/** What a check says of a revision that it does not take for right. */
export interface Verdict {
  /** Tells whether all that the review asks for is done. */
  readonly isBeside: boolean;
  /** How likely somebody is to hand it in: 5 (every day) to 1 (nobody would). */
  readonly likelihood: number;
}

/** The reply to a check, by the numbers of the revisions. */
export interface Check {
  /** `null`: right. */
  readonly verdicts: ReadonlyMap<number, Verdict | null>;
  /** Two whose faults nobody would leave in one revision. */
  readonly apart: readonly (readonly [number, number])[];
}

/** The check in a reply; of lines that are something else it says nothing. */
export function checkIn(reply: string): Check {
  const verdicts = reply.matchAll(
    /^[^\w\n]*(?:revision )?(\d+)\b[^\w\n]*(?:is )?(?:(right)\b|(beside|fault)\b[^\d\n]*([1-5])\b)/gim,
  );
  const apart = reply.matchAll(/(\d+)[^\w\n]+(?:and )?(\d+)[^\w\n]+(?:are )?apart\b/gi);
  return {
    verdicts: new Map(
      Array.from(verdicts, ([, number, right, word, likelihood]) => [
        Number(number),
        right === undefined ? { isBeside: word?.toLowerCase() === "beside", likelihood: Number(likelihood) } : null,
      ]),
    ),
    apart: Array.from(apart, ([, a, b]) => [Number(a), Number(b)]),
  };
}
