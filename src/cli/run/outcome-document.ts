import type { RunOutcome } from "../../run/run-suite.js";
import type { ScoredRun } from "../../run/score-folder.js";
import type { GateFinding } from "../../verdict/gate.js";
import { verdictEntry } from "../verdict-document.js";

/** What `--json` prints of a run; names are those of the tables. */
export function outcomeDocument(outcome: RunOutcome, findings: readonly GateFinding[]): object {
  if (outcome.status === "interrupted") {
    const { status, folder, counts } = outcome;
    return { status, folder, records: counts.map(({ name, planned, done }) => ({ name, planned, recorded: done })) };
  }
  return { status: outcome.status, ...scoredDocument(outcome.scored, findings) };
}

/** What `--json` prints of a scored run. */
export function scoredDocument({ folder, run, score }: ScoredRun, findings: readonly GateFinding[]): object {
  const { warnings, forms } = score.verdicts;
  return { folder, run, ...score.document, warnings, verdicts: forms.map(verdictEntry), gate: findings };
}
