import { groupBy } from "../base/grouping.js";
import { meanOrNull } from "../base/sums.js";
import { COUNT, FLAG, nullable, oneOf, optional, SHARE, TEXT } from "../store/field-type.js";
import type { FolderCodec } from "../store/journal/codec.js";
import { field, type RecordOf, recordTable } from "../store/record-fields.js";

/**
 * Status of a question to a judge.
 * - `read`: it said what can be read
 * - `unreadable`: it said something else, or will never say anything
 * - `refused`: it will never say anything of what was handed in, though it does of the right solution: failed
 * - `lost`: it could not be asked; asked again on resume
 * - `not_asked`: there was nothing to judge
 */
const RATING_STATUSES = ["read", "unreadable", "refused", "lost", "not_asked"] as const;

/** Fields of a rating: lines of the journal, columns of `verdicts.csv` and their meanings follow. */
const RATING_FIELDS = {
  /** Place of agent, condition and task among those of the run. */
  item: field(COUNT),
  /** Place of trial, criterion and vote in it. */
  place: field(COUNT),
  agent: field(TEXT),
  condition: field(TEXT, { column: "The arm of the suite.", behind: "task_id" }),
  task_id: field(TEXT, "The task."),
  trial: field(COUNT, "Number of the independent trial, from 0."),
  criterion_id: field(TEXT, "Criterion that was asked about."),
  title: field(TEXT),
  polarity: field(oneOf(["positive", "negative"]), "positive; negative: a fault."),
  importance: field(TEXT, "Such as must have."),
  /** `points`: a mark; absent: passed or not. */
  scale: field(optional(oneOf(["points"]))),
  vote: field(COUNT, "Number of the vote, from 0."),
  status: field(oneOf(RATING_STATUSES)),
  /** Verdict in the judge's words. */
  verdict: field(nullable(TEXT), "Verdict in the judge's words; empty: it cannot be read, or was not asked."),
  score: field(nullable(SHARE), "1: passed (of a fault: it is not there); a mark of 10, by 10; empty: not known."),
  score_published: field(nullable(SHARE)),
  /** The released evaluator ends with an error on the reply; absent: it does not. */
  breaks_published: field(optional(FLAG)),
  justification: field(nullable(TEXT), "Why, in the judge's words."),
  /** The fault, in words. */
  detail: field(nullable(TEXT)),
  /** Hash of the submission that was judged: ratings of other submissions cannot be compared. */
  submission_sha256: field(nullable(TEXT)),
  /** It is read from the reply of another criterion, which has its tokens; absent: it has its own. */
  shares_reply: field(optional(FLAG)),
  prompt_tokens: field(nullable(COUNT)),
  completion_tokens: field(nullable(COUNT)),
};

/** One vote of a judge on one criterion, as the journal holds it. */
export type RatingRecord = RecordOf<typeof RATING_FIELDS>;

/** Ratings as far as they are a judge's own words: what it would not reply about has failed, and no opinion. */
export function ratingsSaid(ratings: readonly RatingRecord[]): RatingRecord[] {
  return ratings.map((rating) => (rating.status === "refused" ? { ...rating, score: null } : rating));
}

/** Reader, writer and columns of a rating. */
export const RATING_FIELD_TABLE = recordTable(RATING_FIELDS);

export const RATINGS: FolderCodec<RatingRecord> = {
  kind: "verdicts",
  file: "verdicts.jsonl",
  journal: "the verdicts of a run's judge",
  record: "a verdict of a run's judge",
  onDamage: "Remove that line to ask the judge again.",
  version1: "record",
  encode: RATING_FIELD_TABLE.encode,
  decode: RATING_FIELD_TABLE.decode,
  placeOf: ({ item, place }) => ({ item, place }),
  isFailed: ({ status }) => status === "lost",
};

/** Result of all votes about a criterion. */
export interface Opinion {
  readonly criterion: string;
  readonly title: string;
  readonly polarity: "positive" | "negative";
  readonly importance: string;
  /** `points` for a mark. */
  readonly scale: "points" | null;
  /**
   * 1: passed; of several votes what most say, and `null` where none can be read or as many say the contrary. Of marks
   * their mean.
   */
  readonly score: number | null;
  readonly scorePublished: number | null;
  /** True if a vote ends the released evaluator. */
  readonly breaksPublished: boolean;
  /** Why, by the first vote that says the same. */
  readonly justification: string | null;
  /** Votes in the order of asking. */
  readonly votes: readonly RatingRecord[];
}

/** Opinions on a trial, in the order of its criteria. */
export function opinionsOf(records: readonly RatingRecord[]): Opinion[] {
  const byCriterion = groupBy(records, ({ criterion_id }) => criterion_id);
  return [...byCriterion.values()].flatMap((votes): Opinion[] => {
    const [first] = votes;
    if (first === undefined) return [];
    const { criterion_id: criterion, title, polarity, importance, scale = null } = first;
    const decide = scale === null ? majority : meanOrNull;
    const score = decide(votes.map((vote) => vote.score));
    const speaking = votes.find((vote) => vote.score === score) ?? first;
    return [
      {
        criterion,
        title,
        polarity,
        importance,
        scale,
        score,
        votes,
        scorePublished: decide(votes.map((vote) => vote.score_published)),
        breaksPublished: votes.some((vote) => vote.breaks_published === true),
        justification: speaking.justification,
      },
    ];
  });
}

/** Score of most votes that can be read; `null`: none can, or there is a tie. */
export function majority(scores: readonly (number | null)[]): number | null {
  const counts = new Map<number, number>();
  for (const score of scores) if (score !== null) counts.set(score, (counts.get(score) ?? 0) + 1);
  const ranked = [...counts].sort(([, a], [, b]) => b - a);
  const [first, second] = ranked;
  return first === undefined || first[1] === second?.[1] ? null : first[0];
}
