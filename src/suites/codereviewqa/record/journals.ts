import { join } from "node:path";
import { dropTornLine } from "../../../store/journal.js";
import { JournalIndex } from "../../../store/journal-index.js";
import { ANSWER_FILE, answerJournal } from "../answer/answer-record.js";
import { GENERATION_JOURNAL } from "../answer/generation-record.js";
import type { Answer } from "../example/answer.js";
import type { Generation } from "../example/generation.js";
import { mostOrders } from "./most-options.js";
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

/** @throws ProbeError `bad_input` when a line of a journal is damaged */
export async function buildIndexes(
  folder: string,
  run: Pick<RunFile, "questions" | "generations" | "forms">,
): Promise<RunIndexes> {
  const { questions, generations } = run;
  return {
    answers: await JournalIndex.build(join(folder, ANSWER_FILE), answerJournal(mostOrders(run)), questions),
    generations: await JournalIndex.build(join(folder, GENERATION_JOURNAL.file), GENERATION_JOURNAL, generations),
  };
}

export function recordedIn({ answers, generations }: RunIndexes): Recorded {
  return { answers: answers.answeredCount(), generations: generations.answeredCount() };
}

/** Cuts what a kill left of a last line off each journal. */
export async function dropTornLines(
  folder: string,
  { answers, generations }: RunIndexes,
  onMessage: (message: string) => void,
): Promise<void> {
  for (const [{ torn }, file] of [
    [answers, ANSWER_FILE],
    [generations, GENERATION_JOURNAL.file],
  ] as const) {
    if (torn === null) continue;
    onMessage(`Dropped a torn last line of ${file} (${torn.length} bytes); its question is asked again.`);
    await dropTornLine(join(folder, file), torn);
  }
}
