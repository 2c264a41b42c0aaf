import { badInput, type ProbeError } from "../../../base/errors.js";
import { LANGUAGES } from "../../../base/language.js";
import { type ChoiceSymbol, type Logprob, type OptionIndex, SYMBOLS } from "../../../base/symbol.js";
import { shorten } from "../../../base/text.js";
import { CHANGE_TYPES, DIFFICULTIES } from "../../../dataset/example.js";
import { THOUGHT_ENDS } from "../../../model/requests.js";
import { WITHHELD } from "../../../question/form.js";
import { optionCountOfOrder, permutationCount } from "../../../question/permutations.js";
import {
  COUNT,
  type FieldType,
  isCount,
  MILLISECONDS,
  MISMATCH,
  NUMBER,
  nullable,
  oneOf,
  optional,
  plainType,
  SIZE,
  TEXT,
} from "../../../store/field-type.js";
import { type FolderCodec, glanceBy } from "../../../store/journal/codec.js";
import {
  derived,
  field,
  lineName,
  type RecordOf,
  recordTable,
  structured,
  variants,
} from "../../../store/record-fields.js";

/** Fields that say which form of which probe a record is about. */
export const FORM_FIELDS = {
  task: field(TEXT, "CTR, CL, SI, or the task of a probe of one's own."),
  difficulty: field(nullable(oneOf(DIFFICULTIES)), "easy or hard; empty for a task that has one form."),
  /** Absent where nothing is withheld, and in runs that were recorded before anything could be. */
  ablation: field(optional(oneOf(WITHHELD)), {
    column: "Parts withheld from the prompt: none, review, code or both.",
    cell: (ablation) => ablation ?? "none",
  }),
};

/** Fields that say which example a record is about. */
export const EXAMPLE_FIELDS = {
  exampleId: field(TEXT, "The example, as in the dataset."),
  language: field(oneOf(LANGUAGES), "Language of the code."),
  changeType: field(oneOf(CHANGE_TYPES), "add, delete or modify: what the review asks for."),
};

/** Fields that a record has in common with the question that it answers. */
const ASKED_FIELDS = { ...FORM_FIELDS, ...EXAMPLE_FIELDS, promptSha256: field(TEXT) };

type AskedField = keyof typeof ASKED_FIELDS;
const ASKED = Object.keys(ASKED_FIELDS) as readonly AskedField[];

/** Question that a record says it is about. */
export type AskedAs = Readonly<Partial<Record<AskedField, string | null | undefined>>>;

/**
 * Makes sure that a record is about the question in whose place it stands: the journal may hold lines of another run.
 * @param file of the journal
 * @param planned fields of the question; those that it lacks are not compared
 * @throws ProbeError `bad_input` naming the first difference
 */
export function requireSameQuestion(file: string, recorded: AskedAs, planned: AskedAs): void {
  for (const field of ASKED) {
    if (field in planned && (recorded[field] ?? null) !== (planned[field] ?? null))
      throw ofAnother(file, field, recorded, planned);
  }
}

function ofAnother(file: string, field: AskedField, recorded: AskedAs, planned: AskedAs): ProbeError {
  const [task, example, found, expected] = [recorded.task, recorded.exampleId, recorded[field], planned[field]].map(
    (value) => shorten(String(value ?? "none"), 80),
  );
  return badInput(
    `Expected ${file} to hold records of this run, found one of ${task} ${example} with the ${lineName(field)} ${found} in ` +
      `the place of ${expected}. It is of another run. Remove its lines to ask the question again.`,
  );
}

const SYMBOL = plainType(
  "string",
  "a letter",
  (found): found is ChoiceSymbol => typeof found === "string" && /^[A-Z]$/.test(found),
);
const OPTION = plainType("integer", "an option's index", (found): found is OptionIndex => isCount(found));

/** Fields that say which question was asked under which order of its options. */
export const ORDER_FIELDS = {
  ...FORM_FIELDS,
  ...EXAMPLE_FIELDS,
  permutationIndex: field(COUNT, "Position among the N! orders, from 0, in lexicographic order."),
  permutation: field(
    TEXT,
    "Option index at A, B, C, D and so on, such as 2013; option 0 is the right one. Text: keep leading zeros.",
  ),
  correctSymbol: field(SYMBOL, "The symbol of the right option."),
};

/** Fields of the place of an answer. */
export const PLACE_FIELDS = {
  /** Position of the question in the run, from 0. */
  questionIndex: field(COUNT),
  ...ORDER_FIELDS,
  /** Absent where each order is asked once. */
  repeat: field(optional(COUNT), {
    column: "Position among the times that the order was asked (--repeats), from 0.",
    cell: (repeat) => repeat ?? 0,
    behind: "prompt_sha256",
  }),
};

/** Place of an answer: a question, and an order of its options. */
export type AnswerPlace = RecordOf<typeof PLACE_FIELDS>;

const WHY_NOT =
  "Why: context_overflow, refused, bad_response, unavailable or thought_too_long; for undecided: tie or unknown_symbol.";

/** Result of asking: an option, or why there is none. Missing is never a letter and never a number. */
const OUTCOME = variants(
  {
    chosen: {
      chosenSymbol: field(SYMBOL, "The symbol with the highest log probability; empty unless status is chosen."),
      chosenOption: field(OPTION, "The option at that symbol; 0 is the right one."),
      correct: derived(
        "boolean",
        "True if option 0 was chosen; empty unless status is chosen.",
        ({ chosenOption }: { readonly chosenOption: OptionIndex }) => chosenOption === 0,
      ),
      /** `null` without log probabilities. */
      margin: field(nullable(SIZE), {
        column:
          "Best minus second best log probability, nats; empty unless status is chosen (a tie, of 0, is undecided).",
        behind: "symbol_mass",
      }),
    },
    /** A tie, or a symbol whose log probability is unknown and could be the highest. */
    undecided: {
      reason: field(oneOf(["tie", "unknown_symbol"]), { name: "failure", column: WHY_NOT, behind: "status" }),
    },
    failed: {
      failure: field(TEXT, { column: WHY_NOT, behind: "status" }),
      detail: field(TEXT),
    },
  },
  {
    others: "null",
    status: {
      column: "chosen, undecided (a tie, or an unknown symbol could be the best) or failed.",
      behind: "margin",
    },
  },
);

type Logprobs = readonly { readonly symbol: ChoiceSymbol; readonly logprob: Logprob | null }[];

function isLogprobOrNull(found: unknown): found is Logprob | null {
  return found === null || Number.isFinite(found);
}

/** An object by symbol in the line. */
const LOGPROBS: FieldType<Logprobs> = {
  cellType: "number",
  expected: "log probabilities by letter",
  read: (found) => {
    if (typeof found !== "object" || found === null) return MISMATCH;
    const logprobs: { symbol: ChoiceSymbol; logprob: Logprob | null }[] = [];
    for (const [symbol, logprob] of Object.entries<unknown>({ ...found })) {
      if (!isLogprobOrNull(logprob)) return MISMATCH;
      logprobs.push({ symbol: symbol as ChoiceSymbol, logprob });
    }
    return logprobs;
  },
  write: (logprobs) => Object.fromEntries(logprobs.map(({ symbol, logprob }) => [symbol, logprob])),
};

/** Fields of an answer, in the order of its line. */
const ANSWER_FIELDS = {
  ...PLACE_FIELDS,
  outcome: OUTCOME,
  /** One a symbol, in order; `null` where unknown. Empty when the model gave no log probabilities. */
  logprobs: structured(LOGPROBS, () =>
    SYMBOLS.map((symbol) => ({
      name: logprobColumn(symbol),
      type: "number",
      description: logprobDescription(symbol),
      value: (logprobs) => logprobs.find((each) => each.symbol === symbol)?.logprob ?? null,
    })),
  ),
  /** `null` unless all are known. */
  symbolMass: field(
    nullable(NUMBER),
    "Sum of the symbols' probabilities, 0–1: how much the model wanted to answer with a letter.",
  ),
  extraction: field(
    nullable(TEXT),
    "Way in which the answer was taken: full (every letter), guided, top_logprobs, generated (no probabilities) or scripted.",
  ),
  promptTokens: field(nullable(COUNT), "Tokens of the prompt, BOS included."),
  cachedTokens: field(nullable(COUNT), "Of these, reused from the cache. Depends on what was asked before."),
  durationMs: field(MILLISECONDS, "Milliseconds from request to reply."),
  promptSha256: field(TEXT, "SHA-256 of the prompt's text (UTF-8)."),
  thinkingTokens: field(
    optional(nullable(COUNT)),
    "Tokens of the thoughts before the answer; empty without thoughts, or where they are not told.",
  ),
  thinkingEnd: field(
    optional(oneOf(THOUGHT_ENDS)),
    "End of the thoughts: closed (by the model), forced (closed for it, the budget being spent) or hidden; empty without.",
  ),
  /** Absent: the one of the answer. */
  completionTokens: field(
    optional(nullable(COUNT)),
    "Tokens generated, thoughts included; empty where it is the one of the answer, and where it is not told.",
  ),
  /** Tokens of all requests that it took, prompts sent again included; absent: it took one. */
  paidPromptTokens: field(optional(COUNT)),
  paidCompletionTokens: field(optional(COUNT)),
  /** The most that it may have cost, where the price is known and the tokens of one of its requests are not told. */
  costBound: field(optional(SIZE)),
};

/** Name of the column of a symbol's log probability. */
export function logprobColumn(symbol: ChoiceSymbol): string {
  return `logprob_${symbol.toLowerCase()}`;
}

function logprobDescription(symbol: ChoiceSymbol): string {
  const empty = symbol === "D" ? "when unknown, and for questions with three options" : "when unknown";
  return `Log probability of ${symbol} (nats), all token variants together; empty ${empty}.`;
}

/** Answer of a model to a question under one order of its options. */
export type Answer = RecordOf<typeof ANSWER_FIELDS>;

export type AnswerOutcome = Answer["outcome"];

/** Fields of an answer: line of the journal and columns of `answers.csv`. */
export const ANSWER_TABLE = recordTable(ANSWER_FIELDS, "answer");

/** The journal of answers: a question has one an order. */
export const ANSWER_JOURNAL: FolderCodec<Answer> = {
  file: "answers.jsonl",
  kind: "answers",
  journal: "the answers of a run",
  record: "an answer of a run",
  onDamage: "Remove that line to ask its question again.",
  version1: "record",
  encode: ANSWER_TABLE.encode,
  decode: ANSWER_TABLE.decode,
  placeOf,
  isFailed: ({ outcome }) => outcome.status === "failed",
  glance: (line) => (line.includes(REPEAT) ? null : GLANCE(line)),
};

const GLANCE = glanceBy("question_index", "permutation_index");
/** Key in the lines of orders that are asked several times: their place takes more than a glance. */
const REPEAT = '"repeat":';

/** Place of what is asked in the run: all orders of a question, then all once more. */
export function placeOf({
  questionIndex,
  permutationIndex,
  permutation,
  repeat = 0,
}: Pick<AnswerPlace, "questionIndex" | "permutationIndex" | "permutation" | "repeat">) {
  const before = repeat === 0 ? 0 : repeat * permutationCount(optionCountOfOrder(permutation));
  return { item: questionIndex, place: before + permutationIndex };
}

/** Tests if a question can no longer be invariant-correct: a wrong, undecided or failed order. */
export function isMiss({ outcome }: Pick<Answer, "outcome">): boolean {
  return outcome.status !== "chosen" || !outcome.correct;
}
