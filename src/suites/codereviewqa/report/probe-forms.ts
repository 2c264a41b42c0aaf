import { DIFFICULTIES, type Difficulty } from "../../../dataset/example.js";
import { ablationField, type FormKey, formName, formTitle, WITHHELD, type Withheld } from "../../../question/form.js";
import type { ProbeDefinition } from "../../../question/question.js";
import { formLabel } from "../../../verdict/verdict.js";
import type { RowDetail, SummaryRow } from "../metric/summary-row.js";

/** A probe form that at least one of the runs was asked: one for each number of orders. */
export interface ReportForm extends Pick<RowDetail, "orders"> {
  /** Such as `CL easy`. */
  readonly name: string;
  /** Such as `CL easy`, or `CL easy, 4 of 24 orders` where these are not all: scores stand under it. */
  readonly label: string;
  readonly task: string;
  readonly difficulty: Difficulty | null;
  /** Withheld part; absent: none. */
  readonly ablation?: Withheld | undefined;
  /** Such as `change localisation, easy`. */
  readonly title: string;
  readonly probe: ProbeDefinition;
}

/**
 * The forms of all runs, in the order in which the paper builds on them, easy before hard; those with something withheld
 * behind all others.
 */
export function reportForms(
  runs: readonly { readonly summary: readonly SummaryRow[] }[],
  probes: ReadonlyMap<string, ProbeDefinition>,
): ReportForm[] {
  const asked = runs.map(({ summary }) => ordersByForm(summary));
  return [undefined, ...WITHHELD].flatMap((ablation) =>
    [...probes.values()].flatMap((probe) =>
      [null, ...DIFFICULTIES].flatMap((difficulty): ReportForm[] => {
        const key: FormKey = { task: probe.task, difficulty, ...ablationField(ablation) };
        const name = formName(key);
        const form = { ...key, name, title: formTitle(probe.title, key), probe };
        const orders = asked.flatMap((own) => (own.has(name) ? [own.get(name)] : []));
        const labels = new Map(orders.map((own) => [formLabel({ name, orders: own }), own]));
        return [...labels].map(([label, own]) => ({ ...form, label, ...(own && { orders: own }) }));
      }),
    ),
  );
}

/** Orders of each question by the names of a run's forms; `undefined` where these are all. */
function ordersByForm(summary: readonly SummaryRow[]): ReadonlyMap<string, RowDetail["orders"]> {
  const found = new Map<string, RowDetail["orders"]>();
  for (const row of summary) found.set(formName(row), row.detail?.orders ?? found.get(formName(row)));
  return found;
}

/** The metrics of a run by form; none of a form that it was asked under another number of orders. */
export function metricsByForm(
  summary: readonly SummaryRow[],
  forms: readonly ReportForm[],
): ReadonlyMap<ReportForm, FormMetrics> {
  const orders = ordersByForm(summary);
  return new Map(
    forms.map((form) => {
      const isOwn = orders.get(form.name)?.asked === form.orders?.asked;
      return [form, new FormMetrics(isOwn ? summary : [], form)];
    }),
  );
}

/** The forms whose questions are others: one a name. */
export function formsByName(forms: readonly ReportForm[]): ReportForm[] {
  return forms.filter(({ name }, i) => forms.findIndex((form) => form.name === name) === i);
}

/** Looks up the metrics of one form of one run. */
export class FormMetrics {
  readonly #rows = new Map<string, SummaryRow>();
  readonly #groups = new Map<SummaryRow["groupBy"], Set<string>>();

  constructor(summary: readonly SummaryRow[], form: FormKey) {
    const name = formName(form);
    for (const row of summary) {
      if (formName(row) !== name) continue;
      this.#rows.set(key(row.groupBy, row.group, row.metric), row);
      this.#groups.set(row.groupBy, (this.#groups.get(row.groupBy) ?? new Set()).add(row.group));
    }
  }

  /** `true`: the run was asked this form. */
  get isAsked(): boolean {
    return this.#rows.size > 0;
  }

  overall(metric: SummaryRow["metric"]): SummaryRow | undefined {
    return this.#rows.get(key("overall", "all", metric));
  }

  of(groupBy: SummaryRow["groupBy"], group: string, metric: SummaryRow["metric"]): SummaryRow | undefined {
    return this.#rows.get(key(groupBy, group, metric));
  }

  groups(groupBy: SummaryRow["groupBy"]): string[] {
    return [...(this.#groups.get(groupBy) ?? [])];
  }

  /** `overall`, to hand on. */
  readonly find = (metric: SummaryRow["metric"]): SummaryRow | undefined => this.overall(metric);

  /** Score of the form: invariant accuracy, or exact match for generations. */
  get score(): SummaryRow | undefined {
    return this.overall("invariant_accuracy") ?? this.overall("em");
  }

  /** Score on the questions that the fitted lexical rule gets wrong. */
  get beyondWords(): SummaryRow | undefined {
    return this.of("words", "do_not_suffice", "invariant_accuracy");
  }

  scoreOf(groupBy: SummaryRow["groupBy"], group: string): SummaryRow | undefined {
    return this.of(groupBy, group, "invariant_accuracy") ?? this.of(groupBy, group, "em");
  }
}

function key(groupBy: string, group: string, metric: string): string {
  return `${groupBy}/${group}/${metric}`;
}
