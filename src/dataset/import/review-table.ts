import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { badInput, messageOf, type ProbeError } from "../../base/errors.js";
import { sha256OfFile } from "../../base/sha256.js";
import { shorten } from "../../base/text.js";
import { LineWriter, writeAtomically } from "../../store/atomic-write.js";
import { type Funnel, FunnelCounter } from "../funnel.js";
import { requireFile } from "../json-lines.js";
import { TRIPLE_FIELDS, type TripleLine, tripleLineOf } from "../triple.js";
import { writeSourceFile } from "./import-source.js";

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
    throw badInput(`Expected a table with a header in ${path}, found an empty file. ${COLUMNS}`);
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
    throw badInput(`Expected every column of ${path} once, found "${shorten(twice, 60)}" twice.`);
  }
  const has = (name: string) => columns.includes(name);
  const form = [TRIPLE_FIELDS.raw, TRIPLE_FIELDS.official].find((required) => required.every(has));
  if (form !== undefined) return new Set([...form, ...TRIPLE_FIELDS.optional]);
  const missing = TRIPLE_FIELDS.raw.filter((name) => !has(name)).join(", ");
  throw badInput(
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

/** A row of a table: every cell a text. */
interface TextRow {
  /** Line of the file on which it begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** The longest row, bytes: what comes after a quotation mark that nobody closed must not fill the memory. */
export const MAX_ROW_BYTES = 4 * 1024 * 1024;

/**
 * Streams the rows of a CSV file, the header first (RFC 4180; with or without a byte order mark, lines that end with `\n` or
 * `\r\n`; tabs separate the cells of a file that ends with `.tsv`). Blank lines are passed over. Memory: one row and one chunk.
 * @throws ProbeError `bad_input` for a file that cannot be read, is not UTF-8, or is no such table, naming the line
 */
export async function* readRows(path: string): AsyncGenerator<TextRow> {
  let line = 1;
  // While it parses, ahead of who reads: an error's row is the one that comes next.
  const numbered = ({ raw, record }: ParsedRow) => {
    const row = { line, raw, cells: record };
    line += raw.replace(/\r?\n?$/, "").split("\n").length;
    return row;
  };
  const parser = parse({
    bom: true,
    delimiter: /\.tsv$/i.test(path) ? "\t" : ",",
    max_record_size: MAX_ROW_BYTES,
    // Its types know no rows with `raw`.
    on_record: numbered as never,
    raw: true,
    record_delimiter: ["\r\n", "\n"],
    relax_column_count: true,
  });
  const file = createReadStream(path);
  const bytes = Readable.from(utf8Of(path, file));
  bytes.once("error", (error) => parser.destroy(error));
  try {
    for await (const { raw, ...row } of bytes.pipe(parser) as AsyncIterable<ReturnType<typeof numbered>>) {
      if (raw.trim() !== "") yield row;
    }
  } catch (error) {
    throw explain(path, line, error);
  } finally {
    file.destroy();
  }
}

/** Row of the parser; `raw` is the row as it stands in the file, with or without its line end. */
interface ParsedRow {
  readonly raw: string;
  readonly record: readonly string[];
}

/** The file in chunks that end where a line does, so that the line of what is not UTF-8 can be told. */
async function* utf8Of(path: string, file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  let line = 1;
  const checked = (bytes: Buffer): Buffer => {
    if (!isUtf8(bytes)) throw notUtf8(path, line + linesBeforeFault(bytes));
    line += countLines(bytes);
    return bytes;
  };
  for await (const chunk of file) {
    const bytes = Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    rest = bytes.subarray(end);
    if (rest.length > MAX_ROW_BYTES) throw tooLong(path, line + countLines(bytes.subarray(0, end)));
    if (end > 0) yield checked(bytes.subarray(0, end));
  }
  if (rest.length > 0) yield checked(rest);
}

const NEWLINE = 0x0a;

function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

function linesBeforeFault(bytes: Buffer): number {
  let start = 0;
  for (let count = 0; ; count++) {
    const end = bytes.indexOf(NEWLINE, start);
    if (end === -1 || !isUtf8(bytes.subarray(start, end))) return count;
    start = end + 1;
  }
}

function notUtf8(path: string, line: number): ProbeError {
  return badInput(
    `Expected UTF-8 text at ${path}:${line}, found bytes that are not. Save the table as UTF-8 (a spreadsheet offers ` +
      "“CSV UTF-8”).",
  );
}

function tooLong(path: string, line: number, cause?: unknown): ProbeError {
  return badInput(
    `Expected rows of at most ${MAX_ROW_BYTES} bytes, found a longer one at ${path}:${line}. A quotation mark before ` +
      "it may not be closed.",
    cause,
  );
}

/** @param line on which the row at fault begins */
function explain(path: string, line: number, error: unknown): unknown {
  if (!(error instanceof CsvError)) return error;
  if (error.code === "CSV_MAX_RECORD_SIZE") return tooLong(path, line, error);
  return badInput(
    `Expected a table of separated values at ${path}:${line}, found: ${shorten(withoutLine(error), 200)}. A cell with line ` +
      "breaks, separators or quotation marks stands in quotation marks, and each of its own is doubled. --skip-invalid " +
      "does not leave such a row out: nothing tells where it ends.",
    error,
  );
}

/** The parser's words without its line, which is the last that it read: the error names the one on which the row begins. */
function withoutLine(error: CsvError): string {
  return messageOf(error).replaceAll(/ at line \d+/g, "");
}

/** Result of importing a table. */
export interface TableImport {
  /** SHA-256 of the file that was written. */
  readonly sha256: string;
  readonly funnel: Funnel;
}

/**
 * Writes the code reviews of a table to `out`, a JSON object a line, and before it where they came from beside it: a file
 * without its description is never left. Rows that are invalid, or in a language that no probe knows, are counted and
 * left out.
 * @param path the table's file
 * @throws the signal's reason once that is aborted: nothing is written
 */
export async function importTable(
  path: string,
  lines: AsyncIterable<TripleLine>,
  out: string,
  { now, signal }: { readonly now: Date; readonly signal: AbortSignal },
): Promise<TableImport> {
  const sourceSha256 = await sha256OfFile(path);
  const counter = new FunnelCounter();
  const hash = createHash("sha256");
  let sha256 = "";
  await writeAtomically(out, async (append) => {
    const writer = new LineWriter((text) => {
      hash.update(text);
      return append(text);
    });
    for await (const line of lines) {
      signal.throwIfAborted();
      await importLine(line, writer, counter);
    }
    await writer.flush();
    sha256 = hash.digest("hex");
    await writeSourceFile(out, {
      source: basename(path),
      source_sha256: sourceSha256,
      sha256,
      retrieved_at: now.toISOString(),
      funnel: counter.funnel(),
    });
  });
  return { sha256, funnel: counter.funnel() };
}

async function importLine(line: TripleLine, writer: LineWriter, counter: FunnelCounter): Promise<void> {
  if (line.status === "invalid") counter.drop("other", "invalid row");
  else if (line.status === "unsupported") counter.drop("other", "unsupported language");
  else {
    counter.keep(line.triple.language);
    await writer.write(line.text);
  }
}
