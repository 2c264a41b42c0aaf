import { parse } from "csv-parse/sync";
import { badInput, messageOf } from "../base/errors.js";
import { shorten } from "../base/text.js";

/** A table as it was read: every cell a text. */
export interface TextTable {
  /** Name in messages. */
  readonly name: string;
  readonly columns: ReadonlySet<string>;
  readonly rows: readonly TextRow[];
}

/** A row of it. */
export interface TextRow {
  /** Line of the file on which it ends, from 1. */
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
}

/**
 * Reads CSV with a header (RFC 4180, with or without a byte order mark).
 * @param name what messages call it: the file's path
 * @throws ProbeError `bad_input` for what is no such table
 */
export function readCsv(name: string, text: string): TextTable {
  const columns = new Set<string>();
  const rows = parsedRows(name, text, (header) => {
    for (const column of header) columns.add(column);
  });
  if (columns.size === 0) throw badInput(`Expected a table with a header in ${name}, found none.`);
  return { name, columns, rows };
}

interface ParsedRow {
  readonly record: Readonly<Record<string, string>>;
  readonly info: { readonly lines: number };
}

function parsedRows(name: string, text: string, onHeader: (columns: readonly string[]) => void): TextRow[] {
  try {
    return parse<ParsedRow>(text, {
      bom: true,
      info: true,
      skip_empty_lines: true,
      columns: (header: string[]) => {
        onHeader(header);
        return header;
      },
    }).map(({ record, info }) => ({ line: info.lines, cells: record }));
  } catch (error) {
    throw badInput(`Expected a CSV table with a header in ${name}, found: ${shorten(messageOf(error), 300)}`, error);
  }
}
