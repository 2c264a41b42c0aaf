import type { Inline, Quantity, Tone } from "../../../report/block.js";
import { inlineText } from "../../../report/cell-text.js";
import type { SummaryRow } from "../metric/summary-row.js";

/** Looks up an overall metric of one probe form. */
export type FindMetric = (name: SummaryRow["metric"]) => SummaryRow | undefined;

/** Whether the answers to one probe form may be interpreted as comprehension (the MCSB gate; paper §5.2). */
export interface FormVerdict {
  /**
   * `barely`: the agreement is higher than guessing explains, but little higher. `below_floor`: they may, but the score is
   * one that a model reaches without reading.
   */
  readonly status: "yes" | "below_floor" | "barely" | "no" | "unknown";
  /** Plurality agreement, 0–1; `null` where unknown, as is what uniform guessing would give. */
  readonly agreement: number | null;
  readonly guessing: number | null;
  /** The letter chosen most often, and its share of the answers; `null` where none was chosen. */
  readonly commonest: { readonly symbol: string; readonly share: number } | null;
  /** The majority floor; `null` without. */
  readonly floor: number | null;
}

/** Of the way from guessing to full agreement, how much a model must have gone for an unqualified yes. */
const CLEAR_SHARE = 0.1;

export function judgeForm(metric: FindMetric): FormVerdict {
  const [agreement, guessing] = [
    metricValue(metric, "plurality_agreement"),
    metricValue(metric, "plurality_agreement_null"),
  ];
  const numbers = { agreement, guessing, commonest: commonestOf(metric), floor: metricValue(metric, "floor_majority") };
  return { status: statusOf(metric, numbers), ...numbers };
}

function statusOf(
  metric: FindMetric,
  { agreement, guessing, floor }: Omit<FormVerdict, "status">,
): FormVerdict["status"] {
  const gate = metricValue(metric, "mcsb_gate");
  if (gate === null || agreement === null || guessing === null) return "unknown";
  if (gate === 0) return "no";
  if ((agreement - guessing) / (1 - guessing) < CLEAR_SHARE) return "barely";
  const accuracy = metricValue(metric, "invariant_accuracy");
  return accuracy !== null && floor !== null && accuracy <= floor ? "below_floor" : "yes";
}

function metricValue(metric: FindMetric, name: SummaryRow["metric"]): number | null {
  return metric(name)?.value ?? null;
}

function commonestOf(metric: FindMetric): FormVerdict["commonest"] {
  const { value = null, detail } = metric("position_bias") ?? {};
  return value === null || detail?.symbol === undefined ? null : { symbol: detail.symbol, share: value };
}

/** A verdict in a word, and how it looks. */
export const VERDICT_WORDS: Readonly<Record<FormVerdict["status"], { readonly text: string; readonly tone: Tone }>> = {
  yes: { text: "yes", tone: "good" },
  below_floor: { text: "yes, floor not beaten", tone: "warning" },
  barely: { text: "barely", tone: "warning" },
  no: { text: "NO", tone: "bad" },
  unknown: { text: "unknown", tone: "warning" },
};

/** A verdict in plain words, with its numbers. */
export function verdictParts({ status, agreement, guessing, commonest, floor }: FormVerdict): Inline[] {
  const numbers: Inline[] = ["agreement ", fraction(agreement), ", guessing ", fraction(guessing)];
  switch (status) {
    case "unknown":
      return ["unknown: agreement over all orders was not measured"];
    case "no": {
      const letter: Inline[] =
        commonest === null
          ? []
          : [`; ${commonest.symbol} is `, { value: commonest.share, format: "percent" }, " of its answers"];
      return [
        { kind: "strong", text: "NO" },
        ", the model does not bind letters to options (",
        ...numbers,
        ...letter,
        ")",
      ];
    }
    case "barely":
      return ["barely: the model hardly binds letters to options (", ...numbers, ")"];
    case "below_floor":
      return ["yes (", ...numbers, "), but the score is not above the majority floor ", fraction(floor)];
    case "yes":
      return ["yes (", ...numbers, ")"];
  }
}

/** Likewise as plain text. */
export function verdictText(verdict: FormVerdict): string {
  return inlineText(verdictParts(verdict));
}

function fraction(value: number | null): Quantity {
  return { value, format: "fraction" };
}
