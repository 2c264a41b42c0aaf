import { extname } from "node:path";
import { badInput } from "../../base/errors.js";
import { type Console, EXIT, type ExitCode, jsonText } from "../../console/console.js";
import { usage } from "../../console/option.js";
import { requireWritable } from "../../console/output-file.js";
import { type LatexWidth, renderLatex } from "../../report/latex.js";
import { renderMarkdown } from "../../report/markdown.js";
import { showBlocks } from "../../report/terminal.js";
import { groupsSet, scoresSet, setBlocks, type TableSet, terminalBlocks } from "../../report/verdicts/table-set.js";
import { tableCsv, tableEntries } from "../../run/board-csv.js";
import { readScore } from "../../run/score-folder.js";
import { SHARED_TABLES } from "../../run/suite-entry.js";
import { writeAtomically } from "../../store/atomic-write.js";
import type { RunVerdicts } from "../../verdict/verdict.js";
import type { ReportValues } from "../command-options.js";
import { recordsOf, requireRuns, type SuiteFolders } from "./suite-pages.js";

const SHARED: Readonly<Record<(typeof SHARED_TABLES)[number], (runs: readonly RunVerdicts[]) => TableSet>> = {
  scores: scoresSet,
  languages: groupsSet,
};

type Format = NonNullable<ReportValues["format"]>;

/** A table, and what is asked of its writing. */
interface Written {
  readonly name: string;
  readonly set: TableSet;
  readonly width: LatexWidth;
}

const WRITERS: Readonly<Record<Format, (written: Written) => string>> = {
  // With intervals and notes, as CSV and LaTeX have them.
  md: ({ set }) =>
    renderMarkdown(setBlocks(set).map((block) => (block.kind === "table" ? { ...block, isCompact: false } : block))),
  csv: ({ set }) => tableCsv(set),
  latex: ({ name, set: { tables, notes }, width }) => renderLatex({ name, tables, notes, width }),
};

/** File names that say what they hold. */
const ENDINGS: Readonly<Record<string, Format>> = { ".md": "md", ".csv": "csv", ".tex": "latex" };

/** `probe report --table`: a table of the paper, on the terminal, on standard output in another form, or in a file. */
export async function writeTableSet(
  name: string,
  found: readonly SuiteFolders[],
  values: ReportValues,
  console: Console,
): Promise<ExitCode> {
  const { out, overwrite, width } = values;
  const format = formatOf(values);
  if (width !== null && format !== "latex") throw usage("width", "--format latex beside it", format ?? "none");
  if (values.leaderboardMd !== null || values.leaderboardCsv !== null) {
    throw badInput("Expected --table or a leaderboard, found both. Make them one after the other.");
  }
  await requireWritable([{ option: "out", path: out }], { inputs: recordsOf(found), overwrite });
  const set = await readTable(name, found, values.dataset);
  if (values.json) console.out(jsonText({ table: name, rows: tableEntries(set) }));
  else if (format === null) showBlocks(console, terminalBlocks(set));
  else {
    const text = WRITERS[format]({ name, set, width: width ?? "column" });
    if (out === null) console.out(text);
    else await writeAtomically(out, (append) => append(text));
  }
  if (out !== null && format !== null) console.err(`Wrote ${name} to ${out}.\n`);
  return EXIT.done;
}

/** Format from the options, else from the ending of the file; `null`: for the terminal. */
function formatOf({ format: asked, json, out }: ReportValues): Format | null {
  const format = asked ?? (out === null ? null : (ENDINGS[extname(out)] ?? null));
  if (json && (asked !== null || out !== null)) {
    throw badInput("Expected --json, or --format and --out, found both.");
  }
  if (out !== null && format === null) throw usage("format", `one of ${Object.keys(WRITERS).join(", ")}`, "none");
  return format;
}

async function readTable(name: string, found: readonly SuiteFolders[], datasets: readonly string[]): Promise<TableSet> {
  const shared = SHARED_TABLES.find((each) => each === name);
  if (shared !== undefined) return SHARED[shared](await readVerdicts(found));
  const makers = found.flatMap((own) => {
    const make = own.suite.tables?.[name];
    return make === undefined ? [] : [{ own, make }];
  });
  if (makers.length === 0) {
    requireRuns(found);
    throw badInput(`Expected runs of a suite that has the table ${name}, found none of them.`);
  }
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
