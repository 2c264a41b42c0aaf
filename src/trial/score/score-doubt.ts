import type { Block, Cell } from "../../report/block.js";
import { notice } from "../../report/make-block.js";
import type { ScoreMark } from "../../verdict/judgement.js";
import type { RunVerdicts } from "../../verdict/verdict.js";
import type { ScoreColumn } from "../trial-records.js";
import { headlineMetrics } from "./summarise-trials.js";

/** Doubt about what scores rest on: a mark before each, and its meaning in words. */
export interface ScoreDoubt {
  readonly mark: ScoreMark;
  readonly why: string;
}

/** Scores of a suite, those that a judge has a part in among them. */
interface DoubtedScores {
  readonly scores: readonly ScoreColumn[];
  readonly headline: string;
  /** Trials a task and condition. */
  readonly trials: number;
}

/** The blocks of a run with the mark in the cells of the scores that a judge has a part in, and its meaning before them. */
export function markedBlocks(
  blocks: readonly Block[],
  { scores, headline, trials }: DoubtedScores,
  doubt: ScoreDoubt | null,
): Block[] {
  if (doubt === null) return [...blocks];
  const judged = judgedNames(scores);
  const ids = judged.includes(headline) ? [...judged, ...headlineMetrics(trials)] : judged;
  return [
    notice(doubt.mark.tone, `${doubt.mark.text}: ${doubt.why}`),
    ...markColumns(blocks, new Set(ids), doubt.mark),
  ];
}

/** The forms of a run with the mark at their scores, where a judge has a part in the headline. */
export function markedForms(
  forms: RunVerdicts["forms"],
  { scores, headline }: Omit<DoubtedScores, "trials">,
  doubt: ScoreDoubt | null,
): RunVerdicts["forms"] {
  if (doubt === null || !judgedNames(scores).includes(headline)) return forms;
  return forms.map((form) => ({ ...form, judgement: form.judgement && { ...form.judgement, mark: doubt.mark } }));
}

function judgedNames(scores: readonly ScoreColumn[]): string[] {
  return scores.filter(({ isJudged }) => isJudged === true).map(({ name }) => name);
}

/** The blocks with a mark before every number of some columns, in all their tables. */
function markColumns(blocks: readonly Block[], ids: ReadonlySet<string>, mark: ScoreMark): Block[] {
  return blocks.map((block) => {
    if (block.kind === "details" || block.kind === "group")
      return { ...block, blocks: markColumns(block.blocks, ids, mark) };
    if (block.kind !== "table") return block;
    const cells = (row: readonly Cell[]): Cell[] =>
      row.map((cell, i) =>
        cell.kind === "number" && ids.has(block.columns[i]?.id ?? "") ? { ...cell, badge: mark } : cell,
      );
    const { rows, references, ...table } = block;
    return { ...table, rows: rows.map(cells), ...(references && { references: references.map(cells) }) };
  });
}
