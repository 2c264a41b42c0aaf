import type { Shard } from "../../../base/shard.js";
import { parseOptions } from "../../../console/option.js";
import type { Selection } from "../../../dataset/dataset-file.js";
import type { Difficulty } from "../../../dataset/example.js";
import { type ConnectionOptions, NO_CONNECTION, type PromptMode } from "../../../model/model.js";
import { loadAliases } from "../../../model/model-aliases.js";
import { findPrice } from "../../../model/prices.js";
import { resolveModel, withSettings } from "../../../model/resolved-model.js";
import { WITHHELD, type Withheld } from "../../../question/form.js";
import { type RunObserver, type RunOutcome, runSuite, type SuiteSession } from "../../../run/run-suite.js";
import { passBy, storedRun } from "../../../run/score-folder.js";
import type { SuiteRequest } from "../../../run/suite.js";
import type { RunVerdicts } from "../../../verdict/verdict.js";
import { ANSWER_JOURNAL, type Answer } from "../answer/answer.js";
import { GENERATION_JOURNAL, type Generation } from "../answer/generation.js";
import { type QuestionScore, scoreQuestionOf } from "../metric/question-score.js";
import type { SummaryRow } from "../metric/summary-row.js";
import { RUN_OPTIONS, type RunValues } from "../options.js";
import type { RunFile } from "../record/run-file.js";
import { suite } from "./questions-suite.js";
import { scoreSuite } from "./score-run.js";

/** Model and questions of a run; a missing option is as on the command line (`probe run`). */
export interface RunOptions {
  /** Alias, `provider:name` or .gguf file. */
  readonly model: string;
  /** Settings of the model, over those of its alias: `--model-arg`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly connection?: Partial<ConnectionOptions>;
  /** `CTR`, `CL`, `SI`, `ACR`; those with options to choose from unless told otherwise. */
  readonly tasks?: readonly string[];
  /** Both unless told otherwise. */
  readonly difficulties?: readonly Difficulty[];
  /** Parts withheld when the multiple-choice questions are asked once more; they are not unless told otherwise. */
  readonly ablate?: readonly Withheld[];
  /** Path of a JSONL file, `hf:OWNER/NAME`, or `starter`, the default. */
  readonly dataset?: string;
  /** All examples, and seed 0, unless told otherwise. */
  readonly selection?: Partial<Selection>;
  /** A share of the run, such as the second of four (`--shard 2/4`); all of it unless told otherwise. */
  readonly shard?: Shard;
  /** `completion` unless told otherwise. */
  readonly promptMode?: PromptMode;
  /** `fast` unless told otherwise. */
  readonly mode?: "fast" | "exact";
  readonly earlyStop?: boolean;
  readonly skipInvalid?: boolean;
  /** Modules with probes of one's own: their code is run. Asked unless `tasks` names others. */
  readonly probes?: readonly string[];
  /** The run's own folder, new or the one to go on in; without it one is chosen under `results/`. */
  readonly folder?: string;
  /** Aborting it stops the run in order: what is under way is finished and recorded. */
  readonly signal?: AbortSignal;
  /** Told how the run goes; silent unless told otherwise. */
  readonly observer?: Partial<RunObserver>;
  /** Folder of `probe.config.json`; the process's own unless told otherwise. */
  readonly workingDirectory?: string;
}

/** A run of code review questions that is about to begin, or to go on. */
export type RunSession = Omit<SuiteSession, "request"> & { readonly request: SuiteRequest<RunValues, RunFile> };

/**
 * Completes options to a session for `runProbes`, with the defaults and aliases of the command line.
 * @throws ProbeError `bad_input` when the model's name means nothing; names what is near
 */
export async function newSession(options: RunOptions): Promise<RunSession> {
  const { folder = null, signal = new AbortController().signal, observer = {} } = options;
  const silent: RunObserver = { onMessage: () => {}, onStart: () => {}, onRecord: () => {}, onEnd: () => {} };
  const whole = { ...silent, ...observer };
  return {
    request: await newRequest(options, whole.onMessage),
    folder,
    signal,
    now: () => new Date(),
    observer: whole,
  };
}

/**
 * Asks a model every question under every order of its options, has it write what the open questions ask for, records
 * every answer, and scores the run. The same session again, after any kill, goes on where the journals end.
 * @throws ProbeError `bad_input`, `model_unavailable`
 */
export function runProbes(session: RunSession): Promise<RunOutcome> {
  return runSuite(suite, session);
}

async function newRequest(options: RunOptions, warn: (message: string) => void): Promise<RunSession["request"]> {
  const { workingDirectory = process.cwd(), settings = {} } = options;
  const model = resolveModel(options.model, await loadAliases(workingDirectory));
  const connection: ConnectionOptions = { ...NO_CONNECTION, ...options.connection };
  const values = valuesOf(options);
  return {
    model: withSettings(model, settings),
    connection,
    promptMode: options.promptMode ?? "completion",
    price: await findPrice(model, connection, workingDirectory),
    values,
    shard: options.shard ?? null,
    queue: null,
    resumed: null,
    named: new Set(Object.keys(values)),
    workingDirectory,
    warn,
  };
}

/** Values of the options of a run; those that are not said are what they are on the command line. */
function valuesOf({ tasks = [], probes = [], difficulties = [], selection = {}, ...options }: RunOptions): RunValues {
  const { languages, ...drawn } = selection;
  const { dataset, promptMode, mode, earlyStop, skipInvalid } = options;
  const said = {
    task: tasks.map((task) => task.toUpperCase()),
    probe: [...probes],
    difficulty: [...difficulties],
    ablate: WITHHELD.filter((withheld) => options.ablate?.includes(withheld)),
    dataset,
    language: languages,
    promptMode,
    mode,
    earlyStop,
    skipInvalid,
    ...drawn,
  };
  const given = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
  return { ...parseOptions(RUN_OPTIONS, {}), ...given };
}

/** A stored run, to be read as often as wanted. Streams come in the order of the run; an unfinished run has fewer. */
export interface LoadedRun {
  readonly folder: string;
  readonly run: RunFile;
  /** The rows of `summary.csv`. */
  readonly summary: readonly SummaryRow[];
  /** Verdicts, which comparison, CI reports and leaderboards read. */
  readonly verdicts: RunVerdicts;
  /** Every answer: the rows of `answers.csv`. Holds one question's answers at a time. */
  answers(): AsyncGenerator<Answer>;
  /** Scores of each question: the rows of `questions.csv`. */
  questions(): AsyncGenerator<QuestionScore>;
  /** Texts that the model wrote (ACR), with the revision they are compared with; none in a run without ACR. */
  generations(): AsyncGenerator<Generation>;
}

/**
 * Reads a stored run of code review questions from its journals and computes what it came to, but writes nothing; the
 * tables need not be there. Memory: 13 bytes an answer, and a few hundred bytes a question while it is scored.
 * @param folder such as `results/20261121T230354Z-tiny-1f2e3d4c`
 * @throws ProbeError `bad_input` when the folder holds no such run, or a journal is damaged
 */
export async function loadRun(folder: string): Promise<LoadedRun> {
  const stored = await storedRun(suite, folder);
  const { run, summary, verdicts } = await scoreSuite(stored, passBy);
  return {
    folder,
    run,
    summary,
    verdicts,
    answers: () => eachOf(stored.records(ANSWER_JOURNAL)),
    questions: async function* () {
      for await (const answers of stored.records(ANSWER_JOURNAL)) yield scoreQuestionOf(run, answers);
    },
    generations: () => eachOf(stored.records(GENERATION_JOURNAL)),
  };
}

async function* eachOf<T>(items: AsyncIterable<readonly T[]>): AsyncGenerator<T> {
  for await (const records of items) yield* records;
}
