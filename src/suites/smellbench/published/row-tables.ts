import { groupBy } from "../../../base/group-by.js";
import { type Estimate, proportion } from "../../../stats/interval.js";
import { JUDGED } from "../score/columns.js";
import { meanOrNull } from "../score/means.js";
import type { CaseRow } from "../score/per-case.js";

/** Numbers of some trials. */
export interface CellRow {
  readonly label: readonly string[];
  /** Trials. */
  readonly n: number;
  readonly tpr: Estimate | null;
  readonly la: Estimate | null;
  /** Trials whose LA is not known. */
  readonly laExcluded: number;
  /** Mean over the trials of the mean of their marks, 0–1; `null`: none was judged. */
  readonly marks: number | null;
  /** Trials that have a mark. */
  readonly judged: number;
}

/** A table, by what its rows are set apart by. */
export interface RowTable {
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

/** Trials by agent, by setting and difficulty, by smell, by project: in the order in which they first stand. */
export function rowTables(rows: readonly CaseRow[]): RowTable[] {
  return TABLES.map(({ by, keys }) => {
    const groups = groupBy(rows, (row) => JSON.stringify(keys.map((key) => key(row))));
    return { by, rows: [...groups.values()].map((own) => cellOf(own, keys)) };
  });
}

function cellOf(rows: readonly CaseRow[], keys: readonly Key[]): CellRow {
  const [first] = rows;
  const located = rows.flatMap(({ la }) => la ?? []);
  const marks = rows.map((row) => meanOrNull(JUDGED.map((name) => row.marks[name])));
  return {
    label: first === undefined ? [] : keys.map((key) => key(first)),
    n: rows.length,
    tpr: proportion(rows.filter(({ tpr }) => tpr).length, rows.length),
    la: proportion(located.filter(Boolean).length, located.length),
    laExcluded: rows.length - located.length,
    marks: meanOrNull(marks),
    judged: marks.filter((mark) => mark !== null).length,
  };
}
