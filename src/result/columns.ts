/** A column of a table: its name, its Frictionless type, and what a reader must know. */
export interface Column {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean";
  readonly description: string;
}

export interface TableDefinition {
  /** File name in the run's folder. */
  readonly file: string;
  readonly title: string;
  readonly primaryKey: readonly string[];
  readonly columns: readonly Column[];
}

type Row = readonly [Column["name"], Column["type"], Column["description"]];

const columns = (rows: readonly Row[]): Column[] =>
  rows.map(([name, type, description]) => ({ name, type, description }));

const RUN: readonly Row[] = [
  ["run_id", "string", "The run, as in run.json."],
  ["model", "string", "The model as it was named on the command line."],
];

const QUESTION: readonly Row[] = [
  ["task", "string", "CTR, CL or SI."],
  ["difficulty", "string", "easy or hard; empty for a task that has one form."],
  ["example_id", "string", "The example, as in the dataset."],
  ["language", "string", "Language of the code."],
  ["change_type", "string", "add, delete or modify: what the review asks for."],
];

export const ANSWERS: TableDefinition = {
  file: "answers.csv",
  title: "One row an answer: one question under one order of its options.",
  primaryKey: ["run_id", "task", "difficulty", "example_id", "permutation_index"],
  columns: columns([
    ...RUN,
    ...QUESTION,
    ["permutation_index", "integer", "Position among the N! orders, from 0, in lexicographic order."],
    [
      "permutation",
      "string",
      "Option index at A, B, C, D, such as 2013; option 0 is the right one. Text: keep leading zeros.",
    ],
    ["correct_symbol", "string", "The symbol of the right option."],
    ["chosen_symbol", "string", "The symbol with the highest log probability; empty unless status is chosen."],
    ["chosen_option", "integer", "The option at that symbol; 0 is the right one."],
    ["correct", "boolean", "Whether option 0 was chosen; empty unless status is chosen."],
    ["logprob_a", "number", "Log probability of A (nats), all token variants together; empty when unknown."],
    ["logprob_b", "number", "Likewise of B."],
    ["logprob_c", "number", "Likewise of C."],
    ["logprob_d", "number", "Likewise of D; empty for questions with three options."],
    [
      "symbol_mass",
      "number",
      "Sum of the symbols' probabilities, 0–1: how much the model wanted to answer with a letter.",
    ],
    ["margin", "number", "Best minus second best log probability, nats."],
    ["status", "string", "chosen, undecided (a tie, or an unknown symbol could be the best) or failed."],
    [
      "failure",
      "string",
      "Why: context_overflow, refused, bad_response or unavailable; for undecided: tie or unknown_symbol.",
    ],
    [
      "extraction",
      "string",
      "How the answer was taken: full (every letter), guided, top_logprobs, generated (no probabilities) or scripted.",
    ],
    ["prompt_tokens", "integer", "Tokens of the prompt, BOS included."],
    ["cached_tokens", "integer", "Of these, reused from the cache. Depends on what was asked before."],
    ["duration_ms", "number", "Milliseconds from request to reply."],
    ["prompt_sha256", "string", "SHA-256 of the prompt's text (UTF-8)."],
  ]),
};

export const QUESTIONS: TableDefinition = {
  file: "questions.csv",
  title: "One row a question: its answers under all orders together.",
  primaryKey: ["run_id", "task", "difficulty", "example_id"],
  columns: columns([
    ...RUN,
    ...QUESTION,
    ["permutations", "integer", "N!: 6 for three options, 24 for four."],
    ["answered", "integer", "Orders with a reply, chosen or undecided."],
    ["correct_permutations", "integer", "Orders under which the right option was chosen."],
    ["invariant_correct", "boolean", "Right under all N! orders. A failed or undecided order makes it false."],
    ["plurality_option", "integer", "The option chosen in most orders; empty when several are."],
    [
      "plurality_agreement",
      "number",
      "k/N!, k = orders that chose the plurality option; empty unless every order was answered.",
    ],
    ["mean_accuracy", "number", "correct_permutations / N!; empty unless every order was answered."],
    ["min_margin", "number", "Smallest margin of the chosen answers, nats."],
    ["mean_symbol_mass", "number", "Mean symbol mass of the answers."],
    ["failed", "integer", "Orders whose answer failed."],
  ]),
};

export const SUMMARY: TableDefinition = {
  file: "summary.csv",
  title: "One row a metric: tidy. Rates are fractions 0–1.",
  primaryKey: ["run_id", "task", "difficulty", "group_by", "group", "metric"],
  columns: columns([
    ...RUN,
    ["task", "string", "CTR, CL or SI."],
    ["difficulty", "string", "easy or hard; empty for a task that has one form."],
    ["group_by", "string", "overall, language or change_type."],
    ["group", "string", "The language or change type; all for overall."],
    ["metric", "string", "See the list of metrics."],
    ["value", "number", "Empty where the metric is not defined."],
    ["ci_low", "number", "Lower end of the 95 % interval; empty where there is none."],
    ["ci_high", "number", "Upper end."],
    [
      "n",
      "integer",
      "What the value is taken over: questions, or answers for position_bias*, undecided_rate, failure_rate.",
    ],
    ["note", "string", "What a reader should know about this value."],
  ]),
};

/** The tables of a run of probes. */
export const TABLES: readonly TableDefinition[] = [ANSWERS, QUESTIONS, SUMMARY];
