import { command } from "../../console/command.js";
import { choiceOption, optionalPositionals, switchOption, textOption } from "../../console/option-kinds.js";
import type { SuiteCommand } from "../../run/suite-entry.js";
import type { BenchAdapter } from "../../trial/adapter.js";
import { checkCommand, probesCommand, setupCommand } from "../../trial/bench-commands.js";
import { TRIAL_OPTIONS } from "../../trial/trial-options.js";

/** Options of the benchmark besides those of every suite of agents. */
export const OWN_OPTIONS = {
  tools: choiceOption(
    "published (those of the paper), or full: also list_files, read_file, search",
    ["published", "full"],
    "published",
    { parameter: "tools" },
  ),
};

/** All that `probe suite run refactorbench` takes. */
export const REFACTOR_OPTIONS = { ...TRIAL_OPTIONS, ...OWN_OPTIONS };

/** The commands of `probe suite` that RefactorBench-JS has. */
export function refactorCommands(load: () => Promise<BenchAdapter>): readonly SuiteCommand[] {
  return [setupCommand("refactorbench", load), checkCommand(load), STATS, probesCommand(load)];
}

const STATS: SuiteCommand = command({
  name: "stats",
  describe:
    "Recomputes Tables 3-13 of the paper from rows with the published columns, and prints\n" +
    "what a reader should know of them. Of each model, condition and fixture the latest row counts.",
  options: {
    files: optionalPositionals(
      "CSV of results, published or per_fixture.csv of runs; with one of fixtures (target_loc) their lines are told too",
    ),
    data: textOption("the folder of the fixtures: what their hidden tests demand (Table 12) is read there", {
      parameter: "dir",
    }),
    roundedInputs: switchOption(
      "Table 13 from means rounded as printed (dollars to .001, minutes to .1), as the paper did",
    ),
    json: switchOption("print one JSON document, in full precision, instead of the tables"),
  },
  examples: [
    ["per_fixture.csv", "the tables"],
    ["results/*/per_fixture.csv", "likewise of one's own runs"],
    ["per_fixture.csv fixture_hardness.csv", "with lines of the targets"],
    ["per_fixture.csv --rounded-inputs", "Table 13 as it is printed"],
  ],
  run: async (...call) => (await import("./published/refactor-stats-handler.js")).handleStats(...call),
});
