import { command } from "../../console/command.js";
import { optionalPositionals, switchOption, textOption } from "../../console/option-kinds.js";
import type { SuiteCommand } from "../../run/suite-entry.js";
import type { BenchAdapter } from "../../trial/adapter.js";
import { checkCommand, probesCommand } from "../../trial/bench-commands.js";
import { INSTANCE_OPTIONS } from "./taste-options.js";

/** The commands of `probe suite` that CodeTaste has. */
export function tasteCommands(load: () => Promise<BenchAdapter>): readonly SuiteCommand[] {
  return [checkCommand(load, INSTANCE_OPTIONS), STATS, probesCommand(load, INSTANCE_OPTIONS)];
}

const STATS: SuiteCommand = command({
  name: "stats",
  describe:
    "Scores released outputs again, offline: rules, tests and lines by the files that lie beside each\n" +
    "patch, and what the released code makes of the same.",
  options: {
    files: optionalPositionals(
      "folders of outputs: TRACK/MODE/OWNER/REPOSITORY/HASH/AGENT/prediction.diff and evaluation/",
    ),
    data: textOption("the folder that has assets and baseline_results (default: the one that OUTPUTS is in)"),
    json: switchOption("print one JSON document, in full precision, instead of the tables"),
  },
  examples: [
    ["outputs", "all agents and conditions"],
    ["outputs --data codetaste --json", "with rules and baselines from elsewhere, as a JSON document"],
  ],
  run: async (...call) => (await import("./outputs/taste-stats-handler.js")).handleStats(...call),
});
