import type { SuiteEntry } from "../../run/suite-entry.js";
import type { BenchAdapter } from "../../trial/adapter.js";

const load = async (): Promise<BenchAdapter> => (await import("./taste-adapter.js")).codetasteAdapter;

/** Registration of CodeTaste. Light: a command loads the rest when it is called. */
export const codetaste: SuiteEntry = {
  name: "codetaste",
  title: "CodeTaste: agents refactor, told how or not; static rules and tests judge",
  command: null,
  options: async () => (await import("./taste-options.js")).TASTE_OPTIONS,
  examples: [
    ["--agent scripted:gold --controls", "floor and ceiling of every score"],
    ["--model qwen --judge gpt-4o", "all four conditions; the judge chooses among five plans"],
    ["--data codetaste --repo clones --test-cmd ./run_tests --patches patches", "patches of released instances"],
  ],
  commands: [],
  suiteCommands: async () => (await import("./taste-commands.js")).tasteCommands(load),
  part: async (request) => (await import("../../trial/code/suite-parts.js")).suiteParts(await load(), request),
  load: async () => (await import("./taste-suite.js")).suite,
};
