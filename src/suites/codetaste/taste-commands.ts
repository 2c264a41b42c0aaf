import { command } from "../../console/command.js";
import type { SuiteCommand } from "../../run/suite-entry.js";
import type { BenchAdapter } from "../../trial/adapter.js";
import { checkCommand, probesCommand } from "../../trial/bench-commands.js";
import { INSTANCE_OPTIONS, RULES_OPTIONS, STATS_OPTIONS } from "./taste-options.js";

/** The commands of `probe suite` that CodeTaste has. */
export function tasteCommands(load: () => Promise<BenchAdapter>): readonly SuiteCommand[] {
  return [checkCommand(load, INSTANCE_OPTIONS), STATS, RULES_CHECK, probesCommand(load, INSTANCE_OPTIONS)];
}

const STATS: SuiteCommand = command({
  name: "stats",
  describe:
    "Scores released outputs again, offline: rules, tests and lines by the files that lie beside each\n" +
    "patch, and what the released code makes of the same. With trials.csv of runs: tables by agent, condition\n" +
    "and language, lines of code, wins and losses.",
  options: STATS_OPTIONS,
  examples: [
    ["outputs", "all agents and conditions"],
    ["results/*/trials.csv", "agents of one's own runs against each other"],
    ["outputs --data codetaste --json", "with rules and baselines from elsewhere, as a JSON document"],
  ],
  run: async (...call) => (await import("./outputs/taste-stats-handler.js")).handleStats(...call),
});

const RULES_CHECK: SuiteCommand = command({
  name: "rules check",
  describe:
    "Runs each static rule on the unmodified code and on the right solution: an additive one has to match the latter\n" +
    "alone, a reductive one the former, and none the lines of a valid one before it (Jaccard at most .95).",
  options: RULES_OPTIONS,
  examples: [
    ["", "the instance that comes with the program"],
    ["--data codetaste --repo clones --out checked", "released ones, as rules.csv"],
  ],
  run: async (...call) => (await import("./rules/rules-handler.js")).handleRules(...call),
});
