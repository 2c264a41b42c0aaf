import { ProbeError } from "../../base/errors.js";
import { settings } from "../../console/arguments.js";
import { openCiOutput } from "../../console/ci-output.js";
import type { Console } from "../../console/console.js";
import { EXIT, type ExitCode } from "../../console/exit-codes.js";
import { interruptibly } from "../../console/interruptible.js";
import { connectionOf } from "../../console/model-options.js";
import { namedModel } from "../../console/named-model.js";
import { type GivenOptions, parseOptions, withRecorded } from "../../console/option.js";
import { type CommonValues, COMMON_OPTIONS, runOptions } from "../../console/run-options.js";
import { findPrice } from "../../model/prices.js";
import { terminalText } from "../../report/terminal.js";
import { readRun } from "../../run/run-folder.js";
import { type RunOutcome, runSuite } from "../../run/run-suite.js";
import type { AnySuite, SuiteRequest } from "../../run/suite.js";
import type { SuiteEntry } from "../../run/suite-entry.js";
import { ciResult } from "./ci-result.js";
import { outcomeDocument } from "./outcome-document.js";
import { runProgress } from "./run-progress.js";

/** Runs a suite, or shows what that would ask. */
export async function handleRun(
  entry: SuiteEntry,
  given: GivenOptions<typeof COMMON_OPTIONS>,
  console: Console,
): Promise<ExitCode> {
  const suite = await entry.load();
  const table = runOptions(suite.options);
  const first = parseOptions(COMMON_OPTIONS, given);
  const { resume, out } = first;
  if (resume !== null && out !== null) {
    throw new ProbeError(
      "bad_input",
      "Expected --resume or --out, found both. --resume goes on in the run's own folder.",
    );
  }
  const whole = resume === null ? given : withRecorded(table, given, await readRun(suite, resume));
  const common = parseOptions(COMMON_OPTIONS, whole);
  const request = await requestOf(suite, common, parseOptions(suite.options, whole), console);
  const ci = await openCiOutput(common, process.env);
  if (common.dryRun) {
    if (ci.isWanted)
      throw new ProbeError("bad_input", "Expected --junit and --github-summary without --dry-run: it asks nothing.");
    return await showPreview(suite, request, common, console);
  }
  const outcome = await runInterruptibly(suite, request, resume ?? out, common, console);
  if (common.json) console.out(`${JSON.stringify(outcomeDocument(outcome), null, 2)}\n`);
  else if (outcome.status !== "interrupted") console.print(terminalText(outcome.scored.score.blocks, console));
  if (outcome.status !== "interrupted") await ci.write(ciResult(outcome.scored));
  return conclude(outcome, entry, console);
}

async function requestOf(
  suite: AnySuite,
  common: CommonValues,
  values: object,
  console: Console,
): Promise<SuiteRequest<unknown>> {
  const model = await namedModel(common.model, settings(common.modelArg), console.workingDirectory);
  const connection = connectionOf(common);
  return {
    model,
    connection,
    promptMode: common.promptMode,
    price: await findPrice(model, connection, console.workingDirectory),
    values,
    workingDirectory: console.workingDirectory,
    warn: (text) => {
      if (!common.quiet) console.err(`${text}\n`);
    },
  };
}

async function showPreview(
  suite: AnySuite,
  request: SuiteRequest<unknown>,
  { json }: CommonValues,
  console: Console,
): Promise<ExitCode> {
  if (suite.preview === undefined) {
    throw new ProbeError("bad_input", `Expected ${suite.name} without --dry-run: it has no preview. Leave it out.`);
  }
  const { document, blocks } = await suite.preview(request);
  if (json) console.out(`${JSON.stringify(document, null, 2)}\n`);
  else console.print(terminalText(blocks, console));
  return EXIT.done;
}

function runInterruptibly(
  suite: AnySuite,
  request: SuiteRequest<unknown>,
  folder: string | null,
  { quiet }: CommonValues,
  console: Console,
): Promise<RunOutcome> {
  const observer = runProgress(console, quiet);
  return interruptibly(console, { message: observer.onMessage, stop: observer.onEnd }, (signal) =>
    runSuite(suite, { request, folder, signal, now: console.now, observer }),
  );
}

function conclude(outcome: RunOutcome, entry: SuiteEntry, console: Console): ExitCode {
  const command = entry.command === null ? `probe suite run ${entry.name}` : `probe ${entry.command.name}`;
  switch (outcome.status) {
    case "interrupted":
      console.err(`Stopped with ${outcome.text} recorded. Go on with:\n  ${command} --resume ${outcome.folder}\n`);
      return EXIT.interrupted;
    case "gave_up":
      console.err(
        `Gave up after ${outcome.gaveUp.failures} answers in a row failed alike: ${outcome.gaveUp.detail}\n` +
          `When the cause is gone: ${command} --resume ${outcome.scored.folder}\n`,
      );
      return EXIT.failedAnswers;
    case "complete":
      return outcome.scored.score.failed > 0 ? EXIT.failedAnswers : EXIT.done;
  }
}
