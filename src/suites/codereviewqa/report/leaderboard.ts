import { LANGUAGES, type Language } from "../../../base/language.js";
import type { SummaryRow } from "../metric/summary-row.js";
import type { FormMetrics, ReportForm } from "./data/probe-forms.js";
import type { ReportData, ReportModel } from "./data/report-data.js";
import { type FormVerdict, judgeForm } from "./verdict.js";

/** A leaderboard of one probe form, in the form of the paper's Tables 7 (ACR) and 8–12. */
export interface LeaderboardTable {
  readonly form: ReportForm;
  /** Such as `Table 9`. */
  readonly paperTable: string | null;
  /** 1/N: what plurality agreement is for a model that always says the same letter; `null` for generations. */
  readonly floor: number | null;
  /** Languages that any of the models was asked about, in the benchmark's order. */
  readonly languages: readonly Language[];
  /** In the order of the runs. */
  readonly rows: readonly LeaderboardRow[];
}

/** One model. Rates are fractions; `null` where not measured. */
export interface LeaderboardRow {
  readonly model: string;
  readonly runId: string;
  /** Questions, or generations. */
  readonly n: number;
  /** PPA: plurality agreement. */
  readonly agreement: number | null;
  /** PPA minus 1/N, as the paper has it. */
  readonly aboveFloor: number | null;
  /** PPA minus its mean under uniform guessing: below 0, it says less than guessing does. */
  readonly aboveGuessing: number | null;
  /** `null` for generations. */
  readonly verdict: FormVerdict | null;
  readonly byLanguage: ReadonlyMap<Language, number | null>;
  /** Invariant accuracy, or exact match, with its 95 % interval. */
  readonly overall: Pick<SummaryRow, "value" | "ciLow" | "ciHigh">;
  /** Exact match as the paper's script computes it (its Table 7); `null` but for generations. */
  readonly paperScore: number | null;
}

const PAPER_TABLES: Readonly<Record<string, string>> = {
  ACR: "Table 7",
  CTR: "Table 8",
  "CL easy": "Table 9",
  "CL hard": "Table 10",
  "SI easy": "Table 11",
  "SI hard": "Table 12",
};

/** One table a probe form that any of the models was asked. */
export function leaderboardTables({ models, forms }: Pick<ReportData, "models" | "forms">): LeaderboardTable[] {
  return forms.map((form) => {
    const entries = models.flatMap((model) => {
      const metrics = model.metrics.get(form);
      return metrics?.isAsked === true ? [{ model, metrics }] : [];
    });
    const asked = new Set(entries.flatMap(({ metrics }) => metrics.groups("language")));
    const languages = LANGUAGES.filter((language) => asked.has(language));
    return {
      form,
      paperTable: PAPER_TABLES[form.name] ?? null,
      floor: form.probe.kind === "choice" ? 1 / form.probe.optionCount : null,
      languages,
      rows: entries.map(({ model, metrics }) => rowOf(model, metrics, languages)),
    };
  });
}

function rowOf(model: ReportModel, metrics: FormMetrics, languages: readonly Language[]): LeaderboardRow {
  const value = (name: SummaryRow["metric"]) => metrics.overall(name)?.value ?? null;
  const agreement = value("plurality_agreement");
  const { score } = metrics;
  return {
    model: model.name,
    runId: model.run.run_id,
    n: score?.n ?? 0,
    agreement,
    aboveFloor: minus(agreement, value("floor_random")),
    aboveGuessing: minus(agreement, value("plurality_agreement_null")),
    verdict: metrics.overall("mcsb_gate") === undefined ? null : judgeForm((name) => metrics.overall(name)),
    byLanguage: new Map(languages.map((language) => [language, metrics.scoreOf("language", language)?.value ?? null])),
    overall: score ?? { value: null, ciLow: null, ciHigh: null },
    paperScore: value("paper_em"),
  };
}

function minus(value: number | null, other: number | null): number | null {
  return value === null || other === null ? null : value - other;
}

/** The highest value of a column; all rows that have it are best. `null` without any, or for a single row. */
export function bestOf(rows: readonly LeaderboardRow[], column: (row: LeaderboardRow) => number | null): number | null {
  const values = rows.flatMap((row) => column(row) ?? []);
  return rows.length < 2 || values.length === 0 ? null : Math.max(...values);
}
