import { resolve } from "node:path";
import type { Argv } from "yargs";
import { EXIT, type ExitCode } from "../../console/command.js";
import type { Console } from "../../console/console.js";
import type { SuiteEntry } from "../../run/suite-entry.js";

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
      const { compareJudges } = await import("./link-handler.js");
      const { showBlocks } = await import("../../console/show-blocks.js");
      const folders = [argv.first, argv.second].map((folder) => resolve(console.workingDirectory, folder));
      const [first = "", second = ""] = folders;
      const { blocks, document } = await compareJudges(suites, [first, second]);
      if (argv.json === true) console.out(`${JSON.stringify(document, null, 2)}\n`);
      else showBlocks(console, blocks);
      done(EXIT.done);
    },
  );
}
