import { seededIntegers } from "../base/random.js";
import { agreeingInterval, type BoundedValues, clusterIntervals } from "../stats/bootstrap.js";
import { DIFFERENCE, type Interval } from "../stats/interval.js";
import { benjaminiHochberg } from "../stats/p-values.js";
import type { Judgement } from "./judgement.js";
import { comparedForms, type PairedTest, pairedTest } from "./leaderboard.js";
import { detectableDifference } from "./power.js";
import { type RunVerdicts, type ValueUnit, type Verdict, type VerdictForm, verdictName } from "./verdict.js";

/** Verdicts of two runs on the same item. */
interface VerdictPair {
  readonly baseline: Verdict;
  readonly candidate: Verdict;
}

/** Two means over the same items, and their difference. */
export interface PairedMeans {
  /** Items for which both runs have the value; at least one. */
  readonly n: number;
  readonly baseline: number;
  readonly candidate: number;
  /** Candidate minus baseline. */
  readonly difference: number;
  /** 95 % interval of the difference, by cluster; of the share passed it holds 0 just where p > 0.05. `null` with fewer than two clusters. */
  readonly interval: Interval | null;
}

/** The place of each cluster among all clusters, from 0. */
type ClusterIndices = ReadonlyMap<string, number>;

function clusterIndices(pairs: readonly VerdictPair[]): ClusterIndices {
  const clusters = new Set(pairs.map(({ baseline }) => baseline.cluster));
  return new Map([...clusters].map((cluster, index) => [cluster, index]));
}

/** A value of both runs over the items that have it in both, and its differences by cluster. */
interface PairedMeasure extends BoundedValues {
  readonly means: Omit<PairedMeans, "interval">;
}

/** @returns `null` where no item has the value in both runs */
function measurePairs(
  pairs: readonly VerdictPair[],
  clusters: ClusterIndices,
  value: (verdict: Verdict) => number | null,
  unit: ValueUnit = "share",
): PairedMeasure | null {
  const sums = new Float64Array(clusters.size);
  const counts = new Float64Array(clusters.size);
  let [n, ofBaseline, ofCandidate, ofDifference] = [0, 0, 0, 0];
  for (const pair of pairs) {
    const [before, after] = [value(pair.baseline), value(pair.candidate)];
    const cluster = clusters.get(pair.baseline.cluster);
    if (before === null || after === null || cluster === undefined) continue;
    sums[cluster] = (sums[cluster] ?? 0) + after - before;
    counts[cluster] = (counts[cluster] ?? 0) + 1;
    n++;
    ofBaseline += before;
    ofCandidate += after;
    ofDifference += after - before;
  }
  if (n === 0) return null;
  return {
    sums,
    counts,
    ...(unit === "share" ? { bounds: DIFFERENCE } : {}),
    means: { n, baseline: ofBaseline / n, candidate: ofCandidate / n, difference: ofDifference / n },
  };
}

/** Difference of two runs on one form, or on all forms of a pool. */
export interface PairedRow {
  /** `null`: all forms of the pool together. */
  readonly form: VerdictForm | null;
  /** Such as `CL hard`; of several forms `all probes`. */
  readonly label: string;
  /** Plural of what is paired, such as `questions`. */
  readonly items: string;
  /** Name of the share passed, such as `invariant_accuracy`. */
  readonly metric: string;
  /** Clusters, such as examples. */
  readonly examples: number;
  /** The share passed. */
  readonly share: PairedMeans;
  /** Items that just one of the runs passed. */
  readonly onlyBaseline: number;
  readonly onlyCandidate: number;
  /** Not passed only because something failed or was undecided. */
  readonly lost: { readonly baseline: number; readonly candidate: number };
  /**
   * McNemar's where each cluster has one item; else the sign-flip test by cluster, as its items go together; bets where items
   * were left unasked as a verdict was decided.
   */
  readonly test: PairedTest["test"];
  /** Two-sided, of equal shares passed; not adjusted for how many tests there are. */
  readonly pValue: number;
  /** Over all tests of the report (Benjamini & Hochberg). */
  readonly adjustedPValue: number;
  /** Least difference found in 80 % of samples of this size; `null` where that is not defined. */
  readonly detectableDifference: number | null;
  /** Further measures by name; `null` where no item has the value in both runs. */
  readonly values: Readonly<Record<string, PairedMeans | null>>;
  /** Judgement of each run's own score; `null` for several forms. */
  readonly judgements: { readonly baseline: Judgement | null; readonly candidate: Judgement | null } | null;
}

/** Tests if a row is about a control (`--ablate`), which is no score of a run's own: less of it is no loss. */
export function isControl({ form }: Pick<PairedRow, "form">): boolean {
  return form !== null && form.ablation !== "none";
}

interface CompareOptions {
  readonly seed: number;
  /** Resamples of each bootstrap interval. */
  readonly resamples: number;
}

/** Two runs over the same items: every item of the one has its twin in the other, in whatever order. */
export interface RunPair {
  readonly baseline: RunVerdicts;
  readonly candidate: RunVerdicts;
}

type Draft = Omit<PairedRow, "share" | "values" | "adjustedPValue"> & {
  readonly share: PairedMeasure;
  readonly values: Readonly<Record<string, PairedMeasure | null>>;
};

/**
 * Compares runs over the same items, item by item: one row a form in the order of the run, and one over all forms of a
 * pool behind its last form where there are several. One draw of clusters serves all intervals.
 */
export function compareVerdicts(runs: readonly RunPair[], { seed, resamples }: CompareOptions): PairedRow[][] {
  const pairs = runs.map(pairVerdicts);
  const clusters = clusterIndices(pairs.flat());
  const drafts = runs.map((run, i) => draftRows(run, pairs[i] ?? [], clusters));
  const measures = drafts
    .flat()
    .flatMap(({ share, values }) => [share, ...Object.values(values).flatMap((own) => own ?? [])]);
  const intervals = clusterIntervals(measures, { examples: clusters.size, resamples, draw: seededIntegers(seed) });
  const intervalOf = new Map(measures.map((measure, i) => [measure, intervals[i] ?? null]));
  const adjusted = benjaminiHochberg(drafts.flat().map(({ pValue }) => pValue));
  let next = 0;
  return drafts.map((rows) => rows.map((draft) => finishRow(draft, adjusted[next++] ?? 1, intervalOf)));
}

function pairVerdicts({ baseline, candidate }: RunPair): VerdictPair[] {
  const others = new Map(candidate.verdicts.map((verdict) => [verdictName(verdict), verdict]));
  return baseline.verdicts.flatMap((verdict) => {
    const other = others.get(verdictName(verdict));
    return other === undefined ? [] : [{ baseline: verdict, candidate: other }];
  });
}

function draftRows(run: RunPair, pairs: readonly VerdictPair[], clusters: ClusterIndices): Draft[] {
  const judged = pairs.filter(({ baseline, candidate }) => baseline.passed !== null && candidate.passed !== null);
  const pairsOf = ({ name }: VerdictForm) => judged.filter(({ baseline }) => baseline.form === name);
  const asked = run.baseline.forms.filter((form) => pairsOf(form).length > 0);
  const isSequential = [run.baseline, run.candidate].some((each) => each.isSequential === true);
  return comparedForms(asked).map(({ form, of }): Draft => {
    const drafted = draftOf(form, of.flatMap(pairsOf), { clusters, isSequential });
    if (of.length > 1) return { form: null, label: "all probes", ...drafted, judgements: null };
    const other = run.candidate.forms.find(({ name }) => name === form.name) ?? form;
    return { form, label: form.name, ...drafted, judgements: { baseline: form.judgement, candidate: other.judgement } };
  });
}

/**
 * The share passed in both runs, and the test of whether it is the same.
 * @param pairs that both runs judged; at least one
 */
function draftOf(
  form: VerdictForm,
  pairs: readonly VerdictPair[],
  { clusters, isSequential }: { readonly clusters: ClusterIndices; readonly isSequential: boolean },
) {
  const share = measurePairs(pairs, clusters, ({ passed }) => (passed === null ? null : Number(passed)));
  if (share === null) throw new RangeError("Expected at least one pair of items.");
  const count = (predicate: (pair: VerdictPair) => boolean) => pairs.filter(predicate).length;
  const onlyBaseline = count(({ baseline, candidate }) => baseline.passed === true && candidate.passed === false);
  const onlyCandidate = count(({ baseline, candidate }) => baseline.passed === false && candidate.passed === true);
  const examples = new Set(pairs.map(({ baseline }) => baseline.cluster)).size;
  const isOneEach = examples === pairs.length;
  return {
    items: form.items,
    metric: form.score.metric,
    examples,
    share,
    onlyBaseline,
    onlyCandidate,
    lost: { baseline: count(({ baseline }) => baseline.lost), candidate: count(({ candidate }) => candidate.lost) },
    ...pairedTest(
      pairs.map(({ baseline, candidate }) => ({
        cluster: baseline.cluster,
        difference: Number(candidate.passed) - Number(baseline.passed),
      })),
      isSequential,
    ),
    detectableDifference:
      isOneEach && !isSequential ? detectableDifference(pairs.length, onlyBaseline + onlyCandidate) : null,
    values: Object.fromEntries(
      form.values.map(({ name, unit }) => [
        name,
        measurePairs(pairs, clusters, ({ values }) => values[name] ?? null, unit),
      ]),
    ),
  };
}

function finishRow(
  draft: Draft,
  adjustedPValue: number,
  intervalOf: ReadonlyMap<PairedMeasure, Interval | null>,
): PairedRow {
  const finish = (measure: PairedMeasure): PairedMeans => ({
    ...measure.means,
    interval: intervalOf.get(measure) ?? null,
  });
  const values = Object.entries(draft.values).map(
    ([name, measure]) => [name, measure === null ? null : finish(measure)] as const,
  );
  const share = finish(draft.share);
  const interval = agreeingInterval(share.interval, share.difference, draft.pValue);
  return { ...draft, share: { ...share, interval }, values: Object.fromEntries(values), adjustedPValue };
}
