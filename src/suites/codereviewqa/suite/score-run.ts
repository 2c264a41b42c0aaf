import { badInput, messageOf } from "../../../base/errors.js";
import { isLogprob, SYMBOLS } from "../../../base/symbol.js";
import { ownText, shorten } from "../../../base/text.js";
import { modelName } from "../../../model/vendor/model-name.js";
import { permutationCount } from "../../../question/permutations.js";
import type { ProbeDefinition } from "../../../question/question.js";
import { sentence } from "../../../report/make-block.js";
import type { StoredRun, SuiteScore, WriteTable } from "../../../run/suite.js";
import { entryOf, type TableDescription } from "../../../store/table.js";
import { ANSWER_JOURNAL, type Answer, requireSameQuestion } from "../answer/answer.js";
import { symbolMass } from "../answer/assemble-answer.js";
import { GENERATION_JOURNAL, type Generation, generationStatus } from "../answer/generation.js";
import { type QuestionScore, scoreQuestionOf } from "../metric/question-score.js";
import type { SummaryRow } from "../metric/summary-row.js";
import type { ScoredText } from "../record/generations-table.js";
import {
  answersTable,
  QUESTIONS,
  type RowOwner,
  type RunRow,
  runRows,
  SUMMARY,
  SUMMARY_COLUMNS,
} from "../record/result-tables.js";
import { failedCount, mostOptions, type RunFile } from "../record/run-file.js";
import { isWhole, probesOf, textOfQuestion, unfinishedText } from "../record/stored-run.js";
import { Tally } from "../record/tally.js";
import { resultBlocks, summaryFacts } from "../report/run-summary.js";
import { decidedForms, readFloors } from "./form-floors.js";
import { summarise } from "./summarise.js";
import { type JudgedGeneration, type JudgedQuestion, runVerdicts } from "./verdicts.js";

/** Score of a run, with the rows of `summary.csv`. */
interface ReviewScore extends SuiteScore<RunFile> {
  readonly summary: readonly SummaryRow[];
}

/**
 * All metrics of a run from its journals, its tables, and its verdicts. Makes no model call. Memory: a few hundred bytes a
 * question.
 * @throws ProbeError `bad_input` when a journal is damaged
 */
export async function scoreSuite(stored: StoredRun<RunFile>, write: WriteTable): Promise<ReviewScore> {
  const { run, folder } = stored;
  const owner = { runId: run.run_id, model: modelName(run.model) };
  const tally = new Tally();
  const questions: JudgedQuestion[] = [];
  const answers = answersTable(mostOptions(run), run.price);
  await write(answers, answerRows(stored, owner, tally, questions));
  await write(
    QUESTIONS,
    runRows(
      owner,
      questions.map(({ score }) => score),
    ),
  );
  const generations: JudgedGeneration[] = [];
  const probes = await probesOf([run]);
  const written: TableDescription[] = [];
  if (run.generations > 0) {
    const { generationsTable, gradedNames } = await import("../record/generations-table.js");
    const table = generationsTable(gradedNames(run, probes));
    await write(table, generationRows(stored, { owner, probes }, tally, generations));
    written.push(table);
  }
  const scores = await tracedScores(
    stored,
    questions.map(({ score }) => score),
  );
  const floors = await readFloors(folder, run, scores);
  const summary = await summarise(run, {
    questions: scores,
    generations: generations.map(({ scored }) => scored),
    floors,
  });
  const { decided, told } = decidedForms(run, scores, floors);
  await write(SUMMARY, runRows(owner, summary));
  const { tokens, ...counts } = tally.totals();
  const updated: RunFile = { ...run, ...counts, tokens: { ...run.tokens, ...tokens }, cost: tally.cost(run.price) };
  const open = unfinishedText(updated, { questions, generations, decided });
  const judged = { folder, run: updated, questions, generations, summary, unfinished: open };
  const verdicts = await runVerdicts({ ...judged, longestUnfit: tally.longestUnfit });
  return {
    tables: [answers, QUESTIONS, SUMMARY, ...written],
    summary,
    run: updated,
    verdicts,
    failed: failedCount(updated),
    unfinished: open,
    facts: summaryFacts(updated),
    blocks: [
      ...(await resultBlocks(updated, summary, tally.longestUnfit, folder)),
      ...told.map((text) => sentence(text)),
    ],
    document: { summary: summary.map((row) => entryOf(SUMMARY_COLUMNS, row)) },
  };
}

/** Scores with the answer along the thoughts before them, where the run traced it. */
async function tracedScores(
  { run, folder }: Pick<StoredRun<RunFile>, "run" | "folder">,
  scores: readonly QuestionScore[],
): Promise<readonly QuestionScore[]> {
  if (run.parameters["trace_thoughts"] === undefined) return scores;
  const { withTraces } = await import("./question-traces.js");
  return withTraces(folder, run, scores);
}

/** The rows of `answers.csv`, a question's together; it is judged as it passes. */
async function* answerRows(
  { run, records }: StoredRun<RunFile>,
  owner: RowOwner,
  tally: Tally,
  judged: JudgedQuestion[],
): AsyncGenerator<readonly RunRow<Answer>[]> {
  for await (const answers of records(ANSWER_JOURNAL)) {
    const [first] = answers;
    if (first === undefined) continue;
    const { task, difficulty, ablation, exampleId, language, changeType } = first;
    const question = { task, difficulty, ablation, exampleId, language, changeType };
    for (const answer of answers) {
      requireSameQuestion(ANSWER_JOURNAL.file, answer, question);
      requireDerived(ANSWER_JOURNAL.file, answer);
    }
    const score = scoreQuestionOf(run, answers);
    judged.push({ score, asked: textOfQuestion(answers), isDone: isWhole(run, answers) });
    for (const answer of answers) tally.addAnswer(answer);
    yield runRows(owner, answers);
  }
}

async function* generationRows(
  { records }: StoredRun<RunFile>,
  { owner, probes }: { readonly owner: RowOwner; readonly probes: ReadonlyMap<string, ProbeDefinition> },
  tally: Tally,
  judged: JudgedGeneration[],
): AsyncGenerator<readonly RunRow<ScoredText>[]> {
  const { scoreWritten } = await import("../metric/written/generation-summary.js");
  for await (const [generation] of records<Generation>(GENERATION_JOURNAL)) {
    if (generation === undefined) continue;
    const { task, exampleId, language, changeType, outcome } = generation;
    const written = await scoreWritten(generation, probes.get(task));
    const scored = { task, exampleId, language, changeType, status: generationStatus(outcome), ...written };
    judged.push({ scored, asked: generation.promptSha256 });
    tally.addGeneration(generation);
    yield runRows(owner, [{ ...generation, score: written.measured?.score ?? null, open: written.open }]);
  }
}

/** Tolerance of values that are computed anew: processors round in their own ways. */
const ROUNDING = 1e-9;

/**
 * Computes anew what an answer says that follows from the rest of it: a line whose checksum fits may be anybody's.
 * @param file of the journal
 * @throws ProbeError `bad_input` naming the first field that is something else
 */
export function requireDerived(file: string, answer: Answer): void {
  try {
    requireFields(answer);
  } catch (cause) {
    throw badInput(
      `Expected ${file} as this program writes it, found an answer of ${answer.task} ${shorten(answer.exampleId, 80)} whose ` +
        `fields do not agree: ${messageOf(cause)}. Remove its line to ask that question again.`,
      cause,
    );
  }
}

function requireFields(answer: Answer): void {
  const { permutation, outcome } = answer;
  const { order, rank, correctSymbol } = knownOrder(permutation);
  requireSame("permutation_index", answer.permutationIndex, rank);
  requireSame("correct_symbol", answer.correctSymbol, correctSymbol);
  if (outcome.status === "chosen") {
    requireSame("chosen_option", outcome.chosenOption, order[SYMBOLS.indexOf(outcome.chosenSymbol)]);
  }
  requireNumbers(answer, order.length);
}

interface KnownOrder {
  /** Option indices by their places. */
  readonly order: readonly number[];
  /** Position among the N! orders, lexicographic. */
  readonly rank: number;
  readonly correctSymbol: string | undefined;
}

const MOST_KNOWN = 50_000;
const knownOrders = new Map<string, KnownOrder>();

/** Worked out once: the orders of a million answers are the same few. */
function knownOrder(name: string): KnownOrder {
  const known = knownOrders.get(name);
  if (known !== undefined) return known;
  const order = orderOf(name);
  const made = { order, rank: rankOf(order), correctSymbol: SYMBOLS[order.indexOf(0)] };
  if (knownOrders.size >= MOST_KNOWN) knownOrders.clear();
  knownOrders.set(ownText(name), made);
  return made;
}

/** Option indices by their places. */
function orderOf(name: string): number[] {
  const order = (name.includes("-") ? name.split("-") : [...name]).map(Number);
  const isOrder = order.toSorted((a, b) => a - b).every((option, i) => option === i);
  if (order.length < 2 || order.length > SYMBOLS.length || !isOrder) {
    throw new Error(`expected an order of options as permutation, found "${name.slice(0, 60)}"`);
  }
  return order;
}

/** Position among the N! orders, lexicographic. */
function rankOf(order: readonly number[]): number {
  return order.reduce((rank, option, i) => {
    const smaller = order.slice(i + 1).filter((later) => later < option).length;
    return rank + smaller * permutationCount(order.length - 1 - i);
  }, 0);
}

function requireNumbers(answer: Answer, optionCount: number): void {
  const { logprobs, outcome } = answer;
  const strange = logprobs.find(({ symbol }) => !SYMBOLS.slice(0, optionCount).includes(symbol));
  if (strange !== undefined) throw new Error(`expected logprobs of ${optionCount} letters, found one of another`);
  const known = logprobs.flatMap(({ symbol, logprob }) => (logprob === null ? [] : [{ symbol, logprob }]));
  const wrong = known.find(({ logprob }) => !isLogprob(logprob));
  if (wrong !== undefined) throw new Error(`expected log probabilities, at most 0, found ${wrong.logprob}`);
  requireNear("symbol_mass", answer.symbolMass, symbolMass(logprobs));
  if (outcome.status !== "chosen" || outcome.margin === null) return;
  const [best, second] = known.toSorted((a, b) => b.logprob - a.logprob);
  requireSame("chosen_symbol", outcome.chosenSymbol, best?.symbol);
  const margin = best === undefined || second === undefined ? null : best.logprob - second.logprob;
  requireNear("margin", outcome.margin, margin);
}

function requireSame(field: string, found: string | number | null, expected: string | number | undefined): void {
  if (found !== expected) throw new Error(`expected ${field} ${String(expected)} by its other fields, found ${found}`);
}

function requireNear(field: string, found: number | null, expected: number | null): void {
  const isNear = found === null || expected === null ? found === expected : Math.abs(found - expected) <= ROUNDING;
  if (!isNear) throw new Error(`expected ${field} ${expected} by its other fields, found ${found}`);
}
