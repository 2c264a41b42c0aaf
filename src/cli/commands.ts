import type { Command } from "../console/command.js";
import type { SuiteEntry } from "../run/suite-entry.js";
import { engineCommand, modelsCommand } from "./model-commands.js";
import { compareCommand, reportCommand } from "./report/report-commands.js";
import { mergeCommand, runCommand, runsCommand, scoreCommand, viewCommand, workerCommand } from "./run/run-commands.js";
import { trustCommand } from "./trust/trust-commands.js";

/** The commands of the program, in the order of its help; what the suites bring is among them. */
export function commandsOf(suites: readonly SuiteEntry[]): Command[] {
  return [
    ...suites.flatMap((entry) => runCommand(suites, entry)),
    scoreCommand(suites),
    runsCommand(suites),
    viewCommand(suites),
    mergeCommand(suites),
    workerCommand,
    reportCommand(suites),
    compareCommand(suites),
    ...suites.flatMap(({ commands }) => commands.map((own) => own(suites))),
    {
      name: "dataset",
      describe: "make, check and describe data",
      about: "Works on files of code-review examples.",
      commands: async () => (await import("./dataset/dataset-commands.js")).DATASET_COMMANDS,
    },
    modelsCommand,
    engineCommand,
    trustCommand(suites),
    {
      name: "suite",
      describe: "list the suites, and run one of them",
      about: "A suite is a kind of evaluation: what is asked, and how it is judged.",
      commands: async () => (await import("./run/suite-commands.js")).suiteCommands(suites),
    },
  ];
}
