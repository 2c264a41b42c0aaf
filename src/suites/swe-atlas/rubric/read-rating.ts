import type { Reading } from "../../../judge/criterion.js";
import { objectInReply, objectInReplyPublished } from "../../../judge/reply-json.js";
import type { Workflow } from "../task/task.js";

type Rating = Readonly<Record<string, unknown>>;
type Verdict = "YES" | "NO";

const UNREAD: Reading = { verdict: null, score: null, scorePublished: null, justification: null };

/**
 * Reads what a judge says of a rubric, by the workflow's rule; of several ratings the first counts.
 * @param isNegative whether the rubric is a fault: it is passed where it is not there
 */
export function readRating(workflow: Workflow, isNegative: boolean, reply: string): Reading {
  const rating = firstRating(objectInReply(reply, "ratings"));
  const published = firstRating(objectInReplyPublished(reply, "ratings"));
  const verdict = rating === null ? null : VERDICTS[workflow](rating);
  const verdictPublished = published === null ? null : VERDICTS[workflow](published);
  if (rating === null) return UNREAD;
  return {
    verdict,
    score: scoreOf(verdict, isNegative),
    scorePublished: scoreOf(verdictPublished, isNegative),
    justification: typeof rating["justification"] === "string" ? rating["justification"] : null,
  };
}

function firstRating(object: Rating | null): Rating | null {
  const ratings = object?.["ratings"];
  const first: unknown = Array.isArray(ratings) ? ratings[0] : null;
  return typeof first === "object" && first !== null ? (first as Rating) : null;
}

function scoreOf(verdict: Verdict | null, isNegative: boolean): number | null {
  return verdict === null ? null : Number((verdict === "YES") !== isNegative);
}

/** How each workflow's evaluator finds the verdict in a rating. */
const VERDICTS: Readonly<Record<Workflow, (rating: Rating) => Verdict | null>> = {
  // The status, else the score, each in several spellings.
  qa: ({ status, score }) => spelled(status, YES, NO) ?? spelled(score, ONE, ZERO),
  // The score, where there is a status too.
  tw: ({ status, score }) => (statusOf(status) === null ? null : spelled(score, ["1"], ["0"])),
  rf: ({ status }) => statusOf(status),
};

const YES = ["YES", "Y", "TRUE", "1"];
const NO = ["NO", "N", "FALSE", "0"];
const ONE = [...YES, "1.0"];
const ZERO = [...NO, "0.0"];

function statusOf(status: unknown): Verdict | null {
  return spelled(status, ["YES"], ["NO"]);
}

function spelled(value: unknown, yes: readonly string[], no: readonly string[]): Verdict | null {
  if (value === undefined || value === null) return null;
  const text = String(value).trim().toUpperCase();
  return yes.includes(text) ? "YES" : no.includes(text) ? "NO" : null;
}

/** Reads whether a judge finds a manifest true; anything but `YES` and `NO` is no verdict, which the released rule takes for NO. */
export function readManifestAnswer(reply: string): Reading {
  const object = objectInReply(reply, "answer");
  const answer = object?.["answer"];
  const verdict = answer === "YES" || answer === "NO" ? answer : null;
  const justification = object?.["justification"];
  return {
    verdict,
    score: verdict === null ? null : Number(verdict === "YES"),
    scorePublished: Number(verdict === "YES"),
    justification: typeof justification === "string" ? justification : null,
  };
}
