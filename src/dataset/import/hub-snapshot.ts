import { distance } from "fastest-levenshtein";
import { badInput } from "../../base/errors.js";
import { shorten } from "../../base/text.js";
import { type HubAccess, patientHubFetch } from "./hub-access.js";
import { explainHubError } from "./hub-error.js";
import type { HubSource } from "./import-source.js";

/** A file of a dataset repository, and the hash the hub gives for it. */
export interface HubFile {
  readonly path: string;
  readonly bytes: number;
  /** SHA-256 of the content: of files the hub keeps in large-file storage. */
  readonly sha256: string | null;
  /** SHA-1 of the content as a git blob: of the others. */
  readonly gitBlob: string | null;
}

/** Files that a dataset may list: the largest have some tens of thousands. A list that never ends must not fill the memory. */
const MOST_FILES = 100_000;

/** A dataset repository at one commit. */
export interface HubSnapshot {
  /** The full commit. */
  readonly commit: string;
  /** Licence that its card names; `null` when it names none. */
  readonly license: string | null;
  /** Its JSONL files, and the one asked for. */
  readonly files: readonly HubFile[];
}

/**
 * Resolves the revision to its commit, and lists that commit's files.
 * @throws ProbeError `bad_input` when there is no such dataset, `model_unavailable` when it cannot be had
 */
export async function readSnapshot(source: HubSource, access: HubAccess): Promise<HubSnapshot> {
  try {
    const { commit, license } = await resolveRevision(source, access);
    return { commit, license, files: await listJsonlFiles(source, commit, access) };
  } catch (error) {
    throw await explainHubError(error, source, access);
  }
}

async function resolveRevision(
  { owner, name, revision }: HubSource,
  access: HubAccess,
): Promise<Pick<HubSnapshot, "commit" | "license">> {
  const { datasetInfo } = await import("@huggingface/hub");
  const info = await datasetInfo({
    name: `${owner}/${name}`,
    revision,
    additionalFields: ["sha", "cardData"],
    hubUrl: access.url,
    fetch: patientHubFetch(access),
    ...credentials(access),
  });
  if (!/^[0-9a-f]{40}$/.test(info.sha)) throw new Error(`expected the commit of ${revision}, found none in its reply`);
  // A card may have the field with nothing in it.
  const license = [info.cardData?.license ?? []].flat().join(", ");
  return { commit: info.sha, license: license === "" ? null : license };
}

async function listJsonlFiles({ owner, name, file }: HubSource, commit: string, access: HubAccess): Promise<HubFile[]> {
  const { listFiles } = await import("@huggingface/hub");
  const files: HubFile[] = [];
  const entries = listFiles({
    repo: { type: "dataset", name: `${owner}/${name}` },
    revision: commit,
    recursive: true,
    hubUrl: access.url,
    fetch: patientHubFetch(access),
    ...credentials(access),
  });
  let listed = 0;
  for await (const { type, path, size, oid, lfs } of entries) {
    if (++listed > MOST_FILES) throw new Error(`a list of more than ${MOST_FILES} files`);
    if (type !== "file" || (!/\.jsonl$/i.test(path) && path !== file)) continue;
    files.push({ path, bytes: lfs?.size ?? size, sha256: lfs?.oid ?? null, gitBlob: lfs ? null : (oid ?? null) });
  }
  return files;
}

/** The token as the hub's client takes it; nothing without one. */
export function credentials({ token }: HubAccess): { readonly accessToken: string } | Record<never, never> {
  return token === null ? {} : { accessToken: token.secret };
}

const MOST_SHOWN = 10;

/**
 * The file that is meant: the one named, or the only JSONL file there is.
 * @throws ProbeError `bad_input` naming those to choose from
 */
export function chooseFile({ owner, name, file }: HubSource, { files }: Pick<HubSnapshot, "files">): HubFile {
  const jsonl = files.filter(({ path }) => /\.jsonl$/i.test(path));
  const chosen = file === null ? jsonl : files.filter(({ path }) => path === file);
  const [only] = chosen;
  if (only !== undefined && chosen.length === 1) return only;
  const dataset = `the dataset ${owner}/${name}`;
  if (file !== null) {
    const near = jsonl.map(({ path }) => path).sort((a, b) => distance(a, file) - distance(b, file));
    throw badInput(`Expected a file ${shorten(file, 120)} in ${dataset}, found none.${among(near)}`);
  }
  if (jsonl.length === 0) {
    throw badInput(`Expected a .jsonl file in ${dataset}, found none. This program reads JSONL only.`);
  }
  throw badInput(
    `Expected one .jsonl file in ${dataset}, found ${jsonl.length}. Name one: hf:${owner}/${name}/FILE.` +
      among(jsonl.map(({ path }) => path)),
  );
}

function among(paths: readonly string[]): string {
  if (paths.length === 0) return " It has no JSONL files.";
  const rest = paths.length > MOST_SHOWN ? ` and ${paths.length - MOST_SHOWN} more` : "";
  return ` Its JSONL files: ${paths
    .slice(0, MOST_SHOWN)
    .map((path) => shorten(path, 120))
    .join(", ")}${rest}.`;
}
