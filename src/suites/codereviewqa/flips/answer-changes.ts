import { ablationField, type FormKey, formName } from "../../../question/form.js";
import { fieldColumns } from "../../../store/record-fields.js";
import { type Column, type ColumnLine, columnsAbout, columnsOf, type Table } from "../../../store/table.js";
import { type Answer, ORDER_FIELDS, placeOf } from "../answer/answer.js";
import { scoreQuestionOf } from "../metric/question-score.js";
import type { NamedRun } from "../record/stored-run.js";
import { answersIndex } from "../record/stored-run.js";

/** An answer that is another in the second run: another symbol, or decided in one run alone. Neither failed. */
export interface ChangedAnswer {
  readonly first: Answer;
  readonly second: Answer;
  /** Largest difference of a symbol's log probability, nats; `null` where the runs have none in common. */
  readonly difference: number | null;
  /** `true`: its question is right under all the orders that were asked in one run alone. */
  readonly verdictChanged: boolean;
}

/** Agreement of two runs over the same questions, in one probe form or in all. */
export interface AnswerChanges {
  /** `null`: all forms together. */
  readonly form: FormKey | null;
  readonly questions: number;
  /** Questions right under all the orders that were asked in one run alone. */
  readonly verdictsChanged: number;
  /** Changed verdicts with a failed answer in either run: the failure may have done it. */
  readonly verdictsWithFailures: number;
  /** Answers that both runs have, neither failed. */
  readonly compared: number;
  /** Answers that changed. */
  readonly changed: number;
  /** Failed in either run: not compared. */
  readonly failed: number;
  /** Answers in one run alone, such as after --early-stop. */
  readonly unmatched: number;
  /** Answers with log probabilities in both runs. */
  readonly measured: number;
  /** Largest |Δ log probability| of a symbol, nats; `null` when nothing was measured. */
  readonly largestDifference: number | null;
  /** Answers so near a tie, in either run, that a difference this large can change them: margin <= 2 · largest. */
  readonly nearTies: number | null;
}

export interface RunChanges {
  /** All forms together first, then each, in the order of the run. */
  readonly rows: readonly AnswerChanges[];
  readonly answers: readonly ChangedAnswer[];
}

/**
 * Compares the answers of two finished runs over the same questions, one by one. Memory: a number an answer, and the
 * answers that changed.
 */
export async function compareAnswers(first: NamedRun, second: NamedRun): Promise<RunChanges> {
  const [total, forms] = [new ChangeCounter(null), new Map<string, ChangeCounter>()];
  const answers: ChangedAnswer[] = [];
  for await (const [left, right] of questionPairs(first, second)) {
    const [place] = left;
    if (place === undefined) continue;
    const { task, difficulty, ablation } = place;
    const key = formName(place);
    const counter = forms.get(key) ?? new ChangeCounter({ task, difficulty, ...ablationField(ablation) });
    forms.set(key, counter);
    const wasRight = scoreQuestionOf(first.run, left).invariantCorrect;
    const isRight = scoreQuestionOf(second.run, right).invariantCorrect;
    const pair = pairQuestion(left, right, wasRight !== isRight);
    counter.add(pair);
    total.add(pair);
    answers.push(...pair.changed);
  }
  return { rows: [total, ...forms.values()].map((counter) => counter.changes()), answers };
}

/** Questions of both runs, an example at a time: its forms stand as `--task` named them, which may be another order. */
async function* questionPairs(
  first: NamedRun,
  second: NamedRun,
): AsyncGenerator<readonly [readonly Answer[], readonly Answer[]]> {
  const [left, right] = [byExample(await answersOf(first)), byExample(await answersOf(second))];
  try {
    for await (const questions of left) {
      const { done, value } = await right.next();
      if (done === true) return;
      for (const answers of questions) {
        const other = value.find((each) => formOf(each) === formOf(answers));
        if (other !== undefined) yield [answers, other];
      }
    }
  } finally {
    await right.return(undefined);
  }
}

/** The questions of each example, which follow each other. */
async function* byExample(questions: AsyncIterable<readonly Answer[]>): AsyncGenerator<readonly (readonly Answer[])[]> {
  let own: (readonly Answer[])[] = [];
  for await (const answers of questions) {
    if (own.length > 0 && own[0]?.[0]?.exampleId !== answers[0]?.exampleId) {
      yield own;
      own = [];
    }
    own.push(answers);
  }
  if (own.length > 0) yield own;
}

function formOf([answer]: readonly Answer[]): string | null {
  return answer === undefined ? null : formName(answer);
}

async function answersOf({ folder, run }: NamedRun): Promise<AsyncGenerator<readonly Answer[]>> {
  return (await answersIndex(folder, run)).byItem();
}

/** One question in both runs. */
interface QuestionPair {
  readonly changed: readonly ChangedAnswer[];
  readonly compared: number;
  readonly failed: number;
  readonly unmatched: number;
  readonly verdictChanged: boolean;
  /** Difference of each answer that has log probabilities in both runs. */
  readonly differences: readonly number[];
  /** Smaller margin of each compared answer that has one. */
  readonly margins: readonly number[];
}

function pairQuestion(left: readonly Answer[], right: readonly Answer[], verdictChanged: boolean): QuestionPair {
  const others = new Map(right.map((answer) => [placeOf(answer).place, answer]));
  const matched = left.flatMap((first) => {
    const second = others.get(placeOf(first).place);
    return second === undefined ? [] : [{ first, second, difference: largestDifference(first, second) }];
  });
  const sound = matched.filter(({ first, second }) => !isFailed(first) && !isFailed(second));
  return {
    changed: sound
      .filter(({ first, second }) => symbolOf(first) !== symbolOf(second))
      .map((pair) => ({ ...pair, verdictChanged })),
    compared: sound.length,
    failed: matched.length - sound.length,
    unmatched: left.length + right.length - 2 * matched.length,
    verdictChanged,
    differences: sound.flatMap(({ difference }) => (difference === null ? [] : [difference])),
    margins: sound.flatMap(({ first, second }) => smallestMargin(first, second)),
  };
}

function isFailed({ outcome }: Answer): boolean {
  return outcome.status === "failed";
}

/** `null`: undecided. */
export function symbolOf({ outcome }: Answer): string | null {
  return outcome.status === "chosen" ? outcome.chosenSymbol : null;
}

/** Best minus second best, nats; a tie has none between them. `null` when it is not known. */
export function marginOf({ outcome }: Answer): number | null {
  if (outcome.status === "undecided") return outcome.reason === "tie" ? 0 : null;
  return outcome.status === "chosen" ? outcome.margin : null;
}

function smallestMargin(first: Answer, second: Answer): number[] {
  const margins = [marginOf(first), marginOf(second)].filter((margin) => margin !== null);
  return margins.length === 0 ? [] : [Math.min(...margins)];
}

function largestDifference(first: Answer, second: Answer): number | null {
  const others = new Map(second.logprobs.map(({ symbol, logprob }) => [symbol, logprob]));
  const differences = first.logprobs.flatMap(({ symbol, logprob }) => {
    const other = others.get(symbol) ?? null;
    return logprob === null || other === null ? [] : [Math.abs(logprob - other)];
  });
  return differences.length === 0 ? null : Math.max(...differences);
}

class ChangeCounter {
  readonly #form: AnswerChanges["form"];
  readonly #counts = { questions: 0, verdictsChanged: 0, verdictsWithFailures: 0 };
  readonly #answers = { compared: 0, changed: 0, failed: 0, unmatched: 0, measured: 0 };
  #largest: number | null = null;
  readonly #margins: number[] = [];

  constructor(form: AnswerChanges["form"]) {
    this.#form = form;
  }

  add({ changed, compared, failed, unmatched, verdictChanged, differences, margins }: QuestionPair): void {
    this.#counts.questions++;
    if (verdictChanged) this.#counts.verdictsChanged++;
    if (verdictChanged && failed > 0) this.#counts.verdictsWithFailures++;
    this.#answers.compared += compared;
    this.#answers.changed += changed.length;
    this.#answers.failed += failed;
    this.#answers.unmatched += unmatched;
    this.#answers.measured += differences.length;
    for (const difference of differences) this.#largest = Math.max(this.#largest ?? 0, difference);
    for (const margin of margins) this.#margins.push(margin);
  }

  changes(): AnswerChanges {
    const reach = this.#largest === null ? null : 2 * this.#largest;
    return {
      form: this.#form,
      ...this.#counts,
      ...this.#answers,
      largestDifference: this.#largest,
      nearTies: reach === null ? null : this.#margins.filter((margin) => margin <= reach).length,
    };
  }
}

/** `repeat`: the same run twice; `modes`: fast against exact; `runs`: two runs that were named. */
export type FlipKind = "repeat" | "modes" | "runs";

/** A changed answer, and the ids of the two runs that it changed between. */
export interface FlipRow {
  readonly kind: FlipKind;
  readonly runs: readonly [string, string];
  readonly answer: ChangedAnswer;
}

const RUNS = ["first", "second"] as const;

/** Columns of a changed answer, in the table and in `--json`. */
export const CHANGED_ANSWER_COLUMNS: readonly Column<ChangedAnswer>[] = [
  ...columnsAbout(({ first }: ChangedAnswer) => first, fieldColumns(ORDER_FIELDS)),
  ...columnsOf<ChangedAnswer>([
    [
      "repeat",
      "integer",
      "Position among the times that the order was asked (--repeats), from 0.",
      ({ first: { repeat = 0 } }) => repeat,
    ],
    ...RUNS.map(
      (run): ColumnLine<ChangedAnswer> => [
        `${run}_symbol`,
        "string",
        `The symbol chosen in the ${run} run; empty when it was undecided.`,
        (changed) => symbolOf(changed[run]),
      ],
    ),
    ...RUNS.map(
      (run): ColumnLine<ChangedAnswer> => [
        `${run}_margin`,
        "number",
        `Best minus second best log probability in the ${run} run, nats; 0 for a tie.`,
        (changed) => marginOf(changed[run]),
      ],
    ),
    [
      "largest_difference",
      "number",
      "Largest difference of a symbol's log probability between the runs, nats.",
      ({ difference }) => difference,
    ],
    [
      "verdict_changed",
      "boolean",
      "True if the question is right under all the orders that were asked in one of the runs alone.",
      ({ verdictChanged }) => verdictChanged,
    ],
  ]),
];

/** The table of `probe audit --flips`: the answers that changed. */
export const FLIPS: Table<FlipRow> = {
  file: "flips.csv",
  title: "One row a changed answer: one question under one order that two runs answered differently.",
  primaryKey: ["comparison", "task", "difficulty", "ablation", "example_id", "permutation_index", "repeat"],
  columns: [
    ...columnsOf<FlipRow>([
      [
        "comparison",
        "string",
        "repeat (fast, twice), modes (fast against exact) or runs (two runs that were named).",
        ({ kind }) => kind,
      ],
      ["first_run_id", "string", "The first run, as in its run.json.", ({ runs: [first] }) => first],
      ["second_run_id", "string", "The second run.", ({ runs: [, second] }) => second],
    ]),
    ...columnsAbout(({ answer }: FlipRow) => answer, CHANGED_ANSWER_COLUMNS),
  ],
};
