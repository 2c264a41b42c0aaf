import { ProbeError } from "../../../base/errors.js";
import { type Console, EXIT, type ExitCode, jsonText } from "../../../console/console.js";
import { type GivenOptions, parseOptions } from "../../../console/option.js";
import { interruptibly } from "../../../console/progress.js";
import { COMMON_OPTIONS } from "../../../console/run-options.js";
import { modelName } from "../../../model/vendor/model-name.js";
import { ablationOf } from "../../../question/form.js";
import { showBlocks } from "../../../report/terminal.js";
import type { SuiteRequest } from "../../../run/suite.js";
import { runProgress, suiteRequest } from "../../../run/suite-request.js";
import { entryOf } from "../../../store/table.js";
import { type AnswerChanges, CHANGED_ANSWER_COLUMNS } from "../flips/answer-changes.js";
import { flipBlocks } from "../flips/flip-blocks.js";
import {
  compareForFlips,
  type FlipsComparison,
  type FlipsOutcome,
  type FlipsReport,
  runFlips,
} from "../flips/flips.js";
import type { RunValues } from "../options.js";
import type { RunFile } from "../record/run-file.js";
import type { StoredRun } from "../record/stored-run.js";
import { suite } from "../suite/questions-suite.js";
import { FLIPS_OPTIONS } from "./audit-options.js";

/** `probe audit --flips`. */
export async function handleFlips(given: GivenOptions, console: Console): Promise<ExitCode> {
  const { out, json, quiet, model, runs } = parseOptions({ ...COMMON_OPTIONS, runs: FLIPS_OPTIONS.runs }, given);
  if (runs.length > 0) {
    const [first, second, ...more] = runs;
    if (first === undefined || second === undefined || more.length > 0) {
      throw new ProbeError("bad_input", "Expected two folders for --runs, once. Name two runs.");
    }
    const report = await compareForFlips(first, second, out);
    show(report, json, console);
    return EXIT.done;
  }
  if (model === null) {
    throw new ProbeError("bad_input", "Expected --model to ask, or --runs with two finished runs, found neither.");
  }
  const request = await suiteRequest(suite, given, null, console);
  return conclude(await flipInterruptibly(request, out, quiet, console), json, console);
}

function flipInterruptibly(
  request: SuiteRequest<RunValues, RunFile>,
  folder: string | null,
  quiet: boolean,
  console: Console,
): Promise<FlipsOutcome> {
  const observer = runProgress(console, quiet);
  return interruptibly(console, { message: observer.onMessage, stop: observer.onEnd }, (signal) =>
    runFlips({ request, folder, signal, now: console.now, observer }),
  );
}

function conclude(outcome: FlipsOutcome, isJson: boolean, console: Console): ExitCode {
  if (outcome.status === "complete") {
    const { report, failedAnswers } = outcome;
    show(report, isJson, console);
    return failedAnswers > 0 ? EXIT.failedAnswers : EXIT.done;
  }
  const { run, folder } = outcome;
  if (isJson) console.out(documentText({ status: run.status, folder }));
  if (run.status !== "gave_up") {
    console.err(`Stopped; what was answered is in ${folder}. The same command goes on.\n`);
    return EXIT.interrupted;
  }
  const { failures, detail } = run.gaveUp;
  console.err(
    `Gave up after ${failures} answers in a row failed alike: ${detail}\n` +
      "When the cause is gone, the same command goes on.\n",
  );
  return EXIT.failedAnswers;
}

function show(report: FlipsReport, isJson: boolean, console: Console): void {
  if (isJson) console.out(documentText(flipsDocument(report)));
  else showBlocks(console, flipBlocks(report));
}

function documentText(document: object): string {
  return jsonText(document);
}

/** Document of `probe audit --flips --json`. */
function flipsDocument({ folder, hasModes, comparisons }: FlipsReport): object {
  return { status: "complete", folder, has_exact_mode: hasModes, comparisons: comparisons.map(comparisonEntry) };
}

function comparisonEntry({ kind, first, second, alsoDiffer, rows, answers }: FlipsComparison): object {
  return {
    comparison: kind,
    first: runEntry(first),
    second: runEntry(second),
    also_differ: alsoDiffer,
    rows: rows.map(rowEntry),
    changed_answers: answers.map((answer) => entryOf(CHANGED_ANSWER_COLUMNS, answer)),
  };
}

function runEntry({ folder, run }: StoredRun): object {
  return { folder, run_id: run.run_id, model: modelName(run.model), mode: run.parameters["mode"] ?? null };
}

/** `task`, `difficulty` and `ablation` are `null` on the row over all probe forms. */
function rowEntry({ form, ...row }: AnswerChanges): object {
  return {
    scope: form === null ? "overall" : "form",
    task: form?.task ?? null,
    difficulty: form?.difficulty ?? null,
    ablation: form && ablationOf(form),
    answers: row.compared,
    answers_changed: row.changed,
    answers_failed: row.failed,
    answers_unmatched: row.unmatched,
    questions: row.questions,
    verdicts_changed: row.verdictsChanged,
    verdicts_changed_with_failures: row.verdictsWithFailures,
    answers_measured: row.measured,
    largest_difference: row.largestDifference,
    near_ties: row.nearTies,
  };
}
