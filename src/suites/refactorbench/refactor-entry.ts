import type { SuiteEntry } from "../../run/suite-entry.js";
import type { BenchAdapter } from "../../trial/adapter.js";

const load = async (): Promise<BenchAdapter> => (await import("./refactor-adapter.js")).refactorbenchAdapter;

/** Registration of RefactorBench-JS. Light: a command loads the rest when it is called. */
export const refactorbench: SuiteEntry = {
  name: "refactorbench",
  title: "RefactorBench-JS: agents split a large file into modules; hidden tests judge",
  command: null,
  options: async () => (await import("./refactor-commands.js")).REFACTOR_OPTIONS,
  examples: [
    ["--agent scripted:noop --controls", "floor and ceiling of every score"],
    ["--model qwen --condition test-runner", "a model with the built-in tools"],
    ["--model qwen --tools full", "likewise, with tools to look at files"],
    ["--agent-cmd 'my-agent < {prompt_file}'", "a coding agent of one's own"],
    ["--patches patches/", "patches that somebody made before"],
  ],
  commands: [],
  suiteCommands: async () => (await import("./refactor-commands.js")).refactorCommands(load),
  part: async (request) => (await import("../../trial/code/suite-parts.js")).suiteParts(await load(), request),
  load: async () => (await import("./refactor-adapter.js")).suite,
};
