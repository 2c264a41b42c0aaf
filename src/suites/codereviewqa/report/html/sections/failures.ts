import type { Estimate } from "../../../../../stats/interval.js";
import type { CellShare } from "../../../failures/cells.js";
import type { RightShare } from "../../../failures/chain.js";
import type { FailureAnalysis } from "../../../failures/failures.js";
import { CELL_NAMES, outcomeName } from "../../failures-table.js";
import { fraction } from "../../verdict.js";
import { type Markup, markup } from "../markup.js";
import type { PageParts } from "../page-parts.js";
import { type Section, type TableCell, tableMarkup } from "../section.js";

/** Where models fail that do not write the right revision (paper §7); `null` without ACR and every probe. */
export function failureSection({ failures }: PageParts): Section | null {
  if (failures.length === 0) return null;
  return {
    id: "failures",
    title: "Failure analysis",
    body: markup`<p class="lead">Of the examples whose generated revision does not match: how many fail a probe, that is, are not right under all its orders (paper §7, Table 3). Beside it those that match: success without comprehension.</p>${failures.flatMap(analysisTables)}`,
  };
}

function analysisTables({ runs, groups, bindings }: FailureAnalysis): Markup[] {
  const [overall] = groups;
  if (overall === undefined) return [];
  const model = runs[0]?.run.model.label ?? "";
  const unbound = bindings.filter(({ gate }) => gate.status !== "passed").map(({ form }) => form);
  const { rows, chain } = overall;
  return [
    ...(unbound.length === 0
      ? []
      : [
          markup`<p class="notice">${model}: not to be read as comprehension on ${unbound.join(", ")}, where the model is not shown to bind letters to options.</p>`,
        ]),
    tableMarkup({
      caption: `${model}: share that fails a probe (95 %)`,
      head: ["Fails", ...rows.map(({ outcome, n }) => `${outcomeName(outcome)} (n = ${n})`)],
      rows: (rows[0]?.cells ?? []).map(({ cell }, i) => [
        CELL_NAMES[cell],
        ...rows.map(({ cells }) => failureCell(cells[i])),
      ]),
    }),
    tableMarkup({
      caption: `${model}: share that is right, step by step`,
      head: ["Step", "Overall", "Every earlier step right", "An earlier step wrong"],
      rows: chain.map(({ step, overall: all, afterRight, afterWrong }) => [
        step,
        ...[all, afterRight, afterWrong].map(rightCell),
      ]),
    }),
  ];
}

function failureCell(share: CellShare | undefined): TableCell {
  return share === undefined ? { text: "–" } : shareCell(share.examples.length, share.n, share.estimate);
}

function rightCell(share: RightShare | null): TableCell {
  return share === null ? { text: "" } : shareCell(share.right, share.n, share.estimate);
}

function shareCell(count: number, n: number, estimate: Estimate | null): TableCell {
  if (estimate === null) return { text: "–" };
  const { value, low, high } = estimate;
  return { text: markup`${fraction(value)} <small>(${fraction(low)}–${fraction(high)}; ${count}/${n})</small>` };
}
