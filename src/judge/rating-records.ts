import { z } from "zod";
import type { FolderCodec } from "../store/journal/codec.js";
import { jsonRecord } from "../store/journal/json-record.js";

/**
 * How a question to a judge ended.
 * - `read`: it said what can be read
 * - `unreadable`: it said something else, or will never say anything
 * - `lost`: it could not be asked; asked again on resume
 * - `not_asked`: there was nothing to judge
 */
export const RATING_STATUSES = ["read", "unreadable", "lost", "not_asked"] as const;

const count = z.int().nonnegative();
const score = z.number().min(0).max(1).nullable();

const verdictSchema = z.object({
  /** Place of agent, condition and task among those of the run. */
  item: count,
  /** Place of trial, criterion and vote in it. */
  place: count,
  agent: z.string(),
  condition: z.string(),
  task_id: z.string(),
  trial: count,
  criterion_id: z.string(),
  title: z.string(),
  polarity: z.enum(["positive", "negative"]),
  importance: z.string(),
  /** `points`: a mark; absent: passed or not. */
  scale: z.enum(["points"]).optional(),
  vote: count,
  status: z.enum(RATING_STATUSES),
  /** In the judge's words. */
  verdict: z.string().nullable(),
  /** 1: passed; a fault that is there is 0. */
  score,
  score_published: score,
  justification: z.string().nullable(),
  /** What went wrong, in words. */
  detail: z.string().nullable(),
  /** Of what was judged: verdicts on other submissions cannot be compared. */
  submission_sha256: z.string().nullable(),
  /** Whether it is read from the reply of another criterion, which has its tokens; absent: it has its own. */
  shares_reply: z.boolean().optional(),
  prompt_tokens: count.nullable(),
  completion_tokens: count.nullable(),
});

/** One vote of a judge on one criterion, as the journal holds it. */
export type RatingRecord = z.infer<typeof verdictSchema>;

export const RATINGS: FolderCodec<RatingRecord> = {
  kind: "verdicts",
  file: "verdicts.jsonl",
  journal: "the verdicts of a run's judge",
  record: "a verdict of a run's judge",
  onDamage: "Remove that line to ask the judge again.",
  version1: "record",
  ...jsonRecord(verdictSchema),
  placeOf: ({ item, place }) => ({ item, place }),
  isFailed: ({ status }) => status === "lost",
};
