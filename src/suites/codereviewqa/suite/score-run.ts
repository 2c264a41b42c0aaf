import { modelName } from "../../../model/vendor/model-name.js";
import type { ProbeDefinition } from "../../../question/question.js";
import type { StoredRun, SuiteScore, WriteTable } from "../../../run/suite.js";
import { entryOf, type TableDescription } from "../../../store/table.js";
import type { Answer } from "../answer/answer.js";
import { ANSWER_JOURNAL } from "../answer/answer.js";
import { requireDerived } from "../answer/derived-fields.js";
import { GENERATION_JOURNAL, type Generation, generationStatus } from "../answer/generation.js";
import { requireSameQuestion } from "../answer/question-fields.js";
import { type QuestionScore, scoreQuestionOf } from "../metric/question-score.js";
import type { SummaryRow } from "../metric/summary-row.js";
import type { ScoredText } from "../record/generations-table.js";
import { probesOf } from "../record/recorded-probes.js";
import {
  answersTable,
  QUESTIONS,
  type RowOwner,
  type RunRow,
  runRows,
  SUMMARY,
  SUMMARY_COLUMNS,
} from "../record/result-tables.js";
import { failedCount, isRaced, mostOptions, type RunFile } from "../record/run-file.js";
import { isWhole, textOfQuestion } from "../record/stored-run.js";
import { Tally } from "../record/tally.js";
import { resultBlocks, summaryFacts } from "../report/run-summary.js";
import { readFloors } from "./form-floors.js";
import { summarise } from "./summarise.js";
import { type JudgedGeneration, type JudgedQuestion, runVerdicts } from "./verdicts.js";

const NOTHING_DECIDED = { decided: 0, told: [] };

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
  const { decided, told } = isRaced(run)
    ? await (await import("./decided-forms.js")).decidedForms(run, scores, floors)
    : NOTHING_DECIDED;
  await write(SUMMARY, runRows(owner, summary));
  const { tokens, ...counts } = tally.totals();
  const updated: RunFile = { ...run, ...counts, tokens: { ...run.tokens, ...tokens }, cost: tally.cost(run.price) };
  const open = unfinished(updated, questions, generations, decided);
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
    blocks: [...(await resultBlocks(updated, summary, tally.longestUnfit)), ...told],
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

function unfinished(
  run: RunFile,
  questions: readonly JudgedQuestion[],
  generations: readonly JudgedGeneration[],
  decided: number,
): string | null {
  const open = run.questions - decided - questions.filter(({ isDone: done }) => done).length;
  if (open > 0) return `${open} of ${run.questions} questions with orders that have no answer yet`;
  const missing = run.generations - generations.length;
  return missing > 0 ? `${missing} of ${run.generations} generations missing` : null;
}
