import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "csv-parse/sync";
import { z } from "zod";
import { badInput } from "../../base/errors.js";
import { packageRoot } from "../../base/folders.js";
import { sha256 } from "../../base/sha256.js";
import { shorten } from "../../base/text.js";
import { foreignPart, leavesData } from "../../workspace/inspect-tree.js";
import { commitObstacle, hasCommit } from "../../workspace/received-repository.js";
import { fileHashes } from "../../workspace/tree-files.js";
import type { TreeSource } from "../../workspace/workspace.js";
import { type InstanceName, instancePath, instancesIn, readBand, readRuleSets, textOf } from "./assets.js";
import type { RuleEngine } from "./rules/taste-rule.js";
import type { GoldSource, TasteTask, TestCommand } from "./taste-task.js";

/** The instance that comes with the program. */
export const OWN_INSTANCES = join(packageRoot, "datasets/suites/codetaste");

/** Options for reading instances. */
interface InstanceRequest {
  /** A folder in the released layout. */
  readonly data: string;
  /** Folder of clones; `null`: `repos` of the data. */
  readonly repo: string | null;
  /** For `sh -c`; `null`: `run_tests` of the data. */
  readonly testCmd: string | null;
  readonly engine: RuleEngine;
}

/**
 * Reads every instance that has a description. What keeps one from being tried is told by it.
 * @throws ProbeError `bad_input` where there is none at all
 */
export async function readInstances(request: InstanceRequest): Promise<TasteTask[]> {
  const { data } = request;
  const names = await instancesIn(join(data, "assets/descriptions"));
  if (names.length === 0)
    throw badInput(
      `Expected instances in ${shorten(data, 300)}/assets/descriptions/OWNER/REPOSITORY/HASH, found none.`,
    );
  const commits = await readCommits(data);
  const only = new Set(names.map(({ owner, repository }) => `${owner}/${repository}`)).size === 1;
  const tasks: TasteTask[] = [];
  for (const name of names) tasks.push(await readInstance(request, name, commits.get(instancePath(name)), only));
  return tasks;
}

async function readInstance(
  { data, repo, testCmd, engine }: InstanceRequest,
  instance: InstanceName,
  commits: InstanceCommits | undefined,
  only: boolean,
): Promise<TasteTask> {
  const id = instancePath(instance);
  const descriptions = join(data, "assets/descriptions", id);
  const description = {
    instructed: await textOf(join(descriptions, "description.md")),
    open: await textOf(join(descriptions, "open_description.md")),
  };
  const foreign = await foreignIn(data, id);
  const rules = await readRuleSets(foreign === null ? [join(data, "assets/rules", id)] : []);
  const tree = await findTree({ data, repo }, instance, commits, only);
  const tests = testCommand(data, id, testCmd);
  const patch = join(data, "gold", `${id}.patch`);
  const goldSource =
    foreign === null && existsSync(patch)
      ? ({ kind: "patch", path: patch } as const)
      : tree.kind === "found"
        ? tree.gold
        : null;
  const reason = foreign ?? obstacleOf(description, tree, tests);
  return {
    id,
    group: `${instance.owner}/${instance.repository}`,
    instance,
    description,
    rules,
    engine,
    tests,
    goldSource,
    source: tree.kind === "found" ? tree.source : { kind: "folder", path: descriptions },
    band: await readBand(data, instance),
    sha256: await hashOf(data, id, tree, tests),
    treeObstacle: tree.kind === "none" ? `${tree.why}. Name one with --repo` : null,
    obstacle: reason === null ? null : `${id}: ${shorten(reason, 300)}`,
  };
}

function testCommand(data: string, id: string, line: string | null): TestCommand | null {
  if (line !== null) return { kind: "line", line };
  const folder = join(data, "instance_images", id, "scripts");
  return existsSync(join(folder, "run_tests")) ? { kind: "script", folder, file: "run_tests" } : null;
}

function obstacleOf(
  { instructed, open }: TasteTask["description"],
  tree: Found,
  tests: TestCommand | null,
): string | null {
  if (instructed === "" || open === "") return "no description.md or open_description.md";
  if (tree.kind === "none") return `${tree.why}. Name one with --repo`;
  return tests === null ? "nothing says how its tests are run. Name a command with --test-cmd" : null;
}

/** Folders of an instance in the released layout. */
function foldersOf(data: string, id: string): string[] {
  return ["assets/descriptions", "assets/rules", "baseline_results", "instance_images"].map((part) =>
    join(data, part, id),
  );
}

/** Why nothing is read of an instance, in words; `null`: all of it are plain files. */
async function foreignIn(data: string, id: string): Promise<string | null> {
  const folders = [...foldersOf(data, id), join(data, "gold", dirname(id))];
  const found = await Promise.all(folders.map((folder) => foreignPart(data, folder)));
  return found.find((why) => why !== null) ?? null;
}

/** Hash of everything that belongs to an instance. */
async function hashOf(data: string, id: string, tree: Found, tests: TestCommand | null): Promise<string> {
  const folders = foldersOf(data, id);
  if (tree.kind === "found" && tree.source.kind === "folder") folders.push(tree.source.path);
  const lines = (await Promise.all(folders.map(fileHashes))).flat();
  if (tree.kind === "found" && tree.source.kind === "commit") lines.push(tree.source.commit);
  if (tree.kind === "found" && tree.gold?.kind === "commit") lines.push(tree.gold.commit);
  if (tests?.kind === "line") lines.push(tests.line);
  const ignored = await textOf(join(data, "assets/default.semgrepignore"));
  if (ignored !== "") lines.push(sha256(ignored));
  return sha256([...lines, await textOf(join(data, "gold", `${id}.patch`))].join("\n"));
}

/** Commits and language of an instance, as `instances.csv` tells them. */
interface InstanceCommits {
  readonly base: string;
  readonly gold: string;
  /** TypeScript is JavaScript, as in the paper's Figure 4; `null`: the table does not tell. */
  readonly language: string | null;
}

const rowSchema = z.object({
  owner: z.string(),
  repo: z.string(),
  golden_commit_hash: z.string(),
  commit_hash: z.string(),
  language: z.string().default(""),
});

/**
 * The commits and languages of all instances, by their paths; none where the data have no such table.
 * @throws ProbeError `bad_input` for a table of another kind
 */
export async function readCommits(data: string): Promise<ReadonlyMap<string, InstanceCommits>> {
  const path = join(data, "instances.csv");
  try {
    const rows = z.array(rowSchema).parse(parse(await textOf(path), { columns: true, bom: true }));
    return new Map(
      rows.map(({ owner, repo, commit_hash: base, golden_commit_hash: gold, language }) => [
        `${owner}/${repo}/${base.slice(0, 8)}`,
        { base, gold, language: language === "TypeScript" ? "JavaScript" : language || null },
      ]),
    );
  } catch (error) {
    throw badInput(
      `Expected the columns owner, repo, commit_hash and golden_commit_hash in ${path}, found others.`,
      error,
    );
  }
}

/** The tree of an instance and its right solution, or why there is no tree. */
type Found =
  | { readonly kind: "found"; readonly source: TreeSource; readonly gold: GoldSource | null }
  | { readonly kind: "none"; readonly why: string };

/**
 * Looks for the tree of an instance: in `REPO/OWNER/NAME`, or `REPO` itself; a clone, or a folder as it is. One that the
 * user did not name himself has to lie in the data.
 * @param only whether there is no other repository in the data, so that `REPO` itself can be it
 */
async function findTree(
  { data, repo: given }: Pick<InstanceRequest, "data" | "repo">,
  { owner, repository, hash }: InstanceName,
  commits: InstanceCommits | undefined,
  only: boolean,
): Promise<Found> {
  const repo = given ?? join(data, "repos");
  const named = join(repo, owner, repository);
  const path = existsSync(named) ? named : repo;
  if (!existsSync(path) || (path === repo && !only)) return { kind: "none", why: `no clone of it in ${named}` };
  if (given === null && (await leavesData(data, path)))
    return { kind: "none", why: `${path} leads out of the data by a link` };
  if (!existsSync(join(path, ".git"))) {
    if (path === repo) return { kind: "none", why: `no clone in ${repo}` };
    return { kind: "found", source: { kind: "folder", path }, gold: null };
  }
  const base = commits?.base ?? hash;
  const missing = await commitObstacle(path, base);
  if (missing !== null) return { kind: "none", why: missing };
  const isKnown = commits !== undefined && (await hasCommit(path, commits.gold));
  return {
    kind: "found",
    source: { kind: "commit", repository: path, commit: base, patch: null },
    gold: isKnown ? { kind: "commit", repository: path, base, commit: commits.gold } : null,
  };
}
