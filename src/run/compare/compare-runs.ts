import { realpath } from "node:fs/promises";
import { badInput } from "../../base/errors.js";
import { shellWord } from "../../base/text.js";
import { withDefaults } from "../../console/recorded-options.js";
import { modelName } from "../../model/vendor/model-name.js";
import type { Block } from "../../report/block.js";
import { LEAST_RESAMPLED } from "../../stats/bootstrap.js";
import { compareVerdicts, type PairedRow, type RunPair } from "../../verdict/paired-comparison.js";
import { type RunVerdicts, type Verdict, verdictName } from "../../verdict/verdict.js";
import type { RunRecord } from "../run-record.js";
import { readScore, type ScoredRun, suiteOfRun } from "../score-folder.js";
import type { AnySuite } from "../suite.js";
import { runCommandOf, type SuiteEntry } from "../suite-entry.js";
import { type Asked, firstOther, pairedVerdicts, promptDifferences, refuseDifferent } from "./run-differences.js";

/** Resamples of each bootstrap interval. */
const RESAMPLES = 10_000;

/** Request to compare runs. */
export interface ComparisonRequest {
  /** Folders of runs, at least two; the first is the baseline. */
  readonly folders: readonly string[];
  /** Each pair of runs, instead of each run with the first. */
  readonly allPairs: boolean;
  /** Seed of the bootstrap. */
  readonly seed: number;
}

/** A run as far as what it gains is concerned. */
export interface GainingRun {
  readonly run: RunRecord;
  readonly score: { readonly verdicts: RunVerdicts };
}

/** Two runs, and the differences of their scores. */
export interface RunGain {
  readonly baseline: GainingRun;
  readonly candidate: GainingRun;
  readonly rows: readonly PairedRow[];
}

/** Two runs, compared. */
export interface RunComparison extends RunGain {
  readonly baseline: ScoredRun;
  readonly candidate: ScoredRun;
  /** Besides the model's name: what else the runs do not have in common, such as the prompt mode. */
  readonly alsoDiffer: readonly RunDifference[];
}

/** Something in which two runs differ, by its name in `run.json`. */
export interface RunDifference {
  readonly name: string;
  readonly baseline: unknown;
  readonly candidate: unknown;
}

/** Several runs, compared with one baseline or each with each. */
export interface ComparisonReport {
  readonly comparisons: readonly RunComparison[];
  /** Over how many p-values the adjustment goes. */
  readonly tests: number;
  readonly resamples: number;
  readonly seed: number;
}

/**
 * Compares finished runs of one suite over the same items, item by item. Reads journals, writes nothing.
 * @throws ProbeError `bad_input` when a run is unfinished or named twice, or the runs asked different questions
 */
export async function compareRuns(
  suites: readonly SuiteEntry[],
  { folders, allPairs, seed }: ComparisonRequest,
): Promise<ComparisonReport> {
  const runs = await readPairableRuns(suites, folders, allPairs);
  const pairs = runs
    .slice(0, allPairs ? undefined : 1)
    .flatMap((baseline, i) => runs.slice(i + 1).map((candidate) => ({ baseline, candidate })));
  const rows = compareVerdicts(pairs.map(verdictsOf), { seed, resamples: RESAMPLES });
  const comparisons = pairs.map((pair, i) => ({
    ...pair,
    alsoDiffer: [
      ...otherDifferences(pair.baseline.suite, pair.baseline.run, pair.candidate.run),
      ...ruleDifferences(pair.baseline.score.verdicts, pair.candidate.score.verdicts),
    ],
    rows: rows[i] ?? [],
  }));
  return { comparisons, tests: rows.flat().length, resamples: RESAMPLES, seed };
}

/** Reads all runs; refuses by `run.json` what it can, before the first journal is read. */
async function readPairableRuns(
  suites: readonly SuiteEntry[],
  folders: readonly string[],
  allPairs: boolean,
): Promise<ScoredRun[]> {
  const named: (NamedRun & { readonly entry: SuiteEntry })[] = [];
  for (const folder of folders) {
    const { entry, suite, run } = await suiteOfRun(suites, folder);
    const next = { folder, path: await realpath(folder), entry, suite, run };
    for (const earlier of named) await requirePairable(earlier, next);
    named.push(next);
  }
  const runs: ScoredRun[] = [];
  for (const { entry, suite, folder } of named) {
    const run = await readScore(suite, folder);
    for (const earlier of allPairs ? runs : runs.slice(0, 1)) requireSameItems(earlier, run, runCommandOf(entry));
    runs.push(run);
  }
  return runs;
}

/** Verdicts of two runs that are paired. */
export function verdictsOf({ baseline, candidate }: Omit<RunGain, "rows">): RunPair {
  return pairedVerdicts({ baseline: baseline.score.verdicts, candidate: candidate.score.verdicts });
}

/** Differences of two runs besides the model's name; a parameter that a record lacks is its default. */
export function otherDifferences(
  { manner, options }: Pick<AnySuite, "manner" | "options">,
  then: RunRecord,
  now: RunRecord,
): RunDifference[] {
  const [before, after] = [withDefaults(options, then.parameters), withDefaults(options, now.parameters)];
  const isSameName = modelName(then.model) === modelName(now.model);
  // Models of different names differ in these as a matter of course.
  const identity = isSameName ? Object.keys({ ...then.model.identity, ...now.model.identity }) : [];
  const parameters = isSameName ? [...manner, "model_args"] : manner;
  return [
    ...identity.map((key) => ({
      name: `model ${key}`,
      baseline: then.model.identity[key] ?? null,
      candidate: now.model.identity[key] ?? null,
    })),
    ...parameters.map((key) => ({
      name: key,
      baseline: before[key] ?? null,
      candidate: after[key] ?? null,
    })),
  ].filter(({ baseline, candidate }) => JSON.stringify(baseline) !== JSON.stringify(candidate));
}

/** A score that was made by other rules is no other score. */
function ruleDifferences({ rules: then = [] }: RunVerdicts, { rules: now = [] }: RunVerdicts): RunDifference[] {
  const [baseline, candidate] = [then.join(" or "), now.join(" or ")];
  return baseline === candidate && then.length < 2 ? [] : [{ name: "rules of scores", baseline, candidate }];
}

/** A run and where it is, before its journals are read. */
export interface NamedRun {
  /** Folder as the user named it. */
  readonly folder: string;
  /** Without links, so that one folder has one path. */
  readonly path: string;
  readonly suite: AnySuite;
  readonly run: RunRecord;
}

/**
 * Makes sure, by what `run.json` tells, that two runs can be paired: two runs of one suite, not one twice, over the same
 * data and with the same prompts.
 * @throws ProbeError `bad_input` naming what differs
 */
export async function requirePairable(first: NamedRun, second: NamedRun): Promise<void> {
  const isSameFolder = first.path === second.path;
  if (isSameFolder || first.run.run_id === second.run.run_id) {
    const why = isSameFolder ? "one folder" : `both have the run id ${first.run.run_id}`;
    throw badInput(
      `Expected different runs, found one of them twice: ${first.folder} and ${second.folder} (${why}). Name another run.`,
    );
  }
  if (first.suite.name !== second.suite.name) {
    throw badInput(
      `Expected runs of one suite, found ${first.suite.name} in ${first.folder} and ${second.suite.name} in ` +
        `${second.folder}. Name runs of the same suite.`,
    );
  }
  refuseDifferent(first, second, [
    ...(await first.suite.dataDifferences(first.run, second.run)),
    ...promptDifferences(first.run, second.run),
  ]);
}

/**
 * Makes sure that finished runs hold the same forms and items, by name and by what was asked; where one was left once it was
 * decided, that they have items in common.
 * @param command what makes such runs, such as `probe run`
 * @throws ProbeError `bad_input` when one is unfinished, or naming the first item that is not the same
 */
export function requireSameItems(first: ScoredRun, second: ScoredRun, command: string): void {
  for (const { score, folder } of [first, second]) {
    if (score.unfinished === null) continue;
    throw badInput(
      `Expected a finished run in ${folder}, found ${score.unfinished}. ` +
        `Finish it first: ${command} --resume ${shellWord(folder)}`,
    );
  }
  const { baseline: then, candidate: now } = verdictsOf({ baseline: first, candidate: second });
  const hasLost = then.verdicts.length === 0 && first.score.verdicts.verdicts.length > 0;
  const forms = hasLost ? ["items: none that both asked"] : formDifferences(then, now);
  const items = () => firstOther("item", then.verdicts.map(asked), now.verdicts.map(asked));
  refuseDifferent(first, second, forms.length > 0 ? forms : items());
}

function formDifferences(then: RunVerdicts, now: RunVerdicts): string[] {
  const count = ({ verdicts }: RunVerdicts) => {
    const counts = new Map<string, number>();
    for (const { form } of verdicts) counts.set(form, (counts.get(form) ?? 0) + 1);
    return counts;
  };
  const [before, after] = [count(then), count(now)];
  const items = new Map([...then.forms, ...now.forms].map((form) => [form.name, form.items]));
  const shown = (form: string, n: number | undefined) =>
    n === undefined ? "not asked" : `${n} ${items.get(form) ?? "items"}`;
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((form) => before.get(form) !== after.get(form))
    .map((form) => `probe ${form}: ${shown(form, before.get(form))} and ${shown(form, after.get(form))}`);
}

function asked(verdict: Verdict): Asked {
  return { place: verdictName(verdict), promptSha256: verdict.asked };
}

/** Adjusted p-values up to this are called a difference. */
export const LEVEL = 0.05;

/** What goes together: an example, or a task whose hunks or trials are the items. */
export function clusterName(verdicts: readonly Verdict[]): "example" | "task" {
  return verdicts.every(({ item, cluster }) => item === cluster) ? "example" : "task";
}

/** Explanation of the numbers of a comparison, and of the tests behind them. */
export function methodBlocks({ comparisons, tests, resamples, seed }: ComparisonReport): Block[] {
  const cluster = clusterName(comparisons.flatMap((each) => verdictsOf(each).baseline.verdicts));
  const has = (name: PairedRow["test"]) => comparisons.some(({ rows }) => rows.some(({ test }) => test === name));
  const facts: readonly (readonly [string, string])[] = [
    [
      "difference",
      `candidate minus baseline; interval by ${cluster}: bootstrap, ${resamples.toLocaleString("en-US")} resamples, seed ${seed}; ` +
        `below ${LEAST_RESAMPLED} ${cluster}s by Student's t; where p tells another tale, as wide as p has it`,
    ],
    ["only one right", "items that only the baseline / only the candidate passes"],
    [
      "p",
      "McNemar's exact test, two-sided" +
        (has("sign_flip_by_example")
          ? `; where ${cluster === "task" ? "a task" : "an example"} has several items the exact sign-flip test by ${cluster}`
          : "") +
        (has("anytime_bets") ? "; of runs that were asked until decided, bets that hold whenever one stops" : ""),
    ],
    [
      "adjusted p",
      `Benjamini-Hochberg over ${tests === 1 ? "the one test" : `the ${tests} tests`} shown; up to ${LEVEL} is called a difference`,
    ],
    ["detectable", "the least true difference that one test at 0.05 finds in 80 % of samples of this size"],
  ];
  return [{ kind: "facts", facts: facts.map(([name, text]) => ({ name, parts: [text] })) }];
}
