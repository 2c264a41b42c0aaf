import { join } from "node:path";
import type { Model } from "../model/model.js";
import { ANSWER_JOURNAL } from "../result/answer-record.js";
import { GENERATION_JOURNAL } from "../result/generation-record.js";
import { JournalWriter } from "../result/journal.js";
import type { JournalCodec } from "../result/journal-codec.js";
import type { JournalIndex } from "../result/journal-index.js";
import { type AskOptions, askQuestions, type OpenJournal } from "./ask.js";
import { FailureGuard, type GaveUp } from "./failure-guard.js";
import { askOpenQuestions } from "./generate.js";
import type { RunIndexes } from "./journals.js";

interface SessionJob extends Omit<AskOptions, "guard"> {
  readonly folder: string;
  readonly model: Model;
  readonly indexes: RunIndexes;
}

/**
 * Asks what the journals do not hold yet: the multiple-choice questions first, then the open ones.
 * @returns why the model was given up, or `null` when everything was asked or the signal stopped it
 */
export async function askSession({ folder, indexes, ...options }: SessionJob): Promise<GaveUp | null> {
  const guard = new FailureGuard();
  const asking: AskOptions = { ...options, guard };
  const { plan } = options;
  const { answers, generations } = indexes;
  await withJournal(folder, ANSWER_JOURNAL, answers, (journal) => askQuestions({ ...asking, ...journal }));
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
