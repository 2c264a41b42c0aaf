import { join } from "node:path";
import { counted } from "../../../base/counted.js";
import { ProbeError } from "../../../base/errors.js";
import { shorten } from "../../../base/text.js";
import { choice, single } from "../../../console/arguments.js";
import type { Console } from "../../../console/console.js";
import { EXIT, type ExitCode } from "../../../console/exit-codes.js";
import { requireWritable } from "../../../console/output-file.js";
import { showBlocks } from "../../../console/show-blocks.js";
import { tableText, writeTable } from "../../../store/csv.js";
import { ACR_OUTCOMES, type AcrOutcome, FAILURE_CELLS, type FailureCell, hasOutcome, isIn } from "../failures/cells.js";
import type { ExampleOutcome } from "../failures/example-outcome.js";
import { FAILURES, failedExamples } from "../failures/failure-columns.js";
import { analyseFailures, type FailureReport } from "../failures/failures.js";
import { GROUPINGS } from "../failures/groups.js";
import { MATCH_NAMES } from "../failures/match.js";
import { failureBlocks } from "../report/failures.js";
import { failuresDocument } from "./failures-document.js";

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
