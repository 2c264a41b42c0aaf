import { resolve } from "node:path";
import type { Argv } from "yargs";
import { ProbeError } from "../../base/errors.js";
import type { Console } from "../../console/console.js";
import { EXIT, type ExitCode } from "../../console/exit-codes.js";
import { showBlocks } from "../../console/show-blocks.js";
import { type JudgedFolder, judgeAgreement } from "../../judge/agreement.js";
import { agreementBlocks, agreementDocument } from "../../judge/agreement-blocks.js";
import { verdictsOf } from "../../judge/judged-records.js";
import { judgedRunSchema } from "../../judge/judged-run.js";
import { storedRun } from "../../run/score-folder.js";
import type { SuiteEntry } from "../../run/suite-entry.js";
import { suiteOfRun } from "../../run/suite-of-run.js";

/** `probe suite agreement RUN RUN`: how far two judges agree, or one with itself. */
export function addAgreement(
  group: Argv,
  suites: readonly SuiteEntry[],
  console: Console,
  done: (code: ExitCode) => void,
): Argv {
  return group.command(
    "agreement <first> <second>",
    "how far two judges of the same trials agree, or one with itself",
    (command) =>
      command
        .usage("$0 suite agreement <run> <run>\n\nKappa, macro-F1 and unanimity of two judges, or of one asked twice.")
        .positional("first", { type: "string", demandOption: true, describe: "folder of a run with a judge" })
        .positional("second", {
          type: "string",
          demandOption: true,
          describe: "of another; the same: its first two votes",
        })
        .option("json", { type: "boolean", describe: "print one JSON document" })
        .example("$0 suite agreement results/a results/b", "two judges of the same patches"),
    async (argv) => {
      const first = await judgedFolder(suites, resolve(console.workingDirectory, argv.first));
      const second = await judgedFolder(suites, resolve(console.workingDirectory, argv.second));
      const found = judgeAgreement(first, second);
      const names = namesOf(first, second);
      if (argv.json === true) console.out(`${JSON.stringify(agreementDocument(names, found), null, 2)}\n`);
      else showBlocks(console, agreementBlocks(names, found));
      done(EXIT.done);
    },
  );
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
