import type { Block, Inline, NumberFormat } from "../../../report/block.js";
import {
  boundedColumn,
  type ColumnOf,
  heading,
  intervalOf,
  numberCell,
  numberColumn,
  rightColumn,
  sentence,
  tableOf,
  textColumn,
} from "../../../report/make-block.js";
import { LEAST_RESAMPLED } from "../../../stats/bootstrap.js";
import type { AuditFile } from "./audit-file.js";
import type { ContaminationRow } from "./audit-record.js";
import { type AuditForm, type ContaminationMetric, LEAST_EXAMPLES, tooFewText } from "./sequence-score.js";

/** The numbers of one form of one benchmark over one group of examples. */
export interface FormNumbers {
  readonly benchmark: string;
  readonly form: AuditForm;
  readonly task: string | null;
  readonly difficulty: string | null;
  readonly group: string;
  readonly metric: (name: ContaminationMetric) => ContaminationRow | undefined;
}

/** Rows by what they are about, in their order. */
export function formNumbers(summary: readonly ContaminationRow[]): FormNumbers[] {
  const found = new Map<string, { first: ContaminationRow; rows: Map<ContaminationMetric, ContaminationRow> }>();
  for (const row of summary) {
    const key = JSON.stringify([row.benchmark, row.form, row.task, row.difficulty, row.group]);
    const entry = found.get(key) ?? { first: row, rows: new Map() };
    found.set(key, entry);
    entry.rows.set(row.metric, row);
  }
  return [...found.values()].map(({ first: { benchmark, form, task, difficulty, group }, rows }) => {
    return { benchmark, form, task, difficulty, group, metric: (name) => rows.get(name) };
  });
}

const FORM_NAMES: Readonly<Record<AuditForm, string>> = { ACR: "ACR", ACR_RENAMED: "ACR renamed", MCQA: "MCQA" };

export function formName(form: AuditForm): string {
  return FORM_NAMES[form];
}

/** Such as `CL hard`; `MCQA` for all probes together. */
export function taskName({ form, task, difficulty }: Pick<FormNumbers, "form" | "task" | "difficulty">): string {
  if (form !== "MCQA") return formName(form);
  return task === null ? "MCQA" : [task, difficulty ?? ""].join(" ").trim();
}

export const BENCHMARK: ColumnOf<FormNumbers> = textColumn("benchmark", "benchmark", ({ benchmark }) => benchmark);

function examplesOf(metric: ContaminationMetric): ColumnOf<FormNumbers> {
  return numberColumn("examples", "examples", "count", (row) => row.metric(metric)?.n ?? 0, { importance: 2 });
}

function bounded(metric: ContaminationMetric, label: string, format: NumberFormat): ColumnOf<FormNumbers> {
  return boundedColumn(metric, label, format, (row) => row.metric(metric));
}

/** Differences of the forms of the same examples. */
export function differenceBlocks(overall: readonly FormNumbers[]): Block[] {
  const rows = overall.filter(({ metric }) => (metric("ln_perplexity_minus_acr")?.n ?? 0) > 0);
  if (rows.length === 0) return [];
  const columns: ColumnOf<FormNumbers>[] = [
    BENCHMARK,
    textColumn("form", "form", taskName),
    examplesOf("ln_perplexity_minus_acr"),
    rightColumn("factor", "perplexity × (95 %)", ({ metric }) => {
      const { value = null, ciLow = null, ciHigh = null } = metric("ln_perplexity_minus_acr") ?? {};
      const interval = intervalOf(exp(ciLow), exp(ciHigh));
      return numberCell(exp(value), "coefficient", { interval });
    }),
    {
      ...bounded("ngram_accuracy_minus_acr", "5-gram accuracy, points (95 %)", "points_change"),
      shortLabel: "5-grams, points (95 %)",
    },
  ];
  return [heading(3, "The same examples in another form, beside ACR"), tableOf(null, columns, rows)];
}

function exp(value: number | null): number | null {
  return value === null ? null : Math.exp(value);
}

/** Cost of renaming, for the audited dataset beside the others: higher where its names are known better. */
export function renamingBlocks(overall: readonly FormNumbers[], audited: string): Block[] {
  const rows = overall.filter(({ metric }) => (metric("renaming_cost")?.n ?? 0) > 0);
  if (rows.length === 0) return [];
  const columns: ColumnOf<FormNumbers>[] = [
    BENCHMARK,
    examplesOf("renaming_cost"),
    bounded("renaming_cost", "bits a replaced character (95 %)", "coefficient_change"),
    bounded("renaming_cost_difference", `${audited} minus this (95 %)`, "coefficient_change"),
  ];
  const others = rows.filter(({ benchmark }) => benchmark !== audited);
  const own = rows.find(({ benchmark }) => benchmark === audited)?.metric("renaming_cost")?.n ?? 0;
  return [
    heading(3, "What renaming the identifiers costs"),
    tableOf(null, columns, rows),
    others.length === 0
      ? sentence(
          "Alone it says little: all code loses by made-up names. Hold it against code the model cannot know: --against FILE.",
        )
      : { kind: "list", items: others.map((other) => conclusionOf(other, audited, own)) },
  ];
}

/** @param own examples of the audited dataset */
function conclusionOf({ benchmark: other, metric }: FormNumbers, name: string, own: number): Inline[] {
  const row = metric("renaming_cost_difference");
  const fewer = Math.min(own, row?.n ?? 0);
  if (fewer < LEAST_EXAMPLES || row?.ciLow == null || row.ciHigh === null) {
    return [`${name} beside ${other}: ${tooFewText(fewer)}`];
  }
  if (row.ciLow > 0) {
    return [`the model knows the names of ${name} better than those of ${other}: a sign of memorised code`];
  }
  if (row.ciHigh < 0) {
    return [`the model knows the names of ${name} less well than those of ${other}: no sign of memorised code`];
  }
  return [`no difference shown between the names of ${name} and those of ${other}`];
}

/** The method of the audit. */
export function methodBlock({ parameters, results }: AuditFile): Block {
  const { ngram_n: n, ngram_starts: k, starts, seed } = parameters;
  const where = starts === "even" ? "evenly spread" : `drawn with seed ${seed}`;
  const resamples = (results?.resamples ?? 0).toLocaleString("en-US");
  const facts = {
    perplexity:
      "exp of the mean negative log probability of a text's tokens; mean over texts, then over all tokens, median",
    [`${n}-gram accuracy`]: `${k} places a text, ${where}; ${n} tokens each, all of them the model's own first choice`,
    "×": "perplexity of the form divided by that of ACR, geometric mean over examples",
    intervals: `95 %, bootstrap by example, ${resamples} resamples, seed ${seed}; below ${LEAST_RESAMPLED} examples by Student's t`,
  };
  return { kind: "facts", facts: Object.entries(facts).map(([name, text]) => ({ name, parts: [text] })) };
}
