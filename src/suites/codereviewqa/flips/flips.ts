import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { badInput, isSystemError } from "../../../base/errors.js";
import { sha256 } from "../../../base/sha256.js";
import { shorten } from "../../../base/text.js";
import { loadProbes } from "../../../question/probes.js";
import { otherDifferences, type RunDifference } from "../../../run/compare/compare-runs.js";
import { type RunOutcome, runSuite, type SuiteSession } from "../../../run/run-suite.js";
import type { SuiteRequest } from "../../../run/suite.js";
import { writeTable } from "../../../store/csv.js";
import { makeFolder, RESULTS_FOLDER } from "../../../store/folder/work-folder.js";
import type { RunValues } from "../options.js";
import type { RunFile } from "../record/run-file.js";
import { requireSameOrders, requireSameQuestions, requireSameSelection } from "../record/same-questions.js";
import { findNamedRun, readStoredRun, type StoredRun } from "../record/stored-run.js";
import { suite } from "../suite/questions-suite.js";
import { compareAnswers, FLIPS, type FlipKind, type FlipRow, type RunChanges } from "./answer-changes.js";

/** The runs of `probe audit --flips`, by their folders. */
const FAST = "fast";
const FAST_AGAIN = "fast-again";
const EXACT = "exact";
const RUNS = [
  [FAST, "in fast mode"],
  [FAST_AGAIN, "in fast mode again"],
  [EXACT, "in exact mode, each prompt from scratch"],
] as const;

type FlipsRequest = SuiteRequest<RunValues, RunFile>;

/** A run that is asked for three times. */
type FlipsSession = Omit<SuiteSession, "request"> & { readonly request: FlipsRequest };

/** Two runs over the same questions, answer by answer. */
export interface FlipsComparison extends RunChanges {
  readonly kind: FlipKind;
  readonly first: StoredRun;
  readonly second: StoredRun;
  readonly alsoDiffer: readonly RunDifference[];
}

export interface FlipsReport {
  /** Folder of the runs and `flips.csv`; `null` when nothing was written. */
  readonly folder: string | null;
  readonly comparisons: readonly FlipsComparison[];
  /** `true`: the model has an exact mode; `null` for named runs. */
  readonly hasModes: boolean | null;
}

export type FlipsOutcome =
  | { readonly status: "complete"; readonly report: FlipsReport; readonly failedAnswers: number }
  /** A run was stopped or given up; the same command goes on. */
  | { readonly status: "stopped"; readonly folder: string; readonly run: Exclude<RunOutcome, { status: "complete" }> };

/**
 * Asks the same questions three times, fast, fast again and exact, each as a run of its own, and compares the answers. A
 * model without an exact mode is asked twice. The same session again, after any kill, goes on.
 * @throws ProbeError `bad_input`, `model_unavailable`
 */
export async function runFlips(session: FlipsSession): Promise<FlipsOutcome> {
  await requireChoices(session.request);
  const folder = session.folder ?? flipsFolder(session.request);
  await requireOwnFolder(folder);
  await makeFolder(folder);
  let [failedAnswers, hasModes] = [0, true];
  for (const [name, title] of RUNS) {
    if (name === EXACT && !hasModes) break;
    session.observer.onMessage(`Asking ${title}.`);
    const mode = name === EXACT ? ("exact" as const) : ("fast" as const);
    const values: RunValues = { ...session.request.values, mode, earlyStop: false };
    const outcome = await runSuite(suite, {
      ...session,
      request: { ...session.request, values },
      folder: join(folder, name),
    });
    if (outcome.status !== "complete") return { status: "stopped", folder, run: outcome };
    failedAnswers += outcome.scored.score.failed;
    // Only the engine in this process evaluates prompts from scratch when told to.
    hasModes = outcome.scored.run.model.identity["provider"] === "llama";
  }
  const comparisons = [await compareFolders("repeat", join(folder, FAST), join(folder, FAST_AGAIN))];
  if (hasModes) comparisons.push(await compareFolders("modes", join(folder, FAST), join(folder, EXACT)));
  await writeFlips(folder, comparisons);
  return { status: "complete", report: { folder, comparisons, hasModes }, failedAnswers };
}

/**
 * Compares two finished runs over the same questions.
 * @param folder where `flips.csv` goes; `null`: nowhere
 * @throws ProbeError `bad_input` when a run is unfinished, or they asked different questions
 */
export async function compareForFlips(first: string, second: string, folder: string | null): Promise<FlipsReport> {
  if (folder !== null) await requireOwnFolder(folder);
  const comparisons = [await compareFolders("runs", first, second)];
  if (folder !== null) {
    await makeFolder(folder);
    await writeFlips(folder, comparisons);
  }
  return { folder, comparisons, hasModes: null };
}

async function requireChoices({ values: { task: tasks } }: FlipsRequest): Promise<void> {
  const probes = await loadProbes();
  const open = tasks.find((task) => probes.get(task)?.kind === "generation");
  if (open === undefined) return;
  throw badInput(
    `Expected multiple-choice tasks for --flips, found ${open}, which has no options to choose from. Leave it out.`,
  );
}

/** The same for the same request, so that the same command goes on. */
function flipsFolder({ model, promptMode, values }: FlipsRequest): string {
  const { task: tasks, difficulty: difficulties, language: languages, sample, seed, limit } = values;
  const selection = { languages, sample, seed, limit };
  const dataset = values.dataset ?? "starter";
  const hash = sha256(JSON.stringify([model, tasks, difficulties, dataset, selection, promptMode])).slice(0, 8);
  const slug = model.label
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .slice(-40)
    .replace(/^[-.]+/, "");
  return join(RESULTS_FOLDER, `flips-${slug}-${hash}`);
}

async function requireOwnFolder(path: string): Promise<void> {
  const own: readonly string[] = [FAST, FAST_AGAIN, EXACT, FLIPS.file];
  const files = await readdir(path).catch((cause: unknown) => {
    if (isSystemError(cause, "ENOENT")) return [];
    const found = `Expected a folder at ${path}, found something else.`;
    throw badInput(found, cause);
  });
  const other = files.find((file) => !own.includes(file));
  if (other === undefined) return;
  throw badInput(
    `Expected ${path} to be new, empty or of the same command, found ${shorten(other, 120)} in it. ` +
      "Name another folder with --out.",
  );
}

async function compareFolders(kind: FlipsComparison["kind"], left: string, right: string): Promise<FlipsComparison> {
  const named = [await findNamedRun(left), await findNamedRun(right)] as const;
  if (named[0].path === named[1].path) {
    throw badInput(`Expected two runs, found one folder twice: ${left}. Name another run.`);
  }
  requireSameSelection(...named);
  requireSameOrders(...named);
  const [first, second] = [await readStoredRun(named[0]), await readStoredRun(named[1])];
  requireSameQuestions(first, second);
  return {
    kind,
    first,
    second,
    alsoDiffer: otherDifferences(suite, first.run, second.run),
    ...(await compareAnswers(first, second)),
  };
}

async function writeFlips(folder: string, comparisons: readonly FlipsComparison[]): Promise<void> {
  const rows = comparisons.flatMap(({ kind, first, second, answers }) =>
    answers.map((answer): FlipRow => ({ kind, runs: [first.run.run_id, second.run.run_id], answer })),
  );
  await writeTable(join(folder, FLIPS.file), FLIPS, rows);
}
