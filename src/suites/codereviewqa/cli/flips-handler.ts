import { badInput } from "../../../base/errors.js";
import { counted, shorten } from "../../../base/text.js";
import { type Console, EXIT, type ExitCode, jsonText } from "../../../console/console.js";
import { type GivenOptions, parseOptions } from "../../../console/option.js";
import { interruptibly } from "../../../console/progress.js";
import { COMMON_OPTIONS } from "../../../console/run-options.js";
import { modelName } from "../../../model/vendor/model-name.js";
import { ablationOf, formName } from "../../../question/form.js";
import type { Block } from "../../../report/block.js";
import {
  type ColumnOf,
  heading,
  notice,
  numberColumn,
  rightColumn,
  sentence,
  tableOf,
  textColumn,
  when,
} from "../../../report/make-block.js";
import { numberText } from "../../../report/number-text.js";
import { showBlocks } from "../../../report/terminal.js";
import { alsoDifferBlocks } from "../../../run/compare/comparison-blocks.js";
import type { SuiteRequest } from "../../../run/suite.js";
import { runProgress, suiteRequest } from "../../../run/suite-request.js";
import { entryOf } from "../../../store/table.js";
import type { Answer } from "../answer/answer.js";
import {
  type AnswerChanges,
  CHANGED_ANSWER_COLUMNS,
  type ChangedAnswer,
  marginOf,
  symbolOf,
} from "../flips/answer-changes.js";
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
      throw badInput(`Expected two runs after --runs, found ${runs.length}. Name two: --runs A B.`);
    }
    const report = await compareForFlips(first, second, out);
    show(report, json, console);
    return EXIT.done;
  }
  if (model === null) {
    throw badInput("Expected --model to ask, or --runs with two finished runs, found neither.");
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

/** Changed answers shown of one comparison, and the longest id. */
const SHOWN = 10;
const LONGEST_ID = 40;

const TITLES: Readonly<Record<FlipsComparison["kind"], string>> = {
  repeat: "Fast mode, twice: what asking again changes",
  modes: "Fast mode against exact mode: what reusing shared prefixes changes",
  runs: "Two runs",
};

/** The report of `probe audit --flips`. */
function flipBlocks({ comparisons, folder, hasModes }: FlipsReport): Block[] {
  const first = comparisons[0]?.first.run;
  return [
    ...(hasModes === null
      ? []
      : [
          sentence(
            `${first === undefined ? "" : modelName(first.model)} · ${counted(first?.dataset.selected ?? 0, "examples")}`,
          ),
        ]),
    ...comparisons.flatMap(comparisonBlocks),
    heading(3, "Method"),
    ...(hasModes === false ? [NO_EXACT_MODE] : []),
    METHOD,
    ...(folder === null ? [] : [sentence(`Results: ${folder}`)]),
  ];
}

const NO_EXACT_MODE = sentence(
  "Exact mode was left out: only models in this process (llama) have one. A server decides itself what it caches.",
);

function comparisonBlocks(comparison: FlipsComparison): Block[] {
  const { kind, rows, answers } = comparison;
  return [
    heading(2, TITLES[kind]),
    ...runBlocks(comparison),
    // One form says the same as all forms together.
    tableOf(null, CHANGE_COLUMNS, rows.length === 2 ? rows.slice(1) : rows),
    ...verdictBlocks(rows[0]),
    ...answerBlocks(answers),
  ];
}

function runBlocks({ kind, first, second, alsoDiffer }: FlipsComparison): Block[] {
  const runs = { first, second };
  const facts = Object.entries(runs).map(([name, { run, folder }]) => {
    return { name, parts: [`${modelName(run.model)} · ${folder}`] };
  });
  return [
    ...(kind === "runs" ? [{ kind: "facts", facts } as const] : []),
    ...alsoDifferBlocks(alsoDiffer.filter(({ name }) => kind !== "modes" || name !== "mode")),
  ];
}

const CHANGE_COLUMNS: readonly ColumnOf<AnswerChanges>[] = [
  textColumn("probe", "probe", ({ form }) => (form === null ? "all" : formName(form))),
  numberColumn("answers", "answers", "count", ({ compared }) => compared),
  numberColumn("changed", "changed", "count", ({ changed }) => changed),
  numberColumn("questions", "questions", "count", ({ questions }) => questions, { importance: 2 }),
  numberColumn("verdicts changed", "verdicts changed", "count", ({ verdictsChanged }) => verdictsChanged),
  numberColumn("largest difference", "largest difference", "nats", ({ largestDifference }) => largestDifference, {
    importance: 3,
  }),
  numberColumn("near ties", "near ties", "count", ({ nearTies }) => nearTies, { importance: 3 }),
];

const NO_MARGINS = "How near a tie they were is not known: the answers have no log probabilities in common.";

function verdictBlocks(all: AnswerChanges | undefined): Block[] {
  if (all === undefined) return [sentence("No question is in both runs.")];
  const { compared, changed, questions, verdictsChanged, failed, unmatched } = all;
  const withFailures = `${all.verdictsWithFailures} changed verdicts have any`;
  return [
    changed === 0 && verdictsChanged === 0
      ? sentence(`No answer of ${compared} and no verdict of ${questions} changed.`)
      : sentence(
          `${changed} of ${compared} answers changed${share(changed, compared)}, and the verdict of ${verdictsChanged} of ` +
            `${questions} questions${share(verdictsChanged, questions)}.`,
        ),
    ...when(failed > 0, notice("warning", `Not compared: ${failed} answers that failed in a run; ${withFailures}.`)),
    ...when(
      unmatched > 0,
      notice("warning", `Not compared: ${unmatched} answers that only one run has (--early-stop, --repeats).`),
    ),
    ...when(all.measured === 0 && compared > 0, sentence(NO_MARGINS)),
  ];
}

/** Such as ` (0.25 %)`: a change of one in ten thousand is to be seen. */
function share(part: number, whole: number): string {
  return whole === 0 ? "" : ` (${numberText((100 * part) / whole, "ratio")} %)`;
}

const ANSWER_COLUMNS: readonly ColumnOf<ChangedAnswer>[] = [
  textColumn("changed", "changed", ({ first }) => `${formName(first)} ${shorten(first.exampleId, LONGEST_ID)}`),
  textColumn("order", "order", ({ first }) => first.permutation, { importance: 2 }),
  textColumn("answer", "answer", ({ first, second }) => `${answerText(first)} → ${answerText(second)}`),
  rightColumn(
    "margin",
    "margin",
    ({ first, second }) => ({
      kind: "pair",
      first: { value: marginOf(first), format: "nats" },
      second: { value: marginOf(second), format: "nats" },
    }),
    { importance: 3 },
  ),
  numberColumn("difference", "difference", "nats", ({ difference }) => difference, { importance: 3 }),
  textColumn("verdict", "verdict of its question", ({ verdictChanged }) => (verdictChanged ? "changed" : "the same"), {
    importance: 2,
    shortLabel: "verdict",
  }),
];

function answerBlocks(answers: readonly ChangedAnswer[]): Block[] {
  if (answers.length === 0) return [];
  const rest = answers.length - SHOWN;
  return [
    tableOf(null, ANSWER_COLUMNS, answers.slice(0, SHOWN)),
    ...when(rest > 0, sentence(`… and ${rest} more: see flips.csv (--out DIR) or --json`)),
  ];
}

function answerText(answer: Answer): string {
  return symbolOf(answer) ?? "undecided";
}

const METHOD: Block = {
  kind: "facts",
  facts: [
    { name: "verdict", parts: ["whether a question is right under all orders"] },
    {
      name: "largest difference",
      parts: ["of a symbol's log probability, nats; margin: best minus second best, nats"],
    },
    {
      name: "near ties",
      parts: ["answers whose margin is at most twice that difference, so that one as large can change them"],
    },
  ],
};
