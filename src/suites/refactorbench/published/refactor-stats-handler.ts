import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { messageOf, ProbeError } from "../../../base/errors.js";
import { shorten } from "../../../base/text.js";
import { type Console, EXIT, type ExitCode, jsonText } from "../../../console/console.js";
import type { Block, Inline, Quantity } from "../../../report/block.js";
import { heading, sentence } from "../../../report/make-block.js";
import { showBlocks } from "../../../report/terminal.js";
import type { Findings } from "./findings.js";
import { dataFacts } from "./fixture-facts.js";
import type { Hardness } from "./hardness.js";
import { tableBlocks } from "./paper-tables.js";
import type { Condition } from "./published-conditions.js";
import { type NamedText, type PublishedTables, publishedTables } from "./published-tables.js";

interface StatsValues {
  readonly files: readonly string[];
  readonly data: string | null;
  readonly roundedInputs: boolean;
  readonly json: boolean;
}

/** Prints the tables of the paper, recomputed from files. */
export async function handleStats(
  { files: paths, data, roundedInputs, json }: StatsValues,
  console: Console,
): Promise<ExitCode> {
  if (paths.length === 0) {
    throw new ProbeError("bad_input", "Expected a CSV file of results, found none. See --help.");
  }
  const files = await Promise.all(paths.map((path) => readText(path, console.workingDirectory)));
  const facts = data === null ? new Map() : await dataFacts(resolve(console.workingDirectory, data));
  const stats = publishedTables(files, { isRounded: roundedInputs, facts });
  if (json) console.out(jsonText(statsDocument(stats)));
  else showBlocks(console, statsBlocks(stats));
  return EXIT.done;
}

async function readText(path: string, workingDirectory: string): Promise<NamedText> {
  try {
    return { name: path, text: await readFile(resolve(workingDirectory, path), "utf8") };
  } catch (error) {
    throw new ProbeError(
      "bad_input",
      `Expected a CSV file that can be read, found ${shorten(path, 300)}: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

/** Report for a person: the tables, the rows that they leave out, and the findings. */
function statsBlocks(stats: PublishedTables): Block[] {
  const { rows, conditions, fixtures, superseded, leftOut } = stats;
  return [
    sentence(count(rows), " rows · ", count(conditions), " conditions · ", count(fixtures), " fixtures"),
    ...(superseded === 0 ? [] : [sentence("Rows that a later one replaces, left out: ", count(superseded))]),
    ...tableBlocks(stats),
    ...leftOut.map(({ table, missing }) =>
      sentence(`Left out: ${table.replace(/^table/, "Table ")}, for want of ${missing.join(", ")}`),
    ),
    heading(3, "Findings"),
    { kind: "list", items: [...hardnessItems(stats.hardness), ...findingItems(stats.findings)] },
  ];
}

type Item = readonly Inline[];

function hardnessItems({ fixtures, zeroPass, allPass, passes, rows, zeroPassNonSuccess, lines }: Hardness): Item[] {
  const items: Item[] = [
    [
      "Nobody passes ",
      count(zeroPass.length),
      " of ",
      count(fixtures),
      " fixtures; everybody passes ",
      count(allPass.length),
      ". Passes: ",
      count(passes),
      " of ",
      count(rows),
      ".",
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
      "Lines of targets that nobody passes: mean ",
      number(mean, "short"),
      ", median ",
      number(median, "short"),
      " (as published, the upper of two middle values: ",
      number(medianPublished, "short"),
      ").",
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
    "Fixtures that nobody passes, every reported success failing by ",
    { kind: "strong", text: bucket } as const,
    ": ",
    count(fixtures.length),
    ".",
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
    "Rows without a cost: ",
    count(costs.blank),
    " of ",
    count(costs.rows),
    ...(costs.blankNonSuccess === null ? ["."] : ["; without a reported success: ", count(costs.blankNonSuccess), "."]),
  ];
  if (costs.widest === null) return [blank];
  const { model, testRunner, measured, published } = costs.widest;
  const mean: Item = [
    `Mean cost, ${model}, ${testRunner}: `,
    number(measured, "coefficient"),
    " USD where it is known, ",
    number(published, "coefficient"),
    " USD with blanks as 0, as published.",
  ];
  return [blank, mean];
}

function count(value: number): Quantity {
  return { value, format: "count" };
}

function number(value: number | null, format: Quantity["format"]): Quantity {
  return { value, format };
}

/** Document of `--json`: numbers in full precision, shares 0–1. */
function statsDocument(stats: PublishedTables): object {
  const { hardness, findings, leftOut, ...counts } = stats;
  return {
    ...counts,
    hardness: {
      zero_pass: hardness.zeroPass,
      all_pass: hardness.allPass,
      passes: hardness.passes,
      rows: hardness.rows,
      zero_pass_non_success: hardness.zeroPassNonSuccess,
      target_lines: hardness.lines && {
        zero_pass: linesOf(hardness.lines.zeroPass),
        others: linesOf(hardness.lines.others),
      },
    },
    findings: findingsDocument(findings),
    left_out: leftOut,
  };
}

function findingsDocument(findings: PublishedTables["findings"]): object {
  const { costs } = findings;
  return {
    alike_failures: findings.alikeFailures,
    trivial_passes: findings.trivialPasses,
    unreported_passes: findings.unreportedPasses,
    costs: costs && {
      blank: costs.blank,
      blank_non_success: costs.blankNonSuccess,
      rows: costs.rows,
      widest: costs.widest && {
        ...keyOf(costs.widest),
        avg_usd: costs.widest.measured,
        avg_usd_published: costs.widest.published,
      },
    },
    negative_files_compiled: findings.negativeCompiled,
    synthetic: findings.synthetic?.map((row) => ({ ...keyOf(row), fixture: row.fixture })) ?? null,
    equal_durations:
      findings.equalDurations?.map(({ durationMs, rows }) => ({
        duration_ms: durationMs,
        rows: rows.map((row) => ({ ...keyOf(row), fixture: row.fixture })),
      })) ?? null,
  };
}

function keyOf({ model, testRunner }: Pick<Condition, "model" | "testRunner">): object {
  return { model, test_runner: testRunner };
}

function linesOf(lines: NonNullable<PublishedTables["hardness"]["lines"]>["zeroPass"]): object | null {
  return lines && { n: lines.n, mean: lines.mean, median: lines.median, median_published: lines.medianPublished };
}
