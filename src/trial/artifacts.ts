import { join } from "node:path";

/** Which trial of a run it is. */
interface TrialPlace {
  readonly agent: string;
  /** Whether the agent is there for comparison: then it has one trial alone. */
  readonly isControl: boolean;
  readonly condition: string;
  readonly taskId: string;
  readonly trial: number;
}

/** In a run's folder: what its trials left. */
export const ARTIFACTS_FOLDER = "artifacts";

/** Where what a trial left is kept: `artifacts/<task>/<condition>/<trial>`; a control has its name for a number. */
export function artifactsOf(run: string, { agent, isControl, condition, taskId, trial }: TrialPlace): string {
  const name = isControl ? agent.replace("scripted:", "") : String(trial);
  return join(run, ARTIFACTS_FOLDER, taskId, condition, name);
}
