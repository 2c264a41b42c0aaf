import type { FileLine } from "../store/lines.js";
import { checkRecord } from "./check.js";
import type { Example } from "./example.js";
import { type JsonLine, jsonLine, readJsonLines } from "./json-lines.js";
import { type DataProblem, problemsOfIssues } from "./problem.js";
import { officialRecord } from "./record.js";
import { toExample } from "./to-example.js";
import { isRawTriple } from "./triple.js";

/** What one line of a data file turned out to be. */
export type DatasetLine =
  | { readonly status: "valid"; readonly line: number; readonly example: Example }
  | {
      readonly status: "invalid";
      readonly line: number;
      readonly problems: readonly DataProblem[];
      /** Whether it looks like a raw triple (spec §2.2). */
      readonly isRaw?: boolean;
    };

/**
 * Streams a JSONL file of official records, each checked on its own (spec §2.3). Blank lines are passed over. What
 * needs the whole file (unique ids, at least one record) is `inspectDataset`'s.
 * @throws ProbeError `bad_input` when the file cannot be read at all
 */
export async function* readDataset(path: string): AsyncGenerator<DatasetLine> {
  for await (const line of readJsonLines(path)) yield checkedLine(path, line);
}

/** What a line of such a file turns out to be; `null`: blank. */
export function datasetLine(path: string, line: FileLine): DatasetLine | null {
  const parsed = jsonLine(path, line);
  return parsed && checkedLine(path, parsed);
}

function checkedLine(path: string, line: JsonLine): DatasetLine {
  return line.status === "invalid" ? line : checkLine(path, line.line, line.value);
}

function checkLine(file: string, line: number, value: unknown): DatasetLine {
  const isRaw = isRawTriple(value);
  const invalid = (problems: readonly DataProblem[]): DatasetLine => ({ status: "invalid", line, problems, isRaw });
  const parsed = officialRecord.safeParse(value, { reportInput: true });
  if (!parsed.success) return invalid(problemsOfIssues(file, line, parsed.error.issues));
  const problems = checkRecord(parsed.data);
  if (problems.length > 0) return invalid(problems.map((problem) => ({ file, line, ...problem })));
  return { status: "valid", line, example: toExample(parsed.data) };
}
