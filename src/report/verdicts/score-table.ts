import { groupBy } from "../../base/grouping.js";
import type { Lead } from "../../verdict/lead.js";
import type { Scoreboard, ScoreboardRow } from "../../verdict/scoreboard.js";
import type { RunVerdicts, VerdictForm } from "../../verdict/verdict.js";
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
    ...forms.map((form) => scoreColumn(form)),
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

function scoreColumn(form: VerdictForm): ColumnOf<ScoreboardRow> {
  const id = form.name.toLowerCase().replace(/[^a-z0-9]+/g, "_");
  return rightColumn(id, form.name, ({ scores }) => {
    const score = scores.get(form);
    if (score === undefined) return MISSING;
    const { value, ciLow, ciHigh, judgement, isBest } = score;
    const interval = intervalOf(ciLow, ciHigh);
    const mark = isBest ? { isBest } : {};
    return numberCell(value, "points", { interval, ...worthOf(judgement), ...mark });
  });
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

/**
 * The best models, in a sentence or two, as `probe compare` of the first two would say: the first is above its floor and
 * shown to be better than the next. Of several runs alone.
 */
export function bestBlocks({ forms, rows, leads }: Scoreboard): Block[] {
  if (rows.length < 2) return [];
  const nameOf = ({ runId, model }: RunVerdicts) => rows.find((row) => row.runId === runId)?.model ?? model;
  const best = groupBy(
    [...leads].filter(([, { isBest }]) => isBest),
    ([, { first }]) => nameOf(first),
  );
  const parts = [...best].map(([name, won]) => `${name} on ${won.map(([form]) => form.name).join(", ")}`);
  const open = [...leads].filter(([, { isBest }]) => !isBest);
  const without = forms.filter((form) => !leads.has(form)).map(({ name }) => name);
  const answer = parts.length === 0 ? "No model is shown to be best." : `Best: ${parts.join("; ")}.`;
  return [
    { kind: "text", role: "answer", parts: [answer] },
    ...(open.length === 0
      ? []
      : [sentence(`Highest, but not shown to be better than the next: ${open.map(openText(nameOf)).join("; ")}.`)]),
    ...(without.length === 0 ? [] : [sentence(`No score is above its floor on ${without.join(", ")}.`)]),
  ];
}

function openText(nameOf: (run: RunVerdicts) => string) {
  return ([form, { first, second, pValue }]: readonly [VerdictForm, Lead<RunVerdicts>]) => {
    const why = pValue === null ? "not asked the same" : `p = ${numberText(pValue, "pvalue")}`;
    return `${nameOf(first)} on ${form.name} (beside ${nameOf(second)}, ${why})`;
  };
}
