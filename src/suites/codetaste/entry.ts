import type { SuiteEntry } from "../../run/suite-entry.js";
import type { BenchAdapter } from "../../trial/adapter.js";
import { checkCommand } from "../../trial/check/bench-commands.js";
import { probesCommand } from "../../trial/code/probes-command.js";
import { statsCommand } from "./outputs/taste-stats-command.js";
import { INSTANCE_OPTIONS, TASTE_OPTIONS } from "./taste-options.js";

const load = async (): Promise<BenchAdapter> => (await import("./taste-adapter.js")).codetasteAdapter;

/** How CodeTaste is registered. Light: what a command needs is loaded when it is called. */
export const codetaste: SuiteEntry = {
  name: "codetaste",
  title: "CodeTaste: agents refactor, told how or not; static rules and tests judge",
  command: null,
  options: TASTE_OPTIONS,
  examples: [
    ["--agent scripted:gold --controls", "floor and ceiling of every score"],
    ["--model qwen --judge gpt-4o", "all four conditions; the judge chooses among five plans"],
    ["--data codetaste --repo clones --test-cmd ./run_tests --patches patches", "patches of released instances"],
  ],
  commands: [],
  suiteCommands: [checkCommand(load, INSTANCE_OPTIONS), statsCommand, probesCommand(load, INSTANCE_OPTIONS)],
  part: async (request) => (await import("../../trial/code/suite-parts.js")).suiteParts(await load(), request),
  load: async () => (await import("./taste-suite.js")).suite,
};
