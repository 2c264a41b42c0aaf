import { readFile } from "node:fs/promises";
import { dirname, extname, resolve } from "node:path";
import { badInput, messageOf } from "../../../base/errors.js";
import { type Console, EXIT, type ExitCode, jsonText } from "../../../console/console.js";
import type { Block, Inline } from "../../../report/block.js";
import {
  type ColumnOf,
  heading,
  numberColumn,
  sentence,
  tableOf,
  textColumn,
  when,
} from "../../../report/make-block.js";
import { showBlocks } from "../../../report/terminal.js";
import type { StatsValues } from "../taste-options.js";
import { type Arm, type ArmValue, armsOf, languageRows, readTrials, valuesOf } from "./output-arms.js";
import { type OutputRow, readOutputs } from "./read-outputs.js";
import {
  languageBlocks,
  lineBlocks,
  pairedTests,
  shareColumn,
  standingBlocks,
  standings,
  testBlocks,
} from "./tables-of-arms.js";

/** Prints the scores of released outputs, and of trials of runs. */
export async function handleStats({ files: paths, data, json }: StatsValues, console: Console): Promise<ExitCode> {
  if (paths.length === 0)
    throw badInput("Expected a folder of released outputs or trials.csv, found none. See --help.");
  const isTable = (path: string) => extname(path) === ".csv";
  const released: OutputRow[] = [];
  for (const path of paths.filter((each) => !isTable(each))) {
    const outputs = resolve(console.workingDirectory, path);
    released.push(
      ...(await readOutputs(outputs, data === null ? dirname(outputs) : resolve(console.workingDirectory, data))),
    );
  }
  const files = paths.filter(isTable).map(async (name) => ({ name, text: await textAt(name, console) }));
  const scored = released.map(({ condition, agent, task, language, scores, costUsd }) => ({
    condition,
    agent,
    task,
    language,
    values: valuesOf(scores, costUsd),
  }));
  const arms = armsOf([...scored, ...readTrials(await Promise.all(files))]);
  if (json) console.out(jsonText(statsDocument(arms, released)));
  else showBlocks(console, statsBlocks(arms, released));
  return EXIT.done;
}

async function textAt(name: string, { workingDirectory }: Console): Promise<string> {
  return readFile(resolve(workingDirectory, name), "utf8").catch((cause: unknown) => {
    throw badInput(`Expected trials.csv at ${name}, found: ${messageOf(cause)}`, cause);
  });
}

/** Report for a person. */
function statsBlocks(arms: readonly Arm[], released: readonly OutputRow[]): Block[] {
  const rows = arms.flatMap((arm) => arm.rows);
  const instances = new Set(rows.map(({ task }) => task)).size;
  return [
    sentence(count(rows.length), " patches · ", count(arms.length), " arms · ", count(instances), " instances"),
    heading(3, "Scores"),
    tableOf(null, [...NAMES, N, ...SCORES], arms),
    heading(3, "What comes and what goes"),
    tableOf(null, [...NAMES, ...SIDES], arms),
    ...lineBlocks(NAMES, arms),
    ...when(released.length > 0, heading(3, "As released"), tableOf(null, [...NAMES, ...PUBLISHED], arms)),
    ...languageBlocks(languageRows(arms)),
    ...standingBlocks(standings(arms)),
    ...testBlocks(pairedTests(arms)),
    ...when(released.length > 0, heading(3, "What is not known"), { kind: "list", items: findings(released) }),
  ];
}

const NAMES: ColumnOf<Arm>[] = [
  textColumn("condition", "condition", ({ condition }) => condition, { width: 20 }),
  textColumn("agent", "agent", ({ agent }) => agent, { width: 24 }),
];
const N: ColumnOf<Arm> = numberColumn("n", "n", "count", ({ rows }) => rows.length);
const SCORES = [
  shareColumn("pass", "Pass"),
  shareColumn("ifr", "IFR"),
  shareColumn("alignment", "A"),
  shareColumn("precision", "Prec"),
];
const SIDES = [
  shareColumn("ifr_additive", "IFR⁺"),
  shareColumn("ifr_reductive", "IFR⁻"),
  shareColumn("alignment_additive", "A⁺"),
  shareColumn("alignment_reductive", "A⁻"),
  shareColumn("precision_added", "Prec⁺"),
  shareColumn("precision_removed", "Prec⁻"),
];
const PUBLISHED = [
  shareColumn("ifr_published", "IFR"),
  shareColumn("ifr_additive_published", "IFR⁺"),
  shareColumn("ifr_reductive_published", "IFR⁻"),
  shareColumn("alignment_published", "A"),
  shareColumn("precision_published", "Prec"),
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
function statsDocument(arms: readonly Arm[], released: readonly OutputRow[]): object {
  const facts = new Map(released.map((row) => [keyOf(row), row]));
  return {
    arms: arms.map(({ condition, agent, rows, values }) => ({
      condition,
      agent,
      n: rows.length,
      metrics: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, armValue(value)])),
    })),
    languages: languageRows(arms),
    standings: standings(arms),
    tests: pairedTests(arms),
    rows: arms
      .flatMap((arm) => arm.rows)
      .map((row) => ({
        condition: row.condition,
        agent: row.agent,
        task_id: row.task,
        language: row.language,
        ...row.values,
        ...releasedFacts(facts.get(keyOf(row))),
      })),
  };
}

function keyOf({ condition, agent, task }: Pick<OutputRow, "condition" | "agent" | "task">): string {
  return JSON.stringify([condition, agent, task]);
}

/** Facts that released outputs alone tell. */
function releasedFacts(row: OutputRow | undefined): object {
  if (row === undefined) return {};
  const { scores, tests, missing, tallies } = row;
  const { ifr_supported, rules_supported } = scores;
  return {
    ifr_supported,
    rules_supported,
    tests,
    missing,
    scan_errors: tallies.additive.errors + tallies.reductive.errors,
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
