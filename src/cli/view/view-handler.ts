import type { Console } from "../../console/console.js";
import { EXIT, type ExitCode } from "../../console/exit-codes.js";
import { type GivenOptions, parseOptions } from "../../console/option.js";
import { PAGE_OPTIONS } from "../../console/page-options.js";
import { findRuns } from "../../run/list-runs.js";
import type { SuiteEntry } from "../../run/suite-entry.js";
import { serveUntilInterrupted } from "../../serve/serve-until-interrupted.js";
import { RESULTS_FOLDER } from "../../store/folder/work-folder.js";
import { viewRoutes } from "./view-routes.js";
import { WatchedRuns } from "./watched-runs.js";

/**
 * Serves the page of runs until it is interrupted.
 * @param named folders; none: the usual one, which may be made later
 * @throws ProbeError `bad_input` where a named folder is not there
 */
export async function handleView(
  suites: readonly SuiteEntry[],
  named: readonly string[],
  given: GivenOptions,
  console: Console,
): Promise<ExitCode> {
  const values = parseOptions(PAGE_OPTIONS, given);
  for (const folder of named) await findRuns(folder);
  const folders = named.length > 0 ? named : [RESULTS_FOLDER];
  const runs = new WatchedRuns({ suites, folders, now: console.now });
  console.err(
    `Open this address in a browser on this machine to see the runs in ${folders.join(", ")}; Ctrl-C ends it.\n`,
  );
  try {
    // Suites are loaded and runs are known before anybody asks for the page.
    await runs.look();
    await serveUntilInterrupted({ command: "probe view", routes: await viewRoutes(suites, runs) }, values, console);
  } finally {
    runs.close();
  }
  return EXIT.done;
}
