import type { Block, Cell } from "../report/block.js";
import { notice } from "../report/make-block.js";
import type { Unanimity } from "../stats/rater-agreement.js";
import type { ScoreColumn } from "../trial/adapter.js";
import type { ScoreMark } from "../verdict/judgement.js";
import type { RunVerdicts } from "../verdict/verdict.js";
import type { JudgeControl } from "./judge-controls.js";

/** A mark with its meaning in words. */
interface ExplainedMark {
  readonly mark: ScoreMark;
  readonly why: string;
}

/**
 * The mark of every score that a judge has a part in; `null`: the judge was measured, by right solutions, by empty ones and by
 * the same again, and tells them apart.
 */
export function judgeMark(control: JudgeControl | null, agreement: Unanimity | null): ExplainedMark | null {
  if (control?.state === "useless")
    return {
      mark: { text: "useless judge", tone: "bad" },
      why: "a judge has a part in these scores that does not tell right from wrong.",
    };
  const mark = { text: "judge?", tone: "warning" } as const;
  const ends = [...(control?.floor == null ? ["floor"] : []), ...(control?.ceiling == null ? ["ceiling"] : [])];
  const again = agreement?.share == null ? ["self-agreement"] : [];
  const lacking = [...ends, ...again];
  if (lacking.length > 0) {
    const options = [...(control === null ? ["--controls"] : []), ...(again.length > 0 ? ["--judge-votes 2"] : [])];
    const what = new Intl.ListFormat("en").format(lacking);
    const why = `a judge has a part in these scores whose ${what} ${lacking.length === 1 ? "was" : "were"} not measured${options.length === 0 ? "" : `: add ${options.join(" and ")}`}.`;
    return { mark, why };
  }
  if (control?.state === "tells") return null;
  return { mark, why: "a judge has a part in these scores that was measured on too little to tell." };
}

/** What is computed of the headline besides itself. */
const OF_HEADLINE = /^(pass_at_|pass_hat_)\d+$|^false_confidence$/;

/** The blocks of a run with the mark in the cells of the scores that the judge has a part in, and its meaning before them. */
export function markedBlocks(
  blocks: readonly Block[],
  { scores, headline }: { readonly scores: readonly ScoreColumn[]; readonly headline: string },
  found: ExplainedMark | null,
): Block[] {
  if (found === null) return [...blocks];
  const judged = scores.flatMap(({ name, isJudged }) => (isJudged === true ? [name] : []));
  const ids = new Set(
    judged.includes(headline) ? [...judged, ...columnsOf(blocks).filter((id) => OF_HEADLINE.test(id))] : judged,
  );
  const marked = markColumns(blocks, ids, found.mark);
  return [notice(found.mark.tone, `${found.mark.text}: ${found.why}`), ...marked];
}

function columnsOf(blocks: readonly Block[]): string[] {
  return blocks.flatMap((block) => (block.kind === "table" ? block.columns.map(({ id }) => id) : []));
}

/** The forms of a run with the mark at their scores, where the judge has a part in the headline. */
export function markedForms(
  forms: RunVerdicts["forms"],
  { scores, headline }: { readonly scores: readonly ScoreColumn[]; readonly headline: string },
  found: ExplainedMark | null,
): RunVerdicts["forms"] {
  const isJudged = scores.some(({ name, isJudged: own }) => name === headline && own === true);
  if (found === null || !isJudged) return forms;
  return forms.map((form) => ({ ...form, judgement: { ...form.judgement, mark: found.mark } }));
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
