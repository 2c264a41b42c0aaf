import yargs, { type Argv } from "yargs";
import { messageOf, ProbeError } from "../domain/errors.js";
import { auditCommand } from "./audit-command.js";
import type { AddCommand } from "./command.js";
import { compareCommand } from "./compare-command.js";
import type { Console } from "./console.js";
import { datasetCommand } from "./dataset/dataset-command.js";
import { EXIT, type ExitCode, exitCodeOf } from "./exit-codes.js";
import { failuresCommand } from "./failures-command.js";
import { modelsCommand } from "./models-command.js";
import { reportCommand } from "./report-command.js";
import { runCommand } from "./run-command.js";
import { scoreCommand } from "./score-command.js";

const COMMANDS: readonly AddCommand[] = [
  runCommand,
  scoreCommand,
  failuresCommand,
  reportCommand,
  compareCommand,
  auditCommand,
  modelsCommand,
  datasetCommand,
];

/** Parses the arguments and does what they say; returns the exit code. */
export async function runCli(args: readonly string[], console: Console): Promise<ExitCode> {
  let code: ExitCode = EXIT.done;
  try {
    const parser = buildParser(console, (result) => {
      code = result;
    });
    await parser.parseAsync([...args]);
    return code;
  } catch (error) {
    return reportError(error, console);
  }
}

function buildParser(console: Console, done: (code: ExitCode) => void): Argv {
  const base = yargs()
    .scriptName("probe")
    .usage("$0 <command>\n\nFinds out where a model fails to understand a code review, and whether the number is real.")
    .parserConfiguration({ "greedy-arrays": false, "boolean-negation": false, "parse-numbers": false })
    .locale("en")
    .wrap(100)
    .version(false)
    .help()
    .alias("help", "h")
    .example("$0 run --model tiny --task CL --difficulty hard", "ask the bundled model where to change the code")
    .example("$0 dataset validate my-reviews.jsonl", "check a file of one's own")
    .epilogue("Every command has its own --help. Data goes to standard output, messages to standard error.")
    .demandCommand(1, "Expected a command, found none. `probe --help` lists them.")
    .strict()
    .recommendCommands()
    .exitProcess(false)
    .fail((message: string | null, error: Error | undefined) => {
      throw error ?? new ProbeError("bad_input", `${message ?? "Bad usage."} See --help.`);
    });
  return COMMANDS.reduce((parser, add) => add(parser, console, done), base);
}

function reportError(error: unknown, console: Console): ExitCode {
  if (error instanceof ProbeError) {
    console.err(`probe: ${error.message}\n`);
    return exitCodeOf(error.code);
  }
  const isUsage = error instanceof Error && error.name === "YError";
  console.err(isUsage ? `probe: ${error.message}\n` : `probe: unexpected error: ${stackOf(error)}\n`);
  return isUsage ? EXIT.badInput : EXIT.unexpected;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
}
