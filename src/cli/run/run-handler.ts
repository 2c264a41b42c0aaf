import { badInput } from "../../base/errors.js";
import { shellWord } from "../../base/text.js";
import {
  type ConfigSection,
  type DefaultedOptions,
  withConfigDefaults,
  withSection,
} from "../../console/config-defaults.js";
import { type Console, EXIT, type ExitCode, jsonText } from "../../console/console.js";
import { type GivenOptions, type OptionTable, parseOptions, type RecordedRequest } from "../../console/option.js";
import { interruptibly } from "../../console/progress.js";
import { commandWords, namedAnew } from "../../console/recorded-options.js";
import { type CommonValues, gateOf, isCiWanted, OUTPUT_OPTIONS, runOptions } from "../../console/run-options.js";
import { BUNDLED } from "../../dataset/json-lines.js";
import { showBlocks } from "../../report/terminal.js";
import { countsText } from "../../run/folder/journal-counts.js";
import { readRun } from "../../run/folder/run-folder.js";
import { type AskAgain, runBlocks } from "../../run/run-blocks.js";
import { type RunOutcome, runSuite } from "../../run/run-suite.js";
import type { AnySuite, SuiteRequest } from "../../run/suite.js";
import { runCommandOf, type SuiteEntry } from "../../run/suite-entry.js";
import { runProgress, suiteRequest } from "../../run/suite-request.js";
import { type FormNames, type Gate, judgeGate } from "../../verdict/gate.js";
import { concludeGate, outcomeDocument, runResult } from "./scored-output.js";

type Output = Pick<CommonValues, keyof typeof OUTPUT_OPTIONS>;

/** A command's options, whatever names them, and what they ask of its suite. */
interface PreparedRun {
  readonly suite: AnySuite;
  readonly given: GivenOptions;
  readonly output: Output;
  readonly request: SuiteRequest<unknown>;
  /** Arguments that came from the file, as they would be typed; `null`: none. */
  readonly message: string | null;
}

/**
 * Reads the request of a command to a suite.
 * @param cell further section of `probe.config.json`; `null`: no more than its `run`
 * @throws ProbeError `bad_input`
 */
export async function prepareRun(
  entry: SuiteEntry,
  typed: GivenOptions,
  console: Console,
  cell: ConfigSection | null = null,
): Promise<PreparedRun> {
  const suite = await entry.load();
  const { given, modelHolder, message } = await defaulted(entry, suite.options, typed, console, cell);
  const output = parseOptions(OUTPUT_OPTIONS, given);
  const { resume, out } = output;
  if (resume !== null && out !== null) {
    throw badInput("Expected --resume or --out, found both. --resume goes on in the run's own folder.");
  }
  const resumed = resume === null ? null : await readRun(suite, resume);
  const request = await suiteRequest(suite, given, resumed, console, modelHolder);
  return { suite, given, output, request, message };
}

/**
 * Runs a suite, or shows what that would ask.
 * @param elsewhere forms of the other cells of a matrix
 */
export async function handleRun(
  entry: SuiteEntry,
  typed: GivenOptions,
  console: Console,
  cell: ConfigSection | null = null,
  elsewhere: readonly FormNames[] = [],
): Promise<ExitCode> {
  const { suite, given, output, request, message } = await prepareRun(entry, typed, console, cell);
  if (message !== null) request.warn(message);
  if (output.estimate && !output.dryRun)
    throw badInput("Expected --estimate with --dry-run, found it alone: a run shows the time left.");
  const ci = isCiWanted(output)
    ? await (await import("../../console/output-file.js")).openCiOutput(output, process.env)
    : null;
  if (output.dryRun) {
    if (ci !== null) throw badInput("Expected --junit and --github-summary without --dry-run: it asks nothing.");
    return await showPreview(suite, request, output, console);
  }
  const asked = gateOf(output);
  // Cells of a matrix are asked different things: a name may be that of another cell's form.
  const gate = cell === null ? asked : null;
  const outcome = await runInterruptibly(suite, request, output, gate, console);
  const findings = outcome.status === "interrupted" ? [] : judgeGate(outcome.scored.score.verdicts, asked, elsewhere);
  if (output.json) console.out(jsonText(outcomeDocument(outcome, findings)));
  else if (outcome.status !== "interrupted") showBlocks(console, runBlocks(outcome.scored));
  if (outcome.status === "complete" && isForPerson(output, console)) {
    const { nextSteps } = await import("../../run/run-blocks.js");
    showBlocks(console, nextSteps(outcome.scored, askAgain(entry, outcome.scored, given), process.env), "err");
  }
  if (outcome.status !== "interrupted") await ci?.write(runResult(outcome.scored, findings));
  return concludeGate(conclude(outcome, resumeCommand(entry, suite.options, given), console), findings, console);
}

/** Tests if a person reads along, who can be told more than the tables. */
function isForPerson({ json, quiet }: Output, { isTerminal }: Console): boolean {
  return isTerminal && !json && !quiet;
}

/** `run` in `probe.config.json` is about `probe run`: other suites have other options. */
async function defaulted(
  { command }: SuiteEntry,
  options: OptionTable,
  given: GivenOptions,
  { workingDirectory }: Console,
  cell: ConfigSection | null,
): Promise<DefaultedOptions> {
  if (command?.name === "run") return withConfigDefaults(runOptions(options), given, workingDirectory, cell ?? {});
  if (cell === null) return { given, modelHolder: null, message: null };
  return withSection(runOptions(options), given, workingDirectory, cell);
}

async function showPreview(
  suite: AnySuite,
  request: SuiteRequest<unknown>,
  { json, estimate }: Output,
  console: Console,
): Promise<ExitCode> {
  if (suite.preview === undefined) {
    throw badInput(`Expected ${suite.name} without --dry-run: it has no preview. Leave it out.`);
  }
  const { document, blocks } = await suite.preview(request, estimate);
  if (json) console.out(jsonText(document));
  else showBlocks(console, blocks);
  return EXIT.done;
}

function runInterruptibly(
  suite: AnySuite,
  request: SuiteRequest<unknown>,
  { resume, out, quiet }: Output,
  gate: Gate | null,
  console: Console,
): Promise<RunOutcome> {
  const observer = runProgress(console, quiet);
  return interruptibly(console, { message: observer.onMessage, stop: observer.onEnd }, (signal) =>
    runSuite(suite, { request, folder: resume ?? out, signal, now: console.now, observer, ...(gate && { gate }) }),
  );
}

/** Command that resumes the run in a folder. */
function resumeCommand(entry: SuiteEntry, options: OptionTable, given: GivenOptions): (folder: string) => string {
  return (folder) => {
    return `${runCommandOf(entry)} --resume ${shellWord(folder)}${namedAnew(runOptions(options), given)}`;
  };
}

/** Command that asks what a run asked with other options; what a record does not keep is named as it was. */
function askAgain(
  entry: SuiteEntry,
  { suite, run }: { readonly suite: AnySuite; readonly run: RecordedRequest },
  given: GivenOptions,
): AskAgain {
  const table = runOptions(suite.options);
  const named = namedAnew(table, given);
  return (instead) => {
    const own: GivenOptions = {
      out: undefined,
      modelArg: "model" in instead ? undefined : given["modelArg"],
      ...(("model" in instead || named.includes("--base-url ")) && { baseUrl: undefined }),
      ...(run.dataset?.source === BUNDLED && { dataset: undefined }),
      ...instead,
    };
    return [runCommandOf(entry), ...commandWords(table, run, own)].join(" ") + named;
  };
}

function conclude(outcome: RunOutcome, resume: (folder: string) => string, console: Console): ExitCode {
  switch (outcome.status) {
    case "interrupted":
      console.err(`Stopped with ${countsText(outcome.counts)} recorded. Go on with:\n  ${resume(outcome.folder)}\n`);
      return EXIT.interrupted;
    case "gave_up":
      console.err(
        `Gave up after ${outcome.gaveUp.failures} answers in a row failed alike: ${outcome.gaveUp.detail}\n` +
          `When the cause is gone: ${resume(outcome.scored.folder)}\n`,
      );
      return EXIT.failedAnswers;
    case "out_of_money":
      console.err(
        `Stopped before --max-cost was passed: ${outcome.left.text}, with ${countsText(outcome.counts)} recorded. Go on with ` +
          `more, naming it in place of this limit:\n  ${resume(outcome.scored.folder)}\n`,
      );
      return EXIT.interrupted;
    case "under_way":
      console.err(
        `${outcome.left.text}, with ${countsText(outcome.counts)} recorded. Go on with:\n  ${resume(outcome.scored.folder)}\n`,
      );
      return EXIT.interrupted;
    case "complete":
      return outcome.scored.score.failed > 0 ? EXIT.failedAnswers : EXIT.done;
  }
}
