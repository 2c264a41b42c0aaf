import { stat } from "node:fs/promises";
import { join } from "node:path";
import { badInput } from "../../../base/errors.js";
import { datasetsFolder } from "../../../base/folders.js";
import { sha256OfFile } from "../../../base/sha256.js";
import { shellWord, shorten, visibleLine } from "../../../base/text.js";
import { datasetFile, isImportSource } from "../../../dataset/dataset-file.js";
import { ExampleShelf } from "../../../dataset/example-shelf.js";
import { parseImportSource } from "../../../dataset/import/import-source.js";
import { modelName } from "../../../model/vendor/model-name.js";
import { isStoppedEarly } from "../metric/question-score.js";
import { type RunFile, thinkOf } from "../record/run-file.js";
import { otherOrders } from "../record/same-questions.js";
import { findNamedRun, type NamedRun, probesOf } from "../record/stored-run.js";
import { type FormMetrics, metricsByForm, type ReportForm, reportForms } from "./probe-forms.js";
import { type ReportRun, readReportRun } from "./report-run.js";

/** A run and the name it goes by in the report: no two are the same. */
export interface ReportModel extends ReportRun {
  /** Printable; the model's name, with the run's id where several runs have the same name. */
  readonly name: string;
  readonly metrics: ReadonlyMap<ReportForm, FormMetrics>;
}

/** Everything a report is made from. */
export interface ReportData {
  readonly models: readonly ReportModel[];
  readonly forms: readonly ReportForm[];
  /** Examples by hash of their dataset. */
  readonly examples: ReadonlyMap<string, FoundExamples>;
  /** Reasons why scores of the runs should not be compared; empty for runs over the same questions. */
  readonly differences: readonly string[];
}

/**
 * Reads stored runs for a report; writes nothing, asks no model and no network.
 * @param folders of runs, at least one
 * @param datasets files of `--dataset`
 * @throws ProbeError `bad_input`
 */
export async function readReportData(folders: readonly string[], datasets: readonly string[]): Promise<ReportData> {
  const named: NamedRun[] = [];
  for (const folder of folders) named.push(requireOther(await findNamedRun(folder), named));
  const files = await hashDatasets(datasets, named);
  const runs: ReportRun[] = [];
  for (const each of named) runs.push(requireAnswers(await readReportRun(each)));
  const examples = new Map<string, FoundExamples>();
  for (const { run } of named) {
    const { sha256 } = run.dataset;
    if (!examples.has(sha256)) examples.set(sha256, await findExamples(run.dataset, files));
  }
  const forms = reportForms(runs, await probesOf(runs.map(({ run }) => run)));
  return { models: nameModels(runs, forms), forms, examples, differences: differencesOf(runs) };
}

function requireOther(run: NamedRun, earlier: readonly NamedRun[]): NamedRun {
  const same = earlier.find(({ path, run: { run_id: id } }) => path === run.path || id === run.run.run_id);
  if (same === undefined) return run;
  throw badInput(
    `Expected different runs, found one of them twice: ${same.folder} and ${run.folder}. Name each run once.`,
  );
}

function requireAnswers(run: ReportRun): ReportRun {
  if (run.summary.length > 0) return run;
  throw badInput(
    `Expected answers in the run ${run.folder}, found none. Ask first: probe run --resume ${shellWord(run.folder)}`,
  );
}

function nameModels(runs: readonly ReportRun[], forms: readonly ReportForm[]): ReportModel[] {
  const labels = runs.map(({ run }) => modelName(run.model));
  return runs.map((each) => {
    const label = modelName(each.run.model);
    const isShared = labels.indexOf(label) !== labels.lastIndexOf(label);
    return {
      ...each,
      name: visibleLine(shorten(isShared ? `${label} · ${each.run.run_id}` : label, 200)),
      metrics: metricsByForm(each.summary, forms),
    };
  });
}

/** Differences between the questions of runs, as `run.json` tells them. */
export function differencesOf(runs: readonly Pick<ReportRun, "run" | "folder">[]): string[] {
  const differs = (name: string, of: (run: ReportRun["run"]) => unknown) => {
    const values = new Set(runs.map(({ run }) => JSON.stringify(of(run))));
    return values.size > 1 ? [name] : [];
  };
  return [
    ...differs("dataset", ({ dataset }) => dataset.sha256),
    ...differs("selected examples", ({ dataset }) => [dataset.sha256, dataset.selection_sha256]),
    ...differs("prompt mode", ({ parameters }) => parameters["prompt_mode"] ?? null),
    ...differs("prompts", ({ prompts }) => promptsByName(prompts, runs)),
    ...(otherOrders(runs) === null ? [] : ["orders"]),
    ...differs("early stop", isStoppedEarly),
    ...differs("thoughts", (run) => thinkOf(run) ?? "off"),
  ];
}

/** The hashes of the prompts that all runs have. */
function promptsByName(prompts: ReportRun["run"]["prompts"], runs: readonly Pick<ReportRun, "run">[]): string[] {
  return prompts
    .filter(({ id }) => runs.every(({ run }) => run.prompts.some((prompt) => prompt.id === id)))
    .map(({ id, sha256 }) => `${id} ${sha256}`)
    .sort();
}

/** The examples of a run's dataset, by id; or why they cannot be shown. */
export type FoundExamples =
  | { readonly status: "found"; readonly examples: ExampleShelf }
  | { readonly status: "missing"; readonly reason: string };

/**
 * Finds the very bytes that a run asked about: under the name that `run.json` has for them, or among `named`. Asks no
 * network.
 * @param named files of `--dataset`, with their hashes
 */
export async function findExamples(dataset: RunFile["dataset"], named: readonly HashedFile[]): Promise<FoundExamples> {
  const match = named.find(({ sha256 }) => sha256 === dataset.sha256);
  const path = match?.path ?? localPath(dataset.source);
  const source = shorten(dataset.source, 200);
  const advice = "Name the file with --dataset.";
  if (path === null) return missing(`${source} is not on this machine. ${advice}`);
  if (match === undefined) {
    const info = await stat(path).catch(() => null);
    if (info === null || !info.isFile()) return missing(`the dataset ${source} is not where it was. ${advice}`);
    const found = await sha256OfFile(path);
    if (found !== dataset.sha256) {
      const hashes = `sha256 ${found.slice(0, 12)}…, the run asked about ${dataset.sha256.slice(0, 12)}…`;
      return missing(`the dataset ${source} has changed since (${hashes}). ${advice}`);
    }
  }
  return { status: "found", examples: await ExampleShelf.open(path) };
}

function missing(reason: string): FoundExamples {
  return { status: "missing", reason };
}

/** Path of a recorded dataset on this machine; `null` when that is not known. */
function localPath(source: string): string | null {
  if (!isImportSource(source)) return datasetFile(source);
  const hub = parseImportSource(source);
  if (hub.kind !== "hub" || hub.file === null) return null;
  return join(datasetsFolder(), hub.owner, hub.name, "files", hub.revision, hub.file);
}

/** A file and the SHA-256 of its bytes. */
interface HashedFile {
  readonly path: string;
  readonly sha256: string;
}

/**
 * Hashes the files of `--dataset`, and makes sure that each is the dataset of some run.
 * @throws ProbeError `bad_input`
 */
export async function hashDatasets(
  paths: readonly string[],
  runs: readonly { readonly run: Pick<RunFile, "dataset"> }[],
): Promise<HashedFile[]> {
  const wanted = new Set(runs.map(({ run }) => run.dataset.sha256));
  const files: HashedFile[] = [];
  for (const path of paths) {
    const info = await stat(path).catch(() => null);
    if (info?.isFile() !== true) {
      throw badInput(`Expected a file for --dataset, found none at ${path}.`);
    }
    const sha256 = await sha256OfFile(path);
    if (!wanted.has(sha256)) {
      const hashes = [...wanted].map((hash) => `${hash.slice(0, 12)}…`).join(", ");
      throw badInput(
        `Expected --dataset ${path} to be what the runs asked about (sha256 ${hashes}), ` +
          `found sha256 ${sha256.slice(0, 12)}…. Name the file the run was made with.`,
      );
    }
    files.push({ path, sha256 });
  }
  return files;
}
