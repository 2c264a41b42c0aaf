import { mkdir, mkdtemp, realpath, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { badInput } from "../base/errors.js";
import { shorten } from "../base/text.js";
import { type GitPlace, git, makeGitFolder, tryGit, WHOLE_DIFF } from "./git.js";
import { settable } from "./run-command.js";
import { sealedText } from "./sealed-files.js";
import { filesOf, removeTree } from "./tree-files.js";

/** Tests if a repository that anybody made has a commit. */
export async function hasCommit(repository: string, commit: string): Promise<boolean> {
  if (commit.startsWith("-") || (await gitFolderOf(repository)) === null) return false;
  return withObjects(repository, commit, async (place) => {
    const found = await tryGit(place, ["cat-file", "-e", `${commit}^{commit}`]);
    return found.code === 0;
  });
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
  if (commit.startsWith("-")) throw badInput(`Expected a commit, found "${shorten(commit, 100)}".`);
  if (received === null) throw badInput(`Expected a clone at ${repository}, found none. Check --repo.`);
  const gitDir = await mkdtemp(join(await realpath(tmpdir()), "probe-objects-"));
  try {
    await makeGitFolder(gitDir, await configuration(received));
    await writeFile(join(gitDir, "objects/info/alternates"), `${quoted(join(received, "objects"))}\n`);
    if (!/^[0-9a-f]+$/.test(commit)) await copyNames(received, gitDir);
    return await use({ gitDir, workTree: gitDir });
  } finally {
    await removeTree(gitDir);
  }
}

/** Configuration for hashes as long as those of its objects. */
async function configuration(received: string): Promise<string> {
  const theirs = (await sealedText(received, "config", MOST_NAME_BYTES)) ?? "";
  const core = "[core]\n\tbare = true\n\trepositoryformatversion = ";
  return /^\s*objectformat\s*=\s*sha256\s*$/im.test(theirs)
    ? `${core}1\n[extensions]\n\tobjectFormat = sha256\n`
    : `${core}0\n`;
}

const MOST_NAME_BYTES = 64 * 1024 * 1024;

/** Names of commits: of branches, tags, and the one that is checked out. */
async function copyNames(received: string, gitDir: string): Promise<void> {
  const refs = (await filesOf(join(received, "refs"))).map((path) => `refs/${path}`);
  for (const path of ["HEAD", "packed-refs", ...refs]) {
    const text = await sealedText(received, path, MOST_NAME_BYTES);
    if (text === null) continue;
    await mkdir(dirname(join(gitDir, path)), { recursive: true });
    await writeFile(join(gitDir, path), text);
  }
}

function quoted(path: string): string {
  return `"${path.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}

/** The folder with the objects: `.git`, what a `.git` of a further work tree names, or a bare clone itself. */
async function gitFolderOf(repository: string): Promise<string | null> {
  const own = join(resolve(repository), ".git");
  const info = await stat(own).catch(() => null);
  if (info?.isDirectory() === true) return own;
  const named = /^gitdir: (.+)$/m.exec((await sealedText(resolve(repository), ".git", 4096)) ?? "")?.[1];
  const folder = resolve(repository, named ?? "");
  const common = named === undefined ? null : await sealedText(folder, "commondir", 4096);
  const found = resolve(folder, common?.trim() ?? "");
  const objects = await stat(join(found, "objects")).catch(() => null);
  return objects?.isDirectory() === true ? found : null;
}

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
