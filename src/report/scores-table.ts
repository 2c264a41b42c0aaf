import type { Scoreboard, ScoreboardRow } from "../verdict/scoreboard.js";
import type { VerdictForm } from "../verdict/verdict.js";
import type { Block, Cell, TableBlock } from "./block.js";
import { SIGNS_TEXT, worthOf } from "./judgement-words.js";
import { type ColumnOf, EMPTY, intervalOf, MISSING, numberCell, sentence, tableOf, textCell } from "./make-block.js";

/** Every run on every form: a verdict a cell, the floors below, the best above. */
export function scoresTable(board: Scoreboard, caption: string | null): TableBlock {
  const { forms, rows, floors } = board;
  const hasMean = forms.length > 1;
  const columns: ColumnOf<ScoreboardRow>[] = [
    { id: "model", label: "Model", align: "left", importance: 1, cell: ({ model }) => textCell(model) },
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
  return {
    id: columnId(form),
    label: form.name,
    align: "right",
    importance: 1,
    cell: ({ scores }) => {
      const score = scores.get(form);
      if (score === undefined) return MISSING;
      const { value, ciLow, ciHigh, judgement } = score;
      const isBest = best !== null && value === best && judgement.state === "above_floor";
      const interval = intervalOf(ciLow, ciHigh);
      return numberCell(value, "points", { interval, ...worthOf(judgement), ...(isBest ? { isBest } : {}) });
    },
  };
}

/** Such as `cl_hard`. */
function columnId({ name }: VerdictForm): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, "_");
}

/** The highest score of those above their floor: only they can be best, and only of several. */
export function bestScore(rows: readonly ScoreboardRow[], form: VerdictForm): number | null {
  const own = rows.flatMap(({ scores }) => scores.get(form) ?? []);
  const values = own.filter(({ judgement }) => judgement.state === "above_floor").flatMap(({ value }) => value ?? []);
  return own.length < 2 || values.length === 0 ? null : Math.max(...values);
}

const MEAN: ColumnOf<ScoreboardRow> = {
  id: "mean",
  label: "Mean",
  align: "right",
  importance: 2,
  cell: ({ mean }) => numberCell(mean, "points"),
};

/** Which rule gets the highest floor of each form. */
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
