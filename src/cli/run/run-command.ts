import type { Argv } from "yargs";
import type { AddCommand } from "../../console/command.js";
import type { Console } from "../../console/console.js";
import type { ExitCode } from "../../console/exit-codes.js";
import { type GivenOptions, parserOptions } from "../../console/option.js";
import { runOptions } from "../../console/run-options.js";
import type { SuiteEntry } from "../../run/suite-entry.js";

/** `probe run`, and the like: the command of its own that a suite has. */
export const runCommand =
  (entry: SuiteEntry): AddCommand =>
  (parser, console, done) => {
    const { command } = entry;
    if (command === null) return parser;
    return parser.command(
      command.name,
      command.describe,
      (own) => describeRun(own.usage(command.usage), entry, command.name),
      async (argv) => done(await runHandled(entry, argv, console)),
    );
  };

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
