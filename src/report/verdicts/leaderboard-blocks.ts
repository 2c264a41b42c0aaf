import { groupBy } from "../../base/grouping.js";
import { groupName } from "../../base/language.js";
import type { Judgement } from "../../verdict/judgement.js";
import type { Lead, LeaderboardFloor, LeaderboardRow, LeaderboardTable } from "../../verdict/leaderboard.js";
import type { Scoreboard, ScoreboardRow } from "../../verdict/scoreboard.js";
import { formLabel, type RunVerdicts, type VerdictForm } from "../../verdict/verdict.js";
import type { Block, Cell, Inline, TableBlock } from "../block.js";
import { SIGNS_TEXT, worthOf } from "../judgement-words.js";
import {
  type ColumnOf,
  EMPTY,
  heading,
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
import { type Markdown, renderMarkdown } from "../markdown.js";
import { numberText } from "../number-text.js";

/** The leaderboards as Markdown tables; the best of each column in bold. */
export function leaderboardMarkdown(tables: readonly LeaderboardTable[], notes: readonly string[]): Markdown {
  return renderMarkdown([
    heading(1, "Leaderboard"),
    ...notes.map((note) => sentence(note)),
    sentence(leaderboardMethod(tables)),
    SIGNS,
    ...tables.flatMap((table): Block[] => [heading(2, titleOf(table)), leaderboardTable(table, null)]),
  ]);
}

/** Explains how leaderboards are read; agreements with their distances, and rules of words, only where there are any. */
export function leaderboardMethod(tables: readonly LeaderboardTable[]): string {
  const hasDistances = tables.some(({ rows }) =>
    rows.some(({ columns }) => columns.some(({ distances }) => distances.length > 0)),
  );
  const hasWords = tables.some(({ rows }) => rows.some(({ judgement }) => judgement?.wordsFloor != null));
  const floor = hasWords
    ? "of a rule that does not read the review; one that matches its words may get more"
    : "that needs no comprehension";
  return (
    `Percent, by score; behind each its verdict. Floor: the highest score on the same questions ${floor}. Best (bold): ` +
    "above every rule, and better than the next, as probe compare would say (adjusted p < 0.05)." +
    (hasDistances
      ? " In brackets behind an agreement: its distance from 1/N, and from the mean of uniform guessing."
      : "")
  );
}

/** Such as `CL easy: change localisation, easy`; one word where both are the same. */
export function titleOf({ form }: LeaderboardTable): string {
  return form.name === form.title ? form.name : `${form.name}: ${form.title}`;
}

/** One leaderboard: a verdict a score, the floor below. */
export function leaderboardTable(table: LeaderboardTable, caption: string | null): TableBlock {
  const columns = columnsOf(table);
  const floors = table.rows.length === 0 ? [] : table.floors;
  const references = floors.map((floor) => columns.map(({ floor: cell }) => cell?.(floor) ?? EMPTY));
  return tableOf(caption, columns, table.rows, { isSortable: true, references });
}

type Value = (row: LeaderboardRow) => number | null;
type CellNote = Omit<Parameters<typeof numberCell>[2] & object, "isBest">;

/** A column, and what the floor is of what it shows. */
interface BoardColumn extends ColumnOf<LeaderboardRow> {
  readonly floor?: (floor: LeaderboardFloor) => Cell;
}

/** The columns of every leaderboard. */
function columnsOf({ groups, form }: LeaderboardTable): BoardColumn[] {
  const points = (
    id: string,
    label: string,
    value: Value,
    note: (row: LeaderboardRow) => CellNote,
    group: string | null,
  ): BoardColumn =>
    rightColumn(id, label, (row) =>
      numberCell(value(row), "points", { ...note(row), ...(row.bestOn.has(group) && { isBest: true }) }),
    );
  const overall = points(
    "overall",
    "Overall",
    (row) => row.overall.value,
    ({ overall: { ciLow, ciHigh }, judgement }) => ({ interval: intervalOf(ciLow, ciHigh), ...worthOf(judgement) }),
    null,
  );
  return [
    {
      ...textColumn("model", "Model", ({ model }) => model),
      floor: ({ model }) => textCell(model === null ? "Floor" : `Floor (${model})`),
    },
    numberColumn("n", "n", "count", ({ n }) => n, { importance: 2 }),
    { ...overall, floor: ({ value, rule }) => numberCell(value, "points", rule === null ? {} : { note: [rule] }) },
    ...groups.map((group): BoardColumn => {
      const column = points(
        group,
        groupName(group),
        ({ byGroup }) => byGroup.get(group) ?? null,
        ({ groupJudgements, judgement }) => {
          const own = groupJudgements.get(group);
          return { ...(own && groupWorth(own)), ...(judgement?.mark && { badge: judgement.mark }) };
        },
        group,
      );
      return { ...column, importance: 3, floor: ({ byGroup }) => numberCell(byGroup.get(group), "points") };
    }),
    ...form.columns.map(({ id, label, unit }, i): BoardColumn => {
      const format = unit === undefined ? "points" : FORMATS[unit];
      const cell = (row: LeaderboardRow) => numberCell(row.columns[i]?.value, format, distancesOf(row, i));
      return { ...rightColumn(id, label, cell), importance: 3 };
    }),
  ];
}

const FORMATS = { share: "points", number: "coefficient", amount: "short" } as const;

/** A group of which no score could be told from chance says so, in place of a sign. */
function groupWorth(judgement: Judgement): CellNote {
  const isTooFew = judgement.state === "unknown" && judgement.clusters !== null;
  return isTooFew ? { note: ["too few"] } : worthOf(judgement);
}

/** Such as `(+65.8; +45.3)`. */
function distancesOf({ columns }: LeaderboardRow, column: number): CellNote {
  const distances = columns[column]?.distances ?? [];
  if (distances.length === 0) return {};
  const parts = distances.flatMap(({ value }, i): Inline[] => [
    ...(i === 0 ? [] : ["; "]),
    { value, format: "points_change" },
  ]);
  return { note: ["(", ...parts, ")"] };
}

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
  const label = formLabel(form);
  const id = label.toLowerCase().replace(/[^a-z0-9]+/g, "_");
  return rightColumn(id, label, ({ scores }) => {
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
    return highest?.rule == null ? [] : [`${formLabel(form)} ${highest.rule}`];
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
  const rowOf = ({ runId }: RunVerdicts) => rows.find((row) => row.runId === runId);
  const best = groupBy(
    [...leads].filter(([, { isBest }]) => isBest),
    ([, { first }]) => rowOf(first)?.model ?? first.model,
  );
  const parts = [...best].map(([name, won]) => `${name} on ${won.map(([form]) => formLabel(form)).join(", ")}`);
  const open = [...leads].filter(([, { isBest }]) => !isBest);
  const isAbove = (form: VerdictForm) => rows.some((row) => row.scores.get(form)?.judgement?.state === "above_floor");
  const without = forms.filter((form) => !isAbove(form));
  const alone = forms.filter((form) => isAbove(form) && !leads.has(form));
  const answer = parts.length === 0 ? "No model is shown to be best." : `Best: ${parts.join("; ")}.`;
  const listed = (words: string, of: readonly string[], separator = ", ") =>
    of.length === 0 ? [] : [sentence(`${words} ${of.join(separator)}.`)];
  return [
    { kind: "text", role: "answer", parts: [answer] },
    ...listed("Highest above its floor, but not shown to be better than another:", open.map(openText(rowOf)), "; "),
    ...listed("Only one run has a score on", alone.map(formLabel)),
    ...listed("No score is above its floor on", without.map(formLabel)),
  ];
}

/** Such as `b on CTR (ahead of a, adjusted p = 0.5000)`; a run that has more is at its floor. */
function openText(rowOf: (run: RunVerdicts) => ScoreboardRow | undefined) {
  return ([form, { first, second, adjustedPValue: p }]: readonly [VerdictForm, Lead<RunVerdicts>]) => {
    const [own, other] = [rowOf(first), rowOf(second)];
    const ahead = (own?.scores.get(form)?.value ?? 0) - (other?.scores.get(form)?.value ?? 0);
    const place = ahead > 0 ? "ahead of" : ahead < 0 ? "below" : "level with";
    const why = p === null ? "not asked the same" : `adjusted p = ${numberText(p, "pvalue")}`;
    return `${own?.model ?? first.model} on ${formLabel(form)} (${place} ${other?.model ?? second.model}, ${why})`;
  };
}
