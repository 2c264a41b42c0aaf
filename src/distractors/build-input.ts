import { ProbeError } from "../base/errors.js";
import { sha256 } from "../base/sha256.js";
import { ProblemList } from "../dataset/problem.js";
import { readTriples, type Triple, type TripleLine } from "../dataset/triple.js";

/** What is read for a build. */
export interface BuildInput {
  /** JSONL of raw triples, or of official records with or without options. */
  readonly input: string;
  /** Only the first so many examples of the input; `null`: all. */
  readonly limit: number | null;
  readonly skipInvalid: boolean;
}

const SHOWN_PROBLEMS = 10;

/** A line of the input that is read. */
export type ExampleLine = Exclude<TripleLine, { readonly status: "invalid" }>;

/** The examples that are asked for, in file order; invalid lines are passed over. */
export async function* examplesOf({ input, limit }: BuildInput): AsyncGenerator<ExampleLine> {
  let left = limit ?? Number.POSITIVE_INFINITY;
  for await (const line of readTriples(input)) {
    if (left-- <= 0) return;
    if (line.status === "invalid") left++;
    else yield line;
  }
}

/**
 * How many examples are asked for. Reads the whole input.
 * @throws ProbeError `bad_input` where lines are invalid and not to be skipped, or there is no example
 */
export async function countExamples({ input, limit, skipInvalid }: BuildInput, warn: (message: string) => void) {
  let examples = 0;
  const problems = new ProblemList();
  let invalid = 0;
  for await (const line of readTriples(input)) {
    if (line.status !== "invalid") examples++;
    else {
      invalid++;
      problems.add(line.problems);
    }
  }
  if (invalid > 0 && !(skipInvalid && examples > 0)) {
    const advice = examples > 0 ? " Correct them, or leave them out with --skip-invalid." : "";
    throw new ProbeError(
      "bad_input",
      `${problems.text(SHOWN_PROBLEMS)}\n${invalidLines(invalid)}; nothing was built.${advice}`,
    );
  }
  if (invalid > 0) warn(`${problems.text(SHOWN_PROBLEMS)}\n${invalidLines(invalid)}; skipped (--skip-invalid).`);
  if (examples === 0) {
    throw new ProbeError("bad_input", `Expected code reviews in ${input}, found none.`);
  }
  return Math.min(examples, limit ?? examples);
}

function invalidLines(count: number): string {
  return `Found ${count} invalid line${count === 1 ? "" : "s"}`;
}

/**
 * Why an example cannot stand beside those before it, or `null`.
 * @param seen hash of the content, by id; the example is entered
 */
export function findRepetition(
  { id, language, preReviewLines, postReviewLines, review }: Triple,
  seen: Map<string, string>,
) {
  const content = sha256(JSON.stringify([language, preReviewLines, postReviewLines, review]));
  const first = seen.get(id);
  if (first === undefined) {
    seen.set(id, content);
    return null;
  }
  return first === content ? "the same as an example before" : "the id of another example before";
}
