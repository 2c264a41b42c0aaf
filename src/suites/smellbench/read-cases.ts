import { existsSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { z } from "zod";
import { badInput, messageOf, whereMissing } from "../../base/errors.js";
import { packageRoot } from "../../base/folders.js";
import { sha256 } from "../../base/sha256.js";
import { type Bytes, shorten } from "../../base/text.js";
import { readText } from "../../store/text-lines.js";
import { foreignPart, leavesData } from "../../workspace/inspect-tree.js";
import { commitObstacle } from "../../workspace/received-repository.js";
import { fileHashes } from "../../workspace/tree-files.js";
import { readPatch, type TreeSource } from "../../workspace/workspace.js";
import { sessionPytest } from "./run-case-tests.js";
import { caseSchema, type SmellCase, type SmellTask, type WrongPatch } from "./smell-case.js";

/** The cases that come with the program. */
export const OWN_CASES = join(packageRoot, "datasets/suites/smellbench");

/** Names of wrong solutions, and the grade of each. */
const WRONG = [
  { name: "lazy", tpr: true, la: true },
  { name: "superficial", tpr: true, la: true },
  { name: "destructive", tpr: false, la: true },
  { name: "elsewhere", tpr: true, la: false },
] as const;

/**
 * Reads cases: a file of them as published (a JSON list, or a line each), with clones of their repositories, or a folder
 * with a folder each as our own: `case.json`, `smell.patch`, `gold.patch`, wrong solutions by their names; the trees without
 * their smells are in `trees`, by the names of the projects.
 * @param repo a clone, or a folder of clones by the names of the projects
 * @throws ProbeError `bad_input` for what is neither, or a file without clones
 */
export async function readCases(data: string, repo: string | null): Promise<SmellTask[]> {
  const info = statSync(data, { throwIfNoEntry: false });
  const tasks = info?.isDirectory() === true ? await readFolder(data) : await readPublished(data, repo);
  const ids = tasks.map(({ id }) => id);
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  if (twice !== undefined)
    throw badInput(`Expected every instance_id once in ${data}, found ${shorten(twice, 100)} twice.`);
  if (tasks.length > 0) return tasks;
  throw badInput(
    `Expected cases of SmellBench in ${data}, found none. Name a file of published cases, or a folder with */case.json.`,
  );
}

async function readPublished(data: string, repo: string | null): Promise<SmellTask[]> {
  const found = await readList(data);
  if (repo !== null) return Promise.all(found.map((value, i) => publishedTask(value, i, repo)));
  throw badInput(`Expected --repo DIR with the repositories of ${data}, found none. Clone them first.`);
}

async function readList(data: string): Promise<readonly unknown[]> {
  try {
    const text = await readText(data);
    if (extname(data) === ".jsonl")
      return text
        .split("\n")
        .filter(Boolean)
        .map((line): unknown => JSON.parse(line));
    return z.array(z.unknown()).parse([JSON.parse(text)].flat());
  } catch (error) {
    throw badInput(`Expected a JSON list of cases in ${data}, found: ${shorten(messageOf(error), 300)}`, error);
  }
}

/** Places that a case is read from. */
interface Sources {
  readonly id: string;
  readonly clean: TreeSource;
  readonly source: TreeSource;
  readonly smellPatch: Bytes;
  readonly goldPatch: Bytes | null;
  readonly wrong: readonly WrongPatch[];
  /** Paths of all files that the case is made of. */
  readonly files: readonly string[];
  readonly obstacle: string | null;
}

async function publishedTask(value: unknown, i: number, repo: string): Promise<SmellTask> {
  const { smellCase, fault } = parseCase(value);
  const id = idIn(value) ?? `case-${i + 1}`;
  const commit = smellCase?.commit_hash ?? "";
  const clone = cloneOf(repo, smellCase?.project_name ?? "");
  const smellPatch = patchOf(smellCase?.smell_content ?? "");
  const tree = { kind: "commit", repository: clone ?? repo, commit } as const;
  const gold = smellCase?.gt_content ?? "";
  return taskOf(smellCase, faultOf(smellCase, smellPatch) ?? fault, {
    id,
    clean: { ...tree, patch: null },
    source: { ...tree, patch: smellPatch },
    smellPatch,
    goldPatch: gold.trim() === "" ? null : patchOf(gold),
    wrong: [],
    files: [JSON.stringify(value)],
    obstacle: await cloneObstacle(smellCase, clone, repo),
  });
}

async function readFolder(data: string): Promise<SmellTask[]> {
  const entries = await readdir(data, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const cases = names.filter((name) => existsSync(join(data, name, "case.json"))).sort();
  return Promise.all(cases.map((name) => ownTask(data, name)));
}

async function ownTask(data: string, name: string): Promise<SmellTask> {
  const folder = join(data, name);
  const foreign = await foreignPart(data, folder);
  const value = foreign ?? (await readJson(join(folder, "case.json")));
  const { smellCase, fault } = parseCase(value);
  const patch = async (of: string) =>
    foreign === null ? readPatch(join(folder, `${of}.patch`)).catch(whereMissing(null)) : null;
  const smellPatch = (await patch("smell")) ?? Buffer.alloc(0);
  const named = join(data, "trees", ...partsOf(smellCase?.project_name ?? name));
  const isOwn = !(await leavesData(data, named));
  // What stands in its place is never worked in.
  const tree = isOwn ? named : folder;
  const clean = { kind: "folder", path: tree } as const;
  const wrong = await Promise.all(WRONG.map(async (each) => ({ ...each, patch: await patch(each.name) })));
  return taskOf(smellCase, faultOf(smellCase, smellPatch) ?? fault, {
    id: idIn(value) ?? basename(folder),
    clean,
    source: { ...clean, patch: smellPatch },
    smellPatch,
    goldPatch: await patch("gold"),
    wrong: wrong.flatMap(({ patch: own, ...each }) => (own === null ? [] : [{ ...each, patch: own }])),
    files: [...(await fileHashes(folder)), ...(await fileHashes(tree))],
    obstacle: isOwn ? null : `${named} leads out of the data by a link: put a copy in its place`,
  });
}

async function taskOf(smellCase: SmellCase | null, fault: string | null, sources: Sources): Promise<SmellTask> {
  const { files, obstacle, ...own } = sources;
  const [file = "", className = null, methodName = null] = smellCase?.smell_function ?? [];
  return {
    ...own,
    group: smellCase?.project_name ?? own.id,
    sha256: sha256(files.join("\n")),
    smellCase,
    place: smellCase === null ? null : { file, className, methodName },
    fault,
    obstacle: fault === null ? (obstacle ?? (await testObstacle(smellCase))) : null,
  };
}

function parseCase(value: unknown): { readonly smellCase: SmellCase | null; readonly fault: string | null } {
  // A text is the reason why there is none.
  if (typeof value === "string") return { smellCase: null, fault: value };
  const read = caseSchema.safeParse(value);
  return read.success ? { smellCase: read.data, fault: null } : { smellCase: null, fault: z.prettifyError(read.error) };
}

/** An id that can be a path; another is told by what is wrong with the case. */
function idIn(value: unknown): string | null {
  const id = z.looseObject({ instance_id: z.string().regex(/^[A-Za-z0-9_.-]+$/) }).safeParse(value).data?.instance_id;
  return id === undefined || /^\.+$/.test(id) ? null : id;
}

function faultOf(smellCase: SmellCase | null, smellPatch: Bytes): string | null {
  if (smellCase === null) return null;
  return smellPatch.length === 0 ? "no smell_content: there is nothing to remove" : null;
}

function patchOf(text: string): Bytes {
  return Buffer.from(text === "" || text.endsWith("\n") ? text : `${text}\n`);
}

/** Parts of the name of a project, without those that lead out of a folder. */
function partsOf(project: string): string[] {
  return project.split(/[/\\]/).filter((part) => part !== ".." && part !== "");
}

/** The clone of a project: by its name in the folder, or the folder itself. */
function cloneOf(repo: string, project: string): string | null {
  const named = join(repo, ...partsOf(project));
  return [named, repo].find((path) => existsSync(join(path, ".git")) || existsSync(join(path, "objects"))) ?? null;
}

async function cloneObstacle(smellCase: SmellCase | null, clone: string | null, repo: string): Promise<string | null> {
  if (smellCase === null) return null;
  if (clone === null) return `no clone of ${smellCase.project_name} in ${repo}`;
  return commitObstacle(clone, smellCase.commit_hash);
}

async function testObstacle(smellCase: SmellCase | null): Promise<string | null> {
  if (smellCase === null || smellCase.settings.command !== undefined) return null;
  const found = await sessionPytest();
  return typeof found === "string" ? found : null;
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readText(path));
  } catch (error) {
    return `${path}: ${messageOf(error)}`;
  }
}
