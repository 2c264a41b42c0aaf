import type { Estimate } from "../../stats/interval.js";
import { type Link, type LinkTable, leftOutText } from "../../verdict/task-link.js";
import type { RunVerdicts } from "../../verdict/verdict.js";
import type { Block } from "../block.js";
import {
  type ColumnOf,
  intervalOf,
  notice,
  numberCell,
  numberColumn,
  rightColumn,
  sentence,
  tableOf,
  textColumn,
} from "../make-block.js";
import { numberText, quantityText } from "../number-text.js";

/** Runs that are held against each other, as readers know them. */
export interface LinkNames {
  readonly suite: string;
  /** Agent, and model that answered. */
  readonly worker: string;
  readonly reader: string;
}

/** Names of the agent and of the model that answered. */
export function namesOf(run: RunVerdicts, probes: RunVerdicts): LinkNames {
  return { suite: run.suite, worker: run.model, reader: probes.model };
}

interface LinkRow {
  readonly name: string;
  readonly understood: number;
  readonly not: number;
  readonly without: Estimate | null;
}

/** Success and comprehension on the same tasks, for people. */
export function linkBlocks({ suite, worker, reader }: LinkNames, link: Link): Block[] {
  const others =
    worker === reader
      ? []
      : [
          notice(
            "warning",
            `${worker} worked, ${reader} answered. Comprehension below is that of ${reader}, not of ${worker}.`,
          ),
        ];
  if (link.status === "refused") return [...others, notice("warning", `Not linked. ${link.reason}`)];
  return [
    ...others,
    sentence(
      `Tasks of ${suite}, by what became of them (columns: whether every probe of the task, ${link.forms.join(", ")}, was answered right under every order of the options). `,
      "A task is one case; it succeeded where more than half of its judged trials passed.",
    ),
    ...link.leftOut.map(({ form, why }) => notice("warning", `Left out: ${form}, ${why}.`)),
    ...link.tables.flatMap(tableBlocks),
  ];
}

function tableBlocks(table: LinkTable): Block[] {
  const { both, successOnly, understoodOnly, neither, pValue, ifUnderstood, ifNot } = table;
  const rows: LinkRow[] = [
    { name: "success", understood: both, not: successOnly, without: table.without },
    { name: "no success", understood: understoodOnly, not: neither, without: null },
  ];
  const name = table.condition ?? "all conditions";
  const left = leftOutText(table);
  return [
    tableOf(name, COLUMNS, rows),
    sentence(
      `Success where understood: ${estimateText(ifUnderstood)}; where not: ${estimateText(ifNot)}. `,
      `Fisher's exact test, two-sided: p ${pValue === null ? "–" : numberText(pValue, "pvalue")}.`,
    ),
    ...(left === null ? [] : [sentence(left)]),
  ];
}

function estimateText(estimate: Estimate | null): string {
  if (estimate === null) return "no task";
  return quantityText({ value: estimate.value, format: "fraction", interval: intervalOf(estimate.low, estimate.high) });
}

const COLUMNS: readonly ColumnOf<LinkRow>[] = [
  textColumn("success", "tasks", ({ name }) => name),
  numberColumn("understood", "all probes right", "count", ({ understood }) => understood),
  numberColumn("not", "not all right", "count", ({ not }) => not),
  rightColumn("without", "without comprehension", ({ without }) =>
    numberCell(without?.value, "fraction", { interval: intervalOf(without?.low, without?.high) }),
  ),
];
