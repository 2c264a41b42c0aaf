import { resolve } from "node:path";
import { badInput } from "../base/errors.js";
import { command } from "../console/command.js";
import { EXIT, jsonText } from "../console/console.js";
import { seedOption } from "../console/model-options.js";
import type { OptionTable } from "../console/option.js";
import { countOption, listOption, switchOption, textOption } from "../console/option-kinds.js";
import type { SuiteCommand } from "../run/suite-entry.js";
import type { BenchAdapter } from "./adapter.js";
import { DATA_OPTION, IMAGE_OPTION, SANDBOX_OPTION } from "./trial-options.js";

/** Loads the adapter of a suite when a command needs it. */
type LoadAdapter = () => Promise<BenchAdapter>;

const QUIET = switchOption("no messages", { alias: "q" });
const TASK_ID = listOption("only these tasks: comma list or repeated");

/** `probe suite setup NAME`: what its tests run with. */
export function setupCommand(name: string, load: LoadAdapter): SuiteCommand {
  return command({
    name: "setup",
    describe: "installs the pinned test runner into the cache",
    options: { quiet: QUIET },
    examples: [["", "once a machine"]],
    async run({ quiet }, console) {
      const { setup } = await load();
      if (setup === undefined) throw badInput(`Expected a suite with a runner, found ${name}: it needs none.`);
      await setup((text) => {
        if (!quiet) console.err(`${text}\n`);
      });
      return EXIT.done;
    },
  });
}

/**
 * `probe suite check NAME`: which tasks can be judged at all, and why the others cannot.
 * @param own options of the suite's own that say which tasks there are
 */
export function checkCommand(load: LoadAdapter, own: OptionTable = {}): SuiteCommand {
  return command({
    name: "check",
    describe: "runs every task's hidden tests on its own code and on its right solution, before anybody is judged",
    options: {
      data: DATA_OPTION,
      taskId: TASK_ID,
      mutants: countOption("also run the hidden tests on N small faults a task, to see how many they notice", 1),
      seed: seedOption("seed that --mutants are drawn by (default: 0)"),
      sandbox: SANDBOX_OPTION,
      image: IMAGE_OPTION,
      out: textOption("a folder to write validity.csv to, and mutants.csv"),
      json: switchOption("print one JSON document instead of the table"),
      quiet: QUIET,
      ...own,
    },
    examples: [
      ["", "the tasks that come with the program"],
      ["--mutants 20", "also how many small faults in the code the hidden tests notice"],
      ["--data my-tasks --json", "others, as a JSON document"],
    ],
    async run({ data, out, json, quiet, ...values }, console) {
      const { checkSuite } = await import("./check/check-suite.js");
      const { showBlocks } = await import("../report/terminal.js");
      const { workingDirectory } = console;
      const at = (path: string | null) => (path === null ? null : resolve(workingDirectory, path));
      const say = (text: string) => {
        if (!quiet) console.err(`${text}\n`);
      };
      const request = { ...values, values, data: at(data), out: at(out), say, workingDirectory };
      const found = await checkSuite(await load(), request);
      if (json) console.out(jsonText(found.document));
      else showBlocks(console, found.blocks);
      return found.isComplete ? EXIT.done : EXIT.failedAnswers;
    },
  });
}

/**
 * `probe suite probes NAME`: what questions about a suite's own code are made from.
 * @param own options of the suite's own that say which tasks there are
 */
export function probesCommand(load: LoadAdapter, own: OptionTable = {}): SuiteCommand {
  return command({
    name: "probes",
    describe:
      "cuts right solutions, or an agent's own patches, into hunks of at most 60 lines with the instruction as review",
    options: {
      data: DATA_OPTION,
      run: textOption("a run of agents: its patches in place of the right solutions"),
      condition: textOption("only patches of this condition of the run (default: the first that has one)"),
      taskId: TASK_ID,
      out: textOption("the JSONL file to write, for `probe dataset build`"),
      overwrite: switchOption("replace that file"),
      json: switchOption("print one JSON document"),
      quiet: QUIET,
      ...own,
    },
    examples: [
      ["--out hunks.jsonl", "of the right solutions; then: probe dataset build hunks.jsonl"],
      ["--run results/my-run --out hunks.jsonl", "of what an agent changed"],
    ],
    async run({ data, run, out: name, overwrite, json, quiet, ...values }, console) {
      if (name === null) throw badInput("Expected --out FILE.jsonl for the hunks, found none. Name a new file.");
      if (values.condition !== null && run === null)
        throw badInput("Expected --run beside --condition, found none: gold patches have none.");
      const { requireWritable } = await import("../console/output-file.js");
      const { showBlocks } = await import("../report/terminal.js");
      const { cutSuite } = await import("./code/cut-suite.js");
      const { workingDirectory } = console;
      const at = (path: string | null) => (path === null ? null : resolve(workingDirectory, path));
      const out = resolve(workingDirectory, name);
      await requireWritable([{ option: "out", path: out }], { inputs: [], overwrite });
      const request = { ...values, values, data: at(data), run: at(run), out, workingDirectory };
      const found = await cutSuite(await load(), request);
      if (json) console.out(jsonText(found.document));
      else if (!quiet) showBlocks(console, found.blocks);
      return EXIT.done;
    },
  });
}
