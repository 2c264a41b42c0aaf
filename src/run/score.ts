import { join } from "node:path";
import type { Answer } from "../domain/answer.js";
import { type QuestionScore, scoreQuestion } from "../metric/question-score.js";
import { type SummaryRow, summariseForm } from "../metric/summary.js";
import { costOf } from "../model/prices.js";
import { permutationCount } from "../permutation/permutations.js";
import { loadProbes } from "../question/probes.js";
import { ANSWERS, QUESTIONS, SUMMARY, TABLES } from "../result/columns.js";
import { type Cell, writeTable } from "../result/csv.js";
import { writeDataPackage } from "../result/data-package.js";
import { JournalIndex } from "../result/journal-index.js";
import { answerRow } from "../result/rows.js";
import { type RunFile, readRunFile, writeRunFile } from "../result/run-file.js";
import { questionRow, summaryRow } from "./rows.js";

/** The name of the journal in a run's folder. */
export const JOURNAL_FILE = "answers.jsonl";

/** A run as its journal tells it. */
export interface ScoredRun {
  readonly folder: string;
  readonly run: RunFile;
  readonly summary: readonly SummaryRow[];
}

/**
 * Computes all metrics of a run from its journal and writes its tables, `run.json` and `datapackage.json`. Makes no
 * model call. Memory: a few hundred bytes a question.
 * @throws ProbeError `bad_input` when the folder holds no run, or its journal is damaged
 */
export async function scoreRun(folder: string): Promise<ScoredRun> {
  const run = await readRunFile(folder);
  const index = await JournalIndex.build(join(folder, JOURNAL_FILE), run.questions);
  const owner = { runId: run.run_id, model: run.model.label };
  const isEarlyStop = run.parameters["early_stop"] === true;
  const tally = new Tally();
  const scores: QuestionScore[] = [];
  const answers = async function* (): AsyncGenerator<Cell[]> {
    for await (const group of index.byQuestion()) {
      const score = scoreQuestion(group, permutationCount(group[0]?.permutation.length ?? 0));
      // Agreement over the questions that happened to get through would be a biased pick.
      scores.push(isEarlyStop ? { ...score, pluralityAgreement: null, meanAccuracy: null } : score);
      for (const answer of group) {
        tally.add(answer);
        yield answerRow(owner, answer);
      }
    }
  };
  await writeTable(join(folder, ANSWERS.file), ANSWERS, answers());
  await writeTable(
    join(folder, QUESTIONS.file),
    QUESTIONS,
    scores.map((score) => questionRow(owner, score)),
  );
  const summary = await summarise(run, scores, isEarlyStop);
  await writeTable(
    join(folder, SUMMARY.file),
    SUMMARY,
    summary.map((row) => summaryRow(owner, row)),
  );
  const tokens = { ...run.tokens, ...tally.tokens() };
  const updated: RunFile = { ...run, counts: tally.counts(), tokens, cost: costOfRun(run, tokens.prompt, tally) };
  await writeRunFile(folder, updated);
  await writeDataPackage(folder, run.run_id, TABLES);
  return { folder, run: updated, summary };
}

/** One token is paid for each answer besides its prompt. */
function costOfRun({ price }: RunFile, promptTokens: number | null, tally: Tally): number | null {
  if (price === null || promptTokens === null) return null;
  const { currency, input: inputPerMillion, output: outputPerMillion, as_of: asOf } = price;
  const { chosen, undecided } = tally.counts();
  return costOf({ currency, inputPerMillion, outputPerMillion, asOf }, promptTokens, chosen + undecided);
}

async function summarise(run: RunFile, scores: readonly QuestionScore[], isEarlyStop: boolean): Promise<SummaryRow[]> {
  const probes = await loadProbes();
  return run.forms.flatMap(({ task, difficulty }) => {
    const probe = probes.get(task);
    const members = scores.filter((score) => score.task === task && score.difficulty === difficulty);
    return probe === undefined || members.length === 0
      ? []
      : summariseForm({ probe, difficulty }, members, isEarlyStop);
  });
}

/** Counts answers by status, and their tokens. */
class Tally {
  readonly #byStatus = { chosen: 0, undecided: 0, failed: 0 };
  readonly #failures = new Map<string, number>();
  #promptTokens: number | null = null;
  #cachedTokens: number | null = null;

  add({ outcome, promptTokens, cachedTokens }: Answer): void {
    this.#byStatus[outcome.status]++;
    if (outcome.status === "failed")
      this.#failures.set(outcome.failure, (this.#failures.get(outcome.failure) ?? 0) + 1);
    if (promptTokens !== null) this.#promptTokens = (this.#promptTokens ?? 0) + promptTokens;
    if (cachedTokens !== null) this.#cachedTokens = (this.#cachedTokens ?? 0) + cachedTokens;
  }

  counts(): RunFile["counts"] {
    return {
      ...this.#byStatus,
      failures: Object.fromEntries([...this.#failures].sort(([a], [b]) => (a < b ? -1 : 1))),
    };
  }

  tokens(): { prompt: number | null; cached: number | null } {
    return { prompt: this.#promptTokens, cached: this.#cachedTokens };
  }
}
