import { badInput, ProbeError } from "../../../../base/errors.js";
import { type ChartSeries, chartSeries } from "../../../../report/chart-data.js";
import { type LeaderboardTable, leaderboardTables } from "../../../../verdict/leaderboard.js";
import { type AuditReport, readAuditReport } from "../../audit/known-audits.js";
import { analyseFailures, type FailureAnalysis, type FailureRecords } from "../../failures/failures.js";
import { isExact } from "../../metric/written/scored-generation.js";
import type { NamedRun } from "../../record/stored-run.js";
import type { ReportForm } from "../probe-forms.js";
import { type ReportData, type ReportModel, readReportData } from "../report-data.js";
import { hasAllAnswers, hasAllGenerations } from "../report-run.js";

/** Look of a model in every chart; no two labels are the same. */
export interface Series extends ChartSeries {
  readonly model: ReportModel;
}

/** The models that charts show: the first ones. */
function seriesOf(models: readonly ReportModel[]): Series[] {
  return chartSeries(models.map(({ name }) => name)).flatMap((series, i) => {
    const model = models[i];
    return model === undefined ? [] : [{ ...series, model }];
  });
}

/** Inputs of the sections. */
export interface PageParts {
  readonly data: ReportData;
  /** The models that charts show. */
  readonly series: readonly Series[];
  readonly leaderboards: readonly LeaderboardTable[];
  /** Analyses of the runs that hold ACR and every probe. */
  readonly failures: readonly FailureAnalysis[];
  readonly audits: readonly AuditReport[];
}

/** Request for a report. */
export interface ReportRequest {
  /** Folders of runs, at least one. */
  readonly runs: readonly string[];
  /** Folders of audits. */
  readonly audits: readonly string[];
  /** Files of `--dataset`. */
  readonly datasets: readonly string[];
}

/**
 * Reads runs and audits; writes nothing, asks no model and no network.
 * @throws ProbeError `bad_input`
 */
export async function readPageParts({ runs, audits, datasets }: ReportRequest): Promise<PageParts> {
  const data = await readReportData(runs, datasets);
  const reports = [];
  for (const folder of audits) reports.push(await readAuditReport(folder));
  const hasGenerations = data.models.some(({ generations }) => generations.length > 0);
  return {
    data,
    series: seriesOf(data.models),
    leaderboards: leaderboardTables(data.models.map(({ verdicts }) => verdicts)),
    failures: hasGenerations ? await findFailures(runs, recordsOfModels(data.models)) : [],
    audits: reports,
  };
}

/** The runs together, as some may fill what others lack; else each that can be analysed by itself. */
async function findFailures(runs: readonly string[], records: FailureRecords): Promise<readonly FailureAnalysis[]> {
  const together = await tryAnalyse(runs, records);
  if (together !== null || runs.length === 1) return together ?? [];
  const single: FailureAnalysis[] = [];
  for (const run of runs) single.push(...((await tryAnalyse([run], records)) ?? []));
  return single;
}

/** The records that the report has read already. */
function recordsOfModels(models: readonly ReportModel[]): FailureRecords {
  const finished = (named: NamedRun, isFinished: (run: ReportModel) => boolean): ReportModel => {
    const run = models.find(({ path }) => path === named.path);
    if (run !== undefined && isFinished(run)) return run;
    throw badInput(`Expected a finished run in ${named.folder}.`);
  };
  return {
    scores: async (named) => finished(named, hasAllAnswers).questions.map(({ score }) => score),
    async *revisions(named) {
      for (const revision of finished(named, hasAllGenerations).generations)
        yield { ...revision, match: isExact(revision) };
    },
  };
}

/** `null` where ACR or a probe is lacking. */
async function tryAnalyse(
  folders: readonly string[],
  records: FailureRecords,
): Promise<readonly FailureAnalysis[] | null> {
  try {
    return (await analyseFailures({ folders, match: "em", by: null }, records)).analyses;
  } catch (error) {
    if (error instanceof ProbeError && error.code === "bad_input") return null;
    throw error;
  }
}

/** Options of a form's questions; 0 where the model writes instead of choosing. */
export function optionCountOf({ probe }: ReportForm): number {
  return probe.kind === "choice" ? probe.optionCount : 0;
}
