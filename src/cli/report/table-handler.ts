import { extname } from "node:path";
import { ProbeError } from "../../base/errors.js";
import { choice, single, usage } from "../../console/arguments.js";
import { EXIT, type ExitCode } from "../../console/command.js";
import type { Console } from "../../console/console.js";
import { requireWritable } from "../../console/output-file.js";
import { showBlocks } from "../../console/show-blocks.js";
import { renderLatex } from "../../report/latex.js";
import { renderMarkdown } from "../../report/markdown.js";
import { groupsSet, scoresSet, setBlocks, type TableSet, terminalBlocks } from "../../report/verdicts/table-set.js";
import { tableCsv, tableEntries } from "../../run/board-csv.js";
import { readScore } from "../../run/score-folder.js";
import { SHARED_TABLES, type SuiteEntry, tableNames } from "../../run/suite-entry.js";
import { writeAtomically } from "../../store/atomic-write.js";
import type { RunVerdicts } from "../../verdict/verdict.js";
import type { ReportArguments } from "./report-handler.js";
import { recordsOf, requireRuns, type SuiteFolders } from "./suite-pages.js";

const SHARED: Readonly<Record<(typeof SHARED_TABLES)[number], (runs: readonly RunVerdicts[]) => TableSet>> = {
  scores: scoresSet,
  languages: groupsSet,
};

const FORMATS = ["md", "csv", "latex"] as const;
type Format = (typeof FORMATS)[number];

const WRITERS: Readonly<Record<Format, (set: TableSet) => string>> = {
  md: (set) => renderMarkdown(setBlocks(set)),
  csv: tableCsv,
  latex: (set) => renderLatex(setBlocks(set)),
};

/** File names that say what they hold. */
const ENDINGS: Readonly<Record<string, Format>> = { ".md": "md", ".csv": "csv", ".tex": "latex" };

interface TableRequest {
  readonly suites: readonly SuiteEntry[];
  readonly found: readonly SuiteFolders[];
  readonly given: ReportArguments;
}

/** `probe report --table`: a table of the paper, on the terminal, on standard output in another form, or in a file. */
export async function writeTableSet({ suites, found, given }: TableRequest, console: Console): Promise<ExitCode> {
  const name = choice("table", given.table, tableNames(suites)) ?? "scores";
  const out = single("out", given.out);
  const format = formatOf(given, out);
  if (given.leaderboardMd !== undefined || given.leaderboardCsv !== undefined) {
    throw new ProbeError("bad_input", "Expected --table or a leaderboard, found both. Make them one after the other.");
  }
  if (out !== undefined) {
    const overwrite = given.overwrite === true;
    await requireWritable([{ option: "out", path: out }], { inputs: recordsOf(found), overwrite });
  }
  const set = await readTable(name, found, given);
  if (given.json === true) console.out(`${JSON.stringify({ table: name, rows: tableEntries(set) }, null, 2)}\n`);
  else if (format === null) showBlocks(console, terminalBlocks(set));
  else if (out === undefined) console.out(WRITERS[format](set));
  else await writeAtomically(out, (append) => append(WRITERS[format](set)));
  if (out !== undefined && format !== null) console.err(`Wrote ${name} to ${out}.\n`);
  return EXIT.done;
}

/** As it is asked for, else as the name of the file says; `null`: for the terminal. */
function formatOf({ format: asked, json }: ReportArguments, out: string | undefined): Format | null {
  const format = choice("format", asked, FORMATS) ?? (out === undefined ? null : (ENDINGS[extname(out)] ?? null));
  if (json === true && (asked !== undefined || out !== undefined)) {
    throw new ProbeError("bad_input", "Expected --json, or --format and --out, found both.");
  }
  if (out !== undefined && format === null) throw usage("format", `one of ${FORMATS.join(", ")}`, "none");
  return format;
}

async function readTable(name: string, found: readonly SuiteFolders[], given: ReportArguments): Promise<TableSet> {
  const shared = SHARED_TABLES.find((each) => each === name);
  if (shared !== undefined) return SHARED[shared](await readVerdicts(found));
  const makers = found.flatMap((own) => {
    const make = own.suite.tables?.[name];
    return make === undefined ? [] : [{ own, make }];
  });
  if (makers.length === 0) {
    requireRuns(found);
    throw new ProbeError("bad_input", `Expected runs of a suite that has the table ${name}, found none of them.`);
  }
  const datasets = [given.dataset ?? []].flat();
  const sets = [];
  for (const { own, make } of makers) sets.push(await make({ runs: own.runs, others: own.others, datasets }));
  return {
    tables: sets.flatMap(({ tables }) => tables),
    notes: sets.flatMap(({ notes }) => notes),
    isWide: sets.some(({ isWide }) => isWide),
  };
}

async function readVerdicts(found: readonly SuiteFolders[]): Promise<RunVerdicts[]> {
  requireRuns(found);
  const verdicts: RunVerdicts[] = [];
  for (const { suite, runs } of found) {
    for (const folder of runs) verdicts.push((await readScore(suite, folder)).score.verdicts);
  }
  return verdicts;
}
