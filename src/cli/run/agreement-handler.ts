import { ProbeError } from "../../base/errors.js";
import { agreementBlocks, agreementDocument, type JudgedFolder, judgeAgreement } from "../../judge/judge-agreement.js";
import { verdictsOf } from "../../judge/judged-records.js";
import { judgedRunSchema } from "../../judge/judged-run.js";
import type { Block } from "../../report/block.js";
import { storedRun } from "../../run/score-folder.js";
import type { SuiteEntry } from "../../run/suite-entry.js";
import { suiteOfRun } from "../../run/suite-of-run.js";

/** How far the judges of two runs agree, to be read and as JSON. */
export async function compareJudges(
  suites: readonly SuiteEntry[],
  folders: readonly [string, string],
): Promise<{ readonly blocks: Block[]; readonly document: object }> {
  const first = await judgedFolder(suites, folders[0]);
  const second = await judgedFolder(suites, folders[1]);
  const found = judgeAgreement(first, second);
  const names = namesOf(first, second);
  return { blocks: agreementBlocks(names, found), document: agreementDocument(names, found) };
}

/** Judges by their names; where these are the same, by their place. */
function namesOf(first: JudgedFolder, second: JudgedFolder): [string, string] {
  const [a, b] = [first.run.judge?.label ?? "", second.run.judge?.label ?? ""];
  return a === b ? [`${a} (1)`, `${b} (2)`] : [a, b];
}

async function judgedFolder(suites: readonly SuiteEntry[], folder: string): Promise<JudgedFolder> {
  const { suite, run } = await suiteOfRun(suites, folder);
  const { data, success } = judgedRunSchema.safeParse(run);
  if (!success || data.judge === null)
    throw new ProbeError("bad_input", `Expected a run with a judge in ${folder}, found none. Make it with --judge.`);
  return { folder, run: data, verdicts: await verdictsOf({ ...(await storedRun(suite, folder)), run: data }) };
}
