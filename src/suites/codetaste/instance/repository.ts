import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { z } from "zod";
import { isSystemError, ProbeError } from "../../../base/errors.js";
import { tryGit } from "../../../workspace/git.js";
import type { TreeSource } from "../../../workspace/workspace.js";
import type { InstanceName } from "./assets.js";
import type { GoldSource } from "./instance.js";

/** Commits of an instance, as `instances.csv` tells them. */
export interface InstanceCommits {
  readonly base: string;
  readonly gold: string;
}

const rowSchema = z.object({
  owner: z.string(),
  repo: z.string(),
  golden_commit_hash: z.string(),
  commit_hash: z.string(),
});

/**
 * The commits of all instances, by their paths; none where the data have no such table.
 * @throws ProbeError `bad_input` for a table of another kind
 */
export async function readCommits(data: string): Promise<ReadonlyMap<string, InstanceCommits>> {
  const path = join(data, "instances.csv");
  try {
    const rows = z.array(rowSchema).parse(parse(await readFile(path, "utf8"), { columns: true, bom: true }));
    return new Map(
      rows.map(({ owner, repo, commit_hash: base, golden_commit_hash: gold }) => [
        `${owner}/${repo}/${base.slice(0, 8)}`,
        { base, gold },
      ]),
    );
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return new Map();
    throw new ProbeError(
      "bad_input",
      `Expected the columns owner, repo, commit_hash and golden_commit_hash in ${path}, found others.`,
      { cause: error },
    );
  }
}

/** The tree of an instance and its right solution, or why there is no tree. */
export type Found =
  | { readonly kind: "found"; readonly source: TreeSource; readonly gold: GoldSource | null }
  | { readonly kind: "none"; readonly why: string };

/**
 * Looks for the tree of an instance: in `REPO/OWNER/NAME`, or `REPO` itself; a clone, or a folder as it is.
 * @param only whether there is no other repository in the data, so that `REPO` itself can be it
 */
export async function findTree(
  repo: string,
  { owner, repository, hash }: InstanceName,
  commits: InstanceCommits | undefined,
  only: boolean,
): Promise<Found> {
  const named = join(repo, owner, repository);
  const path = existsSync(named) ? named : repo;
  if (!existsSync(path) || (path === repo && !only)) return { kind: "none", why: `no clone of it in ${named}` };
  if (!existsSync(join(path, ".git"))) {
    if (path === repo) return { kind: "none", why: `no clone in ${repo}` };
    return { kind: "found", source: { kind: "folder", path }, gold: null };
  }
  const base = commits?.base ?? hash;
  if (!(await hasCommit(path, base))) return { kind: "none", why: `no commit ${base} in the clone ${path}` };
  const isKnown = commits !== undefined && (await hasCommit(path, commits.gold));
  return {
    kind: "found",
    source: { kind: "commit", repository: path, commit: base, patch: null },
    gold: isKnown ? { kind: "commit", repository: path, base, commit: commits.gold } : null,
  };
}

async function hasCommit(path: string, commit: string): Promise<boolean> {
  if (!/^[0-9a-f]{7,64}$/.test(commit)) return false;
  const found = await tryGit({ gitDir: null, workTree: path }, ["cat-file", "-e", `${commit}^{commit}`]);
  return found.code === 0;
}
