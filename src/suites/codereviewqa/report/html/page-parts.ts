import type { LeaderboardTable } from "../../../../verdict/leaderboard.js";
import type { FailureAnalysis } from "../../failures/failures.js";
import type { AuditReport } from "../data/audit-report.js";
import type { ReportData } from "../data/report-data.js";
import type { Series } from "../data/series.js";

/** What the sections are made from. */
export interface PageParts {
  readonly data: ReportData;
  /** The models that charts show. */
  readonly series: readonly Series[];
  readonly leaderboards: readonly LeaderboardTable[];
  /** Of the runs that hold ACR and every probe. */
  readonly failures: readonly FailureAnalysis[];
  readonly audits: readonly AuditReport[];
}
