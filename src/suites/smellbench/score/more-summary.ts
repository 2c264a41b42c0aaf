import { groupBy } from "../../../base/group-by.js";
import type { TrialRecord } from "../../../trial/records.js";
import { judgedTrials, type SummaryOptions, scoreRows } from "../../../trial/score/summarise.js";
import type { SummaryRow } from "../../../trial/score/trial-tables.js";

const GROUPINGS = [
  { groupBy: "difficulty", of: ({ scores }: TrialRecord) => scores["difficulty"] },
  { groupBy: "smell", of: ({ scores }: TrialRecord) => scores["smell"] },
] as const;

/** Every score by difficulty and by smell, of each agent and setting. */
export function moreSummary(records: readonly TrialRecord[], options: SummaryOptions): SummaryRow[] {
  const arms = groupBy(judgedTrials(records), ({ agent, condition }) => JSON.stringify([agent, condition]));
  return [...arms.values()].flatMap((own) =>
    GROUPINGS.flatMap(({ groupBy: by, of }) =>
      [...groupBy(own, (record) => String(of(record)))].flatMap(([group, part]) => {
        const [first] = part;
        if (first === undefined) return [];
        return scoreRows(part, options, { agent: first.agent, condition: first.condition, groupBy: by, group });
      }),
    ),
  );
}
