import type { ContaminationMetric } from "../../metric/contamination/metric-names.js";
import type { AuditForm } from "../../metric/contamination/scored-set.js";
import type { ContaminationRow } from "../../metric/contamination/summarise.js";

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
