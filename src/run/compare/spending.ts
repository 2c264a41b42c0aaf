import { mean } from "simple-statistics";
import type { Block, Inline } from "../../report/block.js";
import { sentence } from "../../report/make-block.js";
import { isControl, type PairedRow } from "../../verdict/paired-comparison.js";
import type { GainingRun, RunGain } from "./compare-runs.js";

/** Spending of a run for each of its items, all orders together; `null`: not told. */
export interface Spending {
  /** Of the prompt and generated, thoughts among them. */
  readonly tokens: number | null;
  readonly cost: number | null;
  /** Currency of the cost; `null` without one. */
  readonly currency: string | null;
}

/** What two runs spent, and what the candidate pays more for a point that it is better. */
export interface PricedGain {
  readonly baseline: Spending;
  readonly candidate: Spending;
  /** Mean difference of the scores over the forms that are no controls, −1 to 1. */
  readonly gain: number;
  /** More tokens an item for each percentage point; `null` where nothing is gained, or tokens are not told. */
  readonly tokensAPoint: number | null;
  /** More money an item for each percentage point, in the currency of both; `null` likewise. */
  readonly costAPoint: number | null;
}

/** The gain of a comparison held against what it costs; `null` where neither run tells its tokens. */
export function pricedGain({ baseline, candidate, rows }: RunGain): PricedGain | null {
  const [before, after] = [spendingOf(baseline), spendingOf(candidate)];
  if (before.tokens === null || after.tokens === null) return null;
  const forms = rows.filter((row) => row.form !== null && !isControl(row));
  if (forms.length === 0) return null;
  const gain = mean(forms.map(({ share }: PairedRow) => share.difference));
  const isOneCurrency = before.currency !== null && before.currency === after.currency;
  const aPoint = (then: number | null, now: number | null) =>
    gain <= 0 || then === null || now === null ? null : (now - then) / (gain * 100);
  return {
    baseline: before,
    candidate: after,
    gain,
    tokensAPoint: aPoint(before.tokens, after.tokens),
    costAPoint: isOneCurrency ? aPoint(before.cost, after.cost) : null,
  };
}

function spendingOf({ run, score }: GainingRun): Spending {
  const items = score.verdicts.verdicts.length;
  const { prompt, completion } = run.tokens;
  return {
    tokens: prompt === null || items === 0 ? null : (prompt + (completion ?? 0)) / items,
    cost: run.cost === null || items === 0 ? null : run.cost / items,
    currency: run.price?.currency ?? null,
  };
}

/** The price of a gain in a sentence; nothing where it is not known. */
export function spendingBlocks(comparison: RunGain): Block[] {
  const priced = pricedGain(comparison);
  if (priced === null) return [];
  const { baseline, candidate, gain, tokensAPoint, costAPoint } = priced;
  const money = ({ cost, currency }: Spending) => (cost === null ? "" : ` (${currency ?? ""} ${short(cost)})`);
  const parts: Inline[] = [
    `Spent on each item: ${short(baseline.tokens)} / ${short(candidate.tokens)} tokens` +
      `${baseline.cost === null && candidate.cost === null ? "" : `${money(baseline)} /${money(candidate)}`}; mean difference of the scores `,
    { value: gain, format: "change" },
    ...(tokensAPoint === null
      ? []
      : [
          `: each point ${tokensAPoint < 0 ? "saves" : "takes"} ${short(Math.abs(tokensAPoint))} tokens an item` +
            `${costAPoint === null ? "" : `, ${candidate.currency ?? ""} ${short(Math.abs(costAPoint))}`}`,
        ]),
  ];
  return [sentence(...parts)];
}

function short(value: number | null): string {
  return value === null ? "unknown" : value.toLocaleString("en-US", { maximumSignificantDigits: 3 });
}
