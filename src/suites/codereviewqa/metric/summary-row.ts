import { groupBy } from "../../../base/grouping.js";
import type { Language } from "../../../base/language.js";
import type { ChoiceSymbol } from "../../../base/symbol.js";
import { counted } from "../../../base/text.js";
import type { ChangeType, Difficulty } from "../../../dataset/example.js";
import type { WordGroup } from "../../../question/floors/floors.js";
import { ablationField, type FormKey, type Withheld } from "../../../question/form.js";
import { clusteredMean, clusteredProportion, clusterTotals, type Estimate, SHARE } from "../../../stats/interval.js";
import type { Judgement } from "../../../verdict/judgement.js";
import type { CaseOf } from "../record/run-file.js";
import type { MetricName, ProbeMetric } from "./metric-names.js";

/** One row of `summary.csv`, but for run and model. */
export interface SummaryRow {
  readonly task: string;
  readonly difficulty: Difficulty | null;
  /** Parts withheld; absent: none. */
  readonly ablation?: Withheld | undefined;
  readonly groupBy: "overall" | "language" | "change_type" | "words";
  readonly group: string;
  readonly metric: MetricName;
  /** `null`: not defined for these answers. */
  readonly value: number | null;
  readonly ciLow: number | null;
  readonly ciHigh: number | null;
  /** Count of cases of the value: questions, answers where the metric is about answers, or generations. */
  readonly n: number;
  readonly note: string;
  /** Data that the note names; not a column. */
  readonly detail?: RowDetail;
}

/** Contents of a row besides its number. */
export interface RowDetail {
  /** Orders of each question, of `invariant_accuracy` where these are not all. */
  readonly orders?: { readonly asked: number; readonly all: number };
  /** Commonest symbol, of `position_bias`. */
  readonly symbol?: ChoiceSymbol;
  /** Answer that is right most often, of `floor_majority`. */
  readonly answer?: string;
  /** Rule that gets it, of `floor_no_read` and `floor_lexical`. */
  readonly rule?: string;
  /** Judgement of the score of a form (`invariant_accuracy`, `em`), overall and by language. */
  readonly judgement?: Judgement;
  /** Meaning of `review_gain`, `code_gain`, `both_gain`, in words. */
  readonly gain?: string;
  /** The probe's own measure, of `em` where the probe scores what is written itself. */
  readonly graded?: { readonly name: ProbeMetric; readonly title: string };
}

/** A metric of one group. */
export type Measure = Pick<SummaryRow, "metric" | "value" | "ciLow" | "ciHigh" | "n" | "note" | "detail">;

export function measure(
  metric: MetricName,
  estimate: Estimate | null,
  n: number,
  note: string,
  detail?: RowDetail,
): Measure {
  return {
    metric,
    value: estimate?.value ?? null,
    ciLow: estimate?.low ?? null,
    ciHigh: estimate?.high ?? null,
    n,
    note,
    ...(detail === undefined ? {} : { detail }),
  };
}

/** A value without an interval. */
export function point(value: number | null | undefined): Estimate | null {
  return value == null ? null : { value, low: null, high: null };
}

/** Groups of a row's member. */
interface Member {
  readonly language: Language;
  readonly changeType: ChangeType;
}

/**
 * The measures of one probe form: overall, then by language, by change type and by whether words suffice, groups in
 * alphabetical order.
 * @param wordGroup group of a member; `null`: not known
 */
export function summariseGroups<T extends Member>(
  { task, difficulty, ablation }: FormKey,
  members: readonly T[],
  measureGroup: (members: readonly T[]) => readonly Measure[],
  wordGroup: (member: T) => WordGroup | null = () => null,
): SummaryRow[] {
  const groups: Group<T>[] = [
    ["overall", "all", members],
    ...groupsOf("language", members, ({ language }) => language),
    ...groupsOf("change_type", members, ({ changeType }) => changeType),
    ...groupsOf("words", members, wordGroup),
  ];
  return groups.flatMap(([groupBy, group, own]) =>
    measureGroup(own).map((measured) => ({
      task,
      difficulty,
      ...ablationField(ablation),
      groupBy,
      group,
      ...measured,
    })),
  );
}

type Group<T> = [SummaryRow["groupBy"], string, readonly T[]];

function groupsOf<T>(
  groupBy: Exclude<SummaryRow["groupBy"], "overall">,
  members: readonly T[],
  key: (member: T) => string | null,
): Group<T>[] {
  const names = [...new Set(members.flatMap((member) => key(member) ?? []))].sort();
  return names.map((name) => [groupBy, name, members.filter((member) => key(member) === name)]);
}

/** Question or generation about an example. */
interface AboutExample {
  readonly exampleId: string;
}

/** Items of one form by what they are one case of: the task, where examples are hunks of tasks, else each its own. */
function casesOfItems<T extends AboutExample>(items: readonly T[], caseOf: CaseOf | null): T[][] {
  if (caseOf === null) return items.map((item) => [item]);
  return [...groupBy(items, ({ exampleId }) => caseOf(exampleId)).values()];
}

/** The share of items that count, with Wilson's interval over cases. */
export function shareByCase<T extends AboutExample>(
  items: readonly T[],
  caseOf: CaseOf | null,
  counts: (item: T) => boolean,
): Estimate | null {
  return rateByCase(items, caseOf, (item) => [Number(counts(item)), 1]);
}

/** The share of what items have several of, such as answers: how many count, of how many; those of a case go together. */
export function rateByCase<T extends AboutExample>(
  items: readonly T[],
  caseOf: CaseOf | null,
  counts: (item: T) => readonly [number, number],
): Estimate | null {
  const cases = casesOfItems(items, caseOf).map((own) => own.map(counts));
  const total = (of: 0 | 1) => Float64Array.from(cases, (own) => own.reduce((sum, pair) => sum + pair[of], 0));
  return clusteredProportion({ sums: total(0), counts: total(1) });
}

/**
 * The mean of a value over the items that have one, with the t interval over cases.
 * @param range of the value: of a share 0–1, of a difference of two −1 to 1
 */
export function meanByCase<T extends AboutExample>(
  items: readonly T[],
  caseOf: CaseOf | null,
  value: (item: T) => number | null,
  range = SHARE,
): Estimate | null {
  const cases = casesOfItems(items, caseOf).map((own) => own.flatMap((item) => value(item) ?? []));
  return clusteredMean(clusterTotals(cases), range);
}

/** The making of a share's interval, for the note of a row. */
export function casesNote(items: readonly AboutExample[], caseOf: CaseOf | null): string {
  const cases = casesOfItems(items, caseOf).length;
  if (cases === items.length) return "Wilson 95 % interval";
  return `Wilson 95 % interval at the effective number of questions, over ${counted(cases, "tasks")}: questions are about hunks of these`;
}
