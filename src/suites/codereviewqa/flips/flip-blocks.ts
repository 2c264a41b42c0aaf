import { counted, shorten } from "../../../base/text.js";
import { modelName } from "../../../model/vendor/model-name.js";
import { formName } from "../../../question/form.js";
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
import { alsoDifferBlocks } from "../../../run/compare/comparison-blocks.js";
import type { Answer } from "../answer/answer.js";
import { type AnswerChanges, type ChangedAnswer, marginOf, symbolOf } from "./answer-changes.js";
import type { FlipsComparison, FlipsReport } from "./flips.js";

/** Changed answers shown of one comparison, and the longest id. */
const SHOWN = 10;
const LONGEST_ID = 40;

const TITLES: Readonly<Record<FlipsComparison["kind"], string>> = {
  repeat: "Fast mode, twice: what asking again changes",
  modes: "Fast mode against exact mode: what reusing shared prefixes changes",
  runs: "Two runs",
};

/** The report of `probe audit --flips`. */
export function flipBlocks({ comparisons, folder, hasModes }: FlipsReport): Block[] {
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
      notice("warning", `Not compared: ${unmatched} answers that only one run has (--early-stop).`),
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
