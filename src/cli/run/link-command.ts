import { resolve } from "node:path";
import type { Argv } from "yargs";
import { EXIT, type ExitCode } from "../../console/command.js";
import type { Console } from "../../console/console.js";
import type { SuiteEntry } from "../../run/suite-entry.js";

/** `probe suite link RUN --probes RUN`: success held against comprehension of the same tasks. */
export function addLink(
  group: Argv,
  suites: readonly SuiteEntry[],
  console: Console,
  done: (code: ExitCode) => void,
): Argv {
  return group.command(
    "link <run>",
    "hold an agent's successes against answers to probes about the same tasks",
    (command) =>
      command
        .usage(
          "$0 suite link <run> --probes <run>\n\n" +
            "Success and comprehension, a case a task: the four counts, Fisher's exact test, Wilson's intervals.\n" +
            "Only where the probes' scores are above their floors; otherwise it says why not.",
        )
        .positional("run", { type: "string", demandOption: true, describe: "folder of a run of agents" })
        .option("probes", {
          type: "string",
          demandOption: true,
          requiresArg: true,
          describe: "folder of a run of questions that `suite probes` and `dataset build` made",
        })
        .option("json", { type: "boolean", describe: "print one JSON document" })
        .example("$0 suite link results/agent --probes results/probes", "the four counts"),
    async (argv) => {
      const { showBlocks } = await import("../../console/show-blocks.js");
      const { linkFolders } = await import("./link-handler.js");
      const { workingDirectory } = console;
      const { blocks, document } = await linkFolders(suites, {
        run: resolve(workingDirectory, argv.run),
        probes: resolve(workingDirectory, argv.probes),
      });
      if (argv.json === true) console.out(`${JSON.stringify(document, null, 2)}\n`);
      else showBlocks(console, blocks);
      done(EXIT.done);
    },
  );
}
