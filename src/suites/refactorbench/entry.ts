import type { SuiteEntry } from "../../run/suite-entry.js";
import type { BenchAdapter } from "../../trial/adapter.js";
import { checkCommand, setupCommand } from "../../trial/check/bench-commands.js";
import { probesCommand } from "../../trial/code/probes-command.js";
import { statsCommand } from "./published/refactor-stats-command.js";
import { REFACTOR_OPTIONS } from "./refactor-options.js";

const NAME = "refactorbench";

const load = async (): Promise<BenchAdapter> => (await import("./refactor-adapter.js")).refactorbenchAdapter;

/** How RefactorBench-JS is registered. Light: what a command needs is loaded when it is called. */
export const refactorbench: SuiteEntry = {
  name: NAME,
  title: "RefactorBench-JS: agents split a large file into modules; hidden tests judge",
  command: null,
  options: REFACTOR_OPTIONS,
  examples: [
    ["--agent scripted:noop --controls", "floor and ceiling of every score"],
    ["--model qwen --condition test-runner", "a model with the built-in tools"],
    ["--model qwen --tools full", "likewise, with tools to look at files"],
    ["--agent-cmd 'my-agent < {prompt_file}'", "a coding agent of one's own"],
    ["--patches patches/", "patches that somebody made before"],
  ],
  commands: [],
  suiteCommands: [setupCommand(NAME, load), checkCommand(load), statsCommand, probesCommand(load)],
  part: async (request) => (await import("../../trial/code/suite-parts.js")).suiteParts(await load(), request),
  load: async () => (await import("./refactor-suite.js")).suite,
};
