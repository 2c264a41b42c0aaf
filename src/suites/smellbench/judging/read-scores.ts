import type { Reading } from "../../../judge/criterion.js";
import { objectInReply } from "../../../judge/reply-json.js";
import { JUDGED } from "../score/columns.js";

/** The highest mark. */
const MOST = 10;

/** What one dimension of a reply says: a number from 0 to 10, as a share of 10; anything else is no score, and no 0. */
export function readScore(dimension: string, reply: string): Reading {
  const part = objectInReply(reply, JUDGED[0])?.[dimension];
  const { score: given, justification } = isObject(part) ? part : { score: null, justification: null };
  const score = typeof given === "number" && given >= 0 && given <= MOST ? given / MOST : null;
  return {
    verdict: score === null ? null : String(given),
    score,
    scorePublished: score,
    justification: typeof justification === "string" ? justification : null,
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
