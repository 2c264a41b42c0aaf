import { join } from "node:path";
import { ProbeError } from "../../../base/errors.js";
import { counted, shorten } from "../../../base/text.js";
import { choice, single } from "../../../console/arguments.js";
import { EXIT, type ExitCode } from "../../../console/command.js";
import type { Console } from "../../../console/console.js";
import { requireWritable } from "../../../console/output-file.js";
import { showBlocks } from "../../../console/show-blocks.js";
import type { Estimate } from "../../../stats/interval.js";
import { tableText, writeTable } from "../../../store/csv.js";
import { failureBlocks } from "../failures/failure-blocks.js";
import type { ChainStep, ExampleOutcome, RightShare } from "../failures/failure-shares.js";
import {
  ACR_OUTCOMES,
  type AcrOutcome,
  type CellShare,
  FAILURE_CELLS,
  type FailureCell,
  type FailureRow,
  hasOutcome,
  isIn,
  MATCH_NAMES,
} from "../failures/failure-shares.js";
import { FAILURES, failedExamples, runIdsOf } from "../failures/failure-table.js";
import {
  analyseFailures,
  type FailureAnalysis,
  type FailureGroup,
  type FailureReport,
  GROUPINGS,
} from "../failures/failures.js";

type Text = string | string[] | undefined;

interface FailuresArguments {
  readonly runs: readonly string[];
  readonly match?: Text;
  readonly by?: Text;
  readonly list?: Text;
  readonly out?: Text;
  readonly overwrite?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** The files of a run that are read: never replaced, even when asked for. */
const RECORDS = ["run.json", "answers.jsonl", "generations.jsonl"];

/** A cell of the table, as `--list` names it. */
interface NamedCell {
  readonly outcome: AcrOutcome;
  readonly cell: FailureCell;
}

/** `probe failures`: the tables, the examples of one cell, or the document. */
export async function handleFailures(given: FailuresArguments, console: Console): Promise<ExitCode> {
  const match = choice("match", given.match, MATCH_NAMES) ?? "em";
  const by = choice("by", given.by, GROUPINGS) ?? null;
  const list = namedCell(single("list", given.list));
  if (list !== null && given.json === true) {
    throw new ProbeError("bad_input", "Expected --list or --json, found both. --json has the ids of every cell.");
  }
  const out = single("out", given.out);
  const overwrite = given.overwrite === true;
  if (out !== undefined) {
    const inputs = given.runs.flatMap((run) => RECORDS.map((file) => join(run, file)));
    await requireWritable([{ option: "out", path: out }], { inputs, overwrite });
  }
  const report = await analyseFailures({ folders: given.runs, match, by });
  if (out !== undefined) await writeExamples(out, report, console);
  if (list !== null) console.out(cellText(report, list));
  else if (given.json === true) console.out(`${JSON.stringify(failuresDocument(report), null, 2)}\n`);
  else showBlocks(console, failureBlocks(report));
  return EXIT.done;
}

async function writeExamples(path: string, report: FailureReport, console: Console): Promise<void> {
  const rows = failedExamples(report, () => true);
  await writeTable(path, FAILURES, rows);
  console.err(`Wrote ${counted(rows.length, "examples")} to ${path}.\n`);
}

function namedCell(text: string | undefined): NamedCell | null {
  if (text === undefined) return null;
  const [outcomeText, cellName, ...rest] = text.split(".");
  const outcome = ACR_OUTCOMES.find((name) => name === outcomeText?.toLowerCase());
  const cell = FAILURE_CELLS.find((name) => name.toLowerCase() === cellName?.toLowerCase());
  if (outcome !== undefined && cell !== undefined && rest.length === 0) return { outcome, cell };
  throw new ProbeError(
    "bad_input",
    `Expected --list with one of ${ACR_OUTCOMES.join(", ")}, a dot, and one of ${FAILURE_CELLS.join(", ")}, such as ` +
      `match.any, found "${shorten(text, 120)}".`,
  );
}

/** The examples of one cell as CSV, header first. */
function cellText(report: FailureReport, { outcome, cell }: NamedCell): string {
  const isWanted = (example: ExampleOutcome) => hasOutcome(example, outcome) && isIn(cell, example) === true;
  return tableText(FAILURES, failedExamples(report, isWanted));
}

/** What `probe failures --json` prints. */
function failuresDocument({ match, by, analyses }: FailureReport): object {
  return {
    match,
    by,
    interval: "Wilson, 95 %",
    analyses: analyses.map(analysisEntry),
  };
}

function analysisEntry(analysis: FailureAnalysis): object {
  const { runs, sources, examples, groups, bindings } = analysis;
  return {
    run_id: runIdsOf(analysis),
    model: runs[0]?.run.model.label ?? null,
    forced: runs.some(({ run }) => run.model.check?.["forced"] === true),
    runs: runs.map((named) => ({
      folder: named.folder,
      run_id: named.run.run_id,
      forms: [...sources].filter(([, source]) => source === named).map(([form]) => form),
    })),
    examples: examples.length,
    symbol_binding: bindings.map(({ form, gate }) => ({ form, gate: gate.status })),
    groups: groups.map(groupEntry),
  };
}

function groupEntry({ groupBy, group, examples, rows, chain }: FailureGroup): object {
  return { group_by: groupBy, group, examples, failures: rows.map(rowEntry), chain: chain.map(stepEntry) };
}

function rowEntry({ outcome, n, failedGenerations, cells }: FailureRow): object {
  return { acr: outcome, examples: n, failed_generations: failedGenerations, cells: cells.map(cellEntry) };
}

function cellEntry({ cell, n, examples, lost, estimate }: CellShare): object {
  return {
    fails: cell,
    ...estimateEntry(estimate),
    count: examples.length,
    n,
    lost,
    example_ids: examples.map(({ exampleId }) => exampleId),
  };
}

function stepEntry({ step, overall, afterRight, afterWrong }: ChainStep): object {
  return {
    step,
    overall: shareEntry(overall),
    after_right: afterRight && shareEntry(afterRight),
    after_wrong: afterWrong && shareEntry(afterWrong),
  };
}

function shareEntry({ right, n, estimate }: RightShare): object {
  return { ...estimateEntry(estimate), count: right, n };
}

function estimateEntry(estimate: Estimate | null): object {
  return { value: estimate?.value ?? null, ci_low: estimate?.low ?? null, ci_high: estimate?.high ?? null };
}
