import type { Argv } from "yargs";
import type { AddCommand, ExitCode } from "../../console/command.js";
import type { Console } from "../../console/console.js";
import { type GivenOptions, parserOptions } from "../../console/option.js";
import { runOptions } from "../../console/run-options.js";
import type { SuiteEntry } from "../../run/suite-entry.js";

/** `probe run`, and the like: the command of its own that a suite has. */
export const runCommand =
  (suites: readonly SuiteEntry[]) =>
  (entry: SuiteEntry): AddCommand =>
  (parser, console, done) => {
    const { command } = entry;
    if (command === null) return parser;
    return parser.command(
      command.name,
      command.describe,
      (own) => withMatrix(describeRun(own.usage(command.usage), entry, command.name), command.name),
      async (argv) =>
        done(await (argv["matrix"] === true ? runMatrix(suites, argv, console) : runHandled(entry, argv, console))),
    );
  };

/** The whole matrix is of one command, whatever suites it names. */
function withMatrix(command: Argv, name: string): Argv {
  if (name !== "run") return command;
  return command
    .option("matrix", {
      type: "boolean",
      describe: "run what is missing of the models, tasks, datasets and suites of `matrix` in probe.config.json",
    })
    .example(`$0 ${name} --matrix`, "many models, one report");
}

async function runMatrix(suites: readonly SuiteEntry[], argv: GivenOptions, console: Console): Promise<ExitCode> {
  const { handleMatrix } = await import("./matrix-handler.js");
  return handleMatrix(suites, argv, console);
}

/** The options and examples of a suite's run. */
export function describeRun(command: Argv, entry: SuiteEntry, words: string): Argv {
  return entry.examples.reduce(
    (own, [rest, does]) => own.example(`$0 ${words} ${rest}`, does),
    command.options(parserOptions(runOptions(entry.options))),
  );
}

export async function runHandled(entry: SuiteEntry, argv: GivenOptions, console: Console): Promise<ExitCode> {
  const { handleRun } = await import("./run-handler.js");
  return handleRun(entry, argv, console);
}
