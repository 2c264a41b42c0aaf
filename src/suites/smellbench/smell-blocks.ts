import { groupBy } from "../../base/grouping.js";
import type { Block } from "../../report/block.js";
import { type ColumnOf, heading, numberColumn, sentence, tableOf, textColumn } from "../../report/make-block.js";
import type { SummaryRow } from "../../trial/score/trial-tables.js";
import type { TrialRun } from "../../trial/trial-run.js";
import { byDifficulty, SMELLS } from "./smell-case.js";
import { JUDGED, type Judged } from "./smell-scores.js";

/** Numbers of some trials, by their metric. */
interface Cells {
  readonly name: string;
  readonly rows: ReadonlyMap<string, SummaryRow>;
}

const MARKS: Readonly<Record<Judged, string>> = {
  smell_elimination: "SE",
  cross_file_coordination: "CC",
  structural_soundness: "SS",
  code_quality: "CQ",
};

/** Scores of the agent that a run is about by setting, difficulty and smell; each table says where there are no marks. */
export function smellBlocks(run: TrialRun, summary: readonly SummaryRow[]): Block[] {
  const own = summary.filter(({ agent }) => agent === run.agents[0]?.name);
  const tables = ["overall", "difficulty", "smell"] as const;
  return [
    heading(3, "By setting, difficulty and smell"),
    ...tables.map((by) => tableBy(own, by)),
    sentence(
      "SE, CC, SS, CQ: the judge's marks for the smell, the files, the structure, the code; of 10. judged: trials with the mark that most have; n of each: summary.csv.",
    ),
  ];
}

function tableBy(summary: readonly SummaryRow[], by: SummaryRow["groupBy"]): Block {
  const placed = summary.filter(({ groupBy: each }) => each === by);
  const settings = [...groupBy(placed, ({ condition }) => condition).values()];
  const own = settings.flatMap((rows) => rows.toSorted((a, b) => byDifficulty(a.group, b.group)));
  const cells = [...groupBy(own, nameOf)].map(([name, rows]): Cells => {
    return { name, rows: new Map(rows.map((row) => [row.metric, row])) };
  });
  const isJudged = cells.some(({ rows }) => judgedOf(rows) > 0);
  return tableOf(isJudged ? null : "No marks: nobody judged, or nothing that can be read", columnsBy(by), cells);
}

function nameOf({ condition, group, groupBy: by }: SummaryRow): string {
  if (by === "overall") return condition;
  return `${condition}, ${Object.hasOwn(SMELLS, group) ? SMELLS[group as keyof typeof SMELLS] : group}`;
}

/** Trials that have a mark. */
function judgedOf(rows: Cells["rows"]): number {
  return Math.max(...JUDGED.map((name) => rows.get(name)?.n ?? 0));
}

function columnsBy(by: string): ColumnOf<Cells>[] {
  return [
    textColumn("name", by === "overall" ? "setting" : by, ({ name }) => name),
    numberColumn("n", "n", "count", ({ rows }) => rows.get("tpr")?.n),
    numberColumn("tpr", "TPR %", "points", ({ rows }) => rows.get("tpr")?.value),
    numberColumn("la", "LA %", "points", ({ rows }) => rows.get("la")?.value),
    numberColumn("excluded", "LA excl.", "count", ({ rows }) => rows.get("la")?.excluded, { importance: 2 }),
    ...JUDGED.map((name) =>
      numberColumn<Cells>(name, MARKS[name], "short", ({ rows }) => tenfold(rows.get(name)?.value)),
    ),
    numberColumn("judged", "judged", "count", ({ rows }) => judgedOf(rows)),
  ];
}

function tenfold(value: number | null | undefined): number | null {
  return value === null || value === undefined ? null : value * 10;
}
