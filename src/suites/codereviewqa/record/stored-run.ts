import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { badInput, type ProbeError } from "../../../base/errors.js";
import { ownText, shellWord } from "../../../base/text.js";
import { CHANGE_TYPES } from "../../../dataset/example.js";
import type { LoadedProbe } from "../../../question/own-probe.js";
import { optionCountOfOrder } from "../../../question/permutations.js";
import { loadProbes } from "../../../question/probes.js";
import type { ChoiceProbe, ProbeDefinition } from "../../../question/question.js";
import { wholeRun } from "../../../run/folder/run-folder.js";
import { JournalIndex } from "../../../store/journal/journal-index.js";
import { ANSWER_JOURNAL, type Answer, isMiss } from "../answer/answer.js";
import { GENERATION_JOURNAL, type Generation } from "../answer/generation.js";
import { isStoppedEarly, type QuestionScore, scoreQuestionOf } from "../metric/question-score.js";
import {
  answersAsked,
  designOf,
  isRaced,
  mostPlaces,
  type RunFile,
  readRunFile,
  runFingerprintOf,
} from "./run-file.js";

/** A question of a finished run. */
export interface StoredQuestion {
  /** See {@link textOfQuestion}. */
  readonly promptSha256: string | null;
  readonly score: QuestionScore;
}

/**
 * SHA-256 of a question's prompt under the first of its orders: of stem, options, and which of them is right. `null` where
 * that order was not asked, as where a question stopped early.
 * @param answers in the order of the permutations
 */
export function textOfQuestion([first]: readonly Answer[]): string | null {
  return first === undefined || first.permutationIndex > 0 ? null : ownText(first.promptSha256);
}

/** Tests if nothing of a question is left to ask. */
export function isWhole(run: RunFile, answers: readonly Answer[]): boolean {
  const asked = answersAsked(designOf(run), optionCountOfOrder(answers[0]?.permutation ?? ""));
  return answers.length === asked || (isStoppedEarly(run) && answers.some(isMiss));
}

/** What came of a run, as far as it takes to tell what is left. */
interface RunProgress {
  readonly questions: readonly { readonly isDone: boolean }[];
  readonly generations: readonly unknown[];
  /** Questions left unasked, as the verdict of their form is decided. */
  readonly decided: number;
}

/** What is left to ask or make in words, the same on terminals and pages; `null`: nothing. */
export function unfinishedText(run: RunFile, { questions, generations, decided }: RunProgress): string | null {
  const open = run.questions - decided - questions.filter(({ isDone }) => isDone).length;
  if (open > 0) return openText(open, run.questions);
  const missing = run.generations - generations.length;
  return missing > 0 ? missingText(missing, run.generations) : null;
}

function openText(open: number, questions: number): string {
  return `${open} of ${questions} questions with orders that have no answer yet`;
}

function missingText(missing: number, generations: number): string {
  return `${missing} of ${generations} generations missing`;
}

/** A run and where it is, before its journal is read. */
export interface NamedRun {
  /** Path as it was named. */
  readonly folder: string;
  /** Without links, so that one folder has one path. */
  readonly path: string;
  readonly run: RunFile;
}

/** A finished run as its journal tells it. */
export interface StoredRun extends NamedRun {
  /** Questions in the order of the run. */
  readonly questions: readonly StoredQuestion[];
}

/** @throws ProbeError `bad_input` when the folder holds no run */
export async function findNamedRun(folder: string): Promise<NamedRun> {
  const run = await readRunFile(folder);
  return { folder, path: await realpath(folder), run };
}

/**
 * Scores the questions of a finished run from its journal, which alone is trusted; writes nothing. Memory: a few hundred
 * bytes a question.
 * @throws ProbeError `bad_input` when the journal is damaged, or orders are left to ask
 */
export async function readStoredRun(named: NamedRun): Promise<StoredRun> {
  const { folder, run } = named;
  const index = await answersIndex(folder, run);
  const questions: StoredQuestion[] = [];
  let unfinished = run.questions;
  for await (const answers of index.byItem()) {
    if (isWhole(run, answers)) unfinished--;
    questions.push({
      promptSha256: textOfQuestion(answers),
      score: scoreQuestionOf(run, answers),
    });
  }
  if (unfinished > 0 && !(isRaced(run) && run.status === "complete"))
    throw notFinished(folder, openText(unfinished, run.questions));
  return { ...named, questions };
}

function notFinished(folder: string, found: string): ProbeError {
  return badInput(
    `Expected a finished run in ${folder}, found ${found}. Finish it first: probe run --resume ${shellWord(folder)}`,
  );
}

/** Journals of a run, indexed. */
export interface RunIndexes {
  readonly answers: JournalIndex<Answer>;
  readonly generations: JournalIndex<Generation>;
}

/** @throws ProbeError `bad_input` when a line of a journal is damaged, or it belongs to another run */
export async function buildIndexes(folder: string, run: RunFile): Promise<RunIndexes> {
  return { answers: await answersIndex(folder, run), generations: await generationsIndex(folder, run) };
}

/** Index of the journal of answers alone. */
export function answersIndex(folder: string, run: RunFile): Promise<JournalIndex<Answer>> {
  const whole = wholeRun(run);
  const plan = { items: whole.questions, places: mostPlaces(whole) };
  return JournalIndex.build(join(folder, ANSWER_JOURNAL.file), ANSWER_JOURNAL, {
    plan,
    identity: { fingerprint: runFingerprintOf(run) },
    isReadLater: true,
  });
}

/** Index of the journal of generations alone. */
function generationsIndex(folder: string, run: RunFile): Promise<JournalIndex<Generation>> {
  const plan = { items: wholeRun(run).generations, places: 1 };
  const identity = { fingerprint: runFingerprintOf(run) };
  return JournalIndex.build(join(folder, GENERATION_JOURNAL.file), GENERATION_JOURNAL, { plan, identity });
}

/**
 * Streams the generations of a finished run from its journal, in the order of the run; writes nothing.
 * @throws ProbeError `bad_input` when the journal is damaged, or generations are missing
 */
export async function* readStoredGenerations({ folder, run }: NamedRun): AsyncGenerator<Generation> {
  const index = await generationsIndex(folder, run);
  let missing = run.generations;
  for await (const [generation] of index.byItem()) {
    if (generation === undefined) continue;
    missing--;
    yield generation;
  }
  if (missing === 0) return;
  throw notFinished(folder, missingText(missing, run.generations));
}

type RecordedProbe = NonNullable<RunFile["probes"]>[number];

/** Record of a probe of one's own in `run.json`: enough to score its answers without running its module again. */
export function recordedProbe({ probe, source, sha256 }: LoadedProbe): RecordedProbe {
  const classes = CHANGE_TYPES.map((changeType) => [changeType, probe.answerClass({ changeType })] as const);
  return {
    task: probe.task,
    source,
    sha256,
    title: probe.title,
    options: probe.optionCount,
    difficulties: [...probe.difficulties],
    answer_classes: Object.fromEntries(classes),
  };
}

/** The probes that come with the program, and those of the runs' own. What is recorded of a probe asks no questions. */
export async function probesOf(runs: readonly RunFile[]): Promise<ReadonlyMap<string, ProbeDefinition>> {
  const own = runs.flatMap(({ probes = [] }) => probes);
  return new Map([...(await loadProbes()), ...own.map((probe) => [probe.task, scoredProbe(probe)] as const)]);
}

function scoredProbe({ task, title, options, difficulties, answer_classes: classes }: RecordedProbe): ChoiceProbe {
  return {
    kind: "choice",
    task,
    title,
    difficulties,
    optionCount: options,
    order: Number.POSITIVE_INFINITY,
    isEligible: () => false,
    stem: () => ({}),
    options: () => [],
    answerClass: ({ changeType }) => classes[changeType] ?? null,
  };
}
