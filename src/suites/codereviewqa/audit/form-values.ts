import type { Difficulty } from "../../../dataset/example.js";
import type { ClusteredValues } from "../../../stats/interval.js";
import { type AuditForm, formKey, type ScoredExample, type ScoreSummary, type SequenceForm } from "./sequence-score.js";

/** Subject of a row of the summary: one form, or all MCQA forms together. */
export interface FormColumn {
  readonly form: AuditForm;
  /** `null`: all probes. */
  readonly task: string | null;
  readonly difficulty: Difficulty | null;
  /** `formKey` of each form in it. */
  readonly keys: readonly string[];
}

/** ACR, renamed ACR, all MCQA forms together, then each of them. */
export function formColumns(forms: readonly SequenceForm[]): FormColumn[] {
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
export type SequenceValue = (score: ScoreSummary) => number | null;

/** The scores of an example in this column. */
export function scoresOf({ scores }: ScoredExample, { keys }: Pick<FormColumn, "keys">): ScoreSummary[] {
  return keys.flatMap((key) => scores.get(key) ?? []);
}

/** The values of all sequences, by example. */
export function clusteredValues(
  examples: readonly ScoredExample[],
  column: FormColumn,
  value: SequenceValue,
): ClusteredValues {
  const lists = examples.map((example) => valuesOf(scoresOf(example, column), value));
  return {
    sums: Float64Array.from(lists, (list) => list.reduce((sum, each) => sum + each, 0)),
    counts: Float64Array.from(lists, (list) => list.length),
  };
}

/** Each example's mean value in a column minus its mean value in another, for the examples that have both. */
export function pairedValues(
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
export function renamingCosts(
  examples: readonly ScoredExample[],
  renamed: FormColumn,
  acr: FormColumn,
): ClusteredValues {
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
  const values = examples.map(measure);
  return {
    sums: Float64Array.from(values, (value) => value ?? 0),
    counts: Float64Array.from(values, (value) => (value === null ? 0 : 1)),
  };
}

function valuesOf(scores: readonly ScoreSummary[], value: SequenceValue): number[] {
  return scores.map(value).filter((each) => each !== null);
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
