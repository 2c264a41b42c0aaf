import type { Language } from "../base/language.js";
import { sha256OfFile } from "../base/sha256.js";
import type { Example } from "./example.js";
import type { DataProblem } from "./problem.js";
import { readDataset } from "./read.js";

/** What one pass over a data file found; holds a few bytes an example, not the examples. */
export interface DatasetInspection {
  readonly path: string;
  /** SHA-256 of the file's bytes. */
  readonly sha256: string;
  /** Of each valid example, in file order. */
  readonly languages: readonly Language[];
  /** File line of each valid example, in file order. */
  readonly lines: readonly number[];
  /** Whether any is a hunk of a suite's task. */
  readonly hasHunksOfTasks: boolean;
  readonly invalidLines: number;
  /** Of the invalid lines, those that are raw triples (spec §2.2): code reviews that have no questions yet. */
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
