import { sum } from "simple-statistics";
import { summarise } from "../../ask/score.js";
import { measureGeneration } from "../../ask/score-generations.js";
import { scoreQuestionOf } from "../../ask/score-question.js";
import { generationStatus } from "../../example/generation.js";
import type { ScoredGeneration } from "../../metric/generation-summary.js";
import type { SummaryRow } from "../../metric/summary-row.js";
import { buildIndexes, type RunIndexes } from "../../record/journals.js";
import type { NamedRun } from "../../record/stored-run.js";
import { type AskedQuestion, askedQuestion } from "./asked-question.js";

/** A generation of a run, and what it amounts to. */
export interface WrittenRevision extends ScoredGeneration {
  readonly exampleId: string;
  /** What the model wrote; `null` when it failed. */
  readonly text: string | null;
  /** Why it failed. */
  readonly failure: string | null;
  /** The right revision. */
  readonly reference: string;
}

/** A stored run as its journals tell it; finished or not. */
export interface ReportRun extends NamedRun {
  readonly summary: readonly SummaryRow[];
  /** In the order of the run. */
  readonly questions: readonly AskedQuestion[];
  readonly generations: readonly WrittenRevision[];
  /** What the journals hold; `run.json` of an interrupted run does not tell. */
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
  const questions = await readQuestions(named, indexes.answers);
  const generations = await readGenerations(indexes.generations);
  const summary = await summarise(named.run, { questions: questions.map(({ score }) => score), generations });
  return { ...named, summary, questions, generations, counts: countsOf(questions, generations) };
}

function countsOf(questions: readonly AskedQuestion[], generations: readonly WrittenRevision[]): ReportRun["counts"] {
  const total = (of: (score: AskedQuestion["score"]) => number) => sum(questions.map(({ score }) => of(score)));
  return {
    answers: total(({ answered, failed }) => answered + failed),
    undecided: total(({ undecided }) => undecided),
    failed: total(({ failed }) => failed) + generations.filter(({ status }) => status === "failed").length,
  };
}

async function readQuestions({ run }: NamedRun, index: RunIndexes["answers"]): Promise<AskedQuestion[]> {
  const questions: AskedQuestion[] = [];
  for await (const answers of index.byItem()) {
    questions.push(askedQuestion(scoreQuestionOf(run, answers), answers));
  }
  return questions;
}

async function readGenerations(index: RunIndexes["generations"]): Promise<WrittenRevision[]> {
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
      measured: await measureGeneration(generation),
      text: outcome.status === "generated" ? outcome.text : null,
      failure: outcome.status === "failed" ? outcome.failure : null,
    });
  }
  return written;
}
