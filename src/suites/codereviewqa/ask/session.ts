import { join } from "node:path";
import type { Model } from "../../../model/model.js";
import { FailureGuard, type GaveUp } from "../../../run/failure-guard.js";
import type { FolderCodec } from "../../../store/journal/codec.js";
import type { JournalIndex } from "../../../store/journal/journal-index.js";
import { JournalWriter } from "../../../store/journal/journal-writer.js";
import { ANSWER_JOURNAL } from "../answer/answer-record.js";
import { GENERATION_JOURNAL } from "../answer/generation-record.js";
import { journalIdentity, type RunIndexes } from "../record/journals.js";
import type { RunFile } from "../record/run-file.js";
import { type AskOptions, askQuestions, type OpenJournal } from "./ask.js";
import { askOpenQuestions } from "./generate.js";

interface SessionJob extends Omit<AskOptions, "guard"> {
  readonly folder: string;
  readonly run: RunFile;
  readonly model: Model;
  readonly indexes: RunIndexes;
}

/**
 * Asks what the journals do not hold yet: the multiple-choice questions first, then the open ones.
 * @returns why the model was given up, or `null` when everything was asked or the signal stopped it
 */
export async function askSession({ folder, run, indexes, ...options }: SessionJob): Promise<GaveUp | null> {
  const guard = new FailureGuard();
  const asking: AskOptions = { ...options, guard };
  const { plan } = options;
  const { answers, generations } = indexes;
  await withJournal({ folder, run }, ANSWER_JOURNAL, answers, (journal) => askQuestions({ ...asking, ...journal }));
  if (plan.generations > 0) {
    await withJournal({ folder, run }, GENERATION_JOURNAL, generations, (journal) =>
      askOpenQuestions({ ...asking, ...journal }),
    );
  }
  return guard.gaveUp;
}

async function withJournal<T>(
  { folder, run }: Pick<SessionJob, "folder" | "run">,
  codec: FolderCodec<T>,
  index: JournalIndex<T>,
  ask: (journal: OpenJournal<T>) => Promise<void>,
): Promise<void> {
  const journal = await JournalWriter.open(join(folder, codec.file), codec, journalIdentity(run));
  try {
    await ask({ index, journal });
  } finally {
    await journal.close();
  }
}
