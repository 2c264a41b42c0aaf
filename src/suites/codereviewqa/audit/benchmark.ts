import { basename } from "node:path";
import { badInput } from "../../../base/errors.js";
import type { Language } from "../../../base/language.js";
import { sha256OfFile } from "../../../base/sha256.js";
import { counted } from "../../../base/text.js";
import { inspectDataset, readDataset, type Selection, selectExamples } from "../../../dataset/dataset-file.js";
import type { Example } from "../../../dataset/example.js";
import { readJsonLines } from "../../../dataset/json-lines.js";
import { type DataProblem, ProblemList } from "../../../dataset/problem.js";
import { readTriples } from "../../../dataset/triple.js";
import { datasetPath } from "../ask/plan.js";

/** A code review of a benchmark; with its questions where the benchmark has them. */
export interface AuditedReview {
  readonly id: string;
  readonly language: Language;
  readonly preReviewLines: readonly string[];
  readonly postReviewLines: readonly string[];
  readonly review: string;
  /** `null`: the file has code reviews only. */
  readonly example: Example | null;
}

/** A file of reviews, read and checked once. */
export interface Benchmark {
  /** Name of its rows. */
  readonly name: string;
  /** Name that stands for the same bytes later. */
  readonly source: string;
  readonly path: string;
  readonly sha256: string;
  /** `questions`: official records. `reviews`: code reviews without options. */
  readonly holds: "questions" | "reviews";
  /** Sound examples in the file. */
  readonly examples: number;
  /** Lines that are not, left out with --skip-invalid. */
  readonly invalid: number;
  /** Left out: in a language no probe knows, or the same as one before. */
  readonly leftOut: number;
  /** File lines of the selected examples. */
  readonly selected: ReadonlySet<number>;
}

export interface OpenBenchmarkOptions {
  readonly selection: Selection;
  readonly skipInvalid: boolean;
  readonly warn: (message: string) => void;
}

/**
 * Reads and checks a whole file of official records or raw triples.
 * @throws ProbeError `bad_input` for bad data, or nothing in it that was asked for
 */
export async function openBenchmark(dataset: string, options: OpenBenchmarkOptions): Promise<Benchmark> {
  const { path, source } = await datasetPath(dataset, options.warn);
  const { first, count } = await findQuestions(path);
  const holds = first ? "questions" : "reviews";
  if (!first && count > 0) {
    options.warn(`${source}: ${count} records have questions, but not the first: it is audited in ACR form alone.`);
  }
  const found = holds === "questions" ? await inspectQuestions(path) : await inspectReviews(path);
  if (found.problems.length > 0) handleProblems(path, found, options);
  const selected = selectExamples(found, options.selection);
  if (selected.size === 0) {
    throw badInput(
      `Expected examples to audit in ${source}, found none that were asked for: it has ` +
        `${found.languages.length} examples. Check --language, --limit and --sample.`,
    );
  }
  return {
    name: nameOf(dataset),
    source,
    path,
    holds,
    selected,
    sha256: await sha256OfFile(path),
    examples: found.languages.length,
    invalid: found.invalid,
    leftOut: found.leftOut,
  };
}

/** Streams the selected reviews of a benchmark, in the order of its file. */
export async function* readReviews({ path, holds, selected }: Benchmark): AsyncGenerator<AuditedReview> {
  for await (const line of holds === "questions" ? questionLines(path) : reviewLines(path)) {
    if (selected.has(line.line)) yield line.review;
  }
}

interface ReviewLine {
  readonly line: number;
  readonly review: AuditedReview;
}

async function* questionLines(path: string): AsyncGenerator<ReviewLine> {
  for await (const line of readDataset(path)) {
    if (line.status === "valid") yield { line: line.line, review: { ...line.example, example: line.example } };
  }
}

async function* reviewLines(path: string): AsyncGenerator<ReviewLine> {
  for await (const line of readTriples(path)) {
    if (line.status === "valid") yield { line: line.line, review: { ...line.triple, example: null } };
  }
}

/** `CodeReviewQA` for `hf:owner/CodeReviewQA`, `mine` for `folder/mine.jsonl`. */
function nameOf(dataset: string): string {
  const hub = /^hf:[^/]+\/([^/@]+)/.exec(dataset)?.[1];
  return hub ?? basename(dataset).replace(/\.jsonl$/, "");
}

/** Counts the records that have options, as official ones do, and tells whether the first has. */
async function findQuestions(path: string): Promise<{ first: boolean; count: number }> {
  let first: boolean | null = null;
  let count = 0;
  for await (const line of readJsonLines(path)) {
    if (line.status === "invalid") continue;
    const { value } = line;
    const hasOptions =
      typeof value === "object" && value !== null && !("pre_review_code" in value) && "type_correct" in value;
    first ??= hasOptions;
    if (hasOptions) count++;
  }
  return { first: first === true, count };
}

interface Inspection {
  /** Languages of the sound examples, in file order. */
  readonly languages: readonly Language[];
  readonly lines: readonly number[];
  readonly invalid: number;
  readonly leftOut: number;
  readonly problems: readonly DataProblem[];
}

async function inspectQuestions(path: string): Promise<Inspection> {
  const { languages, lines, invalidLines, problems } = await inspectDataset(path);
  return { languages, lines, invalid: invalidLines, leftOut: 0, problems };
}

async function inspectReviews(path: string): Promise<Inspection> {
  const languages: Language[] = [];
  const lines: number[] = [];
  const problems: DataProblem[] = [];
  const ids = new Set<string>();
  let [invalid, leftOut] = [0, 0];
  for await (const line of readTriples(path)) {
    if (line.status === "invalid") {
      invalid++;
      problems.push(...line.problems);
    } else if (line.status === "unsupported" || ids.has(line.triple.id)) leftOut++;
    else {
      ids.add(line.triple.id);
      languages.push(line.triple.language);
      lines.push(line.line);
    }
  }
  return { languages, lines, invalid, leftOut, problems };
}

const MAX_SHOWN_PROBLEMS = 10;

function handleProblems(path: string, { problems, invalid, languages }: Inspection, options: OpenBenchmarkOptions) {
  const found = new ProblemList();
  found.add(problems);
  const list = found.text(MAX_SHOWN_PROBLEMS);
  if (options.skipInvalid && languages.length > 0) {
    options.warn(`${list}\nSkipped ${counted(invalid, "invalid lines")} of ${path} (--skip-invalid).`);
    return;
  }
  const advice = languages.length > 0 ? " Correct them, or leave these lines out with --skip-invalid." : "";
  throw badInput(`${list}\n${path} has ${counted(problems.length, "problems")}; nothing was scored.${advice}`);
}
