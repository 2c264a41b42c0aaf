import { groupBy } from "../../../base/grouping.js";
import { meanOrNull } from "../../../base/sums.js";
import type { Block, Inline } from "../../../report/block.js";
import {
  type ColumnOf,
  estimateColumn,
  notice,
  numberColumn,
  sentence,
  tableOf,
  textColumn,
} from "../../../report/make-block.js";
import { clusteredProportion, clusterTotals, type Estimate, proportion } from "../../../stats/interval.js";
import type { CaseRow } from "../per-case.js";
import { byDifficulty } from "../smell-case.js";
import { JUDGED } from "../smell-scores.js";
import { type SizeRow, sizeBlocks } from "./case-sizes.js";
import { ALL_CASES, type Printed, type PrintedAgent, type PrintedCell } from "./printed-tables.js";

/** Numbers of some trials. */
interface CellRow {
  readonly label: readonly string[];
  /** Trials. */
  readonly n: number;
  readonly tpr: Estimate | null;
  readonly la: Estimate | null;
  /** Trials whose LA is not known. */
  readonly la_excluded: number;
  /** Mean over the trials of the mean of their marks, 0–1; `null`: none was judged. */
  readonly marks: number | null;
  /** Trials that have a mark. */
  readonly judged: number;
}

/** A table, by what its rows are set apart by. */
interface RowTable {
  readonly by: readonly string[];
  readonly rows: readonly CellRow[];
}

type Key = (row: CaseRow) => string;

const MODEL: Key = ({ agent, model }) =>
  agent === "" || agent === "loop" || agent === model ? model : `${agent}, ${model}`;

const TABLES: readonly { readonly by: readonly string[]; readonly keys: readonly Key[] }[] = [
  { by: ["agent"], keys: [MODEL] },
  { by: ["agent", "setting", "difficulty"], keys: [MODEL, ({ setting }) => setting, ({ difficulty }) => difficulty] },
  { by: ["agent", "smell"], keys: [MODEL, ({ smell }) => smell.replaceAll("_", " ")] },
  { by: ["agent", "project"], keys: [MODEL, ({ project }) => project] },
];

/** Trials by agent, by setting and difficulty, by smell, by project: difficulties from easy to hard, else as they first stand. */
export function rowTables(rows: readonly CaseRow[]): RowTable[] {
  return TABLES.map(({ by, keys }) => {
    const groups = groupBy(by.includes("difficulty") ? easyFirst(rows) : rows, (row) =>
      JSON.stringify(keys.map((key) => key(row))),
    );
    return { by, rows: [...groups.values()].map((own) => cellOf(own, keys)) };
  });
}

function easyFirst(rows: readonly CaseRow[]): CaseRow[] {
  const settings = groupBy(rows, (row) => JSON.stringify([MODEL(row), row.setting]));
  return [...settings.values()].flatMap((own) => own.toSorted((a, b) => byDifficulty(a.difficulty, b.difficulty)));
}

/** Wilson's interval; where cases stand several times, as under both settings, by case (suites.md §1.5). */
function shareOf(rows: readonly CaseRow[], of: (row: CaseRow) => boolean | null): Estimate | null {
  const known = rows.filter((row) => of(row) !== null);
  const isMet = (row: CaseRow) => of(row) === true;
  const cases = [...groupBy(known, ({ project, instance_id }) => JSON.stringify([project, instance_id])).values()];
  if (cases.length === known.length || known.some(({ instance_id }) => instance_id === ""))
    return proportion(known.filter(isMet).length, known.length);
  return clusteredProportion(clusterTotals(cases.map((own) => own.map((row) => Number(isMet(row))))));
}

function cellOf(rows: readonly CaseRow[], keys: readonly Key[]): CellRow {
  const [first] = rows;
  const located = rows.flatMap(({ la }) => la ?? []);
  const marks = rows.map((row) => meanOrNull(JUDGED.map((name) => row[name])));
  return {
    label: first === undefined ? [] : keys.map((key) => key(first)),
    n: rows.length,
    tpr: shareOf(rows, ({ tpr }) => tpr),
    la: shareOf(rows, ({ la }) => la),
    la_excluded: rows.length - located.length,
    marks: meanOrNull(marks),
    judged: marks.filter((mark) => mark !== null).length,
  };
}

/** Statistics of files: printed tables and trials. */
export interface SmellStats {
  readonly printed: readonly Printed[];
  /** Trials that were read. */
  readonly trials: number;
  readonly tables: readonly RowTable[];
  /** Sizes of cases by project. */
  readonly sizes: readonly SizeRow[];
}

/** For a person. */
export function statsBlocks({ printed, trials, tables, sizes }: SmellStats): Block[] {
  return [
    ...printed.flatMap(printedBlocks),
    ...sizeBlocks(sizes),
    ...(trials === 0 && printed.length === 0 && sizes.length === 0 ? [sentence("No trial of a valid case.")] : []),
    ...(trials === 0 ? [] : [sentence(`${trials} trials of valid cases.`), ...tables.map(rowBlock)]),
    ...judgedBlocks(trials, tables),
  ];
}

function judgedBlocks(trials: number, tables: readonly RowTable[]): Block[] {
  const judged = tables[0]?.rows.reduce((sum, row) => sum + row.judged, 0) ?? 0;
  if (trials === 0 || judged === trials) return [];
  const text =
    judged === 0 ? "Nobody judged: no trial has marks." : `${trials - judged} trials have no marks: they are left out.`;
  return [notice("warning", text)];
}

const AGENTS: readonly ColumnOf<PrintedAgent>[] = [
  textColumn("agent", "agent", ({ agent }) => agent),
  textColumn("llm", "model", ({ llm }) => llm),
  numberColumn("n", "n", "count", ({ fit }) => fit?.n ?? null),
  numberColumn("excluded", "excl.", "count", ({ fit }) => fit?.excluded ?? null),
  numberColumn("passed", "pass", "count", ({ fit }) => fit?.passed ?? null),
  four("tpr", "TPR", ({ tpr }) => tpr),
  numberColumn("located", "loc.", "count", ({ fit }) => fit?.located ?? null),
  four("la", "LA", ({ la }) => la),
  four("marks", "marks", ({ marks }) => marks),
];

const CELLS: readonly ColumnOf<PrintedCell>[] = [
  textColumn("setting", "setting", ({ setting }) => setting),
  textColumn("difficulty", "difficulty", ({ difficulty }) => difficulty),
  numberColumn("n", "n", "count", ({ fit }) => fit?.n ?? null),
  numberColumn("passed", "pass", "count", ({ fit }) => fit?.passed ?? null),
  four("tpr", "TPR", ({ tpr }) => tpr),
  numberColumn("located", "loc.", "count", ({ fit }) => fit?.located ?? null),
  four("la", "LA", ({ la }) => la),
  four("llm", "LLM", ({ llm }) => llm),
];

function printedBlocks(printed: Printed): Block[] {
  const { agents, cells } = printed;
  return [
    tableOf("Table 1: counts behind the printed shares, and the mean of the four marks", AGENTS, agents),
    tableOf("Table 3: likewise, by setting and difficulty", CELLS, cells),
    { kind: "list", items: findings(printed) },
  ];
}

function findings({ agents, cells, pooled, same, cellMarks }: Printed): Inline[][] {
  const dropped = agents.filter(({ fit }) => fit !== null && fit.excluded > 0);
  const unfit = agents.filter(({ fit }) => fit === null);
  const rows = dropped.map(({ agent, llm, fit }) => `${agent} ${llm} (n ${fit?.n}, ${fit?.excluded} excluded)`);
  const items: string[] = [];
  if (rows.length > 0)
    items.push(
      `${rows.length} of ${agents.length} rows of Table 1 are no multiples of 1/${ALL_CASES}: ${rows.join("; ")}.`,
    );
  if (unfit.length > 0) items.push(`${unfit.length} rows fit no single n: their counts are not known.`);
  if (pooled === null) items.push(`Not all of the ${cells.length} cells of Table 3 are multiples of 1/49.`);
  else {
    const { n, passed, located } = pooled;
    items.push(`Table 3, all cells: TPR ${passed}/${n} = ${of(passed / n)}, LA ${located}/${n} = ${of(located / n)}.`);
    const names = same.map(({ agent, llm }) => `${agent} ${llm}`);
    items.push(`Rows of Table 1 that it can be of: ${names.length === 0 ? "none" : names.join(", ")}.`);
  }
  const [only] = same;
  if (only !== undefined && cellMarks !== null && of(only.marks) !== of(cellMarks))
    items.push(
      `The mean of its column LLM is ${of(cellMarks)}, the mean of the four marks of that row ${of(only.marks)}: not the same.`,
    );
  return items.map((item) => [item]);
}

/** Share as the paper prints it. */
function of(share: number): string {
  return share.toFixed(4);
}

function rowBlock({ by, rows }: RowTable): Block {
  const names = by.map((name, i): ColumnOf<CellRow> => textColumn(name, name, ({ label }) => label[i] ?? ""));
  return tableOf(`By ${by.join(", ")}`, [...names, ...numbers(by.length === 1)], rows);
}

/** With intervals where there is room for them: in the table of agents alone. */
function numbers(hasIntervals: boolean): ColumnOf<CellRow>[] {
  return [
    numberColumn("n", "n", "count", ({ n }) => n),
    percentColumn("tpr", "TPR", hasIntervals, ({ tpr }) => tpr),
    percentColumn("la", "LA", hasIntervals, ({ la }) => la),
    numberColumn("la_excluded", "LA excl.", "count", ({ la_excluded }) => la_excluded, { importance: 2 }),
    numberColumn("marks", "marks", "coefficient", ({ marks }) => marks),
    numberColumn("judged", "judged", "count", ({ judged }) => judged),
  ];
}

function four<Row>(id: string, label: string, value: (row: Row) => number): ColumnOf<Row> {
  return { ...textColumn<Row>(id, label, (row) => of(value(row))), align: "right" };
}

/** Column of percentages; with an interval where there is room for it. */
function percentColumn<Row>(
  id: string,
  label: string,
  hasInterval: boolean,
  estimate: (row: Row) => Estimate | null,
): ColumnOf<Row> {
  if (hasInterval) return estimateColumn(id, `${label} %`, "points", estimate);
  return numberColumn(id, `${label} %`, "points", (row) => estimate(row)?.value);
}
