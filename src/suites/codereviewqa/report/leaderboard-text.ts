import { LANGUAGES, promptName } from "../../../base/language.js";
import { printable } from "../../../base/text.js";
import { formatRows } from "../../../store/csv.js";
import type { Cell } from "../../../store/table.js";
import { bestOf, type LeaderboardRow, type LeaderboardTable } from "./leaderboard.js";

/** The leaderboards as Markdown tables; the best of each column in bold. */
export function leaderboardMarkdown(tables: readonly LeaderboardTable[], notes: readonly string[]): string {
  const parts = [
    "# Leaderboard",
    ...notes.map(markdownText),
    "Percent. PPA: plurality agreement; in brackets its distance from the floor 1/N, and from the mean of uniform " +
      "guessing. Other columns: share of questions right under all orders; overall with its 95 % interval. " +
      "Binds: whether the model binds letters to options; where it does not, its scores are no sign of comprehension. " +
      "Best in bold.",
    ...tables.map(markdownTable),
  ];
  return `${parts.join("\n\n")}\n`;
}

type Column = {
  readonly title: string;
  readonly cell: (row: LeaderboardRow) => string;
  /** What the best is found by; none for a column without. */
  readonly value?: (row: LeaderboardRow) => number | null;
};

function markdownTable(table: LeaderboardTable): string {
  const columns = columnsOf(table);
  const best = columns.map(({ value }) => (value === undefined ? null : bestOf(table.rows, value)));
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rows = table.rows.map((row) =>
    line(
      columns.map(({ cell, value }, i) => {
        const isBest = value !== undefined && best[i] !== null && value(row) === best[i];
        return isBest ? `**${cell(row)}**` : cell(row);
      }),
    ),
  );
  const heading = `## ${table.form.name}: ${table.form.title}`;
  const align = columns.map((_, i) => (i === 0 ? "---" : "---:"));
  return [heading, "", line(columns.map(({ title }) => title)), line(align), ...rows].join("\n");
}

function columnsOf(table: LeaderboardTable): Column[] {
  const isChoice = table.floor !== null;
  return [
    { title: "Model", cell: ({ model }) => markdownText(model) },
    { title: "n", cell: ({ n }) => String(n) },
    ...(isChoice
      ? [
          {
            title: `PPA (floor ${points(table.floor)})`,
            cell: agreementText,
            value: ({ agreement }: LeaderboardRow) => agreement,
          },
          { title: "Binds", cell: bindsText },
        ]
      : []),
    ...table.languages.map((language) => ({
      title: promptName(language),
      cell: ({ byLanguage }: LeaderboardRow) => points(byLanguage.get(language) ?? null),
      value: ({ byLanguage }: LeaderboardRow) => byLanguage.get(language) ?? null,
    })),
    { title: "Overall", cell: overallText, value: ({ overall }) => overall.value },
    ...(isChoice
      ? []
      : [
          {
            title: PAPER_COLUMN,
            cell: ({ paperScore }: LeaderboardRow) => points(paperScore),
            value: ({ paperScore }: LeaderboardRow) => paperScore,
          },
        ]),
  ];
}

/** Exact match as the paper's released script computes it. */
export const PAPER_COLUMN = "Paper's script";

/** Such as `99.2 (+65.8; +45.3)`. */
export function agreementText({ agreement, aboveFloor, aboveGuessing }: LeaderboardRow): string {
  if (agreement === null) return "–";
  return `${points(agreement)} (${signedPoints(aboveFloor)}; ${signedPoints(aboveGuessing)})`;
}

export function bindsText({ verdict }: LeaderboardRow): string {
  if (verdict === null || verdict.status === "unknown") return "unknown";
  if (verdict.status === "barely") return "barely";
  return verdict.status === "no" ? "NO" : "yes";
}

function overallText({ overall: { value, ciLow, ciHigh } }: LeaderboardRow): string {
  return ciLow === null || ciHigh === null ? points(value) : `${points(value)} (${points(ciLow)}–${points(ciHigh)})`;
}

/** A rate in percent with one digit, as the paper has it. */
export function points(value: number | null): string {
  return value === null ? "–" : (value * 100).toFixed(1);
}

function signedPoints(value: number | null): string {
  if (value === null) return "–";
  const digits = Math.abs(value * 100).toFixed(1);
  return `${value < 0 && digits !== "0.0" ? "−" : "+"}${digits}`;
}

/** Text that Markdown shows as it is: no markup, no HTML, no link made of it, and one line. */
export function markdownText(text: string): string {
  return printable(text, 1000)
    .replace(/[\\`*_{}[\]|~@]/g, "\\$&")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("://", "\\://")
    .replace(/\b(www)\./gi, "$1\\.")
    .replace(/^(\s*)([#+-]|\d+[.)])/, "$1\\$2");
}

const COLUMNS = [
  "task",
  "difficulty",
  "model",
  "run_id",
  "n",
  "plurality_agreement",
  "above_floor",
  "above_guessing",
  "binds_letters",
  ...LANGUAGES,
  "overall",
  "ci_low",
  "ci_high",
  "paper_em",
] as const;

/** All leaderboards as one CSV: a row a model and probe form; rates are fractions 0–1, empty where not measured. */
export function leaderboardCsv(tables: readonly LeaderboardTable[]): string {
  const rows = tables.flatMap(({ form, rows: members }) =>
    members.map((row): Cell[] => [
      form.task,
      form.difficulty,
      printable(row.model, 1000),
      printable(row.runId, 1000),
      row.n,
      row.agreement,
      row.aboveFloor,
      row.aboveGuessing,
      row.verdict === null || row.verdict.status === "unknown" ? null : row.verdict.status !== "no",
      ...LANGUAGES.map((language) => row.byLanguage.get(language) ?? null),
      row.overall.value,
      row.overall.ciLow,
      row.overall.ciHigh,
      row.paperScore,
    ]),
  );
  return formatRows([[...COLUMNS], ...rows]);
}
