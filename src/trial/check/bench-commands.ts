import { resolve } from "node:path";
import { ProbeError } from "../../base/errors.js";
import { EXIT } from "../../console/command.js";
import { seedOption } from "../../console/model-options.js";
import { type OptionTable, parseOptions } from "../../console/option.js";
import { choiceOption, countOption, listOption, switchOption, textOption } from "../../console/option-kinds.js";
import type { SuiteCommand } from "../../run/suite-entry.js";
import { SANDBOXES } from "../../workspace/cage.js";
import type { BenchAdapter } from "../adapter.js";
import { DATA_OPTION } from "../trial-options.js";

const CHECK_OPTIONS = {
  data: DATA_OPTION,
  taskId: listOption("only these tasks: comma list or repeated"),
  mutants: countOption("also run the hidden tests on N small faults a task, to see how many they notice", 1),
  seed: seedOption("seed that --mutants are drawn by (default: 0)"),
  sandbox: choiceOption("auto (bubblewrap where it works), bwrap or none", SANDBOXES, "auto"),
  out: textOption("a folder to write validity.csv to, and mutants.csv"),
  json: switchOption("print one JSON document instead of the table"),
  quiet: switchOption("no messages", { alias: "q" }),
} satisfies OptionTable;

const SETUP_OPTIONS = { quiet: switchOption("no messages", { alias: "q" }) } satisfies OptionTable;

/**
 * `probe suite check NAME`: which tasks can be judged at all, and why the others cannot.
 * @param own options of the suite's own that say which tasks there are
 */
export function checkCommand(load: () => Promise<BenchAdapter>, own: OptionTable = {}): SuiteCommand {
  return {
    name: "check",
    describe: "runs every task's hidden tests on its own code and on its right solution, before anybody is judged",
    files: null,
    options: { ...CHECK_OPTIONS, ...own },
    examples: [
      ["", "the tasks that come with the program"],
      ["--mutants 20", "also how many small faults in the code the hidden tests notice"],
      ["--data my-tasks --json", "others, as a JSON document"],
    ],
    async run(given, console) {
      const values = parseOptions(CHECK_OPTIONS, given);
      const { checkSuite } = await import("./check-suite.js");
      const { showBlocks } = await import("../../console/show-blocks.js");
      const data = values.data === null ? null : resolve(console.workingDirectory, values.data);
      const say = (text: string) => {
        if (!values.quiet) console.err(`${text}\n`);
      };
      const out = values.out === null ? null : resolve(console.workingDirectory, values.out);
      const found = await checkSuite(await load(), {
        ...values,
        values: parseOptions(own, given),
        data,
        out,
        say,
        workingDirectory: console.workingDirectory,
      });
      if (values.json) console.out(`${JSON.stringify(found.document, null, 2)}\n`);
      else showBlocks(console, found.blocks);
      return found.isComplete ? EXIT.done : EXIT.failedAnswers;
    },
  };
}

/** `probe suite setup NAME`: what its tests run with. */
export function setupCommand(name: string, load: () => Promise<BenchAdapter>): SuiteCommand {
  return {
    name: "setup",
    describe: "installs the pinned test runner into the cache",
    files: null,
    options: SETUP_OPTIONS,
    examples: [["", "once a machine"]],
    async run(given, console) {
      const { quiet } = parseOptions(SETUP_OPTIONS, given);
      const { setup } = await load();
      if (setup === undefined)
        throw new ProbeError("bad_input", `Expected a suite with a runner, found ${name}: it needs none.`);
      await setup((text) => {
        if (!quiet) console.err(`${text}\n`);
      });
      return EXIT.done;
    },
  };
}
