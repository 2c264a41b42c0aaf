import { join } from "node:path";
import { wholeRun } from "../../../run/run-folder.js";
import type { WorkIdentity } from "../../../store/identity.js";
import { JournalIndex } from "../../../store/journal/journal-index.js";
import type { Answer } from "../answer/answer.js";
import { ANSWER_JOURNAL } from "../answer/answer.js";
import type { Generation } from "../answer/generation.js";
import { GENERATION_JOURNAL } from "../answer/generation.js";
import { mostOrders } from "./most-options.js";
import type { RunFile } from "./run-file.js";
import { runFingerprintOf } from "./run-identity.js";

/** What the journals of a run hold. */
export interface RunIndexes {
  readonly answers: JournalIndex<Answer>;
  readonly generations: JournalIndex<Generation>;
}

/** What the header of a run's journals says. */
function journalIdentity(run: RunFile): WorkIdentity {
  return { fingerprint: runFingerprintOf(run) };
}

/** @throws ProbeError `bad_input` when a line of a journal is damaged, or it belongs to another run */
export async function buildIndexes(folder: string, run: RunFile): Promise<RunIndexes> {
  return { answers: await answersIndex(folder, run), generations: await generationsIndex(folder, run) };
}

/** Of the journal of answers alone. */
export function answersIndex(folder: string, run: RunFile): Promise<JournalIndex<Answer>> {
  const whole = wholeRun(run);
  const plan = { items: whole.questions, places: mostOrders(whole) };
  return JournalIndex.build(join(folder, ANSWER_JOURNAL.file), ANSWER_JOURNAL, {
    plan,
    identity: journalIdentity(run),
    isReadLater: true,
  });
}

/** Of the journal of generations alone. */
export function generationsIndex(folder: string, run: RunFile): Promise<JournalIndex<Generation>> {
  const plan = { items: wholeRun(run).generations, places: 1 };
  const identity = journalIdentity(run);
  return JournalIndex.build(join(folder, GENERATION_JOURNAL.file), GENERATION_JOURNAL, { plan, identity });
}
