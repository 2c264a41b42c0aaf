import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Context, Hono } from "hono";
import { etag } from "hono/etag";
import { badInput, ProbeError } from "../../base/errors.js";
import { packageRoot } from "../../base/folders.js";
import { type Console, EXIT, type ExitCode } from "../../console/console.js";
import { pageOf } from "../../report/page.js";
import { findRuns } from "../../run/folder/list-runs.js";
import { findSuite, type Suites } from "../../run/suite-entry.js";
import type { PageValues } from "../../serve/page-options.js";
import { serveUntilInterrupted } from "../../serve/serve-until-interrupted.js";
import { RESULTS_FOLDER } from "../../store/folder/work-folder.js";
import type { Html } from "../../web/html-page.js";
import { readPages, suiteFolders } from "../report/suite-pages.js";
import { problemPage, runsPage } from "./runs-page.js";
import { type ShownRun, WatchedRuns } from "./watched-runs.js";

/**
 * Serves the page of runs until it is interrupted.
 * @param values with no folder: the usual one, which may be made later
 * @throws ProbeError `bad_input` where a named folder is not there
 */
export async function handleView(
  suites: Suites,
  values: PageValues & { readonly folders: readonly string[] },
  console: Console,
): Promise<ExitCode> {
  const named = values.folders;
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

/** The page's script, put together from `page/` when the program is built. */
const SCRIPT_PATH = join(packageRoot, "dist/view-page.js");

/**
 * `/`: the runs. `/report?run=…`: the report of those that are named, as `probe report` makes it. `/question?run=…`: where
 * it shows one question.
 */
export async function viewRoutes(suites: Suites, watched: WatchedRuns): Promise<Hono> {
  const script = await readFile(SCRIPT_PATH, "utf8");
  const cache = new PageCache();
  const routes = new Hono();
  routes.get("/", etag(), async (context) => {
    return sendPage(context, runsPage({ look: await watched.look(), folders: watched.folders, script }));
  });
  routes.get("/report", async (context) => {
    const runs = await chosenRuns(context, watched);
    const name = runs.map(({ key }) => key).join(" ");
    const stamps = runs.map(({ stamp }) => stamp).join(" ");
    return sendPage(context, await cache.get(name, stamps, () => reportPage(suites, runs)));
  });
  routes.get("/question", async (context) => {
    const runs = await chosenRuns(context, watched);
    const query = runs.map(({ key }) => `run=${key}`).join("&");
    return context.redirect(`report?${query}${await anchorOf(suites, runs, context)}`, 303);
  });
  routes.onError((error, context) => {
    if (!(error instanceof ProbeError)) throw error;
    return sendPage(context, problemPage(error.message), 400);
  });
  return routes;
}

/** Sends a page. Its policy stands in the page itself; that nobody shows it in a frame can only be said here. */
function sendPage(context: Context, page: Html, status: 200 | 400 = 200): Response {
  return context.html(page, status, { "content-security-policy": "frame-ancestors 'none'" });
}

/**
 * The runs that the address names.
 * @throws ProbeError `bad_input` for none, or for one that is not there
 */
async function chosenRuns(context: Context, watched: WatchedRuns): Promise<ShownRun[]> {
  const keys = [...new Set(context.req.queries("run") ?? [])];
  if (keys.length === 0) throw badInput("Expected a run, found none chosen. Choose one in the list.");
  const { runs } = await watched.look();
  return keys.map((key) => {
    const run = runs.find((candidate) => candidate.key === key);
    if (run !== undefined) return run;
    throw badInput("Expected a run of this list, found none by this address. Choose one in the list.");
  });
}

/** The report of runs, as `probe report` makes it, with the way back to the list. */
async function reportPage(suites: Suites, runs: readonly ShownRun[]): Promise<Html> {
  const found = await suiteFolders(
    suites,
    runs.map(({ folder }) => folder),
    () => undefined,
  );
  const pages = await readPages(found, []);
  return pageOf(
    pages.map(({ part }) => part),
    { text: "All runs", href: "./" },
  );
}

/** Anchor of the question that is asked for; empty where its suite shows none by themselves. */
async function anchorOf(suites: Suites, runs: readonly ShownRun[], context: Context): Promise<string> {
  const [form, item] = [context.req.query("form"), context.req.query("item")?.trim()];
  const run = runs.find(({ forms }) => forms.some(({ name }) => name === form)) ?? runs[0];
  if (run?.suite == null || form === undefined || item === undefined || item === "") return "";
  const suite = await findSuite(suites, run.suite).load();
  return (await suite.anchor?.(form, item)) ?? "";
}

/** Pages of many runs have megabytes. */
const MOST_PAGES = 6;

/** Keeps the pages that were asked for last, as long as what they are made of is the same. */
export class PageCache {
  readonly #pages = new Map<string, { readonly stamp: string; readonly page: Promise<Html> }>();

  /** The page by this name, made when there is none of this stamp. A page that could not be made is not kept. */
  async get(name: string, stamp: string, make: () => Promise<Html>): Promise<Html> {
    const known = this.#pages.get(name);
    this.#pages.delete(name);
    const kept = known?.stamp === stamp ? known : { stamp, page: make() };
    this.#pages.set(name, kept);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > MOST_PAGES && oldest !== undefined) this.#pages.delete(oldest);
    try {
      return await kept.page;
    } catch (error) {
      if (this.#pages.get(name) === kept) this.#pages.delete(name);
      throw error;
    }
  }
}
