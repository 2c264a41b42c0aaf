import { promptName } from "../../../base/language.js";
import type { Block, Cell, Inline } from "../../../report/block.js";
import {
  type ColumnOf,
  heading,
  intervalOf,
  numberCell,
  sentence,
  tableOf,
  textCell,
} from "../../../report/make-block.js";
import { type Markdown, renderMarkdown } from "../../../report/markdown.js";
import { numberText } from "../../../report/number-text.js";
import { bestOf, type LeaderboardRow, type LeaderboardTable } from "./leaderboard.js";
import { type FormVerdict, VERDICT_WORDS } from "./verdict.js";

/** The leaderboards as Markdown tables; the best of each column in bold. */
export function leaderboardMarkdown(tables: readonly LeaderboardTable[], notes: readonly string[]): Markdown {
  return renderMarkdown([
    heading(1, "Leaderboard"),
    ...notes.map((note) => sentence(note)),
    sentence(`${LEADERBOARD_METHOD} The best number of each column is in bold.`),
    ...tables.flatMap((table): Block[] => [heading(2, titleOf(table)), leaderboardTable(table, null)]),
  ]);
}

export const LEADERBOARD_METHOD =
  "Percent. PPA: plurality agreement; in brackets its distance from the floor 1/N, and from the mean of uniform " +
  "guessing. Other columns: share of questions right under all orders; overall with its 95 % interval. " +
  "Binds: whether the model binds letters to options; where it does not, its scores are no sign of comprehension.";

/** Such as `CL easy: change localisation, easy`. */
export function titleOf({ form }: LeaderboardTable): string {
  return `${form.name}: ${form.title}`;
}

/** One leaderboard. */
export function leaderboardTable(table: LeaderboardTable, caption: string | null): Block {
  return tableOf(caption, columnsOf(table), table.rows, { isSortable: true });
}

type Value = (row: LeaderboardRow) => number | null;
type More = (row: LeaderboardRow) => Omit<Parameters<typeof numberCell>[2] & object, "isBest">;

/** The columns of every leaderboard, in the form of the paper's tables. */
function columnsOf(table: LeaderboardTable): ColumnOf<LeaderboardRow>[] {
  const { rows, floor, languages } = table;
  const isChoice = floor !== null;
  const points = (id: string, label: string, value: Value, more: More = () => ({})): ColumnOf<LeaderboardRow> => {
    const best = bestOf(rows, value);
    const cell = (row: LeaderboardRow): Cell => {
      const isBest = best !== null && value(row) === best;
      return numberCell(value(row), "points", { ...more(row), ...(isBest ? { isBest } : {}) });
    };
    return { id, label, align: "right", importance: 1, cell };
  };
  return [
    { id: "model", label: "Model", align: "left", importance: 1, cell: ({ model }) => textCell(model) },
    { id: "n", label: "n", align: "right", importance: 2, cell: ({ n }) => numberCell(n, "count") },
    ...(isChoice
      ? [
          points("agreement", `PPA (floor ${numberText(floor, "points")})`, ({ agreement }) => agreement, distances),
          BINDS,
        ]
      : []),
    ...languages.map((language) =>
      points(language, promptName(language), ({ byLanguage }) => byLanguage.get(language) ?? null),
    ),
    points(
      "overall",
      "Overall",
      ({ overall }) => overall.value,
      ({ overall: { ciLow, ciHigh } }) => ({ interval: intervalOf(ciLow, ciHigh) }),
    ),
    ...(isChoice ? [] : [points("paper_em", "Paper's script", ({ paperScore }) => paperScore)]),
  ];
}

/** Such as `(+65.8; +45.3)`: from the floor, and from guessing. */
function distances({ aboveFloor, aboveGuessing }: LeaderboardRow): { readonly note: readonly Inline[] } {
  const change = (value: number | null): Inline => ({ value, format: "points_change" });
  return { note: ["(", change(aboveFloor), "; ", change(aboveGuessing), ")"] };
}

const BINDS: ColumnOf<LeaderboardRow> = {
  id: "binds",
  label: "Binds",
  align: "right",
  importance: 1,
  cell: ({ verdict }) => {
    const status = bindingOf(verdict);
    const { text, tone } = VERDICT_WORDS[status];
    return { kind: "text", text, tone, sort: ORDER[status] };
  },
};

/** Whether letters are bound is one question, whether the score beats its floor another. */
function bindingOf(verdict: FormVerdict | null): FormVerdict["status"] {
  const status = verdict?.status ?? "unknown";
  return status === "below_floor" ? "yes" : status;
}

const ORDER: Readonly<Record<FormVerdict["status"], number | null>> = {
  no: 0,
  barely: 1,
  below_floor: 2,
  yes: 2,
  unknown: null,
};
