import type { Stats } from "node:fs";
import { access, constants, stat } from "node:fs/promises";
import { isSystemError, messageOf, ProbeError } from "../domain/errors.js";
import type { Example } from "../domain/example.js";
import { printable } from "../domain/text.js";
import { type FileLine, readLines } from "../file/lines.js";
import { checkRecord } from "./check.js";
import { type DataProblem, problemsOfIssues } from "./problem.js";
import { officialRecord } from "./record.js";
import { toExample } from "./to-example.js";

/** What one line of a data file turned out to be. */
export type DatasetLine =
  | { readonly status: "valid"; readonly line: number; readonly example: Example }
  | { readonly status: "invalid"; readonly line: number; readonly problems: readonly DataProblem[] };

/**
 * Streams a JSONL file of official records, each checked on its own (spec §2.3). Blank lines are passed over. What
 * needs the whole file (unique ids, at least one record) is `inspectDataset`'s.
 * @throws ProbeError `bad_input` when the file cannot be read at all
 */
export async function* readDataset(path: string): AsyncGenerator<DatasetLine> {
  await requireFile(path);
  for await (const line of readLines(path)) {
    const text = decode(path, line);
    if (typeof text !== "string") yield { status: "invalid", line: line.number, problems: [text] };
    else if (text.trim() !== "") yield parseLine(path, line.number, text);
  }
}

async function requireFile(path: string): Promise<void> {
  const info = await statReadable(path).catch((cause: unknown) => {
    const found = isSystemError(cause, "ENOENT") ? "no such file" : printable(messageOf(cause), 1000);
    throw new ProbeError(
      "bad_input",
      `Expected a JSONL file at ${printable(path, 1000)}, found ${found}. Check the path.`,
      {
        cause,
      },
    );
  });
  if (!info.isFile()) {
    const kind = info.isDirectory() ? "a directory" : "something that is not a regular file";
    throw new ProbeError(
      "bad_input",
      `Expected a JSONL file at ${printable(path, 1000)}, found ${kind}. Name the file.`,
    );
  }
}

async function statReadable(path: string): Promise<Stats> {
  await access(path, constants.R_OK);
  return stat(path);
}

function decode(file: string, line: FileLine): string | DataProblem {
  const isByteOrderMark = line.number === 1 && line.bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]));
  const bytes = isByteOrderMark ? line.bytes.subarray(3) : line.bytes;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { file, line: line.number, field: "", expected: "UTF-8 text", found: "bytes that are not UTF-8" };
  }
}

function parseLine(file: string, line: number, text: string): DatasetLine {
  const invalid = (problems: readonly DataProblem[]): DatasetLine => ({ status: "invalid", line, problems });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const found = `${printable(text, 60)} (${printable(messageOf(error))})`;
    return invalid([{ file, line, field: "", expected: "one JSON object", found }]);
  }
  const parsed = officialRecord.safeParse(value, { reportInput: true });
  if (!parsed.success) return invalid(problemsOfIssues(file, line, parsed.error.issues));
  const problems = checkRecord(parsed.data);
  if (problems.length > 0) return invalid(problems.map((problem) => ({ file, line, ...problem })));
  return { status: "valid", line, example: toExample(parsed.data) };
}
