import { basename, join } from "node:path";
import { badInput } from "../../base/errors.js";
import { sha256 } from "../../base/sha256.js";
import type { ConfigSection } from "../../console/config-defaults.js";
import { CONFIG_FILE, type Matrix, readConfig } from "../../model/config.js";
import { type Alias, loadAliases } from "../../model/model-aliases.js";
import { findVendor } from "../../model/vendor/vendors.js";
import { identityOf, runFileOf } from "../../run/folder/run-folder.js";
import { newRecord } from "../../run/run-suite.js";
import { readScore, type ScoredRun } from "../../run/score-folder.js";
import type { AnySuite, SuiteRequest } from "../../run/suite.js";
import { findSuite, type SuiteEntry, type Suites } from "../../run/suite-entry.js";
import { differences } from "../../store/identity.js";

/** One run of a matrix. */
export interface MatrixCell {
  readonly entry: SuiteEntry;
  readonly model: string;
  /** `false`: the model runs in this process, or means nothing. */
  readonly isServed: boolean;
  /** Value of `--task`; `null`: the suite's default, or it has none. */
  readonly task: string | null;
  /** Value of `--dataset`; `null`: the suite's default, or it has none. */
  readonly dataset: string | null;
  /** Its own folder. */
  readonly folder: string;
  /** Section of the file about it. */
  readonly section: ConfigSection;
}

const WANTED = '"matrix": {"models": ["tiny", "qwen"], "tasks": ["CTR,CL,SI", "ACR"], "datasets": ["starter"]}';

/**
 * The runs of the matrix of `probe.config.json`: all of one model follow each other. Tasks and datasets are of the suite
 * that `probe run` runs; of any other, each model is one run.
 * @throws ProbeError `bad_input` when there is no matrix, or something is in it twice
 */
export async function matrixCells(suites: Suites, workingDirectory: string, out: string): Promise<MatrixCell[]> {
  const { matrix } = await readConfig(workingDirectory);
  const aliases = await loadAliases(workingDirectory);
  if (matrix === undefined) throw badInput(`Expected a matrix in ${CONFIG_FILE}, found none. Write one: ${WANTED}`);
  requireDistinct(matrix);
  const entries = (matrix.suites ?? suites.filter(isOfRun).map(({ name }) => name)).map((name) =>
    findSuite(suites, name),
  );
  if (!entries.some(isOfRun) && (matrix.tasks ?? matrix.datasets) !== undefined)
    throw badInput(
      `Expected tasks and datasets of the matrix in ${CONFIG_FILE} beside a suite that has them, found ` +
        `${entries.map(({ name }) => name).join(", ")} alone. Leave them out, or name codereviewqa too.`,
    );
  return matrix.models.flatMap((model) =>
    entries.flatMap((entry) => {
      if (!isOfRun(entry)) return [cellOf({ entry, model, task: null, dataset: null }, out, aliases)];
      return (matrix.datasets ?? [null]).flatMap((dataset) =>
        (matrix.tasks ?? [null]).map((task) => cellOf({ entry, model, task, dataset }, out, aliases)),
      );
    }),
  );
}

/** Tests for the suite of `probe run`. */
function isOfRun({ command }: SuiteEntry): boolean {
  return command?.name === "run";
}

function requireDistinct(matrix: Matrix): void {
  for (const [name, values] of Object.entries(matrix)) {
    const twice = values?.find((value, i) => values.indexOf(value) !== i);
    if (twice === undefined) continue;
    throw badInput(`Expected ${name} of the matrix in ${CONFIG_FILE} once each, found ${twice} twice.`);
  }
}

/** Its folder is known by what it asks: the same cell has the same folder, whatever stands beside it. */
function cellOf(
  cell: Pick<MatrixCell, "entry" | "model" | "task" | "dataset">,
  out: string,
  aliases: ReadonlyMap<string, Alias>,
): MatrixCell {
  const { entry, model, task, dataset } = cell;
  const name = [entry.name, model, ...(task === null ? [] : [task]), ...(dataset === null ? [] : [basename(dataset)])];
  const words = name.map((word) => word.replace(/[^A-Za-z0-9._]+/g, "-").slice(-30)).join("-");
  // The target of an alias too: one that stands for another model now is another run.
  const meaning = aliases.get(model)?.model ?? null;
  const own = sha256(JSON.stringify([entry.name, model, meaning, task, dataset])).slice(0, 8);
  return {
    ...cell,
    isServed: findVendor((meaning ?? model).split(":", 1)[0] ?? "") !== undefined,
    folder: join(out, `${words.replace(/^[-.]+/, "")}-${own}`),
    section: { model, ...(task !== null && { task }), ...(dataset !== null && { dataset }) },
  };
}

/**
 * The run that is asked for, where a folder holds it finished and with no record that failed; `null`: something is left to
 * ask. Opens no model: that of the run is taken by its name.
 * @throws ProbeError `bad_input` when it holds another run, naming the differences
 */
export async function doneRun(
  suite: AnySuite,
  request: SuiteRequest<unknown>,
  folder: string,
): Promise<ScoredRun | null> {
  const run = await runFileOf(suite).find(folder);
  if (run === null) return null;
  const plan = await suite.plan(request);
  const asked = newRecord(suite, request, plan, { identity: run.model.identity }, new Date(run.times.created_at));
  const found = differences(identityOf(suite, run), identityOf(suite, asked), "the run");
  if (found.length > 0) {
    throw badInput(
      `Expected the run in ${folder} to be the one that is asked for, found a different one:\n` +
        `${found.map((line) => `  ${line}`).join("\n")}\nMove that folder away, or name another with --out.`,
    );
  }
  if (run.status !== "complete") return null;
  const scored = await readScore(suite, folder);
  return scored.score.unfinished === null && scored.score.failed === 0 ? scored : null;
}
