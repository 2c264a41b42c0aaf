import { DIFFICULTIES, type Difficulty } from "../../../dataset/example.js";
import { ablationField, type FormKey, formName, formTitle, WITHHELD, type Withheld } from "../../../question/form.js";
import type { ProbeDefinition } from "../../../question/question.js";
import type { SummaryRow } from "../metric/summary-row.js";

/** A probe form that at least one of the runs was asked. */
export interface ReportForm {
  /** Such as `CL easy`. */
  readonly name: string;
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
  const asked = new Set(runs.flatMap(({ summary }) => summary.map(formName)));
  return [undefined, ...WITHHELD].flatMap((ablation) =>
    [...probes.values()].flatMap((probe) =>
      [null, ...DIFFICULTIES].flatMap((difficulty): ReportForm[] => {
        const key: FormKey = { task: probe.task, difficulty, ...ablationField(ablation) };
        const name = formName(key);
        return asked.has(name) ? [{ ...key, name, title: formTitle(probe.title, key), probe }] : [];
      }),
    ),
  );
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
