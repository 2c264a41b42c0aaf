import type { SuiteEntry } from "../../run/suite-entry.js";
import type { BenchAdapter } from "../../trial/adapter.js";

const load = async (): Promise<BenchAdapter> => (await import("./smell-adapter.js")).smellbenchAdapter;

/** Registration of SmellBench. Light: a command loads the rest when it is called. */
export const smellbench: SuiteEntry = {
  name: "smellbench",
  title: "SmellBench: agents find a design smell and remove it; tests, its place and a judge decide",
  command: null,
  options: async () => (await import("./smell-options.js")).SMELL_OPTIONS,
  examples: [
    ["--agent scripted:gold --controls --judge gpt-4o", "floor and ceiling, of agents and of the judge"],
    ["--model qwen --condition targeted", "a model that is told class and method, judged by tests and place alone"],
    ["--data cases.json --repo clones --model qwen --judge gpt-4o", "published cases, with clones by their names"],
  ],
  commands: [],
  suiteCommands: async () => (await import("./smell-commands.js")).smellCommands(load),
  part: async (request) => (await import("../../trial/code/suite-parts.js")).suiteParts(await load(), request),
  load: async () => (await import("./smell-suite.js")).suite,
};
