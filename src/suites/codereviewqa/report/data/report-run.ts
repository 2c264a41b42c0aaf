import { sum } from "simple-statistics";
import type { ProbeDefinition } from "../../../../question/question.js";
import type { RunVerdicts } from "../../../../verdict/verdict.js";
import { generationStatus } from "../../answer/generation.js";
import { scoreWritten } from "../../ask/score-generations.js";
import { isStoppedEarly, scoreQuestionOf } from "../../ask/score-question.js";
import type { ScoredGeneration } from "../../metric/generation-summary.js";
import type { SummaryRow } from "../../metric/summary-row.js";
import { buildIndexes, type RunIndexes } from "../../record/journals.js";
import { probesOf } from "../../record/recorded-probes.js";
import type { NamedRun } from "../../record/stored-run.js";
import { readFloors } from "../../suite/floors.js";
import { summarise } from "../../suite/summarise.js";
import { runVerdicts } from "../../suite/verdicts.js";
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
  /** What comparison, CI reports and leaderboards read. */
  readonly verdicts: RunVerdicts;
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
  const generations = await readGenerations(indexes.generations, await probesOf([named.run]));
  const scores = questions.map(({ score }) => score);
  const floors = await readFloors(named.folder, named.run, scores);
  const summary = await summarise(named.run, { questions: scores, generations, floors });
  const verdicts = await runVerdicts({
    ...{ folder: named.folder, run: named.run, summary, unfinished: missingText(named.run, questions, generations) },
    questions: questions.map(({ score }) => ({ score, asked: null, isDone: true })),
    generations: generations.map((scored) => ({ scored, exampleId: scored.exampleId, asked: "" })),
  });
  return { ...named, summary, verdicts, questions, generations, counts: countsOf(questions, generations) };
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

/** What a page says is missing from a run; `null`: nothing. */
function missingText(
  run: NamedRun["run"],
  questions: readonly AskedQuestion[],
  generations: readonly WrittenRevision[],
): string | null {
  const missing = run.questions - questions.length + run.generations - generations.length;
  const orders = questions.reduce((all, { score }) => all + score.permutations - score.answered - score.failed, 0);
  if (missing + (isStoppedEarly(run) ? 0 : orders) === 0) return null;
  return `${missing} of ${run.questions + run.generations} questions or generations, and ${orders} orders of others`;
}
