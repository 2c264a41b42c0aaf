import { groupBy } from "../../base/grouping.js";
import { clusteredMean, type Estimate, proportion } from "../../stats/interval.js";
import { meanOrNull } from "./means.js";
import type { CaseRow } from "./per-case.js";
import { JUDGED } from "./smell-scores.js";

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

/** Wilson's interval; where cases stand several times, as under both settings, by case (suites.md §1.5). */
function shareOf(rows: readonly CaseRow[], of: (row: CaseRow) => boolean | null): Estimate | null {
  const known = rows.filter((row) => of(row) !== null);
  const isMet = (row: CaseRow) => of(row) === true;
  const cases = [...groupBy(known, ({ project, instance }) => JSON.stringify([project, instance])).values()];
  if (cases.length === known.length || known.some(({ instance }) => instance === ""))
    return proportion(known.filter(isMet).length, known.length);
  const sums = Float64Array.from(cases, (own) => own.filter(isMet).length);
  const counts = Float64Array.from(cases, ({ length }) => length);
  return clusteredMean({ sums, counts }, { least: 0, most: 1 });
}

function cellOf(rows: readonly CaseRow[], keys: readonly Key[]): CellRow {
  const [first] = rows;
  const located = rows.flatMap(({ la }) => la ?? []);
  const marks = rows.map((row) => meanOrNull(JUDGED.map((name) => row.marks[name])));
  return {
    label: first === undefined ? [] : keys.map((key) => key(first)),
    n: rows.length,
    tpr: shareOf(rows, ({ tpr }) => tpr),
    la: shareOf(rows, ({ la }) => la),
    laExcluded: rows.length - located.length,
    marks: meanOrNull(marks),
    judged: marks.filter((mark) => mark !== null).length,
  };
}
