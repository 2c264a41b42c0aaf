import type { LeaderboardTable } from "../../../verdict/leaderboard.js";
import type { ReportRequest } from "./page/page-parts.js";

/** The report of stored runs. */
export interface Report {
  /** The page: one file that asks nothing of anyone. */
  readonly html: string;
  /** One a probe form; see `leaderboardMarkdown` and `leaderboardCsv`. */
  readonly leaderboards: readonly LeaderboardTable[];
  /** Names of what the runs were not asked alike, such as `dataset`; empty for runs over the same questions. */
  readonly differences: readonly string[];
}

/**
 * Makes the report of one or many runs from their journals; writes nothing, asks no model and no network.
 * @throws ProbeError `bad_input` when a folder holds no run, a journal is damaged, or a run is named twice
 */
export async function makeReport(request: ReportRequest): Promise<Report> {
  const [{ readPageParts }, { pagePart }, { pageOf }] = await Promise.all([
    import("./page/page-parts.js"),
    import("./page/report-page.js"),
    import("../../../report/page.js"),
  ]);
  const parts = await readPageParts(request);
  const { leaderboards, data } = parts;
  return { html: await pageOf([await pagePart(parts)]), leaderboards, differences: data.differences };
}
