import { lstat, readdir, realpath, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { badInput } from "../base/errors.js";
import { shorten } from "../base/text.js";
import { type GitPlace, git, makeGitFolder, tryGit, WHOLE_DIFF } from "./git.js";
import { settable } from "./run-command.js";
import { sealedText } from "./sealed-files.js";
import { removeTree, temporaryFolder } from "./tree-files.js";

/** Tests if a repository that anybody made has a commit, by its hash: a name may be anything of anybody's. */
export async function hasCommit(repository: string, commit: string): Promise<boolean> {
  if (!HASH.test(commit) || (await gitFolderOf(repository)) === null) return false;
  return withObjects(repository, commit, async (place) => {
    const found = await tryGit(place, ["cat-file", "-e", `${commit}^{commit}`]);
    return found.code === 0;
  });
}

/** Why a commit cannot be had from a clone, in words; `null`: it can. */
export async function commitObstacle(repository: string, commit: string): Promise<string | null> {
  if (await hasCommit(repository, commit)) return null;
  return (await gitFolderOf(repository)) === null
    ? `${repository} is no clone that has its objects itself: make one by git clone --no-local, without --reference`
    : `no commit ${shorten(commit, 50)} in the clone ${repository}`;
}

/**
 * Puts the files of a commit into a folder.
 * @throws ProbeError `bad_input` where there is no such commit
 */
export function checkOut(repository: string, commit: string, tree: string): Promise<void> {
  return withObjects(repository, commit, async ({ gitDir }) => {
    const place = { gitDir, workTree: tree };
    await git(place, ["read-tree", `${commit}^{commit}`]);
    await git(place, ["checkout-index", "--all", "--force"]);
  });
}

/** Text of a file of a commit; `null`: there is no such file, or clone, or it is larger. */
export async function commitText(
  repository: string,
  commit: string,
  path: string,
  mostBytes: number,
): Promise<string | null> {
  if (!(await hasCommit(repository, commit))) return null;
  return withObjects(repository, commit, async (place) => {
    const outputFile = join(place.gitDir, "text");
    const found = await tryGit(place, ["cat-file", "blob", `${commit}:${path}`], { outputFile });
    return found.code === 0 ? sealedText(place.gitDir, "text", mostBytes) : null;
  });
}

/** Writes the differences of two commits into a file, as a patch. */
export function diffCommits(repository: string, base: string, commit: string, outputFile: string): Promise<void> {
  return withObjects(repository, commit, async (place) => {
    await git(place, ["diff", ...WHOLE_DIFF, base, commit], { outputFile });
  });
}

/**
 * Opens the objects of a repository in a git directory of our own: its configuration, hooks and attributes are read by
 * nobody, as they may name programs.
 */
async function withObjects<T>(repository: string, commit: string, use: (place: GitPlace) => Promise<T>): Promise<T> {
  const received = await gitFolderOf(repository);
  if (!HASH.test(commit)) throw badInput(`Expected the hash of a commit, found "${shorten(commit, 100)}".`);
  if (received === null)
    throw badInput(`Expected a clone at ${repository}, found none that has its objects itself. Check --repo.`);
  const gitDir = await temporaryFolder("probe-objects-");
  try {
    await makeGitFolder(gitDir, await configuration(received));
    await writeFile(join(gitDir, "objects/info/alternates"), `${quoted(join(received, "objects"))}\n`);
    return await use({ gitDir, workTree: gitDir });
  } finally {
    await removeTree(gitDir);
  }
}

/** Configuration for hashes as long as those of its objects. */
async function configuration(received: string): Promise<string> {
  const theirs = (await sealedText(received, "config")) ?? "";
  const core = "[core]\n\tbare = true\n\trepositoryformatversion = ";
  return /^[ \t]*objectformat\s*=\s*sha256\s*$/im.test(theirs)
    ? `${core}1\n[extensions]\n\tobjectFormat = sha256\n`
    : `${core}0\n`;
}

function quoted(path: string): string {
  return `"${path.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}

/**
 * The folder with the objects: `.git`, what a `.git` of a further work tree names, or a bare clone itself. `null`: there is
 * none, or its objects lie elsewhere, as those of another repository of the user's would.
 */
async function gitFolderOf(repository: string): Promise<string | null> {
  const root = await realpath(repository).catch(() => null);
  if (root === null) return null;
  const own = join(root, ".git");
  const info = await lstat(own).catch(() => null);
  const found = info?.isDirectory() === true ? own : info === null ? root : await mainFolderOf(root);
  return found !== null && (await hasAllObjects(found)) ? found : null;
}

/**
 * The repository that a further work tree belongs to. Its `.git` is a file that anybody can write: it is believed where the
 * repository names this work tree, too.
 */
async function mainFolderOf(root: string): Promise<string | null> {
  const named = /^gitdir: (.+)$/m.exec((await sealedText(root, ".git", 4096)) ?? "")?.[1];
  if (named === undefined) return null;
  const folder = await realpath(resolve(root, named)).catch(() => null);
  if (folder === null || basename(dirname(folder)) !== "worktrees") return null;
  const back = ((await sealedText(folder, "gitdir", 4096)) ?? "").trim();
  const isNamed = back !== "" && (await realpath(resolve(folder, back)).catch(() => null)) === join(root, ".git");
  return isNamed ? dirname(dirname(folder)) : null;
}

/** Tests if the objects are plain files that lie here, none of them in another repository. */
async function hasAllObjects(gitFolder: string): Promise<boolean> {
  const objects = join(gitFolder, "objects");
  if ((await lstat(objects).catch(() => null))?.isDirectory() !== true) return false;
  const entries = await readdir(objects, { recursive: true, withFileTypes: true });
  if (entries.some((entry) => !(entry.isFile() || entry.isDirectory()))) return false;
  return ((await sealedText(objects, "info/alternates")) ?? "").trim() === "";
}

/** Hash of a commit, or its beginning. */
const HASH = /^[0-9a-f]{7,64}$/;

/** Names of variables that make a program run code as it starts. */
const LOADERS =
  /^(?:(?:LD|DYLD|GIT|BASH_FUNC)_.*|NODE_OPTIONS|NODE_PATH|BASH_ENV|ENV|PYTHON(?:STARTUP|HOME|INSPECT)|PERL5?(?:OPT|LIB|DB)|RUBY(?:OPT|LIB)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS)$/;

/**
 * Variables that data name for their tests. In a cage they are set inside, whichever they are; without one, those that
 * would have programs load code of the data are left out.
 */
export function receivedEnvironment(
  env: Readonly<Record<string, string>>,
  cage: { readonly kind: string },
): Record<string, string> {
  const own = settable(env);
  if (cage.kind !== "none") return own;
  return Object.fromEntries(Object.entries(own).filter(([name]) => !LOADERS.test(name)));
}
