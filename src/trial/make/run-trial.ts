import { join } from "node:path";
import type { AttemptResult } from "../../agent/agent.js";
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
  const graded = await grade(job, setting, attempted);
  const { patch, last, attempts, meter } = attempted;
  await writeArtifacts(artifacts, patch, graded.grade);
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
    await setting.adapter.settle?.(job.task, workspace);
    const { calls, promptTokens, completionTokens, costUsd } = meterOf(results);
    const meter = { calls, prompt_tokens: promptTokens, completion_tokens: completionTokens, cost_usd: costUsd };
    const { refused } = last;
    const patch = refused === undefined ? await workspace.patch() : ({ status: "refused", detail: refused } as const);
    return { attempts: results.length, last, meter, patch };
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
