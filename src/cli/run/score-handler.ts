import { type Console, EXIT, type ExitCode, jsonText } from "../../console/console.js";
import { openCiOutput } from "../../console/output-file.js";
import { type CiValues, type GateValues, gateOf } from "../../console/run-options.js";
import { showBlocks } from "../../report/terminal.js";
import { mergeRuns } from "../../run/folder/merge-runs.js";
import { runBlocks } from "../../run/run-blocks.js";
import { scoreFolder, suiteOfRun } from "../../run/score-folder.js";
import type { Suites } from "../../run/suite-entry.js";
import { lockFolder } from "../../store/folder/work-folder.js";
import { judgeGate, requireForms } from "../../verdict/gate.js";
import { concludeGate, runResult, scoredDocument } from "./scored-output.js";

type ScoreValues = CiValues & GateValues & { readonly run: string; readonly json: boolean };

/** `probe score`: the tables of a run anew. */
export async function handleScore(suites: Suites, values: ScoreValues, console: Console): Promise<ExitCode> {
  const { run: folder, json } = values;
  const ci = await openCiOutput(values, process.env);
  const { suite } = await suiteOfRun(suites, folder);
  const unlock = await lockFolder(folder);
  const scored = await scoreFolder(suite, folder).finally(unlock);
  const gate = gateOf(values);
  requireForms(scored.score.verdicts.forms, gate);
  const findings = judgeGate(scored.score.verdicts, gate);
  if (json) console.out(jsonText(scoredDocument(scored, findings)));
  else showBlocks(console, runBlocks(scored));
  await ci.write(runResult(scored, findings));
  const isWhole = scored.score.failed === 0 && scored.score.unfinished === null;
  return concludeGate(isWhole ? EXIT.done : EXIT.failedAnswers, findings, console);
}

interface MergeValues {
  readonly runs: readonly string[];
  readonly out: string;
  readonly json: boolean;
}

/** `probe merge`: the shares of a run joined. */
export async function handleMerge(
  suites: Suites,
  { runs: folders, out, json }: MergeValues,
  console: Console,
): Promise<ExitCode> {
  const scored = await mergeRuns(suites, { folders, out, now: console.now });
  if (json) console.out(jsonText(scoredDocument(scored, [])));
  else showBlocks(console, runBlocks(scored));
  return scored.score.failed > 0 ? EXIT.failedAnswers : EXIT.done;
}
