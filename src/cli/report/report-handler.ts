import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { badInput } from "../../base/errors.js";
import { type Console, EXIT, type ExitCode, jsonText } from "../../console/console.js";
import { headOf, type OutputFile, requireWritable } from "../../console/output-file.js";
import { heading } from "../../report/make-block.js";
import { GENERATOR, modelsText, type PagePart, pagePieces, sectionOf } from "../../report/page.js";
import { leaderboardMarkdown } from "../../report/verdicts/leaderboard-blocks.js";
import { linkBlocks, namesOf } from "../../report/verdicts/link-blocks.js";
import { type LinkedRuns, overviewBlocks } from "../../report/verdicts/overview-blocks.js";
import { leaderboardCsv } from "../../run/board-csv.js";
import type { Suites } from "../../run/suite-entry.js";
import type { SuitePage } from "../../run/suite-page.js";
import { writeAtomically } from "../../store/atomic-write.js";
import { type LeaderboardTable, leaderboardTables, modelNames } from "../../verdict/leaderboard.js";
import { linkRuns } from "../../verdict/task-link.js";
import { taskOfProbe } from "../../verdict/task-probe.js";
import type { DataFact, RunVerdicts } from "../../verdict/verdict.js";
import type { Markup } from "../../web/html-page.js";
import type { ReportValues } from "../command-options.js";
import { readDataFacts, readPages, recordsOf, requireRuns, type SuiteFolders, suiteFolders } from "./suite-pages.js";
import { writeTableSet } from "./table-handler.js";

const PAGE_FILE = "report.html";

/** Larger pages open slowly, and are refused by many mail servers. */
const LARGE_PAGE_BYTES = 25_000_000;

/** Files of a report. */
interface ReportFiles {
  readonly page: string;
  /** True if the page's place was named, not chosen. */
  readonly isNamed: boolean;
  readonly markdown: string | null;
  readonly csv: string | null;
}

/** `probe report`: the page, and the leaderboard as Markdown and CSV where they are asked for. */
export async function handleReport(suites: Suites, values: ReportValues, console: Console): Promise<ExitCode> {
  const { dataset: datasets, overwrite } = values;
  const found = await suiteFolders(suites, values.runs, (note) => console.err(`${note}\n`));
  if (values.table !== null) return await writeTableSet(values.table, found, values, console);
  const alone = values.format !== null ? "format" : values.width !== null ? "width" : null;
  if (alone !== null) {
    const line = `probe report ${values.runs.join(" ")} --table scores --format latex`;
    throw badInput(`Expected --table beside --${alone}, found none: a page is HTML. Such as: ${line}`);
  }
  const runs = requireRuns(found);
  const facts = await readDataFacts(found);
  const files = filesOf(values, runs);
  const inputs = [...datasets, ...recordsOf(found)];
  await requireWritable(await guardedFiles(files, runs), { inputs, overwrite });
  if ((await bytesOf(inputs)) > SMALL_INPUT_BYTES) keepHeapTight();
  const report = await readReport({ found, datasets, facts }, console);
  collectGarbage();
  const bytes = await writePage(files.page, report.page, () => writeBoards(files, report));
  for (const note of [...report.notes, ...sizeNote(bytes)]) console.err(`${note}\n`);
  console.out(values.json ? outcomeJson(files, report, bytes) : outcomeText(files, bytes));
  return EXIT.done;
}

/** Report to be written; it keeps no more of the runs than that. */
interface ReadReport {
  readonly page: AsyncIterable<Markup>;
  readonly boards: readonly LeaderboardTable[];
  readonly notes: readonly string[];
  /** Facts of the JSON document about the runs and the folders that belong to them. */
  readonly contents: Readonly<Record<string, unknown>>;
}

interface ReportSources {
  readonly found: readonly SuiteFolders[];
  readonly datasets: readonly string[];
  readonly facts: readonly DataFact[];
}

async function readReport({ found, datasets, facts }: ReportSources, console: Console): Promise<ReadReport> {
  const pages = await readPages(found, datasets);
  const shown = pages.flatMap((page) => page.runs);
  const told = new Set(facts.filter((fact) => shown.some((run) => isOfRun(run, fact))).map(({ folder }) => folder));
  for (const folder of found.flatMap((own) => (own.runs.length === 0 ? own.others : []))) {
    if (!told.has(folder)) console.err(`Left out ${folder}: it belongs to none of the runs.\n`);
  }
  const names = modelNames(shown);
  return {
    page: pagePieces([...overviewParts(pages, facts), ...pages.map(({ part }) => part)]),
    boards: leaderboardTables(shown),
    notes: pages.flatMap(({ notes }) => notes),
    contents: {
      runs: shown.map(({ runId, folder }, i) => ({ model: names[i], run_id: runId, folder })),
      ...Object.assign({}, ...pages.map(({ others }) => others)),
    },
  };
}

/** Writes the leaderboards, one inside the other: where one cannot be written, neither is there. */
async function writeBoards({ markdown, csv }: ReportFiles, { boards, notes }: ReadReport): Promise<void> {
  const alike = notes.filter((note) => note.startsWith("The runs were not asked alike"));
  const writeCsv = async () => {
    if (csv !== null) await writeAtomically(csv, (append) => append(leaderboardCsv(boards)));
  };
  if (markdown === null) return await writeCsv();
  await writeAtomically(markdown, async (append) => {
    await append(leaderboardMarkdown(boards, alike));
    await writeCsv();
  });
}

function filesOf({ out, leaderboardMd, leaderboardCsv }: ReportValues, runs: readonly string[]): ReportFiles {
  const [first] = runs;
  return {
    page: out ?? (runs.length === 1 && first !== undefined ? join(first, PAGE_FILE) : PAGE_FILE),
    isNamed: out !== null,
    markdown: leaderboardMd,
    csv: leaderboardCsv,
  };
}

/** A run's own page is made anew, as its tables are; any other file is only replaced when that is asked for. */
async function guardedFiles(files: ReportFiles, runs: readonly string[]): Promise<OutputFile[]> {
  const { page, isNamed, markdown, csv } = files;
  const isOwn = !isNamed && runs.length === 1 && (await isOurPage(page));
  return [
    { option: "out", path: isOwn ? null : page },
    { option: "leaderboard-md", path: markdown },
    { option: "leaderboard-csv", path: csv },
  ];
}

function outcomeText({ page, markdown, csv }: ReportFiles, bytes: number): string {
  const boards = [markdown, csv].flatMap((path) => (path === null ? [] : [`Leaderboard: ${path}\n`]));
  return [...boards, `Report: ${page} (${sizeText(bytes)})\n`].join("");
}

function outcomeJson({ page, markdown, csv }: ReportFiles, { contents }: ReadReport, bytes: number): string {
  const document = { report: page, bytes, leaderboard_md: markdown, leaderboard_csv: csv, ...contents };
  return jsonText(document);
}

/** Such as `48 kB`, and `1.2 MB` from about a million bytes on. */
export function sizeText(bytes: number): string {
  return bytes < 999_500 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

const HEAD_BYTES = 2_000;

/** Tests if a file is a page of this program. */
export async function isOurPage(path: string): Promise<boolean> {
  if ((await stat(path).catch(() => null))?.isFile() !== true) return false;
  return (await headOf(path, HEAD_BYTES)).includes(`content="${GENERATOR}"`);
}

function sizeNote(bytes: number): string[] {
  return bytes > LARGE_PAGE_BYTES
    ? [`The page is ${(bytes / 1e6).toFixed(0)} MB; report fewer runs for a smaller one.`]
    : [];
}

/** Inputs that fit in memory several times over: collecting often would only take time. */
const SMALL_INPUT_BYTES = 100_000_000;

async function bytesOf(files: readonly string[]): Promise<number> {
  const infos = await Promise.all(files.map((file) => stat(file).catch(() => null)));
  return infos.reduce((sum, info) => sum + (info?.size ?? 0), 0);
}

/**
 * Has what is no longer needed collected when the heap has grown by a quarter, not by several times: each step of a report
 * lets go of most of what the one before it needed.
 */
function keepHeapTight(): void {
  setFlagsFromString("--heap-growing-percent=25");
}

/** Collects what is no longer needed, now: before something that takes much memory outside the heap, such as grammars. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("globalThis.gc");
  if (typeof collect === "function") collect();
}

/**
 * Overview before the pages of several suites: each model in one table, and successes held against probes of the same
 * tasks.
 * @param facts what audits found of the code of suites
 */
export function overviewParts(pages: readonly SuitePage[], facts: readonly DataFact[]): PagePart[] {
  if (pages.length < 2 && facts.length === 0) return [];
  const runs = pages.flatMap((page) => page.runs.map((run) => withFacts(run, facts)));
  const links = linksOf(runs);
  const sections = [sectionOf({ id: "overview", title: "At a glance", blocks: overviewBlocks(runs, links) })];
  if (links.length > 0) {
    const blocks = links.flatMap(({ run, probes, link }) => [
      ...(links.length > 1 ? [heading(3, `${run.suite} ${run.runId}, probes ${probes.runId}`)] : []),
      ...linkBlocks(namesOf(run, probes), link),
    ]);
    sections.push(sectionOf({ id: "link", title: "Success and comprehension", blocks }));
  }
  const subject = "Comprehension, action, reality";
  return [
    {
      head: { title: modelsText([...new Set(runs.map(({ model }) => model))]), subject },
      subject,
      models: [],
      facts: [],
      sections,
      shortTitles: {},
      style: "",
      script: "",
      data: null,
    },
  ];
}

/** Tests if a fact is about the code of a run's suite, for its model. */
function isOfRun(run: RunVerdicts, { suite, model, data }: DataFact): boolean {
  return suite === run.suite && model === run.model && run.data?.startsWith(data) === true;
}

/** A run of agents with what audits of its code found. */
function withFacts(run: RunVerdicts, facts: readonly DataFact[]): RunVerdicts {
  if (!run.forms.some(({ kind }) => kind === "trial")) return run;
  const own = facts.filter((fact) => isOfRun(run, fact));
  const text = `not audited: probe audit --suite ${run.suite} --part gold, and its folder beside the run`;
  const unknown = { title: "code that looks memorised", share: null, state: "unknown", text } as const;
  const found = own.length > 0 ? own.map(({ fact }) => fact) : [unknown];
  return { ...run, reality: [...(run.reality ?? []), ...found] };
}

/** Every run of agents with every run of probes about its tasks. */
function linksOf(runs: readonly RunVerdicts[]): LinkedRuns[] {
  return runs.flatMap((run) => {
    const tasks = new Set(run.verdicts.map(({ cluster }) => cluster));
    const isAbout = (other: RunVerdicts) =>
      other !== run && other.verdicts.some(({ item }) => tasks.has(taskOfProbe(item) ?? ""));
    const isOfAgents = run.forms.some(({ kind }) => kind === "trial");
    if (!isOfAgents) return [];
    return runs
      .filter((other) => other.forms.some(({ kind }) => kind === "choice") && isAbout(other))
      .map((probes) => ({ run, probes, link: linkRuns(run, probes) }));
  });
}

/**
 * Writes a page piece by piece, as its pieces are made. Where one cannot be made, or written, the page that was there stays,
 * so that the same command can be given again.
 * @param besides writes what belongs to the page, once its pieces are written and before it is there
 * @returns its size in bytes
 */
export async function writePage(
  path: string,
  pieces: AsyncIterable<Markup>,
  besides: () => Promise<void> = async () => {},
): Promise<number> {
  let bytes = 0;
  await writeAtomically(path, async (append) => {
    for await (const { text } of pieces) {
      bytes += Buffer.byteLength(text);
      await append(text);
    }
    await besides();
  });
  return bytes;
}
