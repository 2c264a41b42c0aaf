import type { ReportedPosition } from "../wire/reported-tokens.js";

type Replies = readonly { readonly position: ReportedPosition | null }[];

/** Nats by which two servers of one model may differ: their batches and processors do. */
const TOLERANCE = 0.25;

/** Whether two servers gave the same most probable tokens, about as probable, to the same prompts. */
export function sameNumbers(a: Replies, b: Replies): boolean {
  return a.every(({ position }, i) => {
    const [mine, theirs] = [position?.top[0], b[i]?.position?.top];
    if (mine === undefined || theirs === undefined) return false;
    const match = theirs.find(({ bytes }) => bytes.equals(mine.bytes));
    return match !== undefined && Math.abs(match.logprob - mine.logprob) <= TOLERANCE;
  });
}
