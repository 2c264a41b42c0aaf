import { messageOf, ProbeError } from "../../base/errors.js";
import type { Console } from "../../console/console.js";
import { EXIT, type ExitCode, exitCodeOf } from "../../console/exit-codes.js";
import { gateOf } from "../../console/gate-options.js";
import { Interrupted } from "../../console/interruptible.js";
import type { GivenOptions } from "../../console/option.js";
import { runOptions } from "../../console/run-options.js";
import { doneRun } from "../../run/done-run.js";
import { judgeGate } from "../../verdict/gate.js";
import { concludeGate } from "../run/conclude-gate.js";
import { handleRun, prepareRun } from "../run/run-handler.js";
import type { MatrixCell } from "./matrix-cells.js";

/** How a cell ended. */
export interface CellResult {
  readonly cell: MatrixCell;
  /** `done`: it was there already. `missing`: not tried. */
  readonly state: "done" | "asked" | "failed" | "missing";
  readonly code: ExitCode;
  /** Why it failed; `null`: it did not. */
  readonly problem: string | null;
}

/** What the command line says of all cells. */
interface MatrixRequest {
  readonly given: GivenOptions;
  /** Nothing is run: only what is done is found out. */
  readonly isDryRun: boolean;
}

/** Runs what is missing of the cells, one after the other; one that fails is passed over, an interrupt ends it. */
export async function runCells(
  cells: readonly MatrixCell[],
  request: MatrixRequest,
  console: Console,
): Promise<CellResult[]> {
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
export function cellText({ entry, model, task, dataset }: MatrixCell): string {
  const asked = [task, dataset].flatMap((word) => word ?? []);
  return [model, ...(asked.length === 0 ? [entry.name] : asked)].join(" · ");
}

async function runCell(
  cell: MatrixCell,
  { given, isDryRun }: MatrixRequest,
  console: Console,
  say: (text: string) => void,
): Promise<CellResult> {
  const typed = { ...optionsOf(cell, given), out: cell.folder };
  try {
    const { suite, request, output } = await prepareRun(cell.entry, typed, console, cell.section);
    const done = await doneRun(suite, request, cell.folder);
    if (done !== null) {
      say("done before");
      const code = concludeGate(EXIT.done, judgeGate(done.score.verdicts, gateOf(output)), console);
      return { cell, state: "done", code, problem: null };
    }
    if (isDryRun) return { cell, state: "missing", code: EXIT.done, problem: null };
    say(cell.folder);
    // Its table is part of the one at the end.
    const code = await handleRun(cell.entry, typed, { ...console, out: () => {} }, cell.section);
    return { cell, state: "asked", code, problem: null };
  } catch (error) {
    return { cell, state: "failed", code: codeOf(error), problem: messageOf(error) };
  }
}

/** What was given of the options that the cell's suite has. */
function optionsOf({ entry }: MatrixCell, given: GivenOptions): GivenOptions {
  const names = Object.keys(runOptions(entry.options));
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
}

function codeOf(error: unknown): ExitCode {
  if (error instanceof ProbeError) return exitCodeOf(error.code);
  return error instanceof Interrupted ? EXIT.interrupted : EXIT.unexpected;
}
