import { join } from "node:path";
import { type Cell, writeTable } from "../../../store/csv.js";
import { writeDataPackage } from "../../../store/data-package.js";
import { type ScoredGeneration, summariseGenerations } from "../metric/generation-summary.js";
import type { QuestionScore } from "../metric/question-score.js";
import { summariseForm } from "../metric/summary.js";
import type { SummaryRow } from "../metric/summary-row.js";
import { loadProbes } from "../question/probes.js";
import { answerRow, type RowOwner } from "../record/answer-row.js";
import { ANSWERS, GENERATIONS, QUESTIONS, SUMMARY, TABLES } from "../record/columns.js";
import { buildIndexes, missingIn, type Recorded, type RunIndexes } from "../record/journals.js";
import { questionRow, summaryRow } from "../record/rows.js";
import { type RunFile, readRunFile, writeRunFile } from "../record/run-file.js";
import { Tally } from "../record/tally.js";
import { writeGenerations } from "./score-generations.js";
import { isStoppedEarly, scoreQuestionOf } from "./score-question.js";

/** A run as its journals tell it. */
export interface ScoredRun {
  readonly folder: string;
  readonly run: RunFile;
  readonly summary: readonly SummaryRow[];
  /** Of a run that `run.json` says is complete: what has no line in its journals; absent when nothing is missing. */
  readonly missing?: Recorded;
}

/** What the journals come to, before the summary. */
export interface Scores {
  readonly questions: readonly QuestionScore[];
  readonly generations: readonly ScoredGeneration[];
}

/**
 * Computes all metrics of a run from its journals and writes its tables, `run.json` and `datapackage.json`. Makes no
 * model call. Memory: a few hundred bytes a question.
 * @throws ProbeError `bad_input` when the folder holds no run, or a journal is damaged
 */
export async function scoreRun(folder: string): Promise<ScoredRun> {
  const run = await readRunFile(folder);
  const indexes = await buildIndexes(folder, run);
  const owner = { runId: run.run_id, model: run.model.label };
  const tally = new Tally();
  const questions = await writeAnswers(folder, run, owner, indexes.answers, tally);
  const generations = run.generations === 0 ? [] : await writeGenerations(folder, owner, indexes.generations, tally);
  const summary = await summarise(run, { questions, generations });
  await writeTable(
    join(folder, SUMMARY.file),
    SUMMARY,
    summary.map((row) => summaryRow(owner, row)),
  );
  const { tokens, ...counts } = tally.totals();
  const updated: RunFile = { ...run, ...counts, tokens: { ...run.tokens, ...tokens }, cost: tally.cost(run.price) };
  await writeRunFile(folder, updated);
  await writeDataPackage(folder, run.run_id, tablesOf(run));
  const missing = missingIn(indexes, run);
  return { folder, run: updated, summary, ...(missing !== null && { missing }) };
}

/** The tables that a run has. */
function tablesOf({ generations }: RunFile): typeof TABLES {
  return TABLES.filter((table) => table !== GENERATIONS || generations > 0);
}

/** Writes `answers.csv` and `questions.csv`. */
async function writeAnswers(
  folder: string,
  run: RunFile,
  owner: RowOwner,
  index: RunIndexes["answers"],
  tally: Tally,
): Promise<QuestionScore[]> {
  const scores: QuestionScore[] = [];
  const rows = async function* (): AsyncGenerator<Cell[]> {
    for await (const group of index.byItem()) {
      scores.push(scoreQuestionOf(run, group));
      for (const answer of group) {
        tally.addAnswer(answer);
        yield answerRow(owner, answer);
      }
    }
  };
  await writeTable(join(folder, ANSWERS.file), ANSWERS, rows());
  await writeTable(
    join(folder, QUESTIONS.file),
    QUESTIONS,
    scores.map((score) => questionRow(owner, score)),
  );
  return scores;
}

/** All metrics of a run, from its scores; writes nothing. */
export async function summarise(run: RunFile, { questions, generations }: Scores): Promise<SummaryRow[]> {
  const probes = await loadProbes();
  return run.forms.flatMap(({ task, difficulty }) => {
    const probe = probes.get(task);
    if (probe === undefined) return [];
    if (probe.kind === "generation") {
      const written = generations.filter((generation) => generation.task === task);
      return written.length === 0 ? [] : summariseGenerations(task, written);
    }
    const members = questions.filter((score) => score.task === task && score.difficulty === difficulty);
    return members.length === 0 ? [] : summariseForm({ probe, difficulty }, members, isStoppedEarly(run));
  });
}
