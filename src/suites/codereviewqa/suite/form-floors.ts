import { type FormKey, formName } from "../../../question/form.js";
import type { FormFloor, VerdictForm } from "../../../verdict/verdict.js";
import type { SummaryRow } from "../metric/summary-row.js";

const NO_READ = "no-read rule";

/** What means nothing on a form that is chosen from options, from guessing upwards. */
export function choiceFloors(summary: readonly SummaryRow[], form: FormKey): FormFloor[] {
  const floors = [
    ["guessing", "guessing", "floor_invariant"],
    ["no_read", NO_READ, "floor_no_read"],
    ["lexical", "lexical rule", "floor_lexical"],
    ["fitted", "fitted rules", "floor_fitted"],
  ] as const;
  const own = rowsOf(summary, form).filter(({ groupBy }) => groupBy === "overall");
  return floors.flatMap(([id, title, metric]): FormFloor[] => {
    const row = own.find((each) => each.metric === metric);
    if (row !== undefined && row.value !== null)
      return [{ id, title, value: row.value, rule: row.detail?.rule ?? null }];
    // Runs of before there were rules have what their answers tell.
    const majority = id === "no_read" ? own.find((each) => each.metric === "floor_majority") : undefined;
    return majority?.value == null ? [] : [{ id, title, value: majority.value, rule: "majority" }];
  });
}

/** Likewise of one that is written: what the judgement held it against. */
export function writtenFloors(summary: readonly SummaryRow[], form: FormKey): FormFloor[] {
  return rowsOf(summary, form).flatMap(({ groupBy, detail }): FormFloor[] => {
    if (groupBy !== "overall" || detail?.judgement?.floor == null) return [];
    const { floor, floorRule } = detail.judgement;
    return [{ id: "no_read", title: NO_READ, value: floor, rule: floorRule }];
  });
}

/** What the score of each language is worth. */
export function groupJudgements(
  summary: readonly SummaryRow[],
  form: FormKey,
): NonNullable<VerdictForm["groupJudgements"]> {
  return Object.fromEntries(
    rowsOf(summary, form).flatMap(({ groupBy, group, detail }) =>
      groupBy === "language" && detail?.judgement !== undefined ? [[group, detail.judgement] as const] : [],
    ),
  );
}

function rowsOf(summary: readonly SummaryRow[], form: FormKey): SummaryRow[] {
  return summary.filter((row) => formName(row) === formName(form));
}
