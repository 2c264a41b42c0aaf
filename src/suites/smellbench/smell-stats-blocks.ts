import type { Block, Inline } from "../../report/block.js";
import { type ColumnOf, intervalOf, notice, numberCell, sentence, tableOf, textCell } from "../../report/make-block.js";
import type { Estimate } from "../../stats/interval.js";
import type { CellRow, RowTable } from "./case-tables.js";
import type { Printed, PrintedAgent, PrintedCell } from "./printed-tables.js";
import { ALL_CASES } from "./printed-tables.js";

/** Everything that files came to. */
export interface SmellStats {
  readonly printed: readonly Printed[];
  /** Trials that were read. */
  readonly trials: number;
  readonly tables: readonly RowTable[];
}

/** For a person. */
export function statsBlocks({ printed, trials, tables }: SmellStats): Block[] {
  return [
    ...printed.flatMap(printedBlocks),
    ...(trials === 0 && printed.length === 0 ? [sentence("No trial of a valid case.")] : []),
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
  left("agent", "agent", ({ agent }) => agent),
  left("llm", "model", ({ llm }) => llm),
  count("n", "n", ({ fit }) => fit?.n ?? null),
  count("excluded", "excl.", ({ fit }) => fit?.excluded ?? null),
  count("passed", "pass", ({ fit }) => fit?.passed ?? null),
  four("tpr", "TPR", ({ tpr }) => tpr),
  count("located", "loc.", ({ fit }) => fit?.located ?? null),
  four("la", "LA", ({ la }) => la),
  four("marks", "marks", ({ marks }) => marks),
];

const CELLS: readonly ColumnOf<PrintedCell>[] = [
  left("setting", "setting", ({ setting }) => setting),
  left("difficulty", "difficulty", ({ difficulty }) => difficulty),
  count("n", "n", ({ fit }) => fit?.n ?? null),
  count("passed", "pass", ({ fit }) => fit?.passed ?? null),
  four("tpr", "TPR", ({ tpr }) => tpr),
  count("located", "loc.", ({ fit }) => fit?.located ?? null),
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

/** As the paper prints it. */
function of(share: number): string {
  return share.toFixed(4);
}

function rowBlock({ by, rows }: RowTable): Block {
  const names = by.map((name, i): ColumnOf<CellRow> => left(name, name, ({ label }) => label[i] ?? ""));
  return tableOf(`By ${by.join(", ")}`, [...names, ...numbers(by.length === 1)], rows);
}

/** With intervals where there is room for them: in the table of agents alone. */
function numbers(hasIntervals: boolean): ColumnOf<CellRow>[] {
  return [
    count("n", "n", ({ n }) => n),
    estimated("tpr", "TPR", hasIntervals, ({ tpr }) => tpr),
    estimated("la", "LA", hasIntervals, ({ la }) => la),
    { ...count<CellRow>("la_excluded", "LA excl.", ({ laExcluded }) => laExcluded), importance: 2 },
    { ...right<CellRow>("marks", "marks"), cell: ({ marks }) => numberCell(marks, "coefficient") },
    count("judged", "judged", ({ judged }) => judged),
  ];
}

function left<Row>(id: string, label: string, text: (row: Row) => string): ColumnOf<Row> {
  return { id, label, align: "left", importance: 1, cell: (row) => textCell(text(row)) };
}

function count<Row>(id: string, label: string, value: (row: Row) => number | null): ColumnOf<Row> {
  return { ...right<Row>(id, label), cell: (row) => numberCell(value(row), "count") };
}

function four<Row>(id: string, label: string, value: (row: Row) => number): ColumnOf<Row> {
  return { ...right<Row>(id, label), cell: (row) => textCell(of(value(row))) };
}

function estimated<Row>(
  id: string,
  label: string,
  hasInterval: boolean,
  value: (row: Row) => Estimate | null,
): ColumnOf<Row> {
  const cell = (row: Row) => {
    const estimate = value(row);
    const interval = hasInterval ? intervalOf(estimate?.low, estimate?.high) : null;
    return numberCell(estimate?.value, "points", { interval });
  };
  return { ...right<Row>(id, `${label} %`), cell };
}

function right<Row>(id: string, label: string): Omit<ColumnOf<Row>, "cell"> {
  return { id, label, align: "right", importance: 1 };
}
