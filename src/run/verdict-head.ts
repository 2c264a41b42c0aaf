import type { RunVerdicts } from "../verdict/verdict.js";
import type { RunRecord } from "./run-record.js";

/** What comparison, CI reports and leaderboards are told of every run. */
type VerdictHead = Pick<RunVerdicts, "runId" | "folder" | "suite" | "model" | "createdAt" | "durationMs">;

/** @param folder where the run is */
export function verdictHead(run: RunRecord, folder: string): VerdictHead {
  return {
    runId: run.run_id,
    folder,
    suite: run.suite,
    model: run.model.label,
    createdAt: run.times.created_at,
    durationMs: run.times.asking_ms,
  };
}
