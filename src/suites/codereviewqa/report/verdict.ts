import type { SummaryRow } from "../metric/summary-row.js";

/** Looks up an overall metric of one probe form. */
type FindMetric = (name: SummaryRow["metric"]) => SummaryRow | undefined;

/** Whether the answers to one probe form may be interpreted as comprehension (the MCSB gate; paper §5.2). */
export interface FormVerdict {
  /**
   * `barely`: the agreement is higher than guessing explains, but little higher. `below_floor`: they may, but the score is
   * one that a model reaches without reading.
   */
  readonly status: "yes" | "below_floor" | "barely" | "no" | "unknown";
  /** In plain words, with the numbers. */
  readonly text: string;
}

/** Of the way from guessing to full agreement, how much a model must have gone for an unqualified yes. */
const CLEAR_SHARE = 0.1;

export function judgeForm(metric: FindMetric): FormVerdict {
  const gate = metric("mcsb_gate")?.value;
  const [agreement, guessing, bias] = [
    metric("plurality_agreement"),
    metric("plurality_agreement_null"),
    metric("position_bias"),
  ];
  if (gate == null || agreement?.value == null || guessing?.value == null) {
    return { status: "unknown", text: "unknown: agreement over all orders was not measured" };
  }
  const numbers = `agreement ${fraction(agreement.value)}, guessing ${fraction(guessing.value)}`;
  if (gate === 0) {
    const letter = bias?.value == null ? "" : `; ${commonestSymbol(bias)} is ${percent(bias.value)} of its answers`;
    return { status: "no", text: `NO, the model does not bind letters to options (${numbers}${letter})` };
  }
  if ((agreement.value - guessing.value) / (1 - guessing.value) < CLEAR_SHARE) {
    return { status: "barely", text: `barely: the model hardly binds letters to options (${numbers})` };
  }
  const [accuracy, majority] = [metric("invariant_accuracy"), metric("floor_majority")];
  if (accuracy?.value != null && majority?.value != null && accuracy.value <= majority.value) {
    const floor = fraction(majority.value);
    return { status: "below_floor", text: `yes (${numbers}), but the score is not above the majority floor ${floor}` };
  }
  return { status: "yes", text: `yes (${numbers})` };
}

/** The commonest letter, as the note of `position_bias` names it. */
export function commonestSymbol(row: SummaryRow): string {
  return /symbol, ([A-D])/.exec(row.note)?.[1] ?? "";
}

/** A rate in three digits, a dash where there is none. */
export function fraction(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : value.toFixed(3);
}

export function percent(value: number): string {
  return `${(value * 100).toFixed(value < 0.1 && value > 0 ? 1 : 0)} %`;
}
