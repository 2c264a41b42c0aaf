import { access, rm } from "node:fs/promises";
import { basename } from "node:path";
import { badInput, isSystemError } from "../base/errors.js";
import { sha256OfFile } from "../base/sha256.js";
import type { ModelIdentity } from "../model/model.js";
import { loadTemplate, type PromptTemplate } from "../question/prompt.js";
import { writeAtomically } from "../store/atomic-write.js";
import { lockFile } from "../store/folder/lock.js";
import type { WorkIdentity } from "../store/identity.js";
import { JournalWriter } from "../store/journal/journal-writer.js";
import type { BuildMethod } from "./build-files.js";
import {
  BUILD_JOURNAL,
  type BuildInput,
  type BuildResult,
  type BuildStep,
  countExamples,
  type ExampleLine,
  examplesOf,
  findRepetition,
  outputPaths,
  stepsFrom,
  writeRecords,
} from "./build-files.js";
import { buildRecord, type ClOrder } from "./build-record.js";
import { OptionChooser } from "./choose-options.js";
import {
  INFILL_TEMPERATURE,
  INFILL_TOP_K,
  type ModelRequests,
  openModels,
  type Surrogate,
  surrogateWarning,
} from "./surrogate.js";
import type { Writer } from "./writer.js";

/** Request for a build: its input, options and output. */
export interface BuildRequest extends BuildInput, ModelRequests {
  readonly out: string;
  /** Method for the wrong locations and revisions. */
  readonly method: BuildMethod;
  /** Order of locations, for the method `paper`. */
  readonly clOrder: ClOrder;
  /** Leave out records that lack a question. */
  readonly onlyComplete: boolean;
  /** Leave out CL and SI questions that matching words of the review answers, and records without another. */
  readonly needsReading: boolean;
  readonly overwrite: boolean;
}

/** Observer of a build. */
export interface BuildObserver {
  /** Told what a user should read. */
  readonly onMessage: (message: string) => void;
  /** Told the fraction of the surrogate's file that is there, 0–1. */
  readonly onDownload: (fraction: number) => void;
  /** Before the first example: how many there are, and how many are done already. */
  readonly onStart: (total: number, done: number) => void;
  /** Once an example is built and recorded. */
  readonly onExample: () => void;
}

/** Build that is to be made, or resumed. */
export interface BuildSession {
  readonly request: BuildRequest;
  /** Aborting it stops the build behind the example under way. */
  readonly signal: AbortSignal;
  readonly observer: BuildObserver;
}

/** End of a build; `interrupted`: the same session resumes it. */
export type BuildOutcome =
  | { readonly status: "complete"; readonly result: BuildResult; readonly warning: string | null }
  | { readonly status: "interrupted"; readonly done: number; readonly total: number };

/**
 * Builds official records from code reviews, with the options of every question (paper §3.4, Algorithm 1). The same
 * session again, after any kill, goes on where it stopped; same input, surrogate and seed give the same bytes.
 * @throws ProbeError `bad_input`, `model_unavailable`
 */
export async function buildDataset(session: BuildSession): Promise<BuildOutcome> {
  const { request, observer, signal } = session;
  const { examples: total, invalid } = await countExamples(request, observer.onMessage);
  if (!request.overwrite) await requireAbsent(request.out);
  const opened = await openModels(request, { ...observer, signal });
  try {
    const template = await loadTemplate("ACR");
    const identity = await describeWork(request, opened.identity, template);
    return await buildLocked({ ...session, ...opened, template, identity, total, invalid });
  } finally {
    await opened.close();
  }
}

interface BuildJob extends BuildSession {
  readonly surrogate: Surrogate | null;
  readonly writer: Writer | null;
  readonly template: PromptTemplate;
  readonly identity: WorkIdentity;
  readonly total: number;
  /** Invalid lines that are skipped. */
  readonly invalid: number;
}

type Partial = JournalWriter<BuildStep>;

async function buildLocked(job: BuildJob): Promise<BuildOutcome> {
  const { partial: path } = outputPaths(job.request.out);
  const outcome = await buildUnderLock(path, job);
  // Behind the lock: a kill in between leaves what the same command goes on with, and no lock.
  if (outcome.status === "complete") await rm(path, { force: true });
  return outcome;
}

async function buildUnderLock(path: string, job: BuildJob): Promise<BuildOutcome> {
  const unlock = await lockFile(path);
  try {
    const partial = await JournalWriter.open(path, BUILD_JOURNAL, job.identity);
    try {
      return await buildInto(partial, job);
    } finally {
      await partial.close();
    }
  } finally {
    await unlock();
  }
}

async function buildInto(partial: Partial, job: BuildJob): Promise<BuildOutcome> {
  const { request, signal, identity, total } = job;
  const isChosen = request.method === "matched";
  requirePlanned(partial, isChosen ? 2 * total : total);
  await buildExamples(partial, job);
  if (isChosen && !signal.aborted) await unlessAborted(chooseOptions(partial, job), signal);
  if (signal.aborted) return { status: "interrupted", done: Math.min(partial.records, total), total };
  const paths = outputPaths(request.out);
  const result = await writeRecords(partial.path, isChosen ? total : 0, paths, { ...request, invalid: job.invalid });
  const description = {
    kind: BUILD_JOURNAL.kind,
    ...identity,
    only_complete: request.onlyComplete,
    ...(request.needsReading && { needs_reading: true }),
    output_sha256: await sha256OfFile(request.out),
    ...result,
  };
  await writeAtomically(paths.description, (append) => append(`${JSON.stringify(description, null, 2)}\n`));
  return { status: "complete", result, warning: surrogateWarning(identity) };
}

/** @throws ProbeError `bad_input` when a partial file holds more lines than there are to be */
function requirePlanned({ path, records }: Partial, most: number): void {
  if (records > most)
    throw badInput(`Expected at most ${most} lines in ${path}, found ${records}. ${BUILD_JOURNAL.onDamage}`);
}

/** Builds what the partial file does not hold yet, in the order of the input. */
async function buildExamples(partial: Partial, job: BuildJob): Promise<void> {
  const { request, signal, observer, total } = job;
  const found = Math.min(partial.records, total);
  if (found > 0) observer.onMessage(`Going on: ${found} of ${total} examples are done.`);
  observer.onStart(total, found);
  const seen = new Map<string, string>();
  const underWay: Promise<BuildStep | null>[] = [];
  const stop = new AbortController();
  const running = { ...job, signal: AbortSignal.any([signal, stop.signal]) };
  /** Appends the first of those under way; `false`: the build is stopped, and it came to nothing. */
  const finish = async (): Promise<boolean> => {
    const step = (await underWay.shift()) ?? null;
    if (step === null) return false;
    await partial.append(step);
    observer.onExample();
    return true;
  };
  let position = 0;
  try {
    for await (const line of examplesOf(request)) {
      if (signal.aborted) break;
      const isKnown = position++ < found;
      const repetition = line.status === "valid" ? findRepetition(line.triple, seen) : null;
      if (isKnown) continue;
      const step = unlessAborted(stepOf(line, repetition, running), running.signal);
      // One that fails is thrown in its turn, not while another is waited for.
      step.catch(() => {});
      underWay.push(step);
      if (underWay.length >= atOnce(request) && !(await finish())) break;
    }
    // What is under way at a stop may be paid for.
    while (underWay.length > 0 && (await finish()));
  } finally {
    stop.abort();
    await Promise.allSettled(underWay);
  }
}

/** `null` where it fails and was to stop. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  return work.catch((error: unknown) => (signal.aborted ? null : Promise.reject(error)));
}

/** Examples that are under way at once: those of a surrogate one after the other, those of a writer side by side. */
function atOnce({ writer }: BuildRequest): number {
  return writer === null ? 1 : (writer.connection.concurrency ?? WRITTEN_AT_ONCE);
}

const WRITTEN_AT_ONCE = 4;

/** Examples whose options are chosen together: so many bound the memory. */
const BLOCK = 512;

/** Chooses the options of all examples, and appends them once more; what is there of it already is kept. */
async function chooseOptions(partial: Partial, { request, signal, total }: BuildJob): Promise<void> {
  const chooser = new OptionChooser(request.seed);
  const done = partial.records - total;
  const whole = done === total ? total : done - (done % BLOCK);
  let number = 0;
  for await (const step of stepsFrom(partial.path, total)) if (number++ < whole) chooser.enter(step);
  let block: BuildStep[] = [];
  const finish = async () => {
    const chosen = await chooser.choose(block, signal);
    const from = number - block.length;
    for (const [i, step] of chosen.entries()) if (from + i >= done) await partial.append(step);
    block = [];
  };
  number = 0;
  for await (const step of stepsFrom(partial.path, 0)) {
    if (signal.aborted || number === total) break;
    if (number++ < whole) continue;
    block.push(step);
    if (block.length === BLOCK) await finish();
  }
  if (block.length > 0 && !signal.aborted) await finish();
}

async function stepOf(
  line: ExampleLine,
  repetition: string | null,
  { request, template, surrogate, writer, signal, identity }: BuildJob,
): Promise<BuildStep> {
  const common = { line: line.line, dropped: null, record: null, misses: null, explanation: null };
  if (line.status === "unsupported") {
    return { ...common, language: "other", dropped: `language not supported: ${line.language}` };
  }
  const { language } = line.triple;
  if (repetition !== null) return { ...common, language, dropped: repetition };
  const { method, seed, clOrder } = request;
  const built = await buildRecord(line.triple, { method, seed, clOrder, template, surrogate, writer, signal });
  if (built.status === "dropped") return { ...common, language, dropped: built.reason };
  const { record, misses } = built;
  const hasOptions = misses !== null || built.explanation !== null;
  const explanation = hasOptions
    ? { surrogate: identity["surrogate"], ...writerOf(identity), ...built.explanation }
    : null;
  return { ...common, language, record, misses, explanation };
}

function writerOf({ writer }: WorkIdentity): { writer?: unknown } {
  return writer === undefined ? {} : { writer };
}

async function requireAbsent(path: string): Promise<void> {
  try {
    await access(path);
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return;
    throw error;
  }
  throw badInput(
    `Expected ${path} not to exist yet, found a file. Name another with --out, or replace it with --overwrite.`,
  );
}

/** Version of the near misses and their costs: what another one left unfinished is not gone on with. */
const NEAR_MISS_VERSION = 4;

/** Identity of a build: it is resumed by the same one only. */
async function describeWork(
  { input, method, seed, limit, clOrder, skipInvalid }: BuildRequest,
  surrogate: ModelIdentity,
  template: PromptTemplate,
): Promise<WorkIdentity> {
  return {
    input: basename(input),
    input_sha256: await sha256OfFile(input),
    seed,
    limit,
    method,
    ...(method === "paper" && { cl_order: clOrder }),
    skip_invalid: skipInvalid,
    ...(method === "matched" && {
      solutions: "near_misses",
      near_miss_version: NEAR_MISS_VERSION,
      selection: "adversarial",
    }),
    ...surrogate,
    infill_temperature: INFILL_TEMPERATURE,
    infill_top_k: INFILL_TOP_K,
    prompt: template.id,
    prompt_sha256: template.sha256,
  };
}
