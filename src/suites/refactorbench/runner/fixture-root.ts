import { cp, lstat, mkdir, writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { ProbeError } from "../../../base/errors.js";
import { readText } from "../../../store/read-text.js";
import { canarySource } from "./canary.js";

/** A hidden test, and what it is run on. */
export interface HiddenTest {
  /** The tree whose `src` is tested. */
  readonly tree: string;
  /** The test's file; outside the tree. */
  readonly testFile: string;
  /** Whether it needs a page: matchers for the DOM, and a document. */
  readonly isDom: boolean;
}

/** Paths of the two files in a root. */
export interface RootFiles {
  readonly test: string;
  /** `null`: there is none. */
  readonly canary: string | null;
}

/**
 * Lays out what is tested: `src` of the tree, the test beside it, and its canary. Nothing else of the tree comes in: neither
 * a configuration nor packages that somebody put there.
 * @param word of the canary
 */
export async function layOut(root: string, { tree, testFile, isDom }: HiddenTest, word: string): Promise<RootFiles> {
  await copyFolder(tree, root, "src");
  const text = await readTest(testFile);
  const test = basename(testFile);
  const canary = `${word}.test${extname(testFile)}`;
  await writeFile(join(root, test), text);
  await writeFile(join(root, canary), canarySource(text, word, isDom));
  return { test, canary };
}

/**
 * Likewise for a test of the tree itself, with the folder it is in.
 * @param path of the test: in a folder of the tree
 */
export async function layOutOwn(root: string, tree: string, path: string): Promise<RootFiles> {
  const [folder = ""] = path.split("/");
  for (const name of new Set(["src", folder])) await copyFolder(tree, root, name);
  return { test: path, canary: null };
}

async function copyFolder(tree: string, root: string, name: string): Promise<void> {
  const source = join(tree, name);
  const info = await lstat(source).catch(() => null);
  if (info?.isDirectory() === true) {
    await cp(source, join(root, name), { recursive: true, verbatimSymlinks: true, filter: isCopied });
  } else await mkdir(join(root, name));
}

function isCopied(path: string): boolean {
  return basename(path) !== "node_modules";
}

async function readTest(path: string): Promise<string> {
  try {
    return await readText(path);
  } catch (error) {
    throw new ProbeError("bad_input", `Expected a hidden test, found none at ${path}.`, { cause: error });
  }
}
