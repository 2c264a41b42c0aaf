import type { Column, TableDefinition } from "../../../store/table.js";

type Row = readonly [Column["name"], Column["type"], Column["description"]];

const columns = (rows: readonly Row[]): Column[] =>
  rows.map(([name, type, description]) => ({ name, type, description }));

const RUN: readonly Row[] = [
  ["run_id", "string", "The run, as in run.json."],
  ["model", "string", "The model as it was named on the command line."],
];

const EXAMPLE: readonly Row[] = [
  ["example_id", "string", "The example, as in the dataset."],
  ["language", "string", "Language of the code."],
  ["change_type", "string", "add, delete or modify: what the review asks for."],
];

const QUESTION: readonly Row[] = [
  ["task", "string", "CTR, CL or SI."],
  ["difficulty", "string", "easy or hard; empty for a task that has one form."],
  ...EXAMPLE,
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
    ["task", "string", "CTR, CL, SI or ACR."],
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
      "What the value is taken over: questions, or answers for position_bias*, undecided_rate, failure_rate; " +
        "generations for ACR.",
    ],
    ["note", "string", "What a reader should know about this value."],
  ]),
};

export const GENERATIONS: TableDefinition = {
  file: "generations.csv",
  title: "One row a generation: the code that the model wrote for an example (ACR). Only in runs that hold ACR.",
  primaryKey: ["run_id", "example_id"],
  columns: columns([
    ...RUN,
    ...EXAMPLE,
    [
      "generation",
      "string",
      "The text as it came, up to the stop; guarded against spreadsheet formulas: generations.jsonl has it as it is.",
    ],
    [
      "em",
      "boolean",
      "Exact match with the post-review code, character for character, after line numbers the model echoed are removed. " +
        "A failed generation matches nothing: false.",
    ],
    ["em_trim", "boolean", "Likewise, of some run of the generated lines: text before and after is forgiven."],
    ["em_no_space", "boolean", "Likewise, after all whitespace is removed."],
    ["em_no_comment", "boolean", "Likewise, after comments (by the language's grammar) and whitespace are removed."],
    ["paper_em", "boolean", "Exact match as the paper's released script computes it: drops two characters a line."],
    ["paper_em_trim", "boolean", "EM-trim of the released script, quirks included."],
    ["paper_em_no_space", "boolean", "EM-no-space of the released script: found in the generation, not equal to it."],
    ["paper_em_no_comment", "boolean", "EM-no-comment of the released script: // and # in every language."],
    [
      "bleu",
      "number",
      "Smoothed BLEU-4 of this generation alone, 0–1; empty where it failed, or the post-review code is empty.",
    ],
    ["edit_similarity", "number", "1 − Levenshtein / length of the longer text, 0–1; empty where it failed."],
    [
      "status",
      "string",
      "complete; truncated (cut off at the most tokens allowed); empty (nothing but whitespace); failed.",
    ],
    ["failure", "string", "Why it failed: context_overflow, refused, bad_response or unavailable."],
    ["completion_tokens", "integer", "Tokens generated; empty where the engine does not tell."],
  ]),
};

/** The tables of a run of probes; the last one only in runs with generations. */
export const TABLES: readonly TableDefinition[] = [ANSWERS, QUESTIONS, SUMMARY, GENERATIONS];

/** The texts of an audit (`probe audit`). */
export const CONTAMINATION: TableDefinition = {
  file: "contamination.csv",
  title: "One row a text: an example in one form, as the model finds it.",
  primaryKey: ["run_id", "example_id", "form", "task", "difficulty"],
  columns: columns([
    ["run_id", "string", "The audit, as in audit.json."],
    ["model", "string", "The model as it was named on the command line."],
    ["example_id", "string", "The example, as in the dataset."],
    ["language", "string", "Language of the code."],
    ["form", "string", "ACR: prompt and post-review code. MCQA: stem and options, the right one at A."],
    ["task", "string", "ACR, CTR, CL or SI."],
    ["difficulty", "string", "easy or hard; empty for a task that has one form."],
    [
      "tokens",
      "integer",
      "Predicted tokens: BOS is not counted. Empty where the text was not scored (audit.json: why).",
    ],
    ["nll", "number", "Sum of their negative log probabilities, nats."],
    ["perplexity", "number", "exp(nll / tokens)."],
    ["ngram_n", "integer", "Tokens of an n-gram."],
    ["ngram_starts", "integer", "How many n-grams were tried; 0: the text is too short."],
    [
      "ngram_hits",
      "integer",
      "How many of them greedy generation gets right; empty where the engine does not tell the most probable token.",
    ],
    ["ngram_accuracy", "number", "ngram_hits / ngram_starts."],
  ]),
};

export const CONTAMINATION_SUMMARY: TableDefinition = {
  file: "contamination_summary.csv",
  title: "One row a number about one form of one benchmark: tidy.",
  primaryKey: ["run_id", "benchmark", "form", "task", "difficulty", "group_by", "group", "metric"],
  columns: columns([
    ["run_id", "string", "The audit, as in audit.json."],
    ["model", "string", "The model as it was named on the command line."],
    ["benchmark", "string", "The dataset: the audited one first, then those it is held against."],
    ["form", "string", "ACR, MCQA, or ACR_RENAMED: ACR with its identifiers renamed."],
    ["task", "string", "ACR, CTR, CL or SI; empty for all MCQA tasks together."],
    ["difficulty", "string", "easy or hard; empty for a task that has one form, and for all together."],
    ["group_by", "string", "overall or language."],
    ["group", "string", "The language; all for overall."],
    ["metric", "string", "See the list of metrics."],
    ["value", "number", "Empty where the metric is not defined."],
    ["ci_low", "number", "Lower end of the 95 % interval; empty where there is none."],
    ["ci_high", "number", "Upper end."],
    ["n", "integer", "What the value is taken over: see the metric."],
  ]),
};
