import { existsSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, delimiter, dirname, join, relative, resolve, sep } from "node:path";

/** Folders of the system: programs, libraries, and what they read. */
export const SYSTEM_FOLDERS = "/usr /bin /sbin /lib /lib32 /lib64 /libx32 /opt /nix/store /gnu/store".split(" ");

/** Parts of `/etc` that programs need; no keys, no passwords, no settings of services. */
export const SYSTEM_FILES = `
  alternatives ld.so.cache ld.so.conf ld.so.conf.d ld-musl-x86_64.path passwd group nsswitch.conf
  hosts host.conf gai.conf resolv.conf protocols services localtime timezone os-release debian_version
  lsb-release locale.alias default/locale mime.types magic fonts ssl/certs ssl/openssl.cnf
  ssl/cert.pem ca-certificates.conf pki/ca-trust pki/tls/certs pki/tls/cert.pem pki/tls/openssl.cnf
  crypto-policies profile bash.bashrc inputrc terminfo python3 python3.9 python3.10 python3.11
  python3.12 python3.13 perl java-17-openjdk java-21-openjdk maven gradle vulkan OpenCL ImageMagick-6
  ImageMagick-7`
  .trim()
  .split(/\s+/)
  .map((name) => join("/etc", name));

/** Nothing that a program needs is masked by the name of a project that lies here. */
const NEVER_MASKED = [...SYSTEM_FOLDERS, "/usr/bin", "/usr/lib", "/usr/local/bin", "/usr/local/lib", "/usr/share"];

/** Too wide to be shown because a program lies in it. */
const NEVER_SHOWN = ["/", "/etc", "/home", "/media", "/mnt", "/proc", "/root", "/run", "/srv", "/sys", "/tmp", "/var"];

/** Folders of programs that a cage shows, and those that it hides wherever they lie. */
interface ShownFolders {
  /** Folders of programs. */
  readonly shown: readonly string[];
  /** Folders that are empty. */
  readonly emptied: readonly string[];
  /** Files that are. */
  readonly blanked: readonly string[];
}

/**
 * @param hidden folders and files that nobody may see; of a repository that they are in, nothing else either
 * @param reads folders of ours that are seen all the same
 */
export function shownFolders(hidden: readonly string[], reads: readonly string[]): ShownFolders {
  const isSystem = (path: string) => SYSTEM_FOLDERS.some((each) => isWithin(each, path));
  const masked = [...new Set(hidden.flatMap((path) => [path, repositoryOf(path)]).flatMap((path) => path ?? []))]
    .map(realPath)
    .filter((path) => !NEVER_MASKED.some((each) => isWithin(path, each)));
  const isHidden = (path: string) => !isSystem(path) || masked.some((each) => isWithin(each, path));
  const shown = [...programFolders(isHidden), ...reads.map(realPath)].filter(isHidden);
  const isSeen = (path: string) => !isHidden(path) || isSystem(path) || shown.some((each) => isWithin(each, path));
  return {
    shown: [...new Set(shown)],
    emptied: masked.filter((path) => isFolder(path) && isSeen(path)),
    blanked: masked.filter((path) => isFile(path) && isSeen(path)),
  };
}

/** The repository that a path is in: its history may hold what is hidden. */
function repositoryOf(path: string): string | null {
  for (let folder = realPath(path); folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, ".git"))) return folder;
  return null;
}

/**
 * Folders that programs of the search path need, and the one that runs this.
 * @param isHidden whether a command would not see a path; those that it sees are not looked through
 */
function programFolders(isHidden: (path: string) => boolean): string[] {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), dirname(process.execPath)];
  const places = folders.filter((path) => path.startsWith(sep)).map(realPath);
  // Folders that this user may not reach, such as root's, its commands cannot reach either.
  const needed = places.filter(isHidden).flatMap(neededIn);
  return needed.filter((path) => !isTooWide(path) && existsSync(path));
}

function isTooWide(path: string): boolean {
  return [homedir(), tmpdir()].some((each) => isWithin(path, realPath(each))) || NEVER_SHOWN.includes(path);
}

function neededIn(folder: string): string[] {
  const prefix = dirname(folder);
  // The whole of it: for `node_modules/.bin`, everything that is installed beside it; for shims (pyenv, asdf) and
  // Homebrew, what they lead to.
  const isWhole = basename(folder) === ".bin" || basename(folder) === "shims" || existsSync(join(prefix, "Cellar"));
  if (isWhole) return [prefix];
  return [...withLibraries(folder), ...linksIn(folder).flatMap((target) => homeOf(target, prefix))];
}

const BESIDE = ["lib", "lib64", "libexec"];

function withLibraries(folder: string): string[] {
  return basename(folder) === "bin" ? [folder, ...BESIDE.map((name) => join(dirname(folder), name))] : [folder];
}

/**
 * Home of a tool: in `share` beside the folder of programs, all of it; of another, the folder that it is in, or it
 * alone.
 */
function homeOf(target: string, prefix: string): string[] {
  const [first, tool] = relative(prefix, target).split(sep);
  if (first === "share" && tool !== undefined) return [join(prefix, first, tool)];
  const own = withLibraries(dirname(target));
  return own.some(isTooWide) ? [target] : own;
}

function linksIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => realPath(join(folder, name)));
  } catch {
    return [];
  }
}

/** Tests if a path is a folder or lies in it; neither is looked up. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder === sep ? sep : `${folder}${sep}`);
}

/** The path without links; as it is where there is no such file. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

function isFile(path: string): boolean {
  return infoOf(path)?.isFile() ?? false;
}

function isFolder(path: string): boolean {
  return infoOf(path)?.isDirectory() ?? false;
}

/** `null`: nothing is there, or this user may not reach it, such as another's home; nor may its commands. */
function infoOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}
