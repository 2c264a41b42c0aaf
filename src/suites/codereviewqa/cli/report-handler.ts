import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { ProbeError } from "../../../base/errors.js";
import { single } from "../../../console/arguments.js";
import type { Console } from "../../../console/console.js";
import { EXIT, type ExitCode } from "../../../console/exit-codes.js";
import { writeAtomically } from "../../../store/atomic-write.js";
import { findAuditFile } from "../audit/audit-file.js";
import { readRunFile } from "../record/run-file.js";
import { GENERATOR, reportPage } from "../report/html/page.js";
import type { PageParts } from "../report/html/page-parts.js";
import { readPageParts } from "../report/html/read-parts.js";
import { leaderboardMarkdown } from "../report/leaderboard-blocks.js";
import { leaderboardCsv } from "../report/leaderboard-csv.js";
import { type OutputFile, requireWritable } from "./dataset/output-file.js";

type Text = string | string[] | undefined;

interface ReportArguments {
  readonly runs: readonly string[];
  readonly out?: Text;
  readonly dataset?: Text;
  readonly leaderboardMd?: Text;
  readonly leaderboardCsv?: Text;
  readonly overwrite?: boolean | undefined;
  readonly json?: boolean | undefined;
}

const PAGE_FILE = "report.html";

/** The files of a run or an audit that are read: never replaced, even when asked for. */
const RECORDS = ["run.json", "answers.jsonl", "generations.jsonl", "audit.json", "contamination.jsonl"];

/** Larger pages open slowly, and are refused by many mail servers. */
const LARGE_PAGE_BYTES = 25_000_000;

/** Where the files of a report go. */
interface ReportFiles {
  readonly page: string;
  /** Whether the page's place was named, not chosen. */
  readonly isNamed: boolean;
  readonly markdown: string | null;
  readonly csv: string | null;
}

/** `probe report`: the page, and the leaderboard as Markdown and CSV where they are asked for. */
export async function handleReport(given: ReportArguments, console: Console): Promise<ExitCode> {
  const { runs, audits } = await sortFolders(given.runs);
  const files = filesOf(given, runs);
  const datasets = [given.dataset ?? []].flat();
  const inputs = [...datasets, ...given.runs.flatMap((folder) => RECORDS.map((file) => join(folder, file)))];
  await requireWritable(await guardedFiles(files, runs), { inputs, overwrite: given.overwrite === true });
  const parts = await readPageParts({ runs, audits, datasets });
  const bytes = await write(files.page, await reportPage(parts));
  const { markdown, csv } = files;
  if (markdown !== null) await write(markdown, leaderboardMarkdown(parts.leaderboards, leaderboardNotes(parts)));
  if (csv !== null) await write(csv, leaderboardCsv(parts.leaderboards));
  for (const note of notesOf(parts, bytes)) console.err(`${note}\n`);
  console.out(given.json === true ? outcomeJson(files, parts, bytes) : outcomeText(files, bytes));
  return EXIT.done;
}

function filesOf(given: ReportArguments, runs: readonly string[]): ReportFiles {
  const [first] = runs;
  const named = single("out", given.out);
  return {
    page: named ?? (runs.length === 1 && first !== undefined ? join(first, PAGE_FILE) : PAGE_FILE),
    isNamed: named !== undefined,
    markdown: single("leaderboard-md", given.leaderboardMd) ?? null,
    csv: single("leaderboard-csv", given.leaderboardCsv) ?? null,
  };
}

/** A run's own page is made anew, as its tables are; any other file is only replaced when that is asked for. */
async function guardedFiles({ page, isNamed, markdown, csv }: ReportFiles, runs: readonly string[]) {
  const isOwn = !isNamed && runs.length === 1 && (await isOurPage(page));
  const files: readonly (readonly [string, string | null])[] = [
    ["out", isOwn ? null : page],
    ["leaderboard-md", markdown],
    ["leaderboard-csv", csv],
  ];
  return files.flatMap(([option, path]): OutputFile[] => (path === null ? [] : [{ option, path }]));
}

function outcomeText({ page, markdown, csv }: ReportFiles, bytes: number): string {
  const boards = [markdown, csv].flatMap((path) => (path === null ? [] : [`Leaderboard: ${path}\n`]));
  return [...boards, `Report: ${page} (${(bytes / 1e6).toFixed(1)} MB)\n`].join("");
}

function outcomeJson({ page, markdown, csv }: ReportFiles, { data, audits }: PageParts, bytes: number): string {
  const document = {
    report: page,
    bytes,
    leaderboard_md: markdown,
    leaderboard_csv: csv,
    runs: data.models.map(({ name, run, folder }) => ({ model: name, run_id: run.run_id, folder })),
    audits: audits.map(({ folder, audit }) => ({ audit_id: audit.audit_id, folder })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Tells folders of runs and of audits apart. */
async function sortFolders(folders: readonly string[]): Promise<{ runs: string[]; audits: string[] }> {
  const runs: string[] = [];
  const audits: string[] = [];
  for (const folder of folders) {
    const isAudit = (await findAuditFile(folder)) !== null;
    // A folder that is neither is refused here, before anything is read or written.
    if (!isAudit) await readRunFile(folder);
    (isAudit ? audits : runs).push(folder);
  }
  if (runs.length > 0) return { runs, audits };
  throw new ProbeError(
    "bad_input",
    "Expected at least one folder of a run to report, found audits alone. Name the run beside them.",
  );
}

async function write(path: string, text: string): Promise<number> {
  await writeAtomically(path, (append) => append(text));
  return Buffer.byteLength(text);
}

const HEAD_BYTES = 2_000;

async function isOurPage(path: string): Promise<boolean> {
  if ((await stat(path).catch(() => null))?.isFile() !== true) return false;
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString("utf8", 0, bytesRead).includes(`content="${GENERATOR}"`);
  } finally {
    await file.close();
  }
}

function leaderboardNotes({ data }: PageParts): string[] {
  if (data.differences.length === 0) return [];
  return [`The runs were not asked alike: they differ in ${data.differences.join(", ")}.`];
}

function notesOf(parts: PageParts, bytes: number): string[] {
  const missing = [...parts.data.examples.values()].flatMap((found) =>
    found.status === "missing" ? [`Code and options are not in the report: ${found.reason}`] : [],
  );
  const size =
    bytes > LARGE_PAGE_BYTES
      ? [`The page is ${(bytes / 1e6).toFixed(0)} MB; report fewer runs for a smaller one.`]
      : [];
  return [...leaderboardNotes(parts), ...missing, ...size];
}
