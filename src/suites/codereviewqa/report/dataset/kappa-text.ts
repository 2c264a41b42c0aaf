import Table from "cli-table3";
import { printable } from "../../../../base/text.js";
import type { CategoryAgreement, Comparison, Conflict } from "../../curate/kappa-compare.js";
import type { KappaRounds, KappaSpread } from "../../curate/kappa-rounds.js";
import type { Decision } from "../../curate/review/decision.js";

/** In characters: a verdict with its note. */
const VERDICT_WIDTH = 36;
/** Longer lists of ids are cut. */
const LISTED_IDS = 20;

/** What `probe dataset kappa` prints: agreement, by round if there are rounds, who decided what, conflicts. */
export function kappaText(comparison: Comparison, rounds: KappaRounds | null): string {
  const { annotators, both, onlyA, onlyB, neither, keepDrop, allCategories, conflicts } = comparison;
  const [a, b] = namesOf(annotators);
  const parts = [
    `Decided by both ${both}, by ${a} only ${onlyA.length}, by ${b} only ${onlyB.length}, by neither ${neither}.`,
    agreementTable([
      ["keep or drop", keepDrop],
      ["keep and 7 reasons", allCategories],
    ]),
    ...notes(keepDrop),
    ...(rounds === null ? [] : roundParts(rounds, a)),
    countsTable(keepDrop, a, b),
    ...(onlyA.length > 0 ? [`Decided by ${a} only: ${idList(onlyA)}`] : []),
    ...(onlyB.length > 0 ? [`Decided by ${b} only: ${idList(onlyB)}`] : []),
    ...conflictParts(conflicts, a, b),
  ];
  return `${parts.join("\n")}\n`;
}

/** Told apart even where somebody is compared with themselves. */
function namesOf([first, second]: readonly [string, string]): readonly [string, string] {
  const [a, b] = [printable(first), printable(second)];
  return a === b ? [`${a} (1)`, `${b} (2)`] : [a, b];
}

function agreementTable(rows: readonly (readonly [string, CategoryAgreement])[]): string {
  const table = new Table({
    head: ["categories", "n", "observed", "expected", "Cohen's kappa", "95 % interval"],
    colAligns: ["left", "right", "right", "right", "right", "left"],
    style: { head: [], border: [], compact: true },
  });
  for (const [name, { n, observed, expected, kappa, low, high }] of rows) {
    const interval = low === null || high === null ? "" : `${decimal(low)} to ${decimal(high)}`;
    table.push([name, String(n), decimal(observed), decimal(expected), decimal(kappa), interval]);
  }
  return table.toString();
}

function decimal(value: number | null): string {
  return value === null ? "" : value.toFixed(3);
}

function notes({ n, kappa, low }: CategoryAgreement): string[] {
  if (n === 0) return ["No kappa: no example was decided by both."];
  if (kappa === null) return ["No kappa: both put every example into one and the same category."];
  if (n === 1) return ["No interval: it takes two examples at least."];
  if (low === null)
    return ["No interval: its large-sample standard error is 0 here, which says nothing about certainty."];
  return [];
}

function roundParts({ rounds, keepDrop, allCategories }: KappaRounds, a: string): string[] {
  const sizes = rounds.map((round) => round.keepDrop.n);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  if (rounds.length === 0) return [];
  const table = new Table({
    head: ["categories", "rounds", "without kappa", "mean kappa", "standard deviation"],
    colAligns: ["left", "right", "right", "right", "right"],
    style: { head: [], border: [], compact: true },
  });
  const add = (name: string, { n, excluded, mean, sd }: KappaSpread) =>
    table.push([name, String(n), String(excluded), decimal(mean), decimal(sd)]);
  add("keep or drop", keepDrop);
  add("keep and 7 reasons", allCategories);
  const size = least === most ? String(most) : `${least} to ${most}`;
  const without = "A round has no kappa where both put every example into one and the same category; it is in no mean.";
  return [
    `By round: ${rounds.length} rounds of ${size} examples in the order of ${a}'s decisions (--json lists them)`,
    table.toString(),
    ...(keepDrop.excluded + allCategories.excluded > 0 ? [without] : []),
  ];
}

function countsTable({ categories, counts }: CategoryAgreement, a: string, b: string): string {
  const table = new Table({
    head: ["", ...categories.map((category) => `${b}: ${category}`)],
    colAligns: ["left", ...categories.map(() => "right" as const)],
    style: { head: [], border: [], compact: true },
  });
  table.push(...counts.map((row, i) => [`${a}: ${categories[i] ?? ""}`, ...row.map(String)]));
  return table.toString();
}

function idList(ids: readonly string[]): string {
  const shown = ids.slice(0, LISTED_IDS).map((id) => printable(id));
  const more = ids.length - shown.length;
  return [...shown, ...(more > 0 ? [`… and ${more} more (--json lists them all)`] : [])].join(", ");
}

function conflictParts(conflicts: readonly Conflict[], a: string, b: string): string[] {
  if (conflicts.length === 0) return ["No conflicts."];
  const count = (kind: Conflict["kind"]) => conflicts.filter((conflict) => conflict.kind === kind).length;
  const table = new Table({
    head: ["example", a, b],
    colWidths: [null, VERDICT_WIDTH, VERDICT_WIDTH],
    wordWrap: true,
    style: { head: [], border: [] },
  });
  for (const conflict of conflicts) {
    table.push([printable(conflict.example_id), verdictText(conflict.a), verdictText(conflict.b)]);
  }
  const heading =
    `Conflicts: ${count("decision")} that one keeps and the other drops, ` +
    `${count("reason")} that both drop for different reasons`;
  return [heading, table.toString()];
}

function verdictText({ decision, reason, note }: Decision): string {
  const verdict = decision === "keep" ? "keep" : `drop: ${reason.replaceAll("_", " ")}`;
  return note === "" ? verdict : `${verdict}\n${printable(note, 400)}`;
}
