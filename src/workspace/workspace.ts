import { constants } from "node:fs";
import { lstat, mkdir, open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { badInput, whereMissing } from "../base/errors.js";
import { sha256 } from "../base/sha256.js";
import { type Bytes, shorten } from "../base/text.js";
import { type GitPlace, git, makeGitFolder, setLineEnds, tryGit, WHOLE_DIFF } from "./git.js";
import { cleanTree, LEFT_OUT, type TreeFault, type TreeSize } from "./inspect-tree.js";
import { binaryBytes, patchedFiles } from "./patched-files.js";
import { checkOut } from "./received-repository.js";
import { copyTree, sealedText } from "./sealed-files.js";
import { removeTree } from "./tree-files.js";

/** Source of a tree: a folder, or a commit of a repository, with a patch on it. */
export type TreeSource =
  /** `at`: where in the tree it stands, such as `src`; absent: it is the tree. `patch`: absent: none. */
  | { readonly kind: "folder"; readonly path: string; readonly at?: string; readonly patch?: Bytes | null }
  | { readonly kind: "commit"; readonly repository: string; readonly commit: string; readonly patch: Bytes | null };

/** Patch of an agent's tree. `refused`: in words, why it is not taken. */
export type TreePatch =
  | { readonly status: "made"; readonly bytes: Bytes; readonly sha256: string }
  | { readonly status: "refused"; readonly detail: string };

/** The largest patch, in bytes. */
const MOST_PATCH_BYTES = 20 * 1024 * 1024;
/** Limits of an agent's additions before git is asked to look at them. */
const MOST_ADDED: TreeSize = { files: 50_000, bytes: 256 * 1024 * 1024 };
/** Memory of git while it applies a patch, of which a few bytes can copy a file many times over. */
const MOST_MEMORY_BYTES = 2 * 1024 * 1024 * 1024;

/**
 * A tree to work in, in the folder `tree`. Its git directory lies beside it, where who works in the tree cannot get: what
 * stands in a `.git` or `.gitignore` of the tree hides nothing and runs nothing. It has no history and no remotes.
 */
export class Workspace {
  readonly tree: string;
  readonly #place: GitPlace;
  readonly #size: TreeSize;
  /** Hash of the source, as git names trees. */
  readonly #base: string;

  private constructor(place: GitPlace, size: TreeSize, base: string) {
    this.tree = place.workTree;
    this.#place = place;
    this.#size = size;
    this.#base = base;
  }

  /**
   * @param folder an empty one, or one that is not there yet; of this workspace alone
   * @throws ProbeError `bad_input` when the source is not what it should be
   */
  static async create(folder: string, source: TreeSource): Promise<Workspace> {
    const place = { gitDir: join(folder, "git"), workTree: join(folder, "tree") };
    await mkdir(place.workTree, { recursive: true });
    await fill(source, place.workTree);
    await applyTo(place.workTree, folder, source.patch ?? null);
    const size = await cleanTree(place.workTree, { files: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY });
    if ("kind" in size) throw badInput(`Expected a tree to work in, found ${faultText(size)}.`);
    await makeGitFolder(place.gitDir, "[core]\n\trepositoryformatversion = 0\n");
    await git(place, ADD_ALL);
    return new Workspace(place, size, (await git(place, ["write-tree"])).trim());
  }

  /** Patch of the differences from the source now, whatever the tree says of itself. */
  async patch(): Promise<TreePatch> {
    const most = { files: this.#size.files + MOST_ADDED.files, bytes: this.#size.bytes + MOST_ADDED.bytes };
    const found = await cleanTree(this.tree, most);
    if ("kind" in found) return { status: "refused", detail: faultText(found) };
    const added = await tryGit(this.#place, ADD_ALL);
    // Such as a link called .gitmodules: git took the source, so that what it does not take is of who worked there.
    if (added.code !== 0)
      return { status: "refused", detail: `what git does not take: ${shorten(added.output.trim() || added.end, 300)}` };
    const file = `${this.#place.gitDir}.patch`;
    await git(this.#place, ["diff", "--cached", ...WHOLE_DIFF, `--output=${file}`, this.#base]);
    const { size } = await stat(file);
    if (size > MOST_PATCH_BYTES) {
      await rm(file);
      return { status: "refused", detail: `a patch of ${size} bytes (at most ${MOST_PATCH_BYTES})` };
    }
    const bytes = await readFile(file);
    await rm(file);
    return { status: "made", bytes, sha256: sha256(bytes) };
  }

  /**
   * Tries with the line ends of the files that a patch is about, as a repository's attributes give them: they are in no patch
   * that git made. `null`: there are no files whose lines all end with CR LF.
   */
  async #withLineEnds<T>(patch: Bytes, attempt: () => Promise<T>): Promise<T | null> {
    const touched = patchedFiles(patch.toString("utf8")).flatMap(({ before }) => before ?? []);
    const ended: string[] = [];
    for (const path of new Set(touched)) {
      const text = await sealedText(this.tree, path, MOST_PATCH_BYTES);
      if (text !== null && /\n/.test(text) && !/(?<!\r)\n/.test(text)) ended.push(path);
    }
    if (ended.length === 0) return null;
    await setLineEnds(this.#place.gitDir, ended);
    try {
      return await attempt();
    } finally {
      await setLineEnds(this.#place.gitDir, []);
    }
  }

  /** Files that differ from the source now, by their paths; deleted ones too. */
  async changedFiles(): Promise<
    readonly { readonly path: string; readonly change: "added" | "deleted" | "modified" }[]
  > {
    await git(this.#place, ADD_ALL);
    // By a file: of a long output the middle is left out, and whoever adds many files could hide others there.
    const outputFile = `${this.#place.gitDir}.changed`;
    const listed = ["diff", "--cached", "--name-status", "--no-renames", "-z", this.#base];
    await git(this.#place, listed, { outputFile });
    const text = await readFile(outputFile, "utf8");
    await rm(outputFile);
    const parts = text.split("\0").filter((part) => part !== "");
    return parts.flatMap((path, i) => {
      if (i % 2 === 0) return [];
      const letter = parts[i - 1];
      return [{ path, change: letter === "A" ? "added" : letter === "D" ? "deleted" : "modified" } as const];
    });
  }

  /** Content of a file in the source; `null`: there was none. */
  async original(path: string): Promise<Bytes | null> {
    const outputFile = `${this.#place.gitDir}.original`;
    const found = await tryGit(this.#place, ["cat-file", "blob", `${this.#base}:${path}`], { outputFile });
    const bytes = found.code === 0 ? await readFile(outputFile) : null;
    await rm(outputFile, { force: true });
    return bytes;
  }

  /** Gives files the state that they have in the source, whatever stands in their place or their way. */
  async restore(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      await clearWay(this.tree, path);
      await removeTree(join(this.tree, path));
      const known = await tryGit(this.#place, ["cat-file", "-e", `${this.#base}:${path}`]);
      if (known.code === 0) await git(this.#place, ["checkout", "--quiet", this.#base, "--", `:(literal)${path}`]);
    }
  }

  /**
   * Applies a patch to the tree, whole or not at all.
   * @returns why it does not apply; `null`: it does
   */
  async apply(patch: Bytes): Promise<string | null> {
    if (patch.length === 0) return null;
    if (patch.length > MOST_PATCH_BYTES) return `a patch of more than ${MOST_PATCH_BYTES} bytes`;
    const fault = binaryFault(patch);
    if (fault !== null) return fault;
    const file = `${this.#place.gitDir}.apply`;
    await writeFile(file, patch);
    const tryApply = () => tryGit(this.#place, [...APPLY, file], { mostBytes: MOST_MEMORY_BYTES });
    const asItIs = await tryApply();
    const result = asItIs.code === 0 ? asItIs : ((await this.#withLineEnds(patch, tryApply)) ?? asItIs);
    await rm(file);
    if (result.end !== "exited" || result.code !== 0) return shorten(result.output.trim() || result.end, 500);
    const found = await cleanTree(this.tree, {
      files: this.#size.files + MOST_ADDED.files,
      bytes: this.#size.bytes + MOST_ADDED.bytes,
    });
    return "kind" in found ? faultText(found) : null;
  }
}

const ADD_ALL = [
  "add",
  "--all",
  "--force",
  "--",
  ".",
  ...LEFT_OUT.flatMap((name) => [`:(exclude,glob)**/${name}/**`, `:(exclude,glob)**/${name}`]),
];

async function fill(source: TreeSource, tree: string): Promise<void> {
  if (source.kind === "folder") {
    const info = await lstat(source.path).catch(whereMissing(null));
    if (info?.isDirectory() !== true) throw badInput(`Expected a folder at ${source.path}, found none. Check --data.`);
    const target = source.at === undefined ? tree : join(tree, source.at);
    await copyTree(source.path, target, (path) => ![".git", "node_modules"].includes(basename(path)));
    return;
  }
  await checkOut(source.repository, source.commit, tree);
}

/** @throws ProbeError `bad_input` for a patch that does not apply */
async function applyTo(tree: string, folder: string, patch: Bytes | null): Promise<void> {
  if (patch === null) return;
  const fault = binaryFault(patch);
  if (fault !== null) throw badInput(`Expected a patch for a tree to work in, found ${fault}.`);
  const file = join(folder, "source.patch");
  await writeFile(file, patch);
  const place = { gitDir: join(folder, "none"), workTree: tree };
  await git(place, [...APPLY, file], { mostBytes: MOST_MEMORY_BYTES });
  await rm(file);
}

const APPLY = ["apply", "--binary", "--whitespace=nowarn"];

/** In words, why git is not asked to unpack a patch; `null`: it is. */
function binaryFault(patch: Bytes): string | null {
  const bytes = binaryBytes(patch);
  return bytes > MOST_ADDED.bytes
    ? `more than fits: binary parts of ${bytes} bytes (at most ${MOST_ADDED.bytes})`
    : null;
}

function faultText(fault: TreeFault): string {
  if (fault.kind === "symlink") return `a symbolic link that leads out of the tree: ${shorten(fault.path, 200)}`;
  if (fault.kind === "depth") return `folders nested deeper than a path can say: ${shorten(fault.path, 100)}`;
  if (fault.kind === "closed") return `a folder that cannot be looked into: ${shorten(fault.path, 100)} (${fault.why})`;
  if (fault.kind === "name") return `a file name that is not UTF-8: ${shorten(fault.path, 200)}`;
  return `more than fits: ${fault.found.files} files with ${fault.found.bytes} bytes`;
}

/** Removes what is no folder where the path of a file needs one: a link there would lead elsewhere. */
export async function clearWay(tree: string, file: string): Promise<void> {
  const folders = file.split("/").slice(0, -1);
  for (let depth = 1; depth <= folders.length; depth++) {
    const folder = join(tree, ...folders.slice(0, depth));
    const found = await lstat(folder).catch(whereMissing(null));
    if (found === null) return;
    if (!found.isDirectory()) await rm(folder);
  }
}

/**
 * The bytes of a patch that somebody made; one byte over the limit of one that is larger, which is then refused.
 * @throws ProbeError `bad_input` for a pipe or a device, which is not waited for
 */
export async function readPatch(path: string): Promise<Bytes> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile()) throw badInput(`Expected a patch at ${path}, found no plain file.`);
    const chunks: Buffer[] = [];
    // `end` counts from 0.
    const stream = file.createReadStream({ autoClose: false, end: MOST_PATCH_BYTES });
    for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
    return Buffer.concat(chunks);
  } finally {
    await file.close();
  }
}
