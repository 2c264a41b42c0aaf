import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { badInput, messageOf } from "../../../base/errors.js";
import { shorten } from "../../../base/text.js";
import { type Console, EXIT, type ExitCode, jsonText } from "../../../console/console.js";
import type { Block, Inline, Quantity } from "../../../report/block.js";
import { heading, sentence } from "../../../report/make-block.js";
import { showBlocks } from "../../../report/terminal.js";
import { dataFacts } from "./contracts.js";
import type { Findings, Hardness } from "./findings.js";
import { tableBlocks } from "./paper-tables.js";
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
    throw badInput("Expected a CSV file of results, found none. See --help.");
  }
  const files = await Promise.all(paths.map((path) => readText(path, console.workingDirectory)));
  const facts = data === null ? new Map() : await dataFacts(resolve(console.workingDirectory, data));
  const stats = publishedTables(files, { isRounded: roundedInputs, facts });
  if (json) console.out(jsonText(stats));
  else showBlocks(console, statsBlocks(stats));
  return EXIT.done;
}

async function readText(path: string, workingDirectory: string): Promise<NamedText> {
  try {
    return { name: path, text: await readFile(resolve(workingDirectory, path), "utf8") };
  } catch (error) {
    throw badInput(`Expected a CSV file that can be read, found ${shorten(path, 300)}: ${messageOf(error)}`, error);
  }
}

/** Trials of a run bear its time: of them the last is read. */
const SUPERSEDED =
  "Rows left out, as one of each provider, runner and fixture is read, the latest, or of one time the last: ";

/** Report for a person: the tables, the rows that they leave out, and the findings. */
function statsBlocks(stats: PublishedTables): Block[] {
  const { rows, conditions, fixtures, superseded, left_out, hardness, findings } = stats;
  return [
    sentence(...line`${count(rows)} rows · ${count(conditions)} conditions · ${count(fixtures)} fixtures`),
    ...(superseded === 0 ? [] : [sentence(SUPERSEDED, count(superseded))]),
    ...tableBlocks(stats),
    ...left_out.map(({ table, missing }) =>
      sentence(`Left out: ${table.replace(/^table/, "Table ")}, for want of ${missing.join(", ")}`),
    ),
    heading(3, "Findings"),
    { kind: "list", items: [...hardnessItems(hardness, fixtures), ...findingItems(findings)] },
  ];
}

type Item = readonly Inline[];

/** A line with numbers in it. */
function line(texts: readonly string[], ...parts: readonly Inline[]): Item {
  return texts.flatMap((text, i) => [text, ...parts.slice(i, i + 1)]).filter((part) => part !== "");
}

function hardnessItems({ zero_pass, all_pass, passes, rows, ...more }: Hardness, fixtures: number): Item[] {
  const { zero_pass_non_success: reported, target_lines } = more;
  const items = [
    line`Nobody passes ${count(zero_pass.length)} of ${count(fixtures)} fixtures; everybody passes ${count(all_pass.length)}. Passes: ${count(passes)} of ${count(rows)}.`,
  ];
  if (reported !== null)
    items.push(line`Failures where nobody passes that the agent reported itself: ${number(reported, "points")} %.`);
  if (target_lines?.zero_pass != null) {
    const { median, median_published, mean } = target_lines.zero_pass;
    items.push(
      line`Lines of targets that nobody passes: mean ${number(mean, "short")}, median ${number(median, "short")} (as published, the upper of two middle values: ${number(median_published, "short")}).`,
    );
  }
  if (target_lines?.others != null) {
    const { median, mean } = target_lines.others;
    items.push(line`Lines of the others: mean ${number(mean, "short")}, median ${number(median, "short")}.`);
  }
  return items;
}

function findingItems(findings: Findings): Item[] {
  const { alike_failures, trivial_passes, unreported_passes, negative_files_compiled, synthetic } = findings;
  const items = (alike_failures ?? []).map(
    ({ bucket, fixtures }) =>
      line`Fixtures that nobody passes, every reported success failing by ${{ kind: "strong", text: bucket }}: ${count(fixtures.length)}.`,
  );
  if (trivial_passes !== null)
    items.push(line`Passes without a new file: ${count(trivial_passes.count)} of ${count(trivial_passes.passes)}.`);
  if (unreported_passes !== null) items.push(line`Passes that were not reported: ${count(unreported_passes)}.`);
  items.push(...costItems(findings.costs));
  if (negative_files_compiled !== null) {
    const { count: rows, least } = negative_files_compiled;
    items.push(line`Rows with files_compiled below 0: ${count(rows)}; the least is ${number(least, "short")}.`);
  }
  if (synthetic !== null) {
    const names = synthetic.map(({ model, test_runner, fixture }) => `${model}, ${test_runner}, ${fixture}`);
    const named = names.length === 0 ? "" : ` (${names.join("; ")})`;
    items.push(line`Rows that stand for a trial without a result: ${count(names.length)}${named}.`);
  }
  if (findings.equal_durations !== null) {
    const times = findings.equal_durations.map(({ duration_ms, rows }) => `${rows.length} × ${duration_ms} ms`);
    const named = times.length === 0 ? "" : ` (${times.slice(0, 3).join(", ")}${times.length > 3 ? ", …" : ""})`;
    items.push(line`Durations that several rows share to the millisecond: ${count(times.length)}${named}.`);
  }
  return items;
}

function costItems(costs: Findings["costs"]): Item[] {
  if (costs === null) return [];
  const blank = line`Rows without a cost: ${count(costs.blank)} of ${count(costs.rows)}`;
  const unreported = costs.blank_non_success;
  const more = unreported === null ? ["."] : line`; without a reported success: ${count(unreported)}.`;
  if (costs.widest === null) return [[...blank, ...more]];
  const { model, test_runner, avg_usd, avg_usd_published } = costs.widest;
  return [
    [...blank, ...more],
    line`Mean cost, ${model}, ${test_runner}: ${number(avg_usd, "coefficient")} USD where it is known, ${number(avg_usd_published, "coefficient")} USD with blanks as 0, as published.`,
  ];
}

function count(value: number): Quantity {
  return number(value, "count");
}

function number(value: number | null, format: Quantity["format"]): Quantity {
  return { value, format };
}
