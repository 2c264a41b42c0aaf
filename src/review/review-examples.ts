import { badInput } from "../base/errors.js";
import type { Language } from "../base/language.js";
import { shorten } from "../base/text.js";
import type { Example } from "../dataset/example.js";
import { checkRecord, officialRecord, toExample } from "../dataset/official-record.js";
import { describeProblem, problemsOfIssues } from "../dataset/problem.js";
import { readTriples, type Triple, type TripleLine } from "../dataset/triple.js";

/** The options of an example's questions, as far as its record has them. */
export type ReviewOptions =
  | { readonly status: "none" }
  | { readonly status: "invalid"; readonly problems: readonly string[] }
  /** `notBuilt`: why there is no question, by task. */
  | { readonly status: "ready"; readonly example: Example; readonly notBuilt: Readonly<Record<string, string>> };

/** One example as it is reviewed by hand. */
export interface ReviewExample {
  /** Id of the example its questions are about; of a code review without questions, the triple's. */
  readonly id: string;
  readonly triple: Triple;
  readonly options: ReviewOptions;
}

/** Result of reading a line of the data for a review. */
type ReviewLine =
  | { readonly status: "example"; readonly text: string; readonly example: ReviewExample }
  | {
      readonly status: "skipped";
      readonly reason: "invalid line" | "language of no probe" | "repeats an earlier line";
      readonly language: Language | "other";
      /** Place and reason, in one line. */
      readonly detail: string;
    };

/**
 * Streams what can be reviewed: raw triples, and official records with or without their options.
 * @throws ProbeError `bad_input` when the file cannot be read, or two examples that differ share an id
 */
export async function* readReviewExamples(path: string): AsyncGenerator<ReviewLine> {
  const seen = new Map<string, { readonly line: number; readonly content: string }>();
  for await (const line of readTriples(path)) {
    if (line.status !== "valid") {
      yield skipped(path, line);
      continue;
    }
    const example = toReviewExample(path, line);
    const first = seen.get(example.id);
    if (first === undefined) {
      seen.set(example.id, { line: line.line, content: line.text.trim() });
      yield { status: "example", text: line.text, example };
      continue;
    }
    requireSameContent(path, line.line, example.id, first, line.text.trim());
    yield {
      status: "skipped",
      reason: "repeats an earlier line",
      language: example.triple.language,
      detail: `${path}:${line.line}: the same as line ${first.line}`,
    };
  }
}

function skipped(path: string, line: Exclude<TripleLine, { status: "valid" }>): ReviewLine {
  if (line.status === "invalid") {
    return {
      status: "skipped",
      reason: "invalid line",
      language: "other",
      detail: line.problems.map(describeProblem).join("; "),
    };
  }
  return {
    status: "skipped",
    reason: "language of no probe",
    language: "other",
    detail: `${path}:${line.line}: no probe knows the language "${shorten(line.language, 120)}"`,
  };
}

function toReviewExample(path: string, line: Extract<TripleLine, { status: "valid" }>): ReviewExample {
  const options = line.form === "raw" ? ({ status: "none" } as const) : optionsOf(path, line.line, line.text);
  const id = options.status === "ready" ? options.example.id : line.triple.id;
  return { id, triple: line.triple, options };
}

function optionsOf(path: string, line: number, text: string): ReviewOptions {
  const value = JSON.parse(text) as object;
  if (!("type_correct" in value) && !("loc_correct" in value)) return { status: "none" };
  const parsed = officialRecord.safeParse(value, { reportInput: true });
  const problems = parsed.success
    ? checkRecord(parsed.data).map((problem) => ({ file: path, line, ...problem }))
    : problemsOfIssues(path, line, parsed.error.issues);
  if (!parsed.success || problems.length > 0) return { status: "invalid", problems: problems.map(describeProblem) };
  return { status: "ready", example: toExample(parsed.data), notBuilt: parsed.data.not_built ?? {} };
}

function requireSameContent(
  path: string,
  line: number,
  id: string,
  first: { readonly line: number; readonly content: string },
  content: string,
): void {
  if (first.content === content) return;
  throw badInput(
    `${path}:${line}: expected an id of its own, found "${shorten(id, 120)}" of line ${first.line} again. ` +
      "A decision is kept by id: give one of them another.",
  );
}
