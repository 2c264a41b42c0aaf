import { readdirSync, realpathSync } from "node:fs";
import { basename, delimiter, dirname, join, relative, resolve, sep } from "node:path";

/**
 * Folders that programs of the search path need, and the one that runs this: theirs, the libraries beside them, and what
 * links in them lead to, such as the home of a tool that was installed for one user.
 * @param isHidden whether a command would not see a path; of others nothing is told
 */
export function programFolders(isHidden: (path: string) => boolean): string[] {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), dirname(process.execPath)];
  const places = folders.filter((path) => path !== "").map(realPath);
  return places.filter(isHidden).flatMap(neededIn);
}

function neededIn(folder: string): string[] {
  // Of `node_modules/.bin`, everything that is installed beside it.
  if (basename(folder) === ".bin") return [dirname(folder)];
  return [...withLibraries(folder), ...linksIn(folder).flatMap((target) => homeOf(target, dirname(folder)))];
}

function withLibraries(folder: string): string[] {
  return basename(folder) === "bin" ? [folder, join(dirname(folder), "lib")] : [folder];
}

/** Of a tool in `share` beside the folder of programs, all of it; of another, the folder that it is in. */
function homeOf(target: string, prefix: string): string[] {
  const [first, tool] = relative(prefix, target).split(sep);
  return first === "share" && tool !== undefined ? [join(prefix, first, tool)] : withLibraries(dirname(target));
}

function linksIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => realPath(join(folder, name)));
  } catch {
    return [];
  }
}

/** The path without links; as it is where there is no such file. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
