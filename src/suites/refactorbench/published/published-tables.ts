import { badInput } from "../../../base/errors.js";
import { shorten } from "../../../base/text.js";
import { readCsv, type TextRow, type TextTable } from "../../../store/read-csv.js";
import { type FixtureFacts, isFixtureTable, joinFacts, tableFacts } from "./contracts.js";
import { type Findings, findingsOf, type Hardness, hardnessOf } from "./findings.js";
import { CATEGORY, HIDDEN_TESTS } from "./fixture-tables.js";
import { lackingColumns, type PaperRows, paperRows } from "./paper-tables.js";
import { conditionsOf, type PublishedRow, rowFrom } from "./published-row.js";

/** A file, and what messages call it. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** The tables of the paper, recomputed from rows, as `--json` prints them: numbers in full precision, shares 0–1. */
export interface PublishedTables extends PaperRows {
  readonly rows: number;
  /** Rows that a later one took the place of. */
  readonly superseded: number;
  readonly conditions: number;
  readonly fixtures: number;
  readonly hardness: Hardness;
  readonly findings: Findings;
  /** Tables that are not there, and the columns that they want. */
  readonly left_out: ReturnType<typeof lackingColumns>;
}

/**
 * The tables of the paper (3–13) from CSV texts: those of results, and, where lines of targets are wanted, the released one of fixtures.
 * @param facts of the fixtures, such as those of their folder
 * @param isRounded whether Table 13 is computed from rounded means, as the printed one was
 * @throws ProbeError `bad_input` for texts that are no such tables
 */
export function publishedTables(
  files: readonly NamedText[],
  { isRounded, facts: own = new Map() }: { isRounded: boolean; facts?: ReadonlyMap<string, FixtureFacts> },
): PublishedTables {
  const read = files.map(({ name, text }) => readCsv(name, text));
  const results = read.filter((table) => !isFixtureTable(table));
  const [fixtures, ...further] = read.filter(isFixtureTable);
  if (results.length === 0 || further.length > 0) {
    throw badInput(
      "Expected at least one file of results and at most one of fixtures (with target_loc), found " +
        `${results.length} and ${read.length - results.length}.`,
    );
  }
  const { rows, superseded } = readRows(results);
  if (rows.length === 0) throw badInput(`Expected rows in ${results[0]?.name}, found none.`);
  const facts = joinFacts(fixtures === undefined ? new Map() : tableFacts(fixtures), own);
  const isTold = (member: keyof FixtureFacts) => [...facts.values()].some((each) => each[member] !== null);
  const has = (column: string) => {
    if (column === CATEGORY) return isTold("category");
    if (column === HIDDEN_TESTS) return isTold("contracts");
    return results.every(
      ({ columns }) => columns.has(column) || (column === "duration_ms" && columns.has("duration_min")),
    );
  };
  const conditions = conditionsOf(rows);
  return {
    rows: rows.length,
    superseded,
    conditions: conditions.length,
    fixtures: new Set(rows.map(({ fixture }) => fixture)).size,
    ...paperRows({ rows, conditions, isRounded, facts }, has),
    hardness: hardnessOf(rows, facts.size === 0 ? null : facts),
    findings: findingsOf(rows, has),
    left_out: lackingColumns(has),
  };
}

/** Columns of every table; without one of these there is nothing to say. */
const REQUIRED_COLUMNS = ["model", "test_runner", "fixture", "passes_tests"] as const;

/** The rows of a table that count. */
interface PublishedRows {
  readonly rows: readonly PublishedRow[];
  /** Rows that a later one of the same provider, condition and fixture took the place of. */
  readonly superseded: number;
}

/**
 * The rows of tables with the published columns, or a part of them that holds the required ones: of each provider,
 * condition and fixture the one with the latest `result_created_at`, in the order of the files.
 * @throws ProbeError `bad_input` for a missing column, a cell that is not what it should be, or rows of which nothing tells the latest
 */
function readRows(tables: readonly TextTable[]): PublishedRows {
  const all = tables.flatMap((table) => {
    const missing = REQUIRED_COLUMNS.filter((name) => !table.columns.has(name));
    if (missing.length > 0) {
      throw badInput(
        `Expected the columns ${REQUIRED_COLUMNS.join(", ")} in ${table.name}, found no ${missing.join(", ")}.`,
      );
    }
    return table.rows.map((row) => rowOf(new CellReader(table.name, row)));
  });
  const rows = latestRows(tables.map(({ name }) => name).join(", "), all);
  return { rows, superseded: all.length - rows.length };
}

function rowOf(cell: CellReader): PublishedRow {
  const minutes = cell.number("duration_min");
  const row = rowFrom((column, kind) => cell.value(column, kind));
  return {
    ...row,
    provider: cell.text("model_provider") ?? row.model,
    durationMs: row.durationMs ?? (minutes === null ? null : minutes * 60_000),
  };
}

/** The cells of a row, each as what its column holds. */
class CellReader {
  readonly #table: string;
  readonly #row: TextRow;

  constructor(table: string, row: TextRow) {
    this.#table = table;
    this.#row = row;
  }

  text(column: string): string | null {
    const cell = Object.hasOwn(this.#row.cells, column) ? this.#row.cells[column]?.trim() : undefined;
    return cell === undefined || cell === "" ? null : cell;
  }

  value(column: string, kind: "string" | "integer" | "number" | "flag" | "boolean"): string | number | boolean | null {
    const isFlag = kind === "flag" || kind === "boolean";
    const value = kind === "string" ? this.text(column) : isFlag ? this.flag(column) : this.number(column);
    const isRequired = REQUIRED_COLUMNS.some((name) => name === column);
    return isRequired ? (value ?? this.#fail(column, isFlag ? "1 or 0" : "a value", "none")) : value;
  }

  number(column: string): number | null {
    const cell = this.text(column);
    if (cell === null) return null;
    const value = Number(cell);
    return Number.isFinite(value) ? value : this.#fail(column, "a number", cell);
  }

  flag(column: string): boolean | null {
    const cell = this.text(column);
    if (cell === null) return null;
    return FLAGS.get(cell.toLowerCase()) ?? this.#fail(column, "1 or 0, true or false", cell);
  }

  #fail(column: string, expected: string, found: string): never {
    throw badInput(
      `Expected ${expected} in column ${column} of ${this.#table}, line ${this.#row.line}, found ${shorten(found, 80)}.`,
    );
  }
}

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ["1", true],
  ["true", true],
  ["0", false],
  ["false", false],
]);

/** Latest row of each provider, condition and fixture; of two of the same time the later one in the files. */
function latestRows(source: string, rows: readonly PublishedRow[]): PublishedRow[] {
  const latest = new Map<string, PublishedRow>();
  for (const row of rows) {
    const key = JSON.stringify([row.provider, row.testRunner, row.fixture]);
    const known = latest.get(key);
    if (known === undefined || timeOf(source, row) >= timeOf(source, known)) latest.set(key, row);
  }
  const kept = new Set(latest.values());
  return rows.filter((row) => kept.has(row));
}

function timeOf(source: string, row: PublishedRow): number {
  const time = row.createdAt === null ? Number.NaN : Date.parse(row.createdAt);
  if (!Number.isNaN(time)) return time;
  throw badInput(
    `Expected one row for ${row.provider}, ${row.testRunner}, ${row.fixture} in ${source}, found several, and no time in ` +
      "result_created_at that tells which is the latest.",
  );
}
