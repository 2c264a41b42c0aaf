import { shorten } from "../../base/text.js";
import type { Block, NumberFormat } from "../../report/block.js";
import {
  type ColumnOf,
  EMPTY,
  intervalOf,
  leftColumn,
  notice,
  numberCell,
  numberColumn,
  rightColumn,
  sentence,
  tableOf,
  textCell,
  textColumn,
} from "../../report/make-block.js";
import type {
  CategoryAgreement,
  Comparison,
  Conflict,
  KappaRounds,
  KappaSpread,
} from "../../review/annotator-agreement.js";
import type { Decision } from "../../review/decision.js";

/** Characters of a verdict with its note. */
const VERDICT_WIDTH = 36;
const LONGEST_NOTE = 400;
/** Longer lists of ids are cut. */
const LISTED_IDS = 20;

/** Output of `probe dataset kappa`: agreement, by round if there are rounds, each annotator's decisions, conflicts. */
export function kappaBlocks(comparison: Comparison, rounds: KappaRounds | null): Block[] {
  const { annotators, both, onlyA, onlyB, neither, keepDrop, allCategories, conflicts } = comparison;
  const [a, b] = namesOf(annotators);
  return [
    sentence(
      `Decided by both ${both}, by ${a} only ${onlyA.length}, by ${b} only ${onlyB.length}, by neither ${neither}.`,
    ),
    tableOf(null, AGREEMENT_COLUMNS, [
      { ...keepDrop, categories: "keep or drop" },
      { ...allCategories, categories: "keep and 7 reasons" },
    ]),
    ...remarks(keepDrop),
    ...(rounds === null ? [] : roundBlocks(rounds, a)),
    countsTable(keepDrop, a, b),
    ...(onlyA.length > 0 ? [sentence(`Decided by ${a} only: ${idList(onlyA)}`)] : []),
    ...(onlyB.length > 0 ? [sentence(`Decided by ${b} only: ${idList(onlyB)}`)] : []),
    ...conflictBlocks(conflicts, a, b),
  ];
}

function roundBlocks({ rounds, keepDrop, allCategories }: KappaRounds, a: string): Block[] {
  const sizes = rounds.map((round) => round.keepDrop.n);
  if (rounds.length === 0) return [];
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  const size = least === most ? String(most) : `${least} to ${most}`;
  const without = "A round has no kappa where both put every example into one and the same category; it is in no mean.";
  return [
    sentence(
      `By round: ${rounds.length} rounds of ${size} examples in the order of ${a}'s decisions (--json lists them)`,
    ),
    tableOf(null, ROUND_COLUMNS, [
      { categories: "keep or drop", ...keepDrop },
      { categories: "keep and 7 reasons", ...allCategories },
    ]),
    ...(keepDrop.excluded + allCategories.excluded > 0 ? [sentence(without)] : []),
  ];
}

type RoundRow = KappaSpread & { readonly categories: string };

const ROUND_COLUMNS: readonly ColumnOf<RoundRow>[] = [
  textColumn("categories", "categories", ({ categories }) => categories),
  roundColumn("rounds", "count", ({ n }) => n),
  roundColumn("without kappa", "count", ({ excluded }) => excluded),
  roundColumn("mean kappa", "coefficient", ({ mean }) => mean),
  roundColumn("standard deviation", "coefficient", ({ sd }) => sd),
];

function roundColumn(label: string, format: NumberFormat, of: (row: RoundRow) => number | null): ColumnOf<RoundRow> {
  return numberColumn(label, label, format, (row) => of(row));
}

/** Told apart even where somebody is compared with themselves. */
function namesOf([a, b]: readonly [string, string]): readonly [string, string] {
  return a === b ? [`${a} (1)`, `${b} (2)`] : [a, b];
}

type Agreement = Omit<CategoryAgreement, "categories"> & { readonly categories: string };

const AGREEMENT_COLUMNS: readonly ColumnOf<Agreement>[] = [
  textColumn("categories", "categories", ({ categories }) => categories),
  value("n", "count", ({ n }) => n),
  value("observed", "fraction", ({ observed }) => observed),
  value("expected", "fraction", ({ expected }) => expected),
  rightColumn("kappa", "Cohen's kappa (95 %)", ({ kappa, low, high }) =>
    kappa === null ? EMPTY : numberCell(kappa, "coefficient", { interval: intervalOf(low, high) }),
  ),
];

function value(label: string, format: NumberFormat, of: (row: Agreement) => number | null): ColumnOf<Agreement> {
  const cell = (row: Agreement) => (of(row) === null ? EMPTY : numberCell(of(row), format));
  return rightColumn(label, label, cell);
}

function remarks({ n, kappa, low }: CategoryAgreement): Block[] {
  if (n === 0) return [notice("warning", "No kappa: no example was decided by both.")];
  if (kappa === null) return [notice("warning", "No kappa: both put every example into one and the same category.")];
  if (n === 1) return [notice("warning", "No interval: it takes two examples at least.")];
  if (low !== null) return [];
  return [
    notice("warning", "No interval: its large-sample standard error is 0 here, which says nothing about certainty."),
  ];
}

function countsTable({ categories, counts }: CategoryAgreement, a: string, b: string): Block {
  const rows = counts.map((row, i) => ({ name: `${a}: ${categories[i] ?? ""}`, row }));
  const columns: ColumnOf<(typeof rows)[number]>[] = [
    textColumn("", "", ({ name }) => name),
    ...categories.map((category, i) =>
      numberColumn<(typeof rows)[number]>(category, `${b}: ${category}`, "count", ({ row }) => row[i] ?? 0),
    ),
  ];
  return tableOf(null, columns, rows);
}

function idList(ids: readonly string[]): string {
  const more = ids.length - LISTED_IDS;
  return [...ids.slice(0, LISTED_IDS), ...(more > 0 ? [`… and ${more} more (--json lists them all)`] : [])].join(", ");
}

function conflictBlocks(conflicts: readonly Conflict[], a: string, b: string): Block[] {
  if (conflicts.length === 0) return [sentence("No conflicts.")];
  const count = (kind: Conflict["kind"]) => conflicts.filter((conflict) => conflict.kind === kind).length;
  const caption =
    `Conflicts: ${count("decision")} that one keeps and the other drops, ` +
    `${count("reason")} that both drop for different reasons`;
  const verdict = (id: "a" | "b", label: string): ColumnOf<Conflict> => {
    const cell = (conflict: Conflict) => textCell(verdictLines(conflict[id]));
    return leftColumn(id, label, cell, { width: VERDICT_WIDTH });
  };
  const columns: ColumnOf<Conflict>[] = [
    textColumn("example", "example", (conflict) => conflict.example_id),
    verdict("a", a),
    verdict("b", b),
  ];
  return [tableOf(caption, columns, conflicts)];
}

function verdictLines({ decision, reason, note }: Decision): string[] {
  const verdict = decision === "keep" ? "keep" : `drop: ${reason.replaceAll("_", " ")}`;
  return note === "" ? [verdict] : [verdict, shorten(note, LONGEST_NOTE)];
}
