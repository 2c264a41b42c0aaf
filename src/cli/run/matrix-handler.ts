import { join } from "node:path";
import { badInput, messageOf, ProbeError } from "../../base/errors.js";
import { type Console, EXIT, type ExitCode, exitCodeOf, jsonText } from "../../console/console.js";
import { flagOf, type GivenOptions, parseOptions } from "../../console/option.js";
import { Interrupted } from "../../console/progress.js";
import { gateOf, OUTPUT_OPTIONS, runOptions } from "../../console/run-options.js";
import { type ColumnOf, tableOf, textCell, textColumn } from "../../report/make-block.js";
import { showBlocks } from "../../report/terminal.js";
import type { Suites } from "../../run/suite-entry.js";
import { RESULTS_FOLDER } from "../../store/folder/work-folder.js";
import { type FormNames, type Gate, judgeGate, namesForms, requireForms } from "../../verdict/gate.js";
import { reportOptions } from "../command-options.js";
import { handleReport, isOurPage } from "../report/report-handler.js";
import { doneRun, type MatrixCell, matrixCells } from "./matrix-cells.js";
import { handleRun, prepareRun } from "./run-handler.js";
import { concludeGate } from "./scored-output.js";

/** Options that a matrix sets itself, or that are about one run alone. */
const NOT_WITH_MATRIX = ["model", "task", "dataset", "resume", "shard", "estimate", "junit", "githubSummary"] as const;

/** Exit codes by severity: a matrix ends with the first of these that a cell ended with. */
const SEVERITY: readonly ExitCode[] = [
  EXIT.interrupted,
  EXIT.unexpected,
  EXIT.badInput,
  EXIT.modelUnavailable,
  EXIT.failedAnswers,
  EXIT.belowThreshold,
];

/** `probe run --matrix`: what is missing of all cells, and one report over all. */
export async function handleMatrix(suites: Suites, given: GivenOptions, console: Console): Promise<ExitCode> {
  const alone = NOT_WITH_MATRIX.find((name) => given[name] !== undefined && given[name] !== false);
  if (alone !== undefined) throw badInput(`Expected --matrix without --${flagOf(alone)}, found both. Leave one out.`);
  const { out, json, dryRun } = parseOptions(OUTPUT_OPTIONS, given);
  const folder = out ?? join(RESULTS_FOLDER, "matrix");
  const cells = await matrixCells(suites, console.workingDirectory, folder);
  const { json: _, dryRun: __, out: ___, ...shared } = given;
  const forms = await formsAsked(cells, shared, console);
  const results = await runCells(cells, { given: shared, isDryRun: dryRun, forms }, console);
  const { page: report, code: reported } = dryRun ? NO_REPORT : await reportOf(suites, results, folder, console);
  if (json) console.out(jsonText(documentOf(results, report)));
  else showBlocks(console, [tableOf(null, COLUMNS, results)]);
  if (report !== null && !json) console.out(`Report: ${report}\n`);
  return SEVERITY.find((code) => code === reported || results.some((result) => result.code === code)) ?? EXIT.done;
}

interface Reported {
  /** `null`: there is none. */
  readonly page: string | null;
  readonly code: ExitCode;
}

const NO_REPORT: Reported = { page: null, code: EXIT.done };

/** One page of all runs that have something to show. Where they cannot stand on one page, the runs are there all the same. */
async function reportOf(
  suites: Suites,
  results: readonly CellResult[],
  folder: string,
  console: Console,
): Promise<Reported> {
  const runs = results.filter(isShown).map(({ cell }) => cell.folder);
  if (runs.length === 0) return NO_REPORT;
  const page = join(folder, "report.html");
  try {
    const overwrite = await isOurPage(page);
    const values = parseOptions(reportOptions(suites), { runs, out: page, overwrite });
    const code = await handleReport(suites, values, { ...console, out: () => {} });
    return { page, code };
  } catch (error) {
    if (!(error instanceof ProbeError)) throw error;
    console.err(`probe: no report: ${error.message}\n`);
    return { page: null, code: exitCodeOf(error.code) };
  }
}

function isShown({ state, code }: CellResult): boolean {
  return state === "done" || (state === "asked" && code !== EXIT.interrupted);
}

function documentOf(results: readonly CellResult[], report: string | null): object {
  return {
    cells: results.map(({ cell: { entry, model, task, dataset, folder }, state, code, problem }) => ({
      suite: entry.name,
      model,
      task,
      dataset,
      state,
      exit_code: code,
      folder,
      problem,
    })),
    report,
  };
}

const WORDS: Readonly<Partial<Record<ExitCode, string>>> = {
  [EXIT.failedAnswers]: "some answers failed",
  [EXIT.belowThreshold]: "below what is asked for",
  [EXIT.interrupted]: "interrupted",
};

const COLUMNS: readonly ColumnOf<CellResult>[] = [
  column("model", 1, ({ cell }) => cell.model),
  column("suite", 3, ({ cell }) => cell.entry.name),
  column("task", 1, ({ cell }) => cell.task ?? ""),
  column("dataset", 2, ({ cell }) => cell.dataset ?? ""),
  {
    ...column("state", 1, () => ""),
    cell: ({ state, code }) =>
      textCell(WORDS[code] ?? (state === "done" ? "done before" : state), code === EXIT.done ? undefined : "bad"),
  },
];

function column(id: string, importance: 1 | 2 | 3, textOf: (result: CellResult) => string): ColumnOf<CellResult> {
  return textColumn(id, id, (result) => textOf(result), { importance });
}

/** Result of a cell. */
interface CellResult {
  readonly cell: MatrixCell;
  /** `done`: it was there already. `missing`: not tried. */
  readonly state: "done" | "asked" | "failed" | "missing";
  readonly code: ExitCode;
  /** Reason of its failure; `null`: it did not fail. */
  readonly problem: string | null;
}

/** Request on the command line about all cells. */
interface MatrixRequest {
  readonly given: GivenOptions;
  /** Nothing is run: only what is done is found out. */
  readonly isDryRun: boolean;
  readonly forms: FormsAsked;
}

/** Forms that cells are asked, by what they ask; `null`: not known before they are scored. */
type FormsAsked = ReadonlyMap<string, readonly FormNames[] | null>;

/** What a cell asks, of whatever model. */
function askedBy({ entry, task, dataset }: MatrixCell): string {
  return JSON.stringify([entry.name, task, dataset]);
}

/**
 * The forms of all cells, among which a gate names some.
 * @throws ProbeError `bad_input` naming the first name that no cell has, where the forms of all are known
 */
async function formsAsked(cells: readonly MatrixCell[], given: GivenOptions, console: Console): Promise<FormsAsked> {
  const forms = new Map<string, readonly FormNames[] | null>();
  const gates: Gate[] = [];
  for (const cell of cells) {
    if (forms.get(askedBy(cell)) != null) continue;
    const planned = await plannedForms(cell, given, console);
    forms.set(askedBy(cell), planned?.forms ?? null);
    if (planned !== null) gates.push(planned.gate);
  }
  const known = [...forms.values()];
  if (!known.includes(null))
    for (const gate of gates)
      requireForms(
        known.flatMap((some) => some ?? []),
        gate,
      );
  return forms;
}

/** A cell's gate and forms; no form where the gate names none. `null`: the cell cannot be run, which its turn tells. */
async function plannedForms(
  cell: MatrixCell,
  given: GivenOptions,
  console: Console,
): Promise<{ readonly gate: Gate; readonly forms: readonly FormNames[] | null } | null> {
  try {
    const typed = { ...(await optionsOf(cell, given)), out: cell.folder };
    const silent = { ...console, err: () => {} };
    const { suite, request, output } = await prepareRun(cell.entry, typed, silent, cell.section);
    const gate = gateOf(output);
    return { gate, forms: namesForms(gate) ? ((await suite.plan(request)).forms ?? null) : [] };
  } catch (error) {
    if (error instanceof ProbeError) return null;
    throw error;
  }
}

/** Forms of the cells that are asked something else. */
function formsElsewhere(forms: FormsAsked, cell: MatrixCell): FormNames[] {
  return [...forms].flatMap(([asked, some]) => (asked === askedBy(cell) ? [] : (some ?? [])));
}

/** Runs what is missing of the cells, one after the other; one that fails is passed over, an interrupt ends it. */
async function runCells(cells: readonly MatrixCell[], request: MatrixRequest, console: Console): Promise<CellResult[]> {
  const results: CellResult[] = [];
  let isOver = false;
  for (const [i, cell] of cells.entries()) {
    if (isOver) {
      results.push({ cell, state: "missing", code: EXIT.done, problem: null });
      continue;
    }
    const say = (text: string) => {
      if (request.given["quiet"] !== true) console.err(`[${i + 1}/${cells.length}] ${cellText(cell)}: ${text}\n`);
    };
    const result = await runCell(cell, request, console, say);
    if (result.problem !== null) console.err(`probe: ${cellText(cell)}: ${result.problem}\n`);
    isOver = result.code === EXIT.interrupted;
    results.push(result);
  }
  return results;
}

/** Such as `tiny · CTR,CL,SI · starter`. */
function cellText({ entry, model, task, dataset }: MatrixCell): string {
  const asked = [task, dataset].flatMap((word) => word ?? []);
  return [model, ...(asked.length === 0 ? [entry.name] : asked)].join(" · ");
}

async function runCell(
  cell: MatrixCell,
  { given, isDryRun, forms }: MatrixRequest,
  console: Console,
  say: (text: string) => void,
): Promise<CellResult> {
  const elsewhere = formsElsewhere(forms, cell);
  try {
    const typed = { ...(await optionsOf(cell, given)), out: cell.folder };
    const { suite, request, output } = await prepareRun(cell.entry, typed, console, cell.section);
    const done = await doneRun(suite, request, cell.folder);
    if (done !== null) {
      say("done before");
      const code = concludeGate(EXIT.done, judgeGate(done.score.verdicts, gateOf(output), elsewhere), console);
      return { cell, state: "done", code, problem: null };
    }
    if (isDryRun) return { cell, state: "missing", code: EXIT.done, problem: null };
    say(cell.folder);
    // Its table is part of the one at the end.
    const code = await handleRun(cell.entry, typed, { ...console, out: () => {} }, cell.section, elsewhere);
    return { cell, state: "asked", code, problem: null };
  } catch (error) {
    return { cell, state: "failed", code: codeOf(error), problem: messageOf(error) };
  }
}

/** Options of servers, which are for the models among others that have one. */
const OF_SERVERS: readonly string[] = ["baseUrl", "apiKeyEnv", "apiKeyFile"];

/** Given values of the options that the cell's suite and model have. */
async function optionsOf({ entry, isServed }: MatrixCell, given: GivenOptions): Promise<GivenOptions> {
  const all = Object.keys(runOptions((await entry.load()).options));
  const names = isServed ? all : all.filter((name) => !OF_SERVERS.includes(name));
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
}

function codeOf(error: unknown): ExitCode {
  if (error instanceof ProbeError) return exitCodeOf(error.code);
  return error instanceof Interrupted ? EXIT.interrupted : EXIT.unexpected;
}
