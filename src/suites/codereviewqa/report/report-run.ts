import { sum } from "simple-statistics";
import { SYMBOLS } from "../../../base/symbol.js";
import { ownText } from "../../../base/text.js";
import { optionCountOfOrder, permutationCount } from "../../../question/permutations.js";
import type { ProbeDefinition } from "../../../question/question.js";
import { markUnfinished, type RunVerdicts } from "../../../verdict/verdict.js";
import type { Answer } from "../answer/answer.js";
import { generationStatus } from "../answer/generation.js";
import { askedFirst, type QuestionScore, recordsOf, scoreQuestionOf } from "../metric/question-score.js";
import type { SummaryRow } from "../metric/summary-row.js";
import { scoreWritten } from "../metric/written/generation-summary.js";
import type { ScoredGeneration } from "../metric/written/scored-generation.js";
import { isRaced } from "../record/run-file.js";
import {
  buildIndexes,
  isWhole,
  type NamedRun,
  probesOf,
  type RunIndexes,
  unfinishedText,
} from "../record/stored-run.js";
import { decidedForms, readFloors } from "../suite/form-floors.js";
import { withTraces } from "../suite/question-traces.js";
import { summarise } from "../suite/summarise.js";
import { runVerdicts } from "../suite/verdicts.js";

/** Outcome of one order, as one byte: 0–25 the symbol that was chosen (A–Z), else one of these. */
export const OUTCOME = { tie: 252, unknownSymbol: 253, failed: 254, notAsked: 255 } as const;

/** A question of a run, with what came of each order. */
export interface AskedQuestion {
  readonly score: QuestionScore;
  /** True if nothing of it is left to ask. */
  readonly isDone: boolean;
  readonly optionCount: number;
  /** Outcome by permutation index: see `OUTCOME`. */
  readonly outcomes: Uint8Array;
  /** Log probability by permutation index, then symbol; NaN where unknown. `null` when no answer has any. */
  readonly logprobs: Float32Array | null;
  /** Best minus second best log probability, nats, by permutation index; NaN where there is none. */
  readonly margins: Float32Array;
  /** Permutation index and kind of each failed answer. */
  readonly failures: readonly (readonly [number, string])[];
}

/** The answers to one question in columns: a few hundred bytes. */
export function askedQuestion(score: QuestionScore, answers: readonly Answer[], isDone: boolean): AskedQuestion {
  const optionCount = optionCountOfOrder(answers[0]?.permutation ?? "");
  const permutations = permutationCount(optionCount);
  const outcomes = new Uint8Array(permutations).fill(OUTCOME.notAsked);
  const margins = answers.some(hasMargin) ? new Float32Array(permutations).fill(Number.NaN) : noMargins(permutations);
  const hasLogprobs = answers.some(({ logprobs: scores }) => scores.length > 0);
  const logprobs = new Float32Array(hasLogprobs ? permutations * optionCount : 0).fill(Number.NaN);
  const failures: [number, string][] = [];
  for (const { permutationIndex: place, outcome, logprobs: scores } of answers) {
    outcomes[place] = outcomeCode(outcome);
    if (outcome.status === "chosen" && outcome.margin !== null) margins[place] = outcome.margin;
    if (outcome.status === "failed") failures.push([place, ownText(outcome.failure)]);
    setLogprobs(logprobs.subarray(place * optionCount, (place + 1) * optionCount), scores);
  }
  const isAnyKnown = logprobs.some((value) => !Number.isNaN(value));
  return { score, isDone, optionCount, outcomes, margins, failures, logprobs: isAnyKnown ? logprobs : null };
}

/** @param own the places of an order's symbols */
function setLogprobs(own: Float32Array, scores: Answer["logprobs"]): void {
  for (const { symbol, logprob } of scores) {
    if (logprob !== null) own[SYMBOLS.indexOf(symbol)] = logprob;
  }
}

function hasMargin({ outcome }: Answer): boolean {
  return outcome.status === "chosen" && outcome.margin !== null;
}

const knownNoMargins = new Map<number, Float32Array>();

/** The same for all questions without a margin: nobody writes into it. */
function noMargins(permutations: number): Float32Array {
  const known = knownNoMargins.get(permutations) ?? new Float32Array(permutations).fill(Number.NaN);
  knownNoMargins.set(permutations, known);
  return known;
}

function outcomeCode(outcome: Answer["outcome"]): number {
  if (outcome.status === "chosen") return SYMBOLS.indexOf(outcome.chosenSymbol);
  if (outcome.status === "failed") return OUTCOME.failed;
  return outcome.reason === "tie" ? OUTCOME.tie : OUTCOME.unknownSymbol;
}

/** A generation of a run, and what it amounts to. */
export interface WrittenRevision extends ScoredGeneration {
  readonly exampleId: string;
  /** The generated text; `null` when it failed. */
  readonly text: string | null;
  /** Reason of the failure. */
  readonly failure: string | null;
  /** The right revision. */
  readonly reference: string;
}

/** A stored run as its journals tell it; finished or not. */
export interface ReportRun extends NamedRun {
  readonly summary: readonly SummaryRow[];
  /** The run as comparison, CI reports and leaderboards read it. */
  readonly verdicts: RunVerdicts;
  /** Questions in the order of the run. */
  readonly questions: readonly AskedQuestion[];
  readonly generations: readonly WrittenRevision[];
  /** What was not asked as its verdict was decided, a sentence a form. */
  readonly decided: readonly string[];
  /** Counts of the journals; `run.json` of an interrupted run does not tell them. */
  readonly counts: {
    readonly answers: number;
    readonly undecided: number;
    /** Failed answers and generations. */
    readonly failed: number;
  };
}

/**
 * Reads the journals of a run and scores them; writes nothing. Memory: about a kilobyte a question, and the generations.
 * @throws ProbeError `bad_input` when a journal is damaged
 */
export async function readReportRun(named: NamedRun): Promise<ReportRun> {
  const indexes = await buildIndexes(named.folder, named.run);
  const untraced = await readQuestions(named, indexes.answers);
  const generations = await readGenerations(indexes.generations, await probesOf([named.run]));
  const scores = await withTraces(
    named.folder,
    named.run,
    untraced.map(({ score }) => score),
  );
  const questions = untraced.map((question, i) => {
    const score = scores[i] ?? question.score;
    return score === question.score ? question : { ...question, score };
  });
  const floors = await readFloors(named.folder, named.run, scores);
  const summary = await summarise(named.run, { questions: scores, generations, floors });
  const { decided, told } = decidedForms(named.run, scores, floors);
  const unfinished = unfinishedText(named.run, { questions, generations, decided });
  const verdicts = await runVerdicts({
    folder: named.folder,
    run: named.run,
    summary,
    unfinished,
    questions: questions.map(({ score, isDone }) => ({ score, isDone, asked: null })),
    generations: generations.map((scored) => ({ scored, exampleId: scored.exampleId, asked: "" })),
  });
  return {
    ...named,
    summary,
    verdicts: markUnfinished(verdicts, unfinished),
    questions,
    generations,
    decided: told,
    counts: countsOf(questions, generations),
  };
}

function countsOf(questions: readonly AskedQuestion[], generations: readonly WrittenRevision[]): ReportRun["counts"] {
  const total = (of: (score: AskedQuestion["score"]) => number) => sum(questions.map(({ score }) => of(score)));
  return {
    answers: total((score) => recordsOf(score).answered + recordsOf(score).failed),
    undecided: total(({ undecided }) => undecided),
    failed: total((score) => recordsOf(score).failed) + generations.filter(({ status }) => status === "failed").length,
  };
}

async function readQuestions({ run }: NamedRun, index: RunIndexes["answers"]): Promise<AskedQuestion[]> {
  const questions: AskedQuestion[] = [];
  for await (const answers of index.byItem()) {
    questions.push(askedQuestion(scoreQuestionOf(run, answers), askedFirst(answers), isWhole(run, answers)));
  }
  return questions;
}

async function readGenerations(
  index: RunIndexes["generations"],
  probes: ReadonlyMap<string, ProbeDefinition>,
): Promise<WrittenRevision[]> {
  const written: WrittenRevision[] = [];
  for await (const [generation] of index.byItem()) {
    if (generation === undefined) continue;
    const { task, language, changeType, outcome, exampleId, reference } = generation;
    written.push({
      task,
      language,
      changeType,
      exampleId,
      reference,
      status: generationStatus(outcome),
      ...(await scoreWritten(generation, probes.get(task))),
      text: outcome.status === "generated" ? outcome.text : null,
      failure: outcome.status === "failed" ? outcome.failure : null,
    });
  }
  return written;
}

/** Tests if nothing is left to ask of the questions of a run. */
export function hasAllAnswers({ run, questions }: Pick<ReportRun, "run" | "questions">): boolean {
  return isDecided(run) || questions.filter(({ isDone }) => isDone).length === run.questions;
}

export function hasAllGenerations({ run, generations }: Pick<ReportRun, "run" | "generations">): boolean {
  return generations.length === run.generations;
}

/** `true`: what was not asked was left once the verdicts were decided. */
function isDecided(run: NamedRun["run"]): boolean {
  return isRaced(run) && run.status === "complete";
}
