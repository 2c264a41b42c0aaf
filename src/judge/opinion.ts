import { groupBy } from "../base/grouping.js";
import { meanOrNull } from "../base/sums.js";
import type { RatingRecord } from "./rating-records.js";

/** What all votes about a criterion came to. */
export interface Opinion {
  readonly criterion: string;
  readonly title: string;
  readonly polarity: "positive" | "negative";
  readonly importance: string;
  /** Whether it is a mark. */
  readonly scale: "points" | null;
  /**
   * 1: passed; of several votes what most say, and `null` where none can be read or as many say the contrary. Of marks
   * their mean.
   */
  readonly score: number | null;
  readonly scorePublished: number | null;
  /** Why, by the first vote that says the same. */
  readonly justification: string | null;
  /** In the order in which they were asked for. */
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
        ...{ criterion, title, polarity, importance, scale, score, votes },
        scorePublished: decide(votes.map((vote) => vote.score_published)),
        justification: speaking.justification,
      },
    ];
  });
}

/** What most of those that can be read say; `null`: none can, or as many say something else. */
export function majority(scores: readonly (number | null)[]): number | null {
  const counts = new Map<number, number>();
  for (const score of scores) if (score !== null) counts.set(score, (counts.get(score) ?? 0) + 1);
  const ranked = [...counts].sort(([, a], [, b]) => b - a);
  const [first, second] = ranked;
  return first === undefined || first[1] === second?.[1] ? null : first[0];
}
