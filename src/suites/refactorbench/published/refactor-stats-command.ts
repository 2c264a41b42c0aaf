import type { SuiteCommand } from "../../../run/suite-entry.js";
import { STATS_OPTIONS } from "./refactor-stats-options.js";

/** `probe suite stats refactorbench`. */
export const statsCommand: SuiteCommand = {
  name: "stats",
  describe:
    "Recomputes Tables 3-9 and 13 of the paper from rows with the published columns, and prints\n" +
    "what a reader should know of them. Of each model, condition and fixture the latest row counts.",
  files:
    "CSV of results, published or per_fixture.csv of runs; with one of fixtures (target_loc) their lines are told too",
  options: STATS_OPTIONS,
  examples: [
    ["per_fixture.csv", "the tables"],
    ["results/*/per_fixture.csv", "likewise of one's own runs"],
    ["per_fixture.csv fixture_hardness.csv", "with lines of the targets"],
    ["per_fixture.csv --rounded-inputs", "Table 13 as it is printed"],
  ],
  run: async (given, console) => (await import("./refactor-stats-handler.js")).handleStats(given, console),
};
