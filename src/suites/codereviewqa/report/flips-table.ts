import Table from "cli-table3";
import { printable } from "../../../base/text.js";
import type { Answer } from "../example/answer.js";
import { type AnswerChanges, type ChangedAnswer, marginOf, symbolOf } from "../flips/answer-changes.js";
import type { FlipsComparison, FlipsReport } from "../flips/flips.js";

const STYLE = { head: [], border: [], compact: true };
/** Changed answers shown of one comparison. */
const SHOWN = 10;

const TITLES: Readonly<Record<FlipsComparison["kind"], string>> = {
  repeat: "Fast mode, twice: what asking again changes",
  modes: "Fast mode against exact mode: what reusing shared prefixes changes",
  runs: "Two runs",
};

/** What `probe audit --flips` prints. */
export function flipsText({ comparisons, folder, hasModes }: FlipsReport): string {
  const label = printable(comparisons[0]?.first.run.model.label ?? "");
  const examples = comparisons[0]?.first.run.dataset.selected ?? 0;
  return [
    ...(hasModes === null ? [] : [`${label} · ${examples} examples\n`]),
    ...comparisons.map(comparisonText),
    endText(folder, hasModes),
  ].join("\n");
}

function comparisonText(comparison: FlipsComparison): string {
  const { kind, rows, answers } = comparison;
  const lines = [TITLES[kind], ...runLines(comparison), changesTable(rows), verdict(rows[0]), ...answerLines(answers)];
  return `${lines.join("\n")}\n`;
}

function runLines({ kind, first, second, alsoDiffer }: FlipsComparison): string[] {
  const differences = alsoDiffer
    .filter(({ name }) => kind !== "modes" || name !== "mode")
    .map(({ name, baseline, candidate }) => `${printable(name)} ${show(baseline)} / ${show(candidate)}`);
  const runs = [first, second].map(({ run, folder }) => `${printable(run.model.label)} · ${printable(folder, 1000)}`);
  return [
    ...(kind === "runs" ? [`first:  ${runs[0]}`, `second: ${runs[1]}`] : []),
    ...(differences.length > 0 ? [`The runs also differ in: ${differences.join("; ")}`] : []),
  ];
}

function show(value: unknown): string {
  return printable(JSON.stringify(value) ?? "none", 60);
}

function changesTable(rows: readonly AnswerChanges[]): string {
  const table = new Table({
    head: ["probe", "answers", "changed", "questions", "verdicts changed", "largest difference", "near ties"],
    style: STYLE,
  });
  // One form says the same as all forms together.
  for (const row of rows.length === 2 ? rows.slice(1) : rows) {
    table.push([
      row.form === null ? "all" : formName(row.form.task, row.form.difficulty),
      String(row.compared),
      String(row.changed),
      String(row.questions),
      String(row.verdictsChanged),
      row.largestDifference === null ? "–" : nats(row.largestDifference),
      row.nearTies === null ? "–" : String(row.nearTies),
    ]);
  }
  return table.toString();
}

function formName(task: string, difficulty: string | null): string {
  return printable([task, difficulty ?? ""].join(" ").trim());
}

function nats(value: number): string {
  if (value === 0) return "0";
  const short = value.toFixed(4);
  return Number(short) < 0.001 ? value.toExponential(1) : short;
}

function verdict(all: AnswerChanges | undefined): string {
  if (all === undefined) return "No question is in both runs.";
  const { compared, changed, questions, verdictsChanged, failed, unmatched, verdictsWithFailures } = all;
  const share = (part: number, whole: number) => (whole === 0 ? "" : ` (${((100 * part) / whole).toFixed(2)} %)`);
  const lines = [
    changed === 0 && verdictsChanged === 0
      ? `No answer of ${compared} and no verdict of ${questions} changed.`
      : `${changed} of ${compared} answers changed${share(changed, compared)}, and the verdict of ${verdictsChanged} of ` +
        `${questions} questions${share(verdictsChanged, questions)}.`,
    ...(failed > 0
      ? [`Not compared: ${failed} answers that failed in a run; ${verdictsWithFailures} changed verdicts have any.`]
      : []),
    ...(unmatched > 0 ? [`Not compared: ${unmatched} answers that only one run has (--early-stop).`] : []),
    ...(all.measured === 0 && compared > 0
      ? ["How near a tie they were is not known: the answers have no log probabilities in common."]
      : []),
  ];
  return lines.join("\n");
}

function answerLines(answers: readonly ChangedAnswer[]): string[] {
  if (answers.length === 0) return [];
  const table = new Table({
    head: ["changed", "order", "answer", "margin", "difference", "verdict of its question"],
    style: STYLE,
  });
  for (const { first, second, difference, verdictChanged } of answers.slice(0, SHOWN)) {
    table.push([
      `${formName(first.task, first.difficulty)} ${printable(first.exampleId, 40)}`,
      first.permutation,
      `${answerText(first)} → ${answerText(second)}`,
      `${marginText(first)} / ${marginText(second)}`,
      difference === null ? "–" : nats(difference),
      verdictChanged ? "changed" : "the same",
    ]);
  }
  const rest = answers.length - SHOWN;
  return [table.toString(), ...(rest > 0 ? [`… and ${rest} more: see flips.csv (--out DIR) or --json`] : [])];
}

function answerText(answer: Answer): string {
  return symbolOf(answer) ?? "undecided";
}

function marginText(answer: Answer): string {
  const margin = marginOf(answer);
  return margin === null ? "–" : nats(margin);
}

function endText(folder: string | null, hasModes: boolean | null): string {
  const lines = [
    ...(hasModes === false
      ? [
          "Exact mode was left out: only models in this process (llama) have one. A server decides itself what it caches.",
        ]
      : []),
    "verdict: whether a question is right under all orders",
    "largest difference: of a symbol's log probability, nats; margin: best minus second best, nats",
    "near ties: answers whose margin is at most twice that difference, so that one as large can change them",
    ...(folder === null ? [] : [`Results: ${printable(folder, 1000)}`]),
  ];
  return `${lines.join("\n")}\n`;
}
