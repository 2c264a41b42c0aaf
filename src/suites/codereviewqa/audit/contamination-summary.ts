import { median } from "simple-statistics";
import { LANGUAGES } from "../../../base/language.js";
import { seededIntegers } from "../../../base/random.js";
import type { Difficulty } from "../../../dataset/example.js";
import { type BoundedValues, clusterIntervals, differenceOfMeans } from "../../../stats/bootstrap.js";
import { type Bounds, type ClusteredValues, clusterTotals, DIFFERENCE, SHARE } from "../../../stats/interval.js";
import type { ContaminationRow } from "./audit-record.js";
import {
  type AuditForm,
  bitsPerCharacter,
  type ContaminationMetric,
  formKey,
  ngramAccuracy,
  perplexity,
  type ScoredExample,
  type ScoredSet,
  type ScoreSummary,
  type SequenceForm,
} from "./sequence-score.js";

interface SummaryOptions {
  readonly seed: number;
  readonly resamples: number;
}

/**
 * All numbers of an audit: benchmark by benchmark, over all examples and language by language. The first is the one that is
 * audited; the others are what it is held against.
 */
export function summariseContamination(sets: readonly ScoredSet[], options: SummaryOptions): ContaminationRow[] {
  const [audited] = sets;
  return sets.flatMap((set) => [
    ...groupsOf(set).flatMap((group) => groupRows(set, group, options)),
    ...(audited === undefined || set === audited ? [] : renamingRows(audited, set, options)),
  ]);
}

interface Group {
  readonly groupBy: ContaminationRow["groupBy"];
  readonly group: string;
  readonly examples: readonly ScoredExample[];
}

function groupsOf({ examples }: ScoredSet): Group[] {
  const byLanguage = LANGUAGES.map((group): Group => {
    return { groupBy: "language", group, examples: examples.filter(({ language }) => language === group) };
  });
  return [{ groupBy: "overall", group: "all", examples }, ...byLanguage.filter((group) => group.examples.length > 0)];
}

/** A number whose interval is still to be found: `null` for a number that has none. */
interface Draft {
  readonly column: FormColumn;
  readonly metric: ContaminationMetric;
  readonly value: number | null;
  readonly n: number;
  readonly measure: BoundedValues | null;
}

/** One draw of examples serves all bootstrapped intervals of a group. */
function groupRows({ benchmark, forms }: ScoredSet, group: Group, options: SummaryOptions): ContaminationRow[] {
  const { groupBy, group: name, examples } = group;
  const columns = formColumns(forms);
  const acr = columns.find(({ form }) => form === "ACR");
  const drafts = columns.flatMap((column) => [
    ...ownNumbers(examples, column),
    ...(acr === undefined || column === acr ? [] : differences(examples, column, acr)),
  ]);
  const measured = drafts.flatMap(({ measure }) => measure ?? []);
  const intervals = clusterIntervals(measured, {
    examples: examples.length,
    resamples: options.resamples,
    draw: seededIntegers(options.seed),
  });
  const intervalOf = new Map(measured.map((measure, i) => [measure, intervals[i] ?? null]));
  return drafts.map((draft) => {
    const { column, metric, value, n, measure } = draft;
    const { form, task, difficulty } = column;
    const interval = value === null || measure === null ? null : (intervalOf.get(measure) ?? null);
    const place = { benchmark, form, task, difficulty, groupBy, group: name };
    return { ...place, metric, value, ciLow: interval?.low ?? null, ciHigh: interval?.high ?? null, n };
  });
}

const PERPLEXITIES: Bounds = { least: 1, most: Number.POSITIVE_INFINITY };

const LN_PERPLEXITY: SequenceValue = ({ nll, tokens }) => nll / tokens;

function ownNumbers(examples: readonly ScoredExample[], column: FormColumn): Draft[] {
  const scores = examples.flatMap((example) => scoresOf(example, column));
  const tokens = total(scores, "tokens");
  const nll = total(scores, "nll");
  const characters = total(scores, "characters");
  const plain = (metric: ContaminationMetric, n: number, value: () => number): Draft => {
    return { column, metric, n, value: n === 0 ? null : value(), measure: null };
  };
  return [
    meanDraft(column, "perplexity_mean", clusteredValues(examples, column, perplexity), PERPLEXITIES),
    plain("perplexity_corpus", tokens, () => Math.exp(nll / tokens)),
    plain("perplexity_median", scores.length, () => median(scores.map(perplexity))),
    meanDraft(column, "ngram_accuracy", clusteredValues(examples, column, ngramAccuracy), SHARE),
    plain("bits_per_character", characters, () => bitsPerCharacter({ nll, characters })),
  ];
}

function total(scores: readonly ScoreSummary[], key: "tokens" | "nll" | "characters"): number {
  return scores.reduce((sum, score) => sum + score[key], 0);
}

function differences(examples: readonly ScoredExample[], column: FormColumn, acr: FormColumn): Draft[] {
  const paired = (metric: ContaminationMetric, value: SequenceValue, bounds?: Bounds) =>
    meanDraft(column, metric, pairedValues(examples, [column, acr], value), bounds);
  return [
    paired("ln_perplexity_minus_acr", LN_PERPLEXITY),
    paired("ngram_accuracy_minus_acr", ngramAccuracy, DIFFERENCE),
    ...(column.form === "ACR_RENAMED"
      ? [meanDraft(column, "renaming_cost", renamingCosts(examples, column, acr))]
      : []),
  ];
}

function meanDraft(column: FormColumn, metric: ContaminationMetric, measure: ClusteredValues, bounds?: Bounds): Draft {
  const n = sum(measure.counts);
  const bounded = bounds === undefined ? measure : { ...measure, bounds };
  return { column, metric, value: n === 0 ? null : sum(measure.sums) / n, n, measure: bounded };
}

function sum(values: Float64Array): number {
  return values.reduce((a, b) => a + b, 0);
}

/** Cost of renaming in the audited examples minus that in these. */
function renamingRows(audited: ScoredSet, set: ScoredSet, { seed, resamples }: SummaryOptions): ContaminationRow[] {
  const [mine, theirs] = [costsOf(audited), costsOf(set)];
  if (mine.length === 0 || theirs.length === 0) return [];
  const { value, interval } = differenceOfMeans(mine, theirs, { resamples, draw: seededIntegers(seed) });
  return [
    {
      benchmark: set.benchmark,
      form: "ACR_RENAMED",
      task: "ACR",
      difficulty: null,
      groupBy: "overall",
      group: "all",
      metric: "renaming_cost_difference",
      value,
      ciLow: interval?.low ?? null,
      ciHigh: interval?.high ?? null,
      n: theirs.length,
    },
  ];
}

function costsOf({ forms, examples }: ScoredSet): number[] {
  const columns = formColumns(forms);
  const [renamed, acr] = (["ACR_RENAMED", "ACR"] as const).map((form) => columns.find((each) => each.form === form));
  if (renamed === undefined || acr === undefined) return [];
  const { sums, counts } = renamingCosts(examples, renamed, acr);
  return [...sums].filter((_, i) => counts[i] === 1);
}

/** Subject of a row of the summary: one form, or all MCQA forms together. */
interface FormColumn {
  readonly form: AuditForm;
  /** `null`: all probes. */
  readonly task: string | null;
  readonly difficulty: Difficulty | null;
  /** `formKey` of each form in it. */
  readonly keys: readonly string[];
}

/** ACR, renamed ACR, all MCQA forms together, then each of them. */
function formColumns(forms: readonly SequenceForm[]): FormColumn[] {
  const single = forms.map((form): FormColumn => ({ ...form, keys: [formKey(form)] }));
  const mcqa = single.filter(({ form }) => form === "MCQA");
  const all: FormColumn = {
    form: "MCQA",
    task: null,
    difficulty: null,
    keys: mcqa.flatMap(({ keys }) => keys),
  };
  return [...single.filter(({ form }) => form !== "MCQA"), ...(mcqa.length > 0 ? [all] : []), ...mcqa];
}

/** A number of a sequence; `null` where it has none. */
type SequenceValue = (score: ScoreSummary) => number | null;

/** The scores of an example in this column. */
function scoresOf({ scores }: ScoredExample, { keys }: Pick<FormColumn, "keys">): ScoreSummary[] {
  return keys.flatMap((key) => scores.get(key) ?? []);
}

/** The values of all sequences, by example. */
function clusteredValues(
  examples: readonly ScoredExample[],
  column: FormColumn,
  value: SequenceValue,
): ClusteredValues {
  return clusterTotals(examples.map((example) => valuesOf(scoresOf(example, column), value)));
}

/** Each example's mean value in a column minus its mean value in another, for the examples that have both. */
function pairedValues(
  examples: readonly ScoredExample[],
  [column, baseline]: readonly [FormColumn, FormColumn],
  value: SequenceValue,
): ClusteredValues {
  return singleValues(examples, (example) => {
    const [mine, other] = [column, baseline].map((each) => meanOf(valuesOf(scoresOf(example, each), value)));
    return mine == null || other == null ? null : mine - other;
  });
}

/** Surprisal in bits that renaming adds to each example, a replaced character. */
function renamingCosts(examples: readonly ScoredExample[], renamed: FormColumn, acr: FormColumn): ClusteredValues {
  return singleValues(examples, (example) => {
    const [[after], [before]] = [scoresOf(example, renamed), scoresOf(example, acr)];
    if (after?.renamedCharacters == null || before === undefined) return null;
    return (after.nll - before.nll) / Math.LN2 / after.renamedCharacters;
  });
}

function singleValues(
  examples: readonly ScoredExample[],
  measure: (example: ScoredExample) => number | null,
): ClusteredValues {
  return clusterTotals(examples.map((example) => [measure(example)].filter((value) => value !== null)));
}

function valuesOf(scores: readonly ScoreSummary[], value: SequenceValue): number[] {
  return scores.map(value).filter((each) => each !== null);
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
