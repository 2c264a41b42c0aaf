import { type ChoiceSymbol, symbolsFor, USUAL_OPTIONS } from "../../../base/symbol.js";
import type { ChangeType, Difficulty } from "../../../dataset/example.js";
import { ablationOf, type Withheld } from "../../../question/form.js";
import { type Column, type ColumnLine, columnsOf, type Table } from "../../../store/table.js";
import type { Answer, AnswerOutcome } from "../answer/answer.js";
import type { QuestionScore } from "../metric/question-score.js";
import { type RunRow, runColumns } from "./run-row.js";

/** The columns that say which example a row is about. */
export const EXAMPLE_LINES: readonly ColumnLine<{
  readonly exampleId: string;
  readonly language: string;
  readonly changeType: ChangeType;
}>[] = [
  ["example_id", "string", "The example, as in the dataset.", ({ exampleId }) => exampleId],
  ["language", "string", "Language of the code.", ({ language }) => language],
  ["change_type", "string", "add, delete or modify: what the review asks for.", ({ changeType }) => changeType],
];

/** The column of a probe form's difficulty. */
export const DIFFICULTY_LINE: ColumnLine<{ readonly difficulty: Difficulty | null }> = [
  "difficulty",
  "string",
  "easy or hard; empty for a task that has one form.",
  ({ difficulty }) => difficulty,
];

/** The column of what is withheld. */
export const ABLATION_LINE: ColumnLine<{ readonly ablation?: Withheld | undefined }> = [
  "ablation",
  "string",
  "What was withheld from the prompt: none, review, code or both.",
  ablationOf,
];

export const TASK_LINE: ColumnLine<{ readonly task: string }> = [
  "task",
  "string",
  "CTR, CL, SI, or the task of a probe of one's own.",
  ({ task }) => task,
];

/** The columns that say which question was asked under which order of its options. */
export const ORDER_COLUMNS = columnsOf<Answer>([
  TASK_LINE,
  DIFFICULTY_LINE,
  ABLATION_LINE,
  ...EXAMPLE_LINES,
  [
    "permutation_index",
    "integer",
    "Position among the N! orders, from 0, in lexicographic order.",
    ({ permutationIndex }) => permutationIndex,
  ],
  [
    "permutation",
    "string",
    "Option index at A, B, C, D and so on, such as 2013 (10-2-0-… where there are more than ten); option 0 is the " +
      "right one. Text: keep leading zeros.",
    ({ permutation }) => permutation,
  ],
  ["correct_symbol", "string", "The symbol of the right option.", ({ correctSymbol }) => correctSymbol],
]);

const CHOICE_COLUMNS = columnsOf<Answer>([
  [
    "chosen_symbol",
    "string",
    "The symbol with the highest log probability; empty unless status is chosen.",
    ({ outcome }) => chosen(outcome)?.chosenSymbol ?? null,
  ],
  [
    "chosen_option",
    "integer",
    "The option at that symbol; 0 is the right one.",
    ({ outcome }) => chosen(outcome)?.chosenOption ?? null,
  ],
  [
    "correct",
    "boolean",
    "Whether option 0 was chosen; empty unless status is chosen.",
    ({ outcome }) => chosen(outcome)?.correct ?? null,
  ],
]);

const OUTCOME_COLUMNS = columnsOf<Answer>([
  [
    "symbol_mass",
    "number",
    "Sum of the symbols' probabilities, 0–1: how much the model wanted to answer with a letter.",
    ({ symbolMass }) => symbolMass,
  ],
  [
    "margin",
    "number",
    "Best minus second best log probability, nats.",
    ({ outcome }) => chosen(outcome)?.margin ?? null,
  ],
  [
    "status",
    "string",
    "chosen, undecided (a tie, or an unknown symbol could be the best) or failed.",
    ({ outcome }) => outcome.status,
  ],
  [
    "failure",
    "string",
    "Why: context_overflow, refused, bad_response or unavailable; for undecided: tie or unknown_symbol.",
    ({ outcome }) => whyNot(outcome),
  ],
  [
    "extraction",
    "string",
    "How the answer was taken: full (every letter), guided, top_logprobs, generated (no probabilities) or scripted.",
    ({ extraction }) => extraction,
  ],
  ["prompt_tokens", "integer", "Tokens of the prompt, BOS included.", ({ promptTokens }) => promptTokens],
  [
    "cached_tokens",
    "integer",
    "Of these, reused from the cache. Depends on what was asked before.",
    ({ cachedTokens }) => cachedTokens,
  ],
  ["duration_ms", "number", "Milliseconds from request to reply.", ({ durationMs }) => durationMs],
  ["prompt_sha256", "string", "SHA-256 of the prompt's text (UTF-8).", ({ promptSha256 }) => promptSha256],
]);

function chosen(outcome: AnswerOutcome): Extract<AnswerOutcome, { status: "chosen" }> | null {
  return outcome.status === "chosen" ? outcome : null;
}

function whyNot(outcome: AnswerOutcome): string | null {
  if (outcome.status === "failed") return outcome.failure;
  return outcome.status === "undecided" ? outcome.reason : null;
}

function logprobColumn(symbol: ChoiceSymbol): Column<Answer> {
  return {
    name: `logprob_${symbol.toLowerCase()}`,
    type: "number",
    description: logprobDescription(symbol),
    value: ({ logprobs }) => logprobs.find((each) => each.symbol === symbol)?.logprob ?? null,
  };
}

function logprobDescription(symbol: string): string {
  if (symbol === "A") return "Log probability of A (nats), all token variants together; empty when unknown.";
  return symbol === "D" ? "Likewise of D; empty for questions with three options." : `Likewise of ${symbol}.`;
}

/**
 * The answers of a run; one with a question of more than four options has a column for the log probability of each.
 * @param options the most that a question of the run has
 */
export function answersTable(options: number): Table<RunRow<Answer>> {
  const logprobs = symbolsFor(Math.max(options, USUAL_OPTIONS)).map(logprobColumn);
  return {
    file: "answers.csv",
    title: "One row an answer: one question under one order of its options.",
    primaryKey: ["run_id", "task", "difficulty", "ablation", "example_id", "permutation_index"],
    columns: runColumns("run", [...ORDER_COLUMNS, ...CHOICE_COLUMNS, ...logprobs, ...OUTCOME_COLUMNS]),
  };
}

/** The answers of a run whose questions have four options at most. */
export const ANSWERS = answersTable(USUAL_OPTIONS);

export const QUESTIONS: Table<RunRow<QuestionScore>> = {
  file: "questions.csv",
  title: "One row a question: its answers under all orders together.",
  primaryKey: ["run_id", "task", "difficulty", "ablation", "example_id"],
  columns: runColumns(
    "run",
    columnsOf<QuestionScore>([
      TASK_LINE,
      DIFFICULTY_LINE,
      ABLATION_LINE,
      ...EXAMPLE_LINES,
      ["permutations", "integer", "N!: 6 for three options, 24 for four.", ({ permutations }) => permutations],
      ["answered", "integer", "Orders with a reply, chosen or undecided.", ({ answered }) => answered],
      [
        "correct_permutations",
        "integer",
        "Orders under which the right option was chosen.",
        ({ correctPermutations }) => correctPermutations,
      ],
      [
        "invariant_correct",
        "boolean",
        "Right under all N! orders. A failed or undecided order makes it false.",
        ({ invariantCorrect }) => invariantCorrect,
      ],
      [
        "plurality_option",
        "integer",
        "The option chosen in most orders; empty when several are.",
        ({ pluralityOption }) => pluralityOption,
      ],
      [
        "plurality_agreement",
        "number",
        "k/N!, k = orders that chose the plurality option; empty unless every order was answered.",
        ({ pluralityAgreement }) => pluralityAgreement,
      ],
      [
        "mean_accuracy",
        "number",
        "correct_permutations / N!; empty unless every order was answered.",
        ({ meanAccuracy }) => meanAccuracy,
      ],
      ["min_margin", "number", "Smallest margin of the chosen answers, nats.", ({ minMargin }) => minMargin],
      ["mean_symbol_mass", "number", "Mean symbol mass of the answers.", ({ meanSymbolMass }) => meanSymbolMass],
      ["failed", "integer", "Orders whose answer failed.", ({ failed }) => failed],
    ]),
  ),
};
