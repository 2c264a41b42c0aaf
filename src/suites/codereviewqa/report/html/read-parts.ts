import { ProbeError } from "../../../../base/errors.js";
import { leaderboardTables } from "../../../../verdict/leaderboard.js";
import { analyseFailures, type FailureAnalysis } from "../../failures/failures.js";
import { readAuditReport } from "../data/audit-report.js";
import { readReportData } from "../data/report-data.js";
import { chartSeries } from "../data/series.js";
import type { PageParts } from "./page-parts.js";

/** What a report is made from. */
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
    series: chartSeries(data.models),
    leaderboards: leaderboardTables(data.models.map(({ verdicts }) => verdicts)),
    failures: hasGenerations ? await findFailures(runs) : [],
    audits: reports,
  };
}

/** The runs together, as some may fill what others lack; else each that can be analysed by itself. */
async function findFailures(runs: readonly string[]): Promise<readonly FailureAnalysis[]> {
  const together = await tryAnalyse(runs);
  if (together !== null || runs.length === 1) return together ?? [];
  const single: FailureAnalysis[] = [];
  for (const run of runs) single.push(...((await tryAnalyse([run])) ?? []));
  return single;
}

/** `null` where ACR or a probe is lacking. */
async function tryAnalyse(folders: readonly string[]): Promise<readonly FailureAnalysis[] | null> {
  try {
    return (await analyseFailures({ folders, match: "em", by: null })).analyses;
  } catch (error) {
    if (error instanceof ProbeError && error.code === "bad_input") return null;
    throw error;
  }
}
