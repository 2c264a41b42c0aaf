import { join } from "node:path";
import type { AttemptResult } from "../../agent/agent.js";
import { isOfMachine, messageOf } from "../../base/errors.js";
import { shorten } from "../../base/text.js";
import { type TreePatch, Workspace } from "../../workspace/workspace.js";
import type { BenchTask, Grade } from "../bench-task.js";
import { activityFacts } from "../facts/activity.js";
import { clearArtifacts, writeArtifacts, writeTranscript } from "../trial-artifacts.js";
import type { GoldSimilarity, TrialFacts, TrialRecord } from "../trial-records.js";
import { type Done, isSpent, limitsLeft, makeAttempt, meterOf, type TrialJob, type TrialSetting } from "./attempt.js";

/** All attempts of a trial, summed up. */
interface Attempted {
  readonly attempts: number;
  readonly last: Done;
  readonly meter: Pick<TrialRecord, "calls" | "prompt_tokens" | "completion_tokens" | "cost_usd">;
  readonly patch: TreePatch;
}

/** The part of a record that says which trial it is. */
export function placeOf<Task extends BenchTask>({ item, agent, condition, task, trial }: TrialJob<Task>) {
  return { item, agent: agent.name, condition, task_id: task.id, group: task.group, trial };
}

/** Fields of a trial that did not take place: not known. */
export const NOT_MADE = {
  agent_end: null,
  attempts: null,
  calls: null,
  reported_success: null,
  non_trivial: null,
  tampered: null,
  patch_applies: null,
  scores: {},
  duration_ms: null,
  grading_ms: null,
  prompt_tokens: null,
  completion_tokens: null,
  cost_usd: null,
  patch_sha256: null,
} as const;

/**
 * Makes a trial: attempts on fresh trees until one reports no failure, then the last tree graded on yet another.
 * @param valid whether its task is
 * @throws the reason of the bench's signal when that stops it: the trial then did not take place
 */
export async function runTrial<Task extends BenchTask>(
  job: TrialJob<Task>,
  setting: TrialSetting<Task>,
  valid: boolean | null,
): Promise<TrialRecord> {
  const started = performance.now();
  const { artifacts } = setting;
  await clearArtifacts(artifacts);
  const notes: object[] = [];
  const attempted = await attemptAll(job, setting, { notes, started });
  await writeTranscript(artifacts, notes);
  const place = { ...placeOf(job), valid };
  if ("status" in attempted) {
    const { detail, end = null } = attempted;
    return { ...place, ...NOT_MADE, agent_end: end, status: "unreachable", detail };
  }
  const durationMs = Math.round(performance.now() - started);
  const graded = await gradeAnything(job, setting, attempted);
  const { patch, last, attempts, meter } = attempted;
  const made = {
    ...place,
    agent_end: last.end,
    attempts,
    ...meter,
    reported_success: last.reportedSuccess,
    patch_applies: graded.fault === null,
    duration_ms: durationMs,
    grading_ms: Math.round(performance.now() - started) - durationMs,
    patch_sha256: patch.status === "made" ? patch.sha256 : null,
    ...(last.model !== undefined && { agent_model: last.model }),
  };
  if (graded.grade.status === "grader_failed")
    return { ...NOT_MADE, ...made, status: "grader_failed", detail: graded.grade.detail };
  const { scores, nonTrivial, tampered } = graded.grade;
  const detail = graded.fault ?? last.detail;
  const likeness = graded.likeness === null ? {} : { gold_similarity: graded.likeness };
  const facts = { ...graded.facts, ...activityFacts(notes, job.task.group) };
  const common = { detail, non_trivial: nonTrivial, tampered, facts };
  return { ...made, ...common, status: "graded", scores: { ...scores }, ...likeness };
}

async function attemptAll<Task extends BenchTask>(
  job: TrialJob<Task>,
  setting: TrialSetting<Task>,
  told: { readonly notes: object[]; readonly started: number },
): Promise<Attempted | Extract<AttemptResult, { status: "unreachable" }>> {
  const results: Done[] = [];
  for (let attempt = 0; ; attempt++) {
    const place = { attempt, limits: limitsLeft(setting.limits, results), ...told };
    const result = await makeAttempt(job, setting, place);
    if (result.status === "unreachable") return result;
    const { workspace, ...last } = result;
    results.push(last);
    const isOver =
      last.reportedSuccess !== false || results.length >= setting.attempts || isSpent(setting.limits, results);
    if (!isOver) continue;
    const { calls, promptTokens, completionTokens, costUsd } = meterOf(results);
    const meter = { calls, prompt_tokens: promptTokens, completion_tokens: completionTokens, cost_usd: costUsd };
    const { refused } = last;
    const patch = refused === undefined ? await takePatch(job, setting, workspace) : refusal(refused);
    return { attempts: results.length, last, meter, patch };
  }
}

function refusal(detail: string): TreePatch {
  return { status: "refused", detail };
}

/** The patch of a tree, less what is no part of the solution; a tree that cannot be gone through is refused. */
async function takePatch<Task extends BenchTask>(
  { task }: TrialJob<Task>,
  { adapter, bench }: TrialSetting<Task>,
  workspace: Workspace,
): Promise<TreePatch> {
  try {
    await adapter.settle?.(task, workspace);
    return await workspace.patch();
  } catch (error) {
    if (bench.signal.aborted || isOfMachine(error)) throw error;
    return refusal(`a tree that no patch can be taken of: ${shorten(messageOf(error), 300)}`);
  }
}

interface Graded {
  readonly grade: Grade;
  /** Reason why the patch was not taken, or does not apply; `null`: it does. */
  readonly fault: string | null;
  /** `null`: the patch does not apply, or there is no right solution that adds anything. */
  readonly likeness: GoldSimilarity | null;
  /** Of the patch; none of one that does not apply. */
  readonly facts: TrialFacts;
}

/**
 * Grades what the last attempt left, and keeps it. Where that cannot be done, the right solution is graded, or the unmodified
 * code: if it can be, and what was left cannot once more, then what was left is the reason, and the trial fails as one whose
 * patch is refused. Else an agent whose files end the grading would have its failures left out of all rates.
 * @throws what ends the grading of the right solution too, or is the machine's, such as a full disk
 */
async function gradeAnything<Task extends BenchTask>(
  job: TrialJob<Task>,
  setting: TrialSetting<Task>,
  attempted: Attempted,
): Promise<Graded> {
  const gradeWith = async (patch: TreePatch) => {
    const graded = await grade(job, setting, { ...attempted, patch });
    requireShort(graded.grade);
    await writeArtifacts(setting.artifacts, attempted.patch, graded.grade);
    return graded;
  };
  const isOthers = (error: unknown) => setting.bench.signal.aborted || isOfMachine(error);
  try {
    return await gradeWith(attempted.patch);
  } catch (first) {
    if (isOthers(first) || !(await canGrade(job, setting, attempted))) throw first;
    return gradeWith(attempted.patch).catch((again: unknown) => {
      if (isOthers(again)) throw again;
      return gradeWith(refusal(`what cannot be graded: ${shorten(messageOf(again), 300)}`));
    });
  }
}

/** Most characters of a trial's scores: words of tests may be among them, and the journal takes no line without end. */
const MOST_SCORES = 1_000_000;

function requireShort(grade: Grade): void {
  const { length } = grade.status === "graded" ? JSON.stringify(grade.scores) : grade.detail;
  if (length > MOST_SCORES) throw new Error(`Expected scores of at most ${MOST_SCORES} characters, found ${length}.`);
}

/** Tests if the right solution can be graded here and now; where there is none, the unmodified code. */
async function canGrade<Task extends BenchTask>(
  job: TrialJob<Task>,
  setting: TrialSetting<Task>,
  attempted: Attempted,
): Promise<boolean> {
  try {
    const bytes = (await setting.adapter.gold(job.task)) ?? Buffer.alloc(0);
    const control = { ...attempted, patch: { status: "made", bytes, sha256: "" } as const };
    return (await grade(job, setting, control)).grade.status === "graded";
  } catch (error) {
    if (setting.bench.signal.aborted) throw error;
    return false;
  }
}

/** Grades what the last attempt left, on a tree that nobody worked in. */
async function grade<Task extends BenchTask>(
  { task, condition, trial }: TrialJob<Task>,
  { adapter, bench, gold }: TrialSetting<Task>,
  { patch, last, attempts }: Attempted,
): Promise<Graded> {
  const fresh = await Workspace.create(join(await bench.folder(), "work"), task.source);
  const fault = patch.status === "refused" ? patch.detail : await fresh.apply(patch.bytes);
  const submission = {
    key: { taskId: task.id, condition, trial, attempt: attempts - 1 },
    graded: fault === null ? fresh : await Workspace.create(join(await bench.folder(), "work"), task.source),
    patch: patch.status === "made" ? patch.bytes : Buffer.alloc(0),
    applies: fault === null,
    reportedSuccess: last.reportedSuccess,
  };
  const likeness = fault === null ? await gold.compare(task, submission.patch, fresh) : null;
  const facts = fault === null ? await gold.facts(task, submission.patch) : {};
  return { grade: await adapter.grade(task, submission, bench), fault, likeness, facts };
}
