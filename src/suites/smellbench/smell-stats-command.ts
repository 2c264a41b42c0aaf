import type { SuiteCommand } from "../../run/suite-entry.js";
import { STATS_OPTIONS } from "./smell-stats-options.js";

/** `probe suite stats smellbench`. */
export const statsCommand: SuiteCommand = {
  name: "stats",
  describe:
    "Recomputes tables: TPR, LA and marks by agent, setting, difficulty, smell and project from rows of runs;\n" +
    "of printed cells (Tables 1 and 3) the counts behind each share, and whether they agree.",
  files: "per_case.csv of runs; JSON with printed cells: {table1: [{agent, llm, TPR, LA, …}], table3: […]}",
  options: STATS_OPTIONS,
  examples: [
    ["results/*/per_case.csv", "tables of one's own runs"],
    ["tables.json", "what the printed cells count"],
  ],
  run: async (given, console) => (await import("./smell-stats-handler.js")).handleStats(given, console),
};
