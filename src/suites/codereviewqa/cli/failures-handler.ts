import { join } from "node:path";
import { badInput } from "../../../base/errors.js";
import { counted, shorten } from "../../../base/text.js";
import { type Console, EXIT, type ExitCode, jsonText } from "../../../console/console.js";
import { requireWritable } from "../../../console/output-file.js";
import { showBlocks } from "../../../report/terminal.js";
import type { Estimate } from "../../../stats/interval.js";
import { tableText, writeTable } from "../../../store/csv.js";
import { type ColumnLine, columnsOf, type Table } from "../../../store/table.js";
import { failureBlocks } from "../failures/failure-blocks.js";
import {
  ACR_OUTCOMES,
  type AcrOutcome,
  type CellShare,
  type ChainStep,
  type ExampleOutcome,
  FAILURE_CELLS,
  type FailureCell,
  type FailureRow,
  hasOutcome,
  isIn,
  type RightShare,
} from "../failures/failure-shares.js";
import {
  analysedModel,
  analyseFailures,
  type FailureAnalysis,
  type FailureGroup,
  type FailureReport,
} from "../failures/failures.js";
import { thinkOf } from "../record/run-file.js";
import type { FailuresValues } from "./export-options.js";

/** The files of a run that are read: never replaced, even when asked for. */
const RECORDS = ["run.json", "answers.jsonl", "generations.jsonl"];

/** A cell of the table, as `--list` names it. */
interface NamedCell {
  readonly outcome: AcrOutcome;
  readonly cell: FailureCell;
}

/** `probe failures`: the tables, the examples of one cell, or the document. */
export async function handleFailures(values: FailuresValues, console: Console): Promise<ExitCode> {
  const { runs: folders, match, by, out, overwrite, json } = values;
  const list = values.list === null ? null : namedCell(values.list);
  if (list !== null && json) {
    throw badInput("Expected --list or --json, found both. --json has the ids of every cell.");
  }
  if (out !== null) {
    const inputs = folders.flatMap((run) => RECORDS.map((file) => join(run, file)));
    await requireWritable([{ option: "out", path: out }], { inputs, overwrite });
  }
  const report = await analyseFailures({ folders, match, by });
  if (out !== null) await writeExamples(out, report, console);
  if (list !== null) console.out(cellText(report, list));
  else if (json) console.out(jsonText(failuresDocument(report)));
  else showBlocks(console, failureBlocks(report));
  return EXIT.done;
}

async function writeExamples(path: string, report: FailureReport, console: Console): Promise<void> {
  const rows = failedExamples(report, () => true);
  await writeTable(path, FAILURES, rows);
  console.err(`Wrote ${counted(rows.length, "examples")} to ${path}.\n`);
}

function namedCell(text: string): NamedCell {
  const [outcomeText, cellName, ...rest] = text.split(".");
  const outcome = ACR_OUTCOMES.find((name) => name === outcomeText?.toLowerCase());
  const cell = FAILURE_CELLS.find((name) => name.toLowerCase() === cellName?.toLowerCase());
  if (outcome !== undefined && cell !== undefined && rest.length === 0) return { outcome, cell };
  throw badInput(
    `Expected --list with one of ${ACR_OUTCOMES.join(", ")}, a dot, and one of ${FAILURE_CELLS.join(", ")}, such as ` +
      `match.any, found "${shorten(text, 120)}".`,
  );
}

/** The examples of one cell as CSV, header first. */
function cellText(report: FailureReport, { outcome, cell }: NamedCell): string {
  const isWanted = (example: ExampleOutcome) => hasOutcome(example, outcome) && isIn(cell, example) === true;
  return tableText(FAILURES, failedExamples(report, isWanted));
}

/** Document of `probe failures --json`. */
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
    model: analysedModel(analysis),
    forced: runs.some(({ run }) => run.model.check?.["forced"] === true),
    runs: runs.map((named) => ({
      folder: named.folder,
      run_id: named.run.run_id,
      think: thinkOf(named.run),
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

/** An example that was generated for and probed, and the analysis it belongs to. */
interface FailedExample {
  readonly runId: string;
  readonly model: string | null;
  readonly match: string;
  readonly example: ExampleOutcome;
}

/** The table of `probe failures` with --out and --list: the examples behind the shares. */
export const FAILURES: Table<FailedExample> = {
  file: "failures.csv",
  title: "One row an example that was generated for and probed: which of its probes failed.",
  primaryKey: ["run_id", "example_id"],
  columns: columnsOf<FailedExample>([
    [
      "run_id",
      "string",
      "The run, as in run.json; of joined runs, their ids with + between them.",
      ({ runId }) => runId,
    ],
    ["model", "string", "The model as it was named on the command line.", ({ model }) => model],
    ["example_id", "string", "The example, as in the dataset.", ({ example }) => example.exampleId],
    ["language", "string", "Language of the code.", ({ example }) => example.language],
    ["change_type", "string", "add, delete or modify: what the review asks for.", ({ example }) => example.changeType],
    [
      "match",
      "string",
      "Match that acr_match is: a column of generations.csv, em unless --match says otherwise.",
      ({ match }) => match,
    ],
    [
      "acr_match",
      "boolean",
      "True if the generated revision is the post-review code; false for a failed generation.",
      ({ example }) => example.match,
    ],
    [
      "acr_status",
      "string",
      "complete, truncated, empty or failed, as in generations.csv.",
      ({ example }) => example.status,
    ],
    failedColumn("CTR", "True if CTR was not right under all orders; empty where it was not asked."),
    failedColumn("CL_easy", "True if CL easy was not right under all orders."),
    failedColumn("CL_hard", "True if CL hard was not right under all orders."),
    failedColumn("CL", "Failed at either difficulty."),
    failedColumn(
      "SI_easy",
      "True if SI easy was not right under all orders; empty for a deletion, which SI is not asked of.",
    ),
    failedColumn("SI_hard", "True if SI hard was not right under all orders."),
    failedColumn("SI", "Failed at either difficulty."),
    failedColumn("any", "Failed at least one of the probes it was asked."),
    [
      "lost_questions",
      "integer",
      "Questions counted as failed only because orders failed or were undecided.",
      ({ example }) => example.probes.filter(({ lost }) => lost).length,
    ],
  ]),
};

/** Whether a probe, or a difficulty of it, failed. */
function failedColumn(cell: FailureCell, description: string): ColumnLine<FailedExample> {
  return [`${cell.toLowerCase()}_failed`, "boolean", description, ({ example }) => isIn(cell, example)];
}

/** The rows of the examples that are wanted. */
function failedExamples(report: FailureReport, isWanted: (example: ExampleOutcome) => boolean): FailedExample[] {
  return report.analyses.flatMap((analysis) => {
    const [runId, model] = [runIdsOf(analysis), analysedModel(analysis)];
    const examples = analysis.examples.filter(isWanted);
    return examples.map((example) => ({ runId, model, match: report.match, example }));
  });
}

/** The run's id; of joined runs, theirs with `+` between them. */
function runIdsOf({ runs }: FailureAnalysis): string {
  return runs.map(({ run }) => run.run_id).join("+");
}
