import type { Capability, Model } from "../../../model/model.js";
import { openModel } from "../../../model/registry.js";
import type { GaveUp } from "../../../run/failure-guard.js";
import type { Answer } from "../example/answer.js";
import type { Generation } from "../example/generation.js";
import { newRunFile } from "../record/identity.js";
import { buildIndexes, dropTornLines, type Recorded, recordedIn, recordedText } from "../record/journals.js";
import { findRunFile, type RunFile, writeRunFile } from "../record/run-file.js";
import { chooseRunFolder, lockFolder, type RunFolder } from "./folder.js";
import { planRun, type RunPlan } from "./plan.js";
import type { RunRequest } from "./request.js";
import { type ScoredRun, scoreRun } from "./score.js";
import { askSession } from "./session.js";

/** What a run tells while it works. */
export interface RunObserver {
  /** What a user should read. */
  readonly onMessage: (message: string) => void;
  /** Of a model's file, 0–1. */
  readonly onDownload?: (fraction: number) => void;
  /** Before the first answer: how many answers and generations there will be, and how many are there already. */
  readonly onStart: (total: number, answered: number) => void;
  /** Once it is recorded. */
  readonly onAnswer: (record: Answer | Generation) => void;
  /** After the last answer. */
  readonly onEnd: () => void;
}

/** A run that is to be made, or gone on with: what is asked, into which folder, and who is told. */
export interface RunSession {
  readonly request: RunRequest;
  /** `--out` or `--resume`; `null`: chosen under `results/`. */
  readonly folder: string | null;
  /** Aborting it stops the run in order: what is under way is finished and recorded. */
  readonly signal: AbortSignal;
  /** The clock. */
  readonly now: () => Date;
  readonly observer: RunObserver;
}

/** How a run ended: with all answers, interrupted, or given up. */
export type RunOutcome =
  | { readonly status: "complete"; readonly scored: ScoredRun }
  | { readonly status: "interrupted"; readonly folder: string; readonly recorded: Recorded; readonly planned: Recorded }
  /** The model failed the same way too often; what was answered is scored. */
  | { readonly status: "gave_up"; readonly scored: ScoredRun; readonly gaveUp: GaveUp };

/**
 * Asks a model every question under every order of its options, has it write what the open questions ask for, records
 * every answer, and scores the run. The same session again, after any kill, goes on where the journals end.
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
    needs: neededFor(plan),
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

function neededFor(plan: RunPlan): Capability[] {
  return [
    ...(plan.questions > 0 ? ["symbols" as const] : []),
    ...(plan.generations > 0 ? ["completions" as const] : []),
  ];
}

async function runInFolder(
  session: RunSession,
  plan: RunPlan,
  model: Model,
  folder: RunFolder,
  asked: RunFile,
): Promise<RunOutcome> {
  const { observer, signal } = session;
  const planned: Recorded = { answers: plan.plannedAnswers, generations: plan.generations };
  // Read again under the lock: another process may have finished the run in between.
  const run = (await findRunFile(folder.path)) ?? asked;
  const indexes = await buildIndexes(folder.path, plan);
  const recorded = recordedIn(indexes);
  if (folder.recorded !== null) observer.onMessage(resumeMessage(folder.path, recorded, planned));
  await dropTornLines(folder.path, indexes, observer.onMessage);
  await writeRunFile(folder.path, { ...run, status: "running" });
  const started = performance.now();
  observer.onStart(totalOf(planned), totalOf(recorded));
  const gaveUp = await askSession({ folder: folder.path, plan, model, indexes, signal, onRecord: observer.onAnswer });
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
    const now = recordedIn(await buildIndexes(folder.path, plan));
    return { status: "interrupted", folder: folder.path, recorded: now, planned };
  }
  const scored = await scoreRun(folder.path);
  return gaveUp === null ? { status: "complete", scored } : { status: "gave_up", scored, gaveUp };
}

function totalOf({ answers, generations }: Recorded): number {
  return answers + generations;
}

/** What the check of a server warns of: of the way to answers, and of the way to completions where that is another. */
function checkNotes({ check }: Model): string[] {
  const chosen = check?.ways.find(({ way }) => way === check.chosen);
  if (check === undefined || chosen === undefined) return [];
  const writing = check.ways.find(({ extraction, status }) => extraction === "completion" && status === "works");
  const forced = check.forced ? ["FORCED: the check refused this server; its numbers may mean nothing."] : [];
  const used = new Set([chosen, ...(writing === undefined ? [] : [writing])]);
  return [...forced, ...[...used].flatMap(({ way, notes }) => notes.map((note) => `Model check (${way}): ${note}.`))];
}

function resumeMessage(path: string, recorded: Recorded, planned: Recorded): string {
  const rest = totalOf(recorded) >= totalOf(planned) ? "nothing is left to ask" : "asking the rest";
  return `Resuming ${path}: ${recordedText(recorded, planned)} are there; ${rest}.`;
}
