import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { lineCount } from "../base/text.js";
import { LEFT_OUT } from "../workspace/inspect-tree.js";
import { readSealed, removeSealed, SealedFault, writeSealed } from "../workspace/sealed-files.js";
import { checkedPath, defineTool, type Tool, ToolFault } from "./tool.js";

/** Files larger than this are not read. */
const MOST_BYTES = 1024 * 1024;
const MOST_FILES = 2000;
const MOST_HITS = 200;
/** A tree of more folders is not gone through to its end. */
const MOST_FOLDERS = 20_000;
const SKIPPED: ReadonlySet<string> = new Set([...LEFT_OUT, ".git"]);

/** Place in which tools work. */
interface ToolPlace {
  readonly tree: string;
  /** Folders of the tree that may be written to; empty: all. */
  readonly within: readonly string[];
}

const path = z.string().describe("path from the root of the working tree");

/** Tools that work on files: in this process, with checked paths. */
export function fileTools({ tree, within }: ToolPlace): Tool[] {
  const find = (given: string) => checkedPath(tree, given);
  const findToWrite = (given: string) => checkedPath(tree, given, within);
  return [
    defineTool(
      "list_files",
      "Lists the files of the working tree.",
      {},
      async () => (await filesOf(tree)).join("\n") || "no files",
    ),
    defineTool("read_file", "Shows a file.", { path }, async (given) => readText(tree, await find(given.path))),
    defineTool(
      "search",
      "Finds a text in the files, and shows the lines that hold it.",
      { text: z.string().min(1).describe("what to look for, letter by letter") },
      ({ text }) => search(tree, text),
    ),
    defineTool(
      "write_file",
      "Writes a whole file; folders are made as needed.",
      { path, content: z.string().describe("everything that the file is to hold") },
      async (given) => {
        const target = await findToWrite(given.path);
        await writeText(tree, target, given.content);
        return `Wrote ${target} (${lineCount(given.content)} lines).`;
      },
    ),
    defineTool(
      "edit_file",
      "Replaces a text of a file, which must stand there exactly once.",
      {
        path,
        old: z.string().min(1).describe("the text to be replaced"),
        new: z.string().describe("what replaces it"),
      },
      async (given) => {
        const target = await findToWrite(given.path);
        const before = await readText(tree, target);
        const count = before.split(given.old).length - 1;
        if (count !== 1) throw new ToolFault(`expected the old text once in ${given.path}, found it ${count} times`);
        const after = before.replace(given.old, () => given.new);
        await writeText(tree, target, after);
        return `Changed ${target}.`;
      },
    ),
    defineTool("remove_file", "Removes a file.", { path }, async (given) => {
      const target = await findToWrite(given.path);
      await onFile(`there is no file ${target} that can be removed`, () => removeSealed({ root: tree, path: target }));
      return `Removed ${target}.`;
    }),
  ];
}

/** Paths of all files of a tree, from its root, in order; without packages and caches, and what cannot be gone into. */
async function filesOf(tree: string): Promise<string[]> {
  const found: string[] = [];
  const waiting = [""];
  for (let folders = 0; folders < MOST_FOLDERS && found.length < MOST_FILES; folders++) {
    const folder = waiting.pop();
    if (folder === undefined) break;
    const entries = await entriesOf(join(tree, folder));
    const pathOf = ({ name }: Dirent) => (folder === "" ? name : `${folder}/${name}`);
    for (const entry of entries) {
      if (entry.isFile()) found.push(pathOf(entry));
      if (entry.isDirectory()) waiting.push(pathOf(entry));
    }
  }
  // Files in a folder come before files whose names go on behind its own.
  const order = (path: string) => path.replaceAll("/", "\0");
  return found.sort((a, b) => (order(a) < order(b) ? -1 : 1)).slice(0, MOST_FILES);
}

/** None of a folder that cannot be looked into. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter(({ name }) => !SKIPPED.has(name));
}

async function search(tree: string, text: string): Promise<string> {
  const hits: string[] = [];
  for (const file of await filesOf(tree)) {
    const content = await readText(tree, file).catch(() => "");
    for (const [i, line] of content.split("\n").entries()) {
      if (line.includes(text)) hits.push(`${file}:${i + 1}: ${line}`);
      if (hits.length >= MOST_HITS) return `${hits.join("\n")}\n… more`;
    }
  }
  return hits.length === 0 ? "not found" : hits.join("\n");
}

async function readText(root: string, path: string): Promise<string> {
  const bytes = await onFile(`there is no file ${path} that can be shown`, () =>
    readSealed({ root, path }, MOST_BYTES),
  );
  return bytes.toString("utf8");
}

function writeText(root: string, path: string, content: string): Promise<void> {
  return onFile(`cannot write ${path}`, () => writeSealed({ root, path }, content));
}

async function onFile<T>(failure: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof SealedFault) throw new ToolFault(`${failure}: ${error.message}`);
    throw error;
  }
}
