import { command } from "../../console/command.js";
import { optionalPositionals, switchOption } from "../../console/option-kinds.js";
import type { SuiteCommand } from "../../run/suite-entry.js";
import type { BenchAdapter } from "../../trial/adapter.js";
import { checkCommand, probesCommand } from "../../trial/bench-commands.js";
import { OWN_OPTIONS } from "./smell-options.js";

/** The commands of `probe suite` that SmellBench has. */
export function smellCommands(load: () => Promise<BenchAdapter>): readonly SuiteCommand[] {
  const { repo } = OWN_OPTIONS;
  return [checkCommand(load, { repo }), STATS, probesCommand(load, { repo })];
}

const STATS: SuiteCommand = command({
  name: "stats",
  describe:
    "Recomputes tables: TPR, LA and marks by agent, setting, difficulty, smell and project from rows of runs;\n" +
    "of printed cells (Tables 1 and 3) the counts behind each share, and whether they agree.",
  options: {
    files: optionalPositionals(
      "per_case.csv of runs; JSON with printed cells: {table1: [{agent, llm, TPR, LA, …}], table3: […]}",
    ),
    json: switchOption("print one JSON document, in full precision, instead of the tables"),
  },
  examples: [
    ["results/*/per_case.csv", "tables of one's own runs"],
    ["tables.json", "what the printed cells count"],
  ],
  run: async (...call) => (await import("./smell-stats-handler.js")).handleStats(...call),
});
