import { stat } from "node:fs/promises";
import { join } from "node:path";
import { ProbeError } from "../../../../base/errors.js";
import { sha256OfFile } from "../../../../base/sha256.js";
import { shorten } from "../../../../base/text.js";
import { datasetFile } from "../../dataset/bundled.js";
import { ExampleShelf } from "../../dataset/example-shelf.js";
import { datasetsFolder } from "../../import/hub/cache.js";
import { isImportSource, parseImportSource } from "../../import/source.js";
import type { RunFile } from "../../record/run-file.js";

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

/** Where the bytes of a recorded dataset are on this machine; `null` when that is not known. */
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
      throw new ProbeError("bad_input", `Expected a file for --dataset, found none at ${path}.`);
    }
    const sha256 = await sha256OfFile(path);
    if (!wanted.has(sha256)) {
      const hashes = [...wanted].map((hash) => `${hash.slice(0, 12)}…`).join(", ");
      throw new ProbeError(
        "bad_input",
        `Expected --dataset ${path} to be what the runs asked about (sha256 ${hashes}), ` +
          `found sha256 ${sha256.slice(0, 12)}…. Name the file the run was made with.`,
      );
    }
    files.push({ path, sha256 });
  }
  return files;
}
