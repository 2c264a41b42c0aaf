import type { Block } from "../../report/block.js";
import { type ColumnOf, heading, notice, numberColumn, tableOf, textColumn } from "../../report/make-block.js";
import type { SummaryRow } from "../../trial/score/trial-tables.js";
import type { TrialRecord } from "../../trial/trial-records.js";
import type { TrialRun } from "../../trial/trial-run.js";

interface ArmRow {
  readonly agent: string;
  readonly condition: string;
  readonly rows: ReadonlyMap<string, SummaryRow>;
}

/** Table of rules followed, by agent and condition, with floor and ceiling beside it. */
export function scoreBlocks({ agents, conditions }: TrialRun, summary: readonly SummaryRow[]): Block[] {
  const arms = conditions.flatMap((condition) =>
    agents.map(({ name: agent }): ArmRow => {
      const own = summary.filter(
        (row) => row.agent === agent && row.condition === condition && row.groupBy === "overall",
      );
      return { agent, condition, rows: new Map(own.map((row) => [row.metric, row])) };
    }),
  );
  return [heading(3, "Rules and lines"), tableOf(null, COLUMNS, arms, { isCards: true })];
}

const COLUMNS: readonly ColumnOf<ArmRow>[] = [
  textColumn("condition", "condition", ({ condition }) => condition, { width: 18 }),
  textColumn("agent", "agent", ({ agent }) => agent, { width: 20 }),
  share("ifr", "IFR"),
  share("ifr_additive", "IFR⁺", 2),
  share("ifr_reductive", "IFR⁻", 2),
  share("alignment", "A"),
  share("precision", "Prec"),
];

function share(metric: string, label: string, importance: 1 | 2 = 1): ColumnOf<ArmRow> {
  return numberColumn(metric, label, "fraction", ({ rows }) => rows.get(metric)?.value, { importance });
}

/** Key in a trial's record: rules that were not run, and why. */
export const RULES_NOT_RUN = "rules_not_run";

const MOST_NAMED = 5;

/** Notices about instances with rules of which nothing is known. */
export function notRunBlocks(records: readonly TrialRecord[]): Block[] {
  const found = new Map<string, readonly string[]>();
  for (const { task_id, scores } of records) {
    const told = scores[RULES_NOT_RUN];
    if (typeof told === "string" && told !== "") found.set(task_id, told.split("\n"));
  }
  return [...found].map(([task, rules]) => {
    const named = rules.slice(0, MOST_NAMED).join("; ");
    const more = rules.length > MOST_NAMED ? `; and ${rules.length - MOST_NAMED} more` : "";
    return notice(
      "warning",
      `${task}: not run, so that its IFR is not known: ${rules.length} rules (${named}${more}). ` +
        "ifr_supported is of the others. With opengrep or semgrep on the search path all can be run.",
    );
  });
}
