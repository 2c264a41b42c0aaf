import { join } from "node:path";
import type { Answer } from "../domain/answer.js";
import type { Model } from "../model/model.js";
import { openModel } from "../model/registry.js";
import { dropTornLine, JournalWriter } from "../result/journal.js";
import { JournalIndex } from "../result/journal-index.js";
import { findRunFile, type RunFile, writeRunFile } from "../result/run-file.js";
import { askQuestions, type GaveUp } from "./ask.js";
import { chooseRunFolder, lockFolder, type RunFolder } from "./folder.js";
import { newRunFile } from "./identity.js";
import { planRun, type RunPlan } from "./plan.js";
import type { RunRequest } from "./request.js";
import { JOURNAL_FILE, type ScoredRun, scoreRun } from "./score.js";

/** What a run tells while it works. */
export interface RunObserver {
  readonly onMessage: (message: string) => void;
  readonly onDownload?: (fraction: number) => void;
  /** Before the first answer: how many answers there will be, and how many are there already. */
  readonly onStart: (total: number, answered: number) => void;
  readonly onAnswer: (answer: Answer) => void;
  readonly onEnd: () => void;
}

export interface RunSession {
  readonly request: RunRequest;
  /** `--out` or `--resume`; `null`: chosen under `results/`. */
  readonly folder: string | null;
  /** Aborting it stops the run in order: what is under way is finished and recorded. */
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly observer: RunObserver;
}

export type RunOutcome =
  | { readonly status: "complete"; readonly scored: ScoredRun }
  | { readonly status: "interrupted"; readonly folder: string; readonly answered: number; readonly planned: number }
  /** The model failed the same way too often; what was answered is scored. */
  | { readonly status: "gave_up"; readonly scored: ScoredRun; readonly gaveUp: GaveUp };

/**
 * Asks a model every question under every order of its options, records every answer, and scores the run. The same
 * session again, after any kill, goes on where the journal ends.
 * @throws ProbeError `bad_input`, `model_unavailable`
 */
export async function runProbes(session: RunSession): Promise<RunOutcome> {
  const plan = await planRun(session.request, session.observer.onMessage);
  const { request, observer } = session;
  const model = await openModel(request.model, {
    promptMode: request.promptMode,
    mode: request.mode,
    seed: request.selection.seed,
    connection: request.connection,
    purpose: "ask",
    ...(observer.onDownload && { onDownload: observer.onDownload }),
  });
  try {
    for (const note of checkNotes(model)) observer.onMessage(note);
    const asked = newRunFile(plan, model, session.now());
    const folder = await chooseRunFolder(asked, session.folder);
    const unlock = await lockFolder(folder.path);
    try {
      return await runInFolder(session, plan, model, folder, asked);
    } finally {
      await unlock();
    }
  } finally {
    await model.close();
  }
}

async function runInFolder(
  session: RunSession,
  plan: RunPlan,
  model: Model,
  folder: RunFolder,
  asked: RunFile,
): Promise<RunOutcome> {
  const { observer, signal } = session;
  // Read again under the lock: another process may have finished the run in between.
  const run = (await findRunFile(folder.path)) ?? asked;
  const journalPath = join(folder.path, JOURNAL_FILE);
  const index = await JournalIndex.build(journalPath, plan.questions);
  const answered = index.answeredCount();
  if (folder.recorded !== null) announceResume(session, folder.path, answered, plan.plannedAnswers);
  if (index.torn !== null) {
    observer.onMessage(
      `Dropped a torn last line of the journal (${index.torn.length} bytes); its question is asked again.`,
    );
    await dropTornLine(journalPath, index.torn);
  }
  await writeRunFile(folder.path, { ...run, status: "running" });
  const started = performance.now();
  observer.onStart(plan.plannedAnswers, answered);
  const gaveUp = await ask({ session, plan, model, index, journalPath });
  observer.onEnd();
  const isDone = !signal.aborted && gaveUp === null;
  await writeRunFile(folder.path, {
    ...run,
    status: isDone ? "complete" : "interrupted",
    tokens: { ...run.tokens, evaluated: model.evaluatedTokens?.() ?? null },
    times: {
      ...run.times,
      updated_at: session.now().toISOString(),
      asking_ms: run.times.asking_ms + Math.round(performance.now() - started),
      sessions: run.times.sessions + 1,
    },
  });
  if (signal.aborted) {
    const total = (await JournalIndex.build(journalPath, plan.questions)).answeredCount();
    return { status: "interrupted", folder: folder.path, answered: total, planned: plan.plannedAnswers };
  }
  const scored = await scoreRun(folder.path);
  return gaveUp === null ? { status: "complete", scored } : { status: "gave_up", scored, gaveUp };
}

/** What the check of a server warns of. */
function checkNotes({ check }: Model): string[] {
  const chosen = check?.ways.find(({ way }) => way === check.chosen);
  if (check === undefined || chosen === undefined) return [];
  const forced = check.forced ? ["FORCED: the check refused this server; its numbers may mean nothing."] : [];
  return [...forced, ...chosen.notes.map((note) => `Model check (${chosen.way}): ${note}.`)];
}

function announceResume({ observer }: RunSession, path: string, answered: number, planned: number): void {
  const rest = answered >= planned ? "nothing is left to ask" : "asking the rest";
  observer.onMessage(`Resuming ${path}: ${answered} of ${planned} answers are there; ${rest}.`);
}

interface AskJob {
  readonly session: RunSession;
  readonly plan: RunPlan;
  readonly model: Model;
  readonly index: JournalIndex;
  readonly journalPath: string;
}

async function ask({ session, plan, model, index, journalPath }: AskJob): Promise<GaveUp | null> {
  const journal = await JournalWriter.open(journalPath);
  try {
    const { signal, observer } = session;
    return await askQuestions({ plan, model, index, journal, signal, onAnswer: observer.onAnswer });
  } finally {
    await journal.close();
  }
}
