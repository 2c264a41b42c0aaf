import { checkNotes } from "../../../model/check/check-notes.js";
import type { Capability, Model } from "../../../model/model.js";
import { openModel } from "../../../model/registry.js";
import type { GaveUp } from "../../../run/failure-guard.js";
import { findRecorded, lockFolder } from "../../../store/folder/work-folder.js";
import type { Answer } from "../example/answer.js";
import type { Generation } from "../example/generation.js";
import { newRunFile } from "../record/identity.js";
import { buildIndexes, type Recorded, recordedIn, recordedText, tornMessages } from "../record/journals.js";
import { type RunFile, writeRunFile } from "../record/run-file.js";
import { chooseRunFolder, RUN_WORK } from "./folder.js";
import { planRun, type RunPlan } from "./plan.js";
import type { RunRequest } from "./request.js";
import { type ScoredRun, scoreRun } from "./score.js";
import { askSession } from "./session.js";

/** What a run tells while it works. */
export interface RunObserver {
  readonly onMessage: (message: string) => void;
  readonly onDownload?: (fraction: number) => void;
  /** Before the first answer: how many answers and generations there will be, and how many are there already. */
  readonly onStart: (total: number, answered: number) => void;
  readonly onAnswer: (record: Answer | Generation) => void;
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
    for (const note of checkNotes(model, { writes: true })) observer.onMessage(note);
    const asked = newRunFile(plan, model, session.now());
    const { path } = await chooseRunFolder(asked, session.folder);
    const unlock = await lockFolder(path);
    try {
      const recorded = await findRecorded(RUN_WORK, asked, path);
      return await runInFolder({ ...session, plan, model, path, isResumed: recorded !== null, run: recorded ?? asked });
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

interface RunJob extends RunSession {
  readonly plan: RunPlan;
  readonly model: Model;
  readonly path: string;
  /** Whether the folder held the run already. */
  readonly isResumed: boolean;
  readonly run: RunFile;
}

async function runInFolder(job: RunJob): Promise<RunOutcome> {
  const { plan, model, path, run, observer, signal } = job;
  const planned: Recorded = { answers: plan.plannedAnswers, generations: plan.generations };
  const indexes = await buildIndexes(path, run);
  const recorded = recordedIn(indexes);
  if (job.isResumed) observer.onMessage(resumeMessage(path, recorded, planned));
  for (const message of tornMessages(indexes)) observer.onMessage(message);
  await writeRunFile(path, { ...run, status: "running" });
  const started = performance.now();
  const end = (status: RunFile["status"]) => writeRunFile(path, endOfSession(job, status, performance.now() - started));
  observer.onStart(totalOf(planned), totalOf(recorded));
  const options = { folder: path, run, plan, model, indexes, signal, onRecord: observer.onAnswer };
  const gaveUp = await askSession(options).catch(async (error: unknown) => {
    // What went wrong is told, not that this could not be written either, as on a disk that is full.
    await end("interrupted").catch(() => undefined);
    throw error;
  });
  observer.onEnd();
  // Stopped behind the last answer, it is complete all the same.
  const stopped = signal.aborted ? recordedIn(await buildIndexes(path, run)) : null;
  const isStopped = stopped !== null && totalOf(stopped) < totalOf(planned);
  await end(isStopped || gaveUp !== null ? "interrupted" : "complete");
  if (isStopped) return { status: "interrupted", folder: path, recorded: stopped, planned };
  const scored = await scoreRun(path);
  return gaveUp === null ? { status: "complete", scored } : { status: "gave_up", scored, gaveUp };
}

/** The run with one more session. */
function endOfSession({ run, model, now }: RunJob, status: RunFile["status"], sessionMs: number): RunFile {
  return {
    ...run,
    status,
    tokens: { ...run.tokens, evaluated: model.evaluatedTokens?.() ?? null },
    times: {
      ...run.times,
      updated_at: now().toISOString(),
      asking_ms: run.times.asking_ms + Math.round(sessionMs),
      sessions: run.times.sessions + 1,
    },
  };
}

function totalOf({ answers, generations }: Recorded): number {
  return answers + generations;
}

function resumeMessage(path: string, recorded: Recorded, planned: Recorded): string {
  const rest = totalOf(recorded) >= totalOf(planned) ? "nothing is left to ask" : "asking the rest";
  return `Resuming ${path}: ${recordedText(recorded, planned)} are there; ${rest}.`;
}
