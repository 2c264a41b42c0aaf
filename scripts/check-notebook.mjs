// Checks notebooks/analysis.ipynb: that it is committed without outputs and, given the folder of a run, that it executes on
// that run and finds every number of summary.csv again. Skips the execution, saying why, where Python lacks a package.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { parse } from "csv-parse/sync";

const NOTEBOOK = "notebooks/analysis.ipynb";
const MODULES = ["pandas", "matplotlib", "nbconvert", "ipykernel"];
const DEBIAN = "python3-pandas python3-matplotlib python3-nbconvert python3-ipykernel";

/** Metrics that the notebook computes from the answers, and how many numbers it holds against each row. */
const NUMBERS_A_ROW = {
  plurality_agreement: 1,
  mean_accuracy: 1,
  invariant_accuracy: 3,
  em: 3,
  em_trim: 3,
  em_no_space: 3,
  em_no_comment: 3,
};

function codeCells(notebook) {
  return notebook.cells.filter((cell) => cell.cell_type === "code");
}

function requireClean() {
  const dirty = codeCells(JSON.parse(readFileSync(NOTEBOOK, "utf8"))).filter(
    (cell) => cell.outputs.length > 0 || cell.execution_count !== null || Object.keys(cell.metadata).length > 0,
  );
  if (dirty.length === 0) return console.log(`${NOTEBOOK}: without outputs`);
  throw new Error(
    `${NOTEBOOK}: expected no outputs, found some in ${dirty.length} cells. Remove them: ` +
      `python3 -m nbconvert --clear-output --inplace ${NOTEBOOK}`,
  );
}

/** The first Python that has what the notebook needs: PYTHON, python3, Debian's own. */
function findPython() {
  const names = [process.env.PYTHON, "python3", "/usr/bin/python3"].filter((name) => name !== undefined && name !== "");
  return names.find((name) => spawnSync(name, ["-c", `import ${MODULES.join(", ")}`]).status === 0);
}

function execute(python, run, folder) {
  const args = ["-m", "nbconvert", "--to", "notebook", "--execute", "--output-dir", folder, NOTEBOOK];
  const env = { ...process.env, PROBE_RUN: run, PYDEVD_DISABLE_FILE_VALIDATION: "1" };
  const { status, stderr, error } = spawnSync(python, args, { env, encoding: "utf8" });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${NOTEBOOK} fails on ${run}:\n${stripVTControlCharacters(stderr)}`);
  return JSON.parse(readFileSync(join(folder, "analysis.ipynb"), "utf8"));
}

function requireEqualNumbers(executed, run) {
  const rows = parse(readFileSync(join(run, "summary.csv")), { columns: true });
  const { dataset } = JSON.parse(readFileSync(join(run, "run.json"), "utf8"));
  // Of questions about hunks of tasks no intervals.
  const most = dataset.hunks_of_tasks ? 1 : Number.POSITIVE_INFINITY;
  const expected = rows
    .filter(({ group_by: groupBy }) => groupBy !== "words")
    .reduce((sum, { metric }) => sum + Math.min(NUMBERS_A_ROW[metric] ?? 0, most), 0);
  const printed = codeCells(executed).flatMap(({ outputs }) => outputs.flatMap(({ text }) => [text ?? []].flat()));
  const line = `${expected} of ${expected} numbers equal summary.csv`;
  if (!printed.some((text) => text.trim() === line)) throw new Error(`${NOTEBOOK}: expected it to print "${line}".`);
  const plots = codeCells(executed).filter(({ outputs }) => outputs.some(({ data }) => data?.["image/png"]));
  if (plots.length < 3) throw new Error(`${NOTEBOOK}: expected three plots, found ${plots.length}.`);
  console.log(`${NOTEBOOK} on ${run}: ${line}, ${plots.length} plots`);
}

try {
  requireClean();
  const [run] = process.argv.slice(2);
  const python = run === undefined ? undefined : findPython();
  if (run !== undefined && python === undefined) {
    console.log(`${NOTEBOOK}: not executed, no Python with ${MODULES.join(", ")} (Debian: ${DEBIAN})`);
  } else if (run !== undefined) {
    const folder = mkdtempSync(join(tmpdir(), "probe-notebook-"));
    try {
      requireEqualNumbers(execute(python, run, folder), run);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
