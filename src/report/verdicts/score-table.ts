import { mcNemarExact } from "../../stats/p-values.js";
import { bestOf, isBest } from "../../verdict/judgement.js";
import type { Scoreboard, ScoreboardRow } from "../../verdict/scoreboard.js";
import type { RunVerdicts, Verdict, VerdictForm } from "../../verdict/verdict.js";
import type { Block, Cell, TableBlock } from "../block.js";
import { SIGNS_TEXT, worthOf } from "../judgement-words.js";
import {
  type ColumnOf,
  EMPTY,
  intervalOf,
  MISSING,
  numberCell,
  numberColumn,
  rightColumn,
  sentence,
  tableOf,
  textCell,
  textColumn,
} from "../make-block.js";
import { numberText } from "../number-text.js";

/** Every run on every form: a verdict a cell, the floors below, the best above. */
export function scoresTable(board: Scoreboard, caption: string | null): TableBlock {
  const { forms, rows, floors } = board;
  const hasMean = forms.length > 1;
  const columns: ColumnOf<ScoreboardRow>[] = [
    textColumn("model", "Model", ({ model }) => model),
    ...forms.map((form) => scoreColumn(form, rows)),
    ...(hasMean ? [MEAN] : []),
  ];
  const references = floors.map(({ title, models, values }): Cell[] => [
    textCell(`Floor: ${title}${models === null ? "" : ` (${models.join(", ")})`}`),
    ...forms.map((form): Cell => {
      const floor = values.get(form);
      if (floor === undefined) return MISSING;
      return numberCell(floor.value, "points", floor.rule === null ? {} : { note: [floor.rule] });
    }),
    ...(hasMean ? [EMPTY] : []),
  ]);
  return tableOf(caption, columns, rows, { isSortable: true, isCompact: true, references });
}

function scoreColumn(form: VerdictForm, rows: readonly ScoreboardRow[]): ColumnOf<ScoreboardRow> {
  const best = bestScore(rows, form);
  const id = form.name.toLowerCase().replace(/[^a-z0-9]+/g, "_");
  return rightColumn(id, form.name, ({ scores }) => {
    const score = scores.get(form);
    if (score === undefined) return MISSING;
    const { value, ciLow, ciHigh, judgement } = score;
    const interval = intervalOf(ciLow, ciHigh);
    const mark = isBest(score, best) ? { isBest: true } : {};
    return numberCell(value, "points", { interval, ...worthOf(judgement), ...mark });
  });
}

function bestScore(rows: readonly ScoreboardRow[], form: VerdictForm): number | null {
  return bestOf(rows.flatMap(({ scores }) => scores.get(form) ?? []));
}

const MEAN: ColumnOf<ScoreboardRow> = numberColumn("mean", "Mean", "points", ({ mean }) => mean, { importance: 2 });

/** Names the rule with the highest floor of each form. */
export function floorSentence({ forms, floors }: Scoreboard): Block[] {
  const named = forms.flatMap((form) => {
    const own = floors.filter(({ models }) => models === null).flatMap(({ values }) => values.get(form) ?? []);
    const highest = own.toSorted((a, b) => b.value - a.value)[0];
    return highest?.rule == null ? [] : [`${form.name} ${highest.rule}`];
  });
  return named.length === 0 ? [] : [sentence(`Rules with the highest floors: ${named.join(", ")}.`)];
}

/** Legend of the signs behind numbers. */
export const SIGNS: Block = sentence(SIGNS_TEXT);

/** The best models of a form, and the doubt in their lead. */
interface Winner {
  readonly form: VerdictForm;
  readonly names: readonly string[];
  /** Words for a lead that may be chance; `null`: it is none. */
  readonly doubt: string | null;
}

/** A lead that chance gives in more than one of twenty is none. */
const ALPHA = 0.05;

/** Who is best, in a sentence or two: only what is above its floor can be; of several runs alone. */
export function bestBlocks(board: Scoreboard, runs: readonly RunVerdicts[]): Block[] {
  if (board.rows.length < 2) return [];
  const winners = board.forms.flatMap((form): Winner[] => winnerOf(form, board, runs));
  const names = [...new Set(winners.map((winner) => winner.names.join(" and ")))];
  const parts = names.map((name) => {
    const forms = winners.filter((winner) => winner.names.join(" and ") === name).map(({ form }) => form.name);
    return `${name} on ${forms.join(", ")}`;
  });
  const without = board.forms.filter((form) => !winners.some((winner) => winner.form === form)).map(({ name }) => name);
  const none = without.length === 0 ? "" : ` On ${without.join(", ")} none is above its floor.`;
  const best = parts.length === 0 ? "No score is above its floor." : `Best: ${parts.join("; ")}.${none}`;
  const doubts = winners.flatMap(({ doubt }) => doubt ?? []);
  return [
    { kind: "text", role: "answer", parts: [best] },
    ...(doubts.length === 0 ? [] : [sentence(`The lead may be chance on ${doubts.join(", ")}.`)]),
  ];
}

function winnerOf(form: VerdictForm, { rows }: Scoreboard, runs: readonly RunVerdicts[]): Winner[] {
  const best = bestScore(rows, form);
  if (best === null) return [];
  const scoreIn = ({ scores }: ScoreboardRow) => scores.get(form)?.value ?? -1;
  const first = rows.filter(({ scores }) => {
    const score = scores.get(form);
    return score !== undefined && isBest(score, best);
  });
  const [winner] = first;
  const second = rows.filter((row) => !first.includes(row)).sort((a, b) => scoreIn(b) - scoreIn(a))[0];
  const names = first.map(({ model }) => model);
  if (winner === undefined || first.length > 1 || second === undefined) return [{ form, names, doubt: null }];
  const pValue = leadOf(form, verdictsOf(winner, runs), verdictsOf(second, runs));
  const isDoubtful = pValue !== null && pValue >= ALPHA;
  const doubt = isDoubtful ? `${form.name} (before ${second.model}, p = ${numberText(pValue, "pvalue")})` : null;
  return [{ form, names, doubt }];
}

function verdictsOf({ runId }: ScoreboardRow, runs: readonly RunVerdicts[]): readonly Verdict[] {
  return runs.find((run) => run.runId === runId)?.verdicts ?? [];
}

/** McNemar's exact test on the items that both were asked; `null` without any. */
function leadOf({ name }: VerdictForm, first: readonly Verdict[], second: readonly Verdict[]): number | null {
  const other = new Map(second.filter(({ form }) => form === name).map((verdict) => [verdict.item, verdict.passed]));
  const pairs = first.flatMap(({ form, item, passed }) => {
    const its = other.get(item);
    return form !== name || passed === null || its == null ? [] : [{ passed, its }];
  });
  const only = (mine: boolean) => pairs.filter(({ passed, its }) => passed === mine && its !== mine).length;
  return pairs.length === 0 ? null : mcNemarExact(only(true), only(false));
}
