import { access } from "node:fs/promises";
import { basename } from "node:path";
import { isSystemError, ProbeError } from "../../../base/errors.js";
import { sha256, sha256OfFile } from "../../../base/sha256.js";
import { printable } from "../../../base/text.js";
import type { ModelIdentity } from "../../../model/model.js";
import { writeAtomically } from "../../../store/atomic-write.js";
import { PartialFile, type WorkHeader } from "../../../store/partial-file.js";
import { describeProblem } from "../dataset/problem.js";
import { readTriples, type Triple, type TripleLine } from "../dataset/triple.js";
import { loadTemplate, type PromptTemplate } from "../question/template.js";
import { buildRecord, type ClOrder } from "./build-record.js";
import { type BuildResult, type BuildStep, buildStep, outputPaths, writeRecords } from "./build-result.js";
import type { BuildMethod } from "./method.js";
import { SolutionBalance } from "./solution/solution-balance.js";
import {
  INFILL_TEMPERATURE,
  INFILL_TOP_K,
  openSurrogate,
  type Surrogate,
  type SurrogateRoles,
  surrogateWarning,
} from "./surrogate.js";

export interface BuildRequest {
  /** JSONL of raw triples, or of official records with or without options. */
  readonly input: string;
  readonly out: string;
  /** `null`: none is named, and there are no SI questions. */
  readonly surrogate: SurrogateRoles | null;
  readonly method: BuildMethod;
  readonly seed: number;
  /** Only the first so many examples of the input; `null`: all. */
  readonly limit: number | null;
  readonly clOrder: ClOrder;
  /** Leave out records that lack a question. */
  readonly onlyComplete: boolean;
  readonly skipInvalid: boolean;
  readonly overwrite: boolean;
}

export interface BuildObserver {
  readonly onMessage: (message: string) => void;
  readonly onDownload: (fraction: number) => void;
  /** Before the first example: how many there are, and how many are done already. */
  readonly onStart: (total: number, done: number) => void;
  readonly onExample: () => void;
}

export interface BuildSession {
  readonly request: BuildRequest;
  /** Aborting it stops the build behind the example under way. */
  readonly signal: AbortSignal;
  readonly observer: BuildObserver;
}

export type BuildOutcome =
  | { readonly status: "complete"; readonly result: BuildResult; readonly warning: string | null }
  | { readonly status: "interrupted"; readonly done: number; readonly total: number };

const MAX_SHOWN_PROBLEMS = 10;

/**
 * Builds official records from code reviews, with the options of every question (paper §3.4, Algorithm 1). The same
 * session again, after any kill, goes on where it stopped; same input, surrogate and seed give the same bytes.
 * @throws ProbeError `bad_input`, `model_unavailable`
 */
export async function buildDataset(session: BuildSession): Promise<BuildOutcome> {
  const { request, observer } = session;
  const total = await countExamples(request, observer.onMessage);
  if (!request.overwrite) await requireAbsent(request.out);
  const opened =
    request.surrogate === null
      ? NO_SURROGATE
      : await openSurrogate(request.surrogate, request.seed, observer.onDownload);
  try {
    const template = await loadTemplate("ACR");
    const header = await describeWork(request, opened.identity, template);
    const partial = await PartialFile.open(outputPaths(request.out).partial, header);
    try {
      return await buildInto(partial, { ...session, surrogate: opened.surrogate, template, header, total });
    } finally {
      await partial.close();
    }
  } finally {
    await opened.close();
  }
}

const NO_SURROGATE = { surrogate: null, identity: { surrogate: null }, close: () => Promise.resolve() };

interface BuildJob extends BuildSession {
  readonly surrogate: Surrogate | null;
  readonly template: PromptTemplate;
  readonly header: WorkHeader;
  readonly total: number;
}

async function buildInto(partial: PartialFile, job: BuildJob): Promise<BuildOutcome> {
  const { request, signal, header, total } = job;
  await buildExamples(partial, job);
  if (signal.aborted) return { status: "interrupted", done: partial.lines, total };
  const paths = outputPaths(request.out);
  const result = await writeRecords(partial, paths, request.onlyComplete);
  const description = {
    ...header,
    only_complete: request.onlyComplete,
    output_sha256: await sha256OfFile(request.out),
    ...result,
  };
  await writeAtomically(paths.description, (append) => append(`${JSON.stringify(description, null, 2)}\n`));
  await partial.remove();
  return { status: "complete", result, warning: surrogateWarning(header) };
}

/** Builds what the partial file does not hold yet, in the order of the input. */
async function buildExamples(partial: PartialFile, job: BuildJob): Promise<void> {
  const { request, signal, observer, total } = job;
  const found = partial.lines;
  if (found > 0) observer.onMessage(`Going on: ${found} of ${total} examples are done.`);
  observer.onStart(total, found);
  const balance = await balanceOf(partial);
  const seen = new Map<string, string>();
  let position = 0;
  for await (const line of examplesOf(request)) {
    if (signal.aborted) return;
    const isKnown = position++ < found;
    const repetition = line.status === "valid" ? findRepetition(line.triple, seen) : null;
    if (isKnown) continue;
    const step = await stepOf(line, repetition, job, balance).catch((error: unknown) => {
      if (!signal.aborted) throw error;
      return null;
    });
    if (step === null) return;
    await partial.append(step);
    if (step.record !== null) balance.add(step.record);
    observer.onExample();
  }
}

/** What the examples that are done already came to: a resumed build goes on as if it had not stopped. */
async function balanceOf(partial: PartialFile): Promise<SolutionBalance> {
  const balance = new SolutionBalance();
  for await (const { record } of partial.read(buildStep)) if (record !== null) balance.add(record);
  return balance;
}

/**
 * Why an example cannot stand beside those before it, or `null`.
 * @param seen hash of the content, by id; the example is entered
 */
function findRepetition({ id, language, preReviewLines, postReviewLines, review }: Triple, seen: Map<string, string>) {
  const content = sha256(JSON.stringify([language, preReviewLines, postReviewLines, review]));
  const first = seen.get(id);
  if (first === undefined) {
    seen.set(id, content);
    return null;
  }
  return first === content ? "the same as an example before" : "the id of another example before";
}

async function stepOf(
  line: ExampleLine,
  repetition: string | null,
  { request, template, surrogate, signal, header }: BuildJob,
  balance: SolutionBalance,
): Promise<BuildStep> {
  const common = { line: line.line, dropped: null, record: null, explanation: null };
  if (line.status === "unsupported") {
    return { ...common, language: "other", dropped: `language not supported: ${line.language}` };
  }
  const { language } = line.triple;
  if (repetition !== null) return { ...common, language, dropped: repetition };
  const { method, seed, clOrder } = request;
  const built = await buildRecord(line.triple, { method, seed, clOrder, template, balance }, surrogate, signal);
  if (built.status === "dropped") return { ...common, language, dropped: built.reason };
  const { record, explanation } = built;
  return {
    ...common,
    language,
    record,
    explanation: explanation === null ? null : { surrogate: header["surrogate"], ...explanation },
  };
}

type ExampleLine = Exclude<TripleLine, { readonly status: "invalid" }>;

/** The examples that are asked for, in file order; invalid lines are passed over. */
async function* examplesOf({ input, limit }: BuildRequest): AsyncGenerator<ExampleLine> {
  let left = limit ?? Number.POSITIVE_INFINITY;
  for await (const line of readTriples(input)) {
    if (left-- <= 0) return;
    if (line.status === "invalid") left++;
    else yield line;
  }
}

/** Reads the whole input before the surrogate is opened. */
async function countExamples({ input, limit, skipInvalid }: BuildRequest, warn: (message: string) => void) {
  let examples = 0;
  const problems: string[] = [];
  let invalid = 0;
  for await (const line of readTriples(input)) {
    if (line.status !== "invalid") examples++;
    else {
      invalid++;
      if (problems.length < MAX_SHOWN_PROBLEMS) problems.push(...line.problems.map(describeProblem));
    }
  }
  if (invalid > 0 && !(skipInvalid && examples > 0)) {
    const advice = examples > 0 ? " Correct them, or leave them out with --skip-invalid." : "";
    throw new ProbeError("bad_input", `${problems.join("\n")}\n${invalidLines(invalid)}; nothing was built.${advice}`);
  }
  if (invalid > 0) warn(`${problems.join("\n")}\n${invalidLines(invalid)}; skipped (--skip-invalid).`);
  if (examples === 0) {
    throw new ProbeError("bad_input", `Expected code reviews in ${printable(input, 1000)}, found none.`);
  }
  return Math.min(examples, limit ?? examples);
}

function invalidLines(count: number): string {
  return `Found ${count} invalid line${count === 1 ? "" : "s"}`;
}

async function requireAbsent(path: string): Promise<void> {
  try {
    await access(path);
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return;
    throw error;
  }
  throw new ProbeError(
    "bad_input",
    `Expected ${printable(path, 1000)} not to exist yet, found a file. Name another with --out, or replace it with --overwrite.`,
  );
}

/** What has to be the same for a build to go on. */
async function describeWork(
  { input, method, seed, limit, clOrder, skipInvalid }: BuildRequest,
  surrogate: ModelIdentity,
  template: PromptTemplate,
): Promise<WorkHeader> {
  return {
    kind: "build",
    input: basename(input),
    input_sha256: await sha256OfFile(input),
    method,
    seed,
    limit,
    cl_order: clOrder,
    skip_invalid: skipInvalid,
    ...surrogate,
    infill_temperature: INFILL_TEMPERATURE,
    infill_top_k: INFILL_TOP_K,
    prompt: template.id,
    prompt_sha256: template.sha256,
  };
}
