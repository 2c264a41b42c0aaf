import { groupBy } from "../../../base/group-by.js";
import type { TrialRecord } from "../../../trial/records.js";
import { headlineRows, type SummaryOptions } from "../../../trial/score/summarise.js";
import type { SummaryRow } from "../../../trial/score/trial-tables.js";

/** Where tasks of all workflows stand together, each counted once. */
export const ALL = "all";

const GROUPINGS = [
  { groupBy: "category", of: ({ scores }: TrialRecord) => scores["category"] },
  { groupBy: "language", of: ({ scores }: TrialRecord) => scores["language"] },
  { groupBy: "group", of: ({ group }: TrialRecord) => group },
] as const;

/** The reward, Pass@k and Pass^k of all workflows together, weighted by tasks, and by category, language and repository. */
export function moreSummary(records: readonly TrialRecord[], options: SummaryOptions): SummaryRow[] {
  return [...groupBy(records, ({ agent }) => agent)].flatMap(([agent, own]) => {
    const place = { agent, condition: ALL };
    return [
      ...headlineRows(own, options, { ...place, groupBy: "overall", group: "" }),
      ...GROUPINGS.flatMap(({ groupBy: by, of }) => {
        const named = own.filter((record) => typeof of(record) === "string" && of(record) !== "");
        return [...groupBy(named, (record) => String(of(record)))]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .flatMap(([group, part]) => headlineRows(part, options, { ...place, groupBy: by, group }));
      }),
    ];
  });
}
