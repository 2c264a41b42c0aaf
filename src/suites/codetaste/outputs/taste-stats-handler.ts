import { dirname, resolve } from "node:path";
import { ProbeError } from "../../../base/errors.js";
import type { Console } from "../../../console/console.js";
import { EXIT, type ExitCode } from "../../../console/console.js";
import { jsonText } from "../../../console/json-output.js";
import type { Block, Inline } from "../../../report/block.js";
import {
  type ColumnOf,
  heading,
  numberCell,
  numberColumn,
  sentence,
  tableOf,
  textColumn,
} from "../../../report/make-block.js";
import { showBlocks } from "../../../report/terminal.js";
import {
  type Arm,
  type ArmValue,
  armsOf,
  LEVEL,
  type MetricName,
  type PairedTest,
  pairedTests,
  TESTED,
  valuesOf,
} from "./output-arms.js";
import { type OutputRow, readOutputs } from "./read-outputs.js";

interface StatsValues {
  readonly files: readonly string[];
  /** A folder with rules and baselines; `null`: that of the outputs. */
  readonly data: string | null;
  readonly json: boolean;
}

/** Prints the scores of released outputs. */
export async function handleStats({ files: paths, data, json }: StatsValues, console: Console): Promise<ExitCode> {
  if (paths.length === 0)
    throw new ProbeError("bad_input", "Expected a folder of released outputs, found none. See --help.");
  const rows: OutputRow[] = [];
  for (const path of paths) {
    const outputs = resolve(console.workingDirectory, path);
    rows.push(
      ...(await readOutputs(outputs, data === null ? dirname(outputs) : resolve(console.workingDirectory, data))),
    );
  }
  const arms = armsOf(rows);
  const tests = pairedTests(arms);
  if (json) console.out(jsonText(statsDocument(arms, tests)));
  else showBlocks(console, statsBlocks(arms, tests));
  return EXIT.done;
}

/** Report on released outputs, for a person. */
function statsBlocks(arms: readonly Arm[], tests: readonly PairedTest[]): Block[] {
  const rows = arms.flatMap((arm) => arm.rows);
  const instances = new Set(rows.map(({ task }) => task)).size;
  return [
    sentence(count(rows.length), " patches · ", count(arms.length), " arms · ", count(instances), " instances"),
    heading(3, "Scores"),
    tableOf(null, [...NAMES, N, ...SCORES], arms),
    heading(3, "What comes and what goes"),
    tableOf(null, [...NAMES, ...SIDES], arms),
    heading(3, "As released"),
    tableOf(null, [...NAMES, ...PUBLISHED], arms),
    ...testBlocks(tests),
    heading(3, "What is not known"),
    { kind: "list", items: findings(rows) },
  ];
}

const NAMES: ColumnOf<Arm>[] = [
  textColumn("condition", "condition", ({ condition }) => condition, { width: 20 }),
  textColumn("agent", "agent", ({ agent }) => agent, { width: 24 }),
];
const N: ColumnOf<Arm> = numberColumn("n", "n", "count", ({ rows }) => rows.length);
const SCORES = [metric("pass", "Pass"), metric("ifr", "IFR"), metric("alignment", "A"), metric("precision", "Prec")];
const SIDES = [
  metric("ifr_additive", "IFR⁺"),
  metric("ifr_reductive", "IFR⁻"),
  metric("alignment_additive", "A⁺"),
  metric("alignment_reductive", "A⁻"),
  metric("precision_added", "Prec⁺"),
  metric("precision_removed", "Prec⁻"),
];
const PUBLISHED = [
  metric("ifr_published", "IFR"),
  metric("ifr_additive_published", "IFR⁺"),
  metric("ifr_reductive_published", "IFR⁻"),
  metric("alignment_published", "A"),
  metric("precision_published", "Prec"),
];

/** A mean in percent, with half of its 95 % interval in points where there are two values. */
function metric(name: MetricName, label: string): ColumnOf<Arm> {
  return {
    id: name,
    label,
    align: "right",
    importance: 1,
    cell: ({ values }) => {
      const estimate = values[name].estimate;
      const half = estimate?.high == null ? null : (estimate.high - estimate.value) * 100;
      const note: Inline[] = half === null ? [] : ["±", { value: half, format: "short" }];
      return numberCell(estimate === null ? null : estimate.value * 100, "short", { note });
    },
  };
}

function testBlocks(tests: readonly PairedTest[]): Block[] {
  if (tests.length === 0) return [];
  const found = tests.filter(({ q }) => q <= LEVEL);
  const text =
    `Sign-flip tests on the same instances, of every two arms that differ in agent or condition alone; q after ` +
    `Benjamini and Hochberg over all pairs of a metric (${TESTED.join(", ")}). Differences with q ≤ ${LEVEL}: `;
  return [
    heading(3, "Differences"),
    sentence(text, count(found.length), " of ", count(tests.length), "."),
    ...(found.length === 0 ? [] : [tableOf(null, TEST_COLUMNS, found)]),
  ];
}

const TEST_COLUMNS: ColumnOf<PairedTest>[] = [
  textColumn("metric", "metric", (test) => test.metric),
  textColumn("first", "first", ({ first }) => `${first.agent}, ${first.condition}`, { width: 22 }),
  textColumn("second", "second", ({ second }) => `${second.agent}, ${second.condition}`, { width: 22 }),
  numberColumn("n", "n", "count", ({ n }) => n),
  numberColumn("difference", "second − first", "change", ({ difference }) => difference, { shortLabel: "diff" }),
  numberColumn("q", "q", "pvalue", ({ q }) => q),
];

/** Findings about scores that are missing, or 0 because something is, with their counts. */
function findings(rows: readonly OutputRow[]): Inline[][] {
  const having = (test: (row: OutputRow) => boolean) => count(rows.filter(test).length);
  const errors = rows.reduce((sum, { tallies }) => sum + tallies.additive.errors + tallies.reductive.errors, 0);
  return [
    [
      "Results of rules that are missing or tell of a failed scan: ",
      having(({ missing }) => missing.length > 0),
      " patches. Released: no match, so that every reductive rule counts as followed.",
    ],
    [
      "No rules at all: ",
      having(({ tallies }) => tallies.additive.rules + tallies.reductive.rules === 0),
      " patches. Released: 1.",
    ],
    ["Faults that scans tell of, such as files that do not parse: ", count(errors), "."],
    ["Tests that ran and lost their report, which is 0: ", having(({ tests }) => tests === "lost"), " patches."],
    ["Tests that did not run: ", having(({ tests }) => tests === "not_run"), " patches."],
    ["Tests without a baseline: ", having(({ tests }) => tests === "no_baseline"), " patches."],
  ];
}

function count(value: number): Inline {
  return { value, format: "count" };
}

/** Document of `--json`: numbers in full precision, shares 0–1. */
function statsDocument(arms: readonly Arm[], tests: readonly PairedTest[]): object {
  return {
    arms: arms.map(({ condition, agent, rows, values }) => ({
      condition,
      agent,
      n: rows.length,
      metrics: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, armValue(value)])),
    })),
    tests,
    rows: arms
      .flatMap((arm) => arm.rows)
      .map((row) => ({
        condition: row.condition,
        agent: row.agent,
        task_id: row.task,
        ...valuesOf(row),
        ifr_supported: row.scores.ifr_supported,
        rules_supported: row.scores.rules_supported,
        tests: row.tests,
        missing: row.missing,
        scan_errors: row.tallies.additive.errors + row.tallies.reductive.errors,
      })),
  };
}

function armValue({ estimate, n, excluded }: ArmValue): object {
  return {
    value: estimate?.value ?? null,
    ci_low: estimate?.low ?? null,
    ci_high: estimate?.high ?? null,
    n,
    excluded,
  };
}
