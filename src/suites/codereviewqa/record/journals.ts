import { join } from "node:path";
import { printable } from "../../../base/text.js";
import type { WorkIdentity } from "../../../store/identity.js";
import type { FolderCodec } from "../../../store/journal/codec.js";
import { JournalIndex } from "../../../store/journal/journal-index.js";
import { ANSWER_JOURNAL } from "../answer/answer-record.js";
import { GENERATION_JOURNAL } from "../answer/generation-record.js";
import type { Answer } from "../example/answer.js";
import type { Generation } from "../example/generation.js";
import { permutationCount } from "../question/permutations.js";
import { runFingerprint } from "./identity.js";
import type { RunFile } from "./run-file.js";

/** Answers and generations: planned, or recorded without a failure. */
export interface Recorded {
  readonly answers: number;
  readonly generations: number;
}

/** Such as `5 of 36 answers and 1 of 3 generations`. */
export function recordedText(recorded: Recorded, planned: Recorded): string {
  const { answers, generations } = planned;
  return [
    ...(answers > 0 ? [`${recorded.answers} of ${answers} answers`] : []),
    ...(generations > 0 ? [`${recorded.generations} of ${generations} generations`] : []),
  ].join(" and ");
}

/** What the journals of a run hold. */
export interface RunIndexes {
  readonly answers: JournalIndex<Answer>;
  readonly generations: JournalIndex<Generation>;
}

/** Most options a question has. */
const MAX_OPTIONS = 4;

/** What the header of a run's journals says. */
export function journalIdentity(run: RunFile): WorkIdentity {
  return { fingerprint: runFingerprint(run) };
}

/** @throws ProbeError `bad_input` when a line of a journal is damaged, or it belongs to another run */
export async function buildIndexes(folder: string, run: RunFile): Promise<RunIndexes> {
  return { answers: await answersIndex(folder, run), generations: await generationsIndex(folder, run) };
}

/** Of the journal of answers alone. */
export function answersIndex(folder: string, run: RunFile): Promise<JournalIndex<Answer>> {
  const plan = { items: run.questions, places: permutationCount(MAX_OPTIONS) };
  return JournalIndex.build(join(folder, ANSWER_JOURNAL.file), ANSWER_JOURNAL, {
    plan,
    identity: journalIdentity(run),
  });
}

/** Of the journal of generations alone. */
export function generationsIndex(folder: string, run: RunFile): Promise<JournalIndex<Generation>> {
  const plan = { items: run.generations, places: 1 };
  const identity = journalIdentity(run);
  return JournalIndex.build(join(folder, GENERATION_JOURNAL.file), GENERATION_JOURNAL, { plan, identity });
}

/** How many answers and generations are recorded without a failure. */
export function recordedIn({ answers, generations }: RunIndexes): Recorded {
  return { answers: answers.answeredCount(), generations: generations.answeredCount() };
}

/**
 * What a run that `run.json` says is complete should have in its journals and has not, failed or not; `null`: nothing, or
 * that cannot be told. Where questions stop early, nobody knows how many answers there should be.
 */
export function missingIn({ answers, generations }: RunIndexes, run: RunFile): Recorded | null {
  if (run.status !== "complete") return null;
  const isEarlyStop = run.parameters["early_stop"] === true;
  const missing = {
    answers: isEarlyStop ? 0 : answers.missingCount(run.planned_answers),
    generations: generations.missingCount(run.generations),
  };
  return missing.answers > 0 || missing.generations > 0 ? missing : null;
}

/** That lines are missing from the journals of a complete run. */
export function missingText(folder: string, missing: Recorded, planned: Recorded): string {
  const path = printable(folder, 1000);
  return (
    `Missing from the journals of a run that is complete: ${recordedText(missing, planned)}. The tables are without ` +
    `them. Ask them again: probe run --resume ${path}`
  );
}

/** Says of each journal what a kill left of a last line: it is cut off when the journal is opened for writing. */
export function tornMessages({ answers, generations }: RunIndexes): string[] {
  const message = ({ torn }: JournalIndex<unknown>, { file }: Pick<FolderCodec<unknown>, "file">) =>
    torn === null ? [] : [`Dropped a torn last line of ${file} (${torn.length} bytes); its question is asked again.`];
  return [...message(answers, ANSWER_JOURNAL), ...message(generations, GENERATION_JOURNAL)];
}
