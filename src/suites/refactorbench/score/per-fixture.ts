import type { TrialRecord } from "../../../trial/records.js";
import { ownTable } from "../../../trial/score/own-table.js";
import { numberOf } from "../../../trial/score/summarise.js";
import type { TrialRun } from "../../../trial/trial-run.js";
import { ARMS } from "../published/conditions.js";
import { PUBLISHED_TABLE, type PublishedRow } from "../published/row.js";
import { FILES_CHECKED } from "./columns.js";

/** What the released tables call our two arms; the others keep their names. */
const RELEASED_NAMES: ReadonlyMap<string, string> = new Map([
  ["no-test-runner", ARMS.disabled],
  ["test-runner", ARMS.enabled],
]);

/** Our own trials with the published columns, for `probe suite stats`: one row each, of the time at which their run began. */
export const PER_FIXTURE = ownTable(PUBLISHED_TABLE, publishedRow);

function publishedRow(record: TrialRecord, run: TrialRun): PublishedRow {
  const { agent, condition, scores, task_id, trial } = record;
  const isControl = run.agents.some(({ name, is_control }) => is_control && name === agent);
  const model = isControl ? agent : run.model.label;
  const bucket = scores["failure_bucket"];
  return {
    ...{ provider: model, model, fixture: task_id },
    testRunner: RELEASED_NAMES.get(condition) ?? condition,
    passesTests: scores["passes_tests"] === true,
    reportedSuccess: record.reported_success,
    isNonTrivial: record.non_trivial,
    filesCompiled: numberOf(scores["files_compiled_published"]),
    failureBucket: typeof bucket === "string" ? bucket : null,
    durationMs: record.duration_ms,
    costUsd: record.cost_usd,
    promptTokens: record.prompt_tokens,
    completionTokens: record.completion_tokens,
    filesBefore: numberOf(scores["files_before"]),
    filesAfter: numberOf(scores["files_after"]),
    totalFilesCompiled: numberOf(scores[FILES_CHECKED]),
    isSynthetic: false,
    sourceExport: run.run_id,
    experimentId: run.run_id,
    resultId: [run.run_id, agent, condition, task_id, trial].join("/"),
    createdAt: run.times.created_at,
  };
}
