import { command } from "../../console/command.js";
import { classifyCommand } from "../../judge/judge-options.js";
import type { SuiteCommand } from "../../run/suite-entry.js";
import type { BenchAdapter } from "../../trial/adapter.js";
import { checkCommand, probesCommand } from "../../trial/bench-commands.js";
import { INJECT_OPTIONS, OWN_OPTIONS, STATS_OPTIONS } from "./smell-options.js";

/** The commands of `probe suite` that SmellBench has. */
export function smellCommands(load: () => Promise<BenchAdapter>): readonly SuiteCommand[] {
  const { repo } = OWN_OPTIONS;
  return [checkCommand(load, { repo }), STATS, INJECT, CLASSIFY, probesCommand(load, { repo })];
}

const STATS: SuiteCommand = command({
  name: "stats",
  describe:
    "Recomputes tables: TPR, LA and marks by agent, setting, difficulty, smell and project from rows of runs;\n" +
    "of printed cells (Tables 1 and 3) the counts behind each share, and whether they agree; of cases what their\n" +
    "smells change, by project (Table 2).",
  options: STATS_OPTIONS,
  examples: [
    ["results/*/per_case.csv", "tables of one's own runs"],
    ["tables.json", "what the printed cells count"],
    ["cases.json --repo clones", "the size of cases by project"],
  ],
  run: async (...call) => (await import("./stats/smell-stats-handler.js")).handleStats(...call),
});

const INJECT: SuiteCommand = command({
  name: "inject",
  describe:
    "Puts a smell into a clean repository, drawn by a seed: copies of functions that nobody calls (nine languages);\n" +
    "in JavaScript, Python, Java and PHP also constants written out in every file, members passed one by one, methods\n" +
    "of one class asked of all, functions written out where they are called.\n" +
    "Each case is checked: its tests pass without the smell, with it, and on the right solution, each twice.",
  synopsis: "--repo DIR --out DIR",
  options: INJECT_OPTIONS,
  examples: [
    ["--repo my-app --test-cmd 'node --test' --tests test --out cases", "three cases"],
    [
      "--repo my-lib --test-cmd 'python3 -m pytest' --tests tests --smell data_clumps --seed 7 --out cases",
      "values passed one by one, in Python",
    ],
  ],
  run: async (...call) => (await import("./inject/inject-handler.js")).handleInject(...call),
});

const CLASSIFY = classifyCommand(
  { failures: "the trials of a run that fail into six classes", run: "a run; judged, its marks count too" },
  async () => (await import("./failed-trials.js")).sortedTrials(),
);
