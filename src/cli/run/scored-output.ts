import { type Console, EXIT, type ExitCode } from "../../console/console.js";
import type { CiResult } from "../../console/output-file.js";
import { runMarkdown } from "../../run/run-blocks.js";
import type { RunOutcome } from "../../run/run-suite.js";
import type { ScoredRun } from "../../run/score-folder.js";
import { type GateFinding, gateText } from "../../verdict/gate.js";
import { judgementText } from "../../verdict/judgement.js";
import type { VerdictForm } from "../../verdict/verdict.js";

/** Output of a scored run for CI servers, with the findings of `--fail-under` and `--require`. */
export function runResult(scored: ScoredRun, findings: readonly GateFinding[]): CiResult {
  return {
    checks: async () =>
      (await import("../../report/verdicts/run-checks.js")).runChecks(scored.score.verdicts, findings),
    markdown: () => runMarkdown(scored, findings),
  };
}

/** Says what does not pass; the exit code of a run that is not whole stays what it is. */
export function concludeGate(code: ExitCode, findings: readonly GateFinding[], console: Console): ExitCode {
  const text = gateText(findings);
  if (text === "") return code;
  console.err(text);
  return code === EXIT.done ? EXIT.belowThreshold : code;
}

/** Document of `--json` about a run; names are those of the tables. */
export function outcomeDocument(outcome: RunOutcome, findings: readonly GateFinding[]): object {
  if (outcome.status === "interrupted") {
    const { status, folder, counts } = outcome;
    return { status, folder, records: counts.map(({ name, planned, done }) => ({ name, planned, recorded: done })) };
  }
  return { status: outcome.status, ...scoredDocument(outcome.scored, findings) };
}

/** Document of `--json` about a scored run. */
export function scoredDocument({ folder, run, score }: ScoredRun, findings: readonly GateFinding[]): object {
  const { warnings, forms } = score.verdicts;
  return { folder, run, ...score.document, warnings, verdicts: forms.flatMap(judgementEntry), gate: findings };
}

/** Entry of `--json` about the judgement of a form (spec §7); none of a control. */
export function judgementEntry({ task, difficulty, ablation, judgement }: VerdictForm): object[] {
  if (judgement === null) return [];
  const { sentence: _, mark: __, state, ...numbers } = judgement;
  return [{ task, difficulty, ablation, state, ...numbers, text: judgementText(judgement) }];
}
