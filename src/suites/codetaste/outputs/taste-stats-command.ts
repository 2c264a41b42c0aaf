import type { SuiteCommand } from "../../../run/suite-entry.js";
import { STATS_OPTIONS } from "./taste-stats-options.js";

/** `probe suite stats codetaste`. */
export const statsCommand: SuiteCommand = {
  name: "stats",
  describe:
    "Scores released outputs again, offline: rules, tests and lines by the files that lie beside each\n" +
    "patch, and what the released code makes of the same.",
  files: "folders of outputs: TRACK/MODE/OWNER/REPOSITORY/HASH/AGENT/prediction.diff and evaluation/",
  options: STATS_OPTIONS,
  examples: [
    ["outputs", "all agents and conditions"],
    ["outputs --data codetaste --json", "with rules and baselines from elsewhere, as a JSON document"],
  ],
  run: async (given, console) => (await import("./taste-stats-handler.js")).handleStats(given, console),
};
