import type { Block, Inline, Quantity } from "../../../report/block.js";
import { heading, sentence } from "../../../report/make-block.js";
import type { Findings } from "./findings.js";
import type { Hardness } from "./hardness.js";
import type { PublishedTables } from "./published-tables.js";
import { tableBlocks } from "./table-blocks.js";

/** What a person reads of the tables: them, what they leave out, and what should be known with them. */
export function statsBlocks(stats: PublishedTables): Block[] {
  const { rows, conditions, fixtures, superseded, leftOut } = stats;
  return [
    sentence(count(rows), " rows · ", count(conditions), " conditions · ", count(fixtures), " fixtures"),
    ...(superseded === 0 ? [] : [sentence("Rows that a later one replaces, left out: ", count(superseded))]),
    ...tableBlocks(stats),
    ...leftOut.map(({ table, missing }) =>
      sentence(`Left out: ${table.replace("table", "Table ")}, for want of ${missing.join(", ")}`),
    ),
    heading(3, "Findings"),
    { kind: "list", items: [...hardnessItems(stats.hardness), ...findingItems(stats.findings)] },
  ];
}

type Item = readonly Inline[];

function hardnessItems({ fixtures, zeroPass, allPass, passes, rows, zeroPassNonSuccess, lines }: Hardness): Item[] {
  const items: Item[] = [
    [
      ...["Nobody passes ", count(zeroPass.length), " of ", count(fixtures), " fixtures; everybody passes "],
      ...[count(allPass.length), ". Passes: ", count(passes), " of ", count(rows), "."],
    ],
  ];
  if (zeroPassNonSuccess !== null) {
    items.push([
      "Failures where nobody passes that the agent reported itself: ",
      number(zeroPassNonSuccess, "points"),
      " %.",
    ]);
  }
  if (lines?.zeroPass != null) {
    const { median, medianPublished, mean } = lines.zeroPass;
    items.push([
      ...["Lines of targets that nobody passes: mean ", number(mean, "short"), ", median ", number(median, "short")],
      ...[" (as published, the upper of two middle values: ", number(medianPublished, "short"), ")."],
    ]);
  }
  if (lines?.others != null) {
    const { median, mean } = lines.others;
    items.push(["Lines of the others: mean ", number(mean, "short"), ", median ", number(median, "short"), "."]);
  }
  return items;
}

function findingItems(findings: Findings): Item[] {
  const { alikeFailures, trivialPasses, unreportedPasses, negativeCompiled, synthetic, equalDurations } = findings;
  const items: Item[] = (alikeFailures ?? []).map(({ bucket, fixtures }) => [
    ...["Fixtures that nobody passes, every reported success failing by "],
    ...[{ kind: "strong", text: bucket } as const, ": ", count(fixtures.length), "."],
  ]);
  if (trivialPasses !== null) {
    items.push(["Passes without a new file: ", count(trivialPasses.count), " of ", count(trivialPasses.passes), "."]);
  }
  if (unreportedPasses !== null) items.push(["Passes that were not reported: ", count(unreportedPasses), "."]);
  items.push(...costItems(findings.costs));
  if (negativeCompiled !== null) {
    const { count: rows, least } = negativeCompiled;
    items.push(["Rows with files_compiled below 0: ", count(rows), "; the least is ", number(least, "short"), "."]);
  }
  if (synthetic !== null) {
    const names = synthetic.map(({ model, testRunner, fixture }) => `${model}, ${testRunner}, ${fixture}`);
    items.push([
      "Rows that stand for a trial without a result: ",
      count(names.length),
      names.length === 0 ? "." : ` (${names.join("; ")}).`,
    ]);
  }
  if (equalDurations !== null) {
    const times = equalDurations.map(({ durationMs, rows }) => `${rows.length} × ${durationMs} ms`);
    items.push([
      "Durations that several rows share to the millisecond: ",
      count(times.length),
      times.length === 0 ? "." : ` (${times.slice(0, 3).join(", ")}${times.length > 3 ? ", …" : ""}).`,
    ]);
  }
  return items;
}

function costItems(costs: Findings["costs"]): Item[] {
  if (costs === null) return [];
  const blank: Item = [
    ...["Rows without a cost: ", count(costs.blank), " of ", count(costs.rows)],
    ...(costs.blankNonSuccess === null ? ["."] : ["; without a reported success: ", count(costs.blankNonSuccess), "."]),
  ];
  if (costs.widest === null) return [blank];
  const { model, testRunner, measured, published } = costs.widest;
  const mean: Item = [
    ...[`Mean cost, ${model}, ${testRunner}: `, number(measured, "coefficient"), " USD where it is known, "],
    ...[number(published, "coefficient"), " USD with blanks as 0, as published."],
  ];
  return [blank, mean];
}

function count(value: number): Quantity {
  return { value, format: "count" };
}

function number(value: number | null, format: Quantity["format"]): Quantity {
  return { value, format };
}
