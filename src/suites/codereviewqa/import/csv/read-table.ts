import { ProbeError } from "../../../../base/errors.js";
import { shorten } from "../../../../base/text.js";
import { requireFile } from "../../dataset/json-lines.js";
import { TRIPLE_FIELDS, type TripleLine, tripleLineOf } from "../../dataset/triple.js";
import { readRows, type TextRow } from "./read-rows.js";

/** A table of code reviews: what its columns are, and its rows as the lines of a JSONL file would be. */
export interface ReviewTable {
  /** Columns that no code review has. */
  readonly unused: readonly string[];
  readonly lines: AsyncIterable<TripleLine>;
}

/**
 * Opens a CSV or TSV file with a column for each field of a raw triple (or of an official record without its options).
 * An empty cell of a field that may be absent is an absent one.
 * @throws ProbeError `bad_input` for what is no table of code reviews, naming the columns found
 */
export async function openReviewTable(path: string): Promise<ReviewTable> {
  await requireFile(path, "a CSV or TSV file");
  const rows = readRows(path);
  const header = await rows.next();
  if (header.done === true) {
    throw new ProbeError("bad_input", `Expected a table with a header in ${path}, found an empty file. ${COLUMNS}`);
  }
  const columns = header.value.cells.map((name) => name.trim());
  const fields = fieldsOf(path, columns);
  const unused = columns.filter((name) => !fields.has(name));
  return { unused, lines: linesOf(path, columns, fields, rows) };
}

const RAW = TRIPLE_FIELDS.raw.join(", ");
const OPTIONAL = TRIPLE_FIELDS.optional.join(", ");
const COLUMNS = `The first line names the columns: ${RAW}, and any of ${OPTIONAL}.`;

/** The columns that are read, one at least for every field that has to be there. */
function fieldsOf(path: string, columns: readonly string[]): ReadonlySet<string> {
  const twice = columns.find((name, i) => name !== "" && columns.indexOf(name) !== i);
  if (twice !== undefined) {
    throw new ProbeError("bad_input", `Expected every column of ${path} once, found "${shorten(twice, 60)}" twice.`);
  }
  const has = (name: string) => columns.includes(name);
  const form = [TRIPLE_FIELDS.raw, TRIPLE_FIELDS.official].find((required) => required.every(has));
  if (form !== undefined) return new Set([...form, ...TRIPLE_FIELDS.optional]);
  const missing = TRIPLE_FIELDS.raw.filter((name) => !has(name)).join(", ");
  throw new ProbeError(
    "bad_input",
    `Expected the columns ${RAW} in the first line of ${path}, found ${listOf(columns)} (missing: ${missing}). Commas ` +
      "separate the cells of a .csv file, tabs those of a .tsv file.",
  );
}

const MOST_SHOWN = 20;

function listOf(columns: readonly string[]): string {
  const rest = columns.length > MOST_SHOWN ? ` and ${columns.length - MOST_SHOWN} more` : "";
  return `${columns
    .slice(0, MOST_SHOWN)
    .map((name) => `"${shorten(name, 60)}"`)
    .join(", ")}${rest}`;
}

async function* linesOf(
  path: string,
  columns: readonly string[],
  fields: ReadonlySet<string>,
  rows: AsyncIterable<TextRow>,
): AsyncGenerator<TripleLine> {
  for await (const { line, cells } of rows) {
    if (cells.length !== columns.length) {
      const expected = `${columns.length} cells, as the first line has`;
      yield {
        status: "invalid",
        line,
        problems: [{ file: path, line, field: "", expected, found: `${cells.length}` }],
      };
      continue;
    }
    const value = recordOf(columns, fields, cells);
    yield tripleLineOf(path, line, JSON.stringify(value), value);
  }
}

function recordOf(columns: readonly string[], fields: ReadonlySet<string>, cells: readonly string[]): object {
  const entries = columns.map((name, i): [string, string] => [name, cells[i] ?? ""]);
  const isGiven = ([name, cell]: [string, string]) =>
    fields.has(name) && (cell !== "" || !TRIPLE_FIELDS.optional.includes(name));
  return Object.fromEntries(entries.filter(isGiven));
}
