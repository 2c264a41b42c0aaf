import { join } from "node:path";
import { packageRoot } from "../base/folders.js";
import type { Language } from "../base/language.js";
import { sampled, seededIntegers } from "../base/random.js";
import { sha256OfFile } from "../base/sha256.js";
import type { FileLine } from "../store/text-lines.js";
import type { Example } from "./example.js";
import { BUNDLED, type JsonLine, jsonLine, readJsonLines } from "./json-lines.js";
import { checkRecord, officialRecord, toExample } from "./official-record.js";
import { type DataProblem, problemsOfIssues } from "./problem.js";

/** Result of reading one line of a data file. */
export type DatasetLine =
  | { readonly status: "valid"; readonly line: number; readonly example: Example }
  | {
      readonly status: "invalid";
      readonly line: number;
      readonly problems: readonly DataProblem[];
      /** Tells whether it looks like a raw triple (spec §2.2). */
      readonly isRaw?: boolean;
    };

/**
 * Streams a JSONL file of official records, each checked on its own (spec §2.3). Blank lines are passed over. What
 * needs the whole file (unique ids, at least one record) is `inspectDataset`'s.
 * @throws ProbeError `bad_input` when the file cannot be read at all
 */
export async function* readDataset(path: string): AsyncGenerator<DatasetLine> {
  for await (const line of readJsonLines(path)) {
    const checked = checkedLine(path, line);
    const isRaw =
      line.status !== "invalid" &&
      checked.status === "invalid" &&
      (await import("./triple.js")).isRawTriple(line.value);
    yield isRaw ? rawLine(path, line.line) : checked;
  }
}

/** One problem in place of one a field: of a file of triples all are kept. */
function rawLine(file: string, line: number): DatasetLine {
  const problem = {
    file,
    line,
    field: "",
    expected: "a record with questions",
    found: "a raw triple, which has none yet",
  };
  return { status: "invalid", line, problems: [problem], isRaw: true };
}

/** Result of reading a line of such a file; `null`: blank. */
export function datasetLine(path: string, line: FileLine): DatasetLine | null {
  const parsed = jsonLine(path, line);
  return parsed && checkedLine(path, parsed);
}

function checkedLine(path: string, line: JsonLine): DatasetLine {
  return line.status === "invalid" ? line : checkLine(path, line.line, line.value);
}

function checkLine(file: string, line: number, value: unknown): DatasetLine {
  const invalid = (problems: readonly DataProblem[]): DatasetLine => ({ status: "invalid", line, problems });
  const parsed = officialRecord.safeParse(value, { reportInput: true });
  if (!parsed.success) return invalid(problemsOfIssues(file, line, parsed.error.issues));
  const problems = checkRecord(parsed.data);
  if (problems.length > 0) return invalid(problems.map((problem) => ({ file, line, ...problem })));
  return { status: "valid", line, example: toExample(parsed.data) };
}

/** Result of one pass over a data file; holds a few bytes an example, not the examples. */
export interface DatasetInspection {
  readonly path: string;
  /** SHA-256 of the file's bytes. */
  readonly sha256: string;
  /** Language of each valid example, in file order. */
  readonly languages: readonly Language[];
  /** File line of each valid example, in file order. */
  readonly lines: readonly number[];
  /** Tells whether any is a hunk of a suite's task. */
  readonly hasHunksOfTasks: boolean;
  readonly invalidLines: number;
  /** Invalid lines that are raw triples (spec §2.2): code reviews that have no questions yet. */
  readonly rawTriples: number;
  readonly problems: readonly DataProblem[];
}

/**
 * Reads and checks a whole file before anything is asked (spec §2.3).
 * @throws ProbeError `bad_input` when the file cannot be read at all
 */
export async function inspectDataset(path: string): Promise<DatasetInspection> {
  const languages: Language[] = [];
  const lines: number[] = [];
  const problems: DataProblem[] = [];
  const lineOfId = new Map<string, number>();
  let hasHunksOfTasks = false;
  let invalidLines = 0;
  let rawTriples = 0;
  for await (const line of readDataset(path)) {
    const found = line.status === "invalid" ? line.problems : duplicateId(path, line.line, line.example.id, lineOfId);
    if (line.status === "invalid" || found.length > 0) {
      invalidLines++;
      if (line.status === "invalid" && line.isRaw === true) rawTriples++;
      problems.push(...found);
      continue;
    }
    lineOfId.set(line.example.id, line.line);
    hasHunksOfTasks ||= line.example.isHunkOfTask === true;
    languages.push(line.example.language);
    lines.push(line.line);
  }
  if (languages.length === 0 && problems.length === 0) {
    problems.push({ file: path, line: 1, field: "", expected: "at least one record", found: "an empty file" });
  }
  return {
    path,
    sha256: await sha256OfFile(path),
    languages,
    lines,
    hasHunksOfTasks,
    invalidLines,
    rawTriples,
    problems,
  };
}

/** Streams the examples that stand on these lines of an inspected file. */
export async function* readExamples(path: string, lines: ReadonlySet<number>): AsyncGenerator<Example> {
  for await (const line of readDataset(path)) {
    if (line.status === "valid" && lines.has(line.line)) yield line.example;
  }
}

function duplicateId(file: string, line: number, id: string, lineOfId: ReadonlyMap<string, number>): DataProblem[] {
  const first = lineOfId.get(id);
  if (first === undefined) return [];
  return [{ file, line, field: "id", expected: "an id of its own", found: `the id of line ${first} again` }];
}

/** Choice of the examples of a dataset that a run asks about. Applied in this order: languages, sample, limit. */
export interface Selection {
  /** Empty: all. */
  readonly languages: readonly Language[];
  /** Draw this many at random; `null`: all. */
  readonly sample: number | null;
  readonly seed: number;
  /** Keep the first this many; `null`: all. */
  readonly limit: number | null;
}

/** File lines of the selected examples. File order is kept, so that a sample is a sub-sequence of the file. */
export function selectExamples(
  dataset: Pick<DatasetInspection, "languages" | "lines">,
  selection: Selection,
): ReadonlySet<number> {
  let lines = dataset.lines.filter((_, position) => {
    const language = dataset.languages[position];
    return selection.languages.length === 0 || (language !== undefined && selection.languages.includes(language));
  });
  if (selection.sample !== null) {
    lines = sampled(lines, selection.sample, seededIntegers(selection.seed)).sort((a, b) => a - b);
  }
  if (selection.limit !== null) lines = lines.slice(0, selection.limit);
  return new Set(lines);
}

/** Tells whether the name of a dataset is a source on a network rather than a file. */
export function isImportSource(text: string): boolean {
  return /^(hf|github|gitlab):/.test(text);
}

/** The file that a name stands for: of the bundled dataset its own, else the name itself. */
export function datasetFile(name: string): string {
  return name === BUNDLED ? join(packageRoot, "datasets/starter.jsonl") : name;
}
