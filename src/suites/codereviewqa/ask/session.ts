import { join } from "node:path";
import type { Model } from "../../../model/model.js";
import { FailureGuard, type GaveUp } from "../../../run/failure-guard.js";
import { JournalWriter } from "../../../store/journal.js";
import type { JournalCodec } from "../../../store/journal-codec.js";
import type { JournalIndex } from "../../../store/journal-index.js";
import { answerJournal } from "../answer/answer-record.js";
import { GENERATION_JOURNAL } from "../answer/generation-record.js";
import type { RunIndexes } from "../record/journals.js";
import { type AskOptions, askQuestions, type OpenJournal } from "./ask.js";
import { askOpenQuestions } from "./generate.js";

interface SessionJob extends Omit<AskOptions, "guard"> {
  readonly folder: string;
  readonly model: Model;
  readonly indexes: RunIndexes;
  /** The most that a question of the run has. */
  readonly orders: number;
}

/**
 * Asks what the journals do not hold yet: the multiple-choice questions first, then the open ones.
 * @returns why the model was given up, or `null` when everything was asked or the signal stopped it
 */
export async function askSession({ folder, indexes, orders, ...options }: SessionJob): Promise<GaveUp | null> {
  const guard = new FailureGuard();
  const asking: AskOptions = { ...options, guard };
  const { plan } = options;
  const { answers, generations } = indexes;
  await withJournal(folder, answerJournal(orders), answers, (journal) => askQuestions({ ...asking, ...journal }));
  if (plan.generations > 0) {
    await withJournal(folder, GENERATION_JOURNAL, generations, (journal) =>
      askOpenQuestions({ ...asking, ...journal }),
    );
  }
  return guard.gaveUp;
}

async function withJournal<T>(
  folder: string,
  codec: JournalCodec<T>,
  index: JournalIndex<T>,
  ask: (journal: OpenJournal<T>) => Promise<void>,
): Promise<void> {
  const journal = await JournalWriter.open(join(folder, codec.file), codec);
  try {
    await ask({ index, journal });
  } finally {
    await journal.close();
  }
}
