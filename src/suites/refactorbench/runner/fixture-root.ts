import { cp, lstat, mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { ProbeError } from "../../../base/errors.js";
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

/** Names of the two files in a root. */
export interface RootFiles {
  readonly test: string;
  readonly canary: string;
}

/**
 * Lays out what is tested: `src` of the tree, the test beside it, and its canary. Nothing else of the tree comes in: neither
 * a configuration nor packages that somebody put there.
 * @param word of the canary
 */
export async function layOut(root: string, { tree, testFile, isDom }: HiddenTest, word: string): Promise<RootFiles> {
  const source = join(tree, "src");
  await mkdir(root, { recursive: true });
  const info = await lstat(source).catch(() => null);
  if (info?.isDirectory() === true) {
    await cp(source, join(root, "src"), { recursive: true, verbatimSymlinks: true, filter: isCopied });
  } else await mkdir(join(root, "src"));
  const text = await readTest(testFile);
  const test = basename(testFile);
  const canary = `${word}.test${extname(testFile)}`;
  await writeFile(join(root, test), text);
  await writeFile(join(root, canary), canarySource(text, word, isDom));
  return { test, canary };
}

function isCopied(path: string): boolean {
  return basename(path) !== "node_modules";
}

async function readTest(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new ProbeError("bad_input", `Expected a hidden test, found none at ${path}.`, { cause: error });
  }
}
