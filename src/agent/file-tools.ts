import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { messageOf } from "../base/errors.js";
import { LEFT_OUT } from "../workspace/inspect-tree.js";
import { checkedPath, defineTool, relativePath, type Tool, ToolFault } from "./tool.js";

/** Files larger than this are not read. */
const MOST_BYTES = 1024 * 1024;
const MOST_FILES = 2000;
const MOST_HITS = 200;

/** Where tools work. */
export interface ToolPlace {
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
    defineTool("read_file", "Shows a file.", { path }, async (given) => readText(await find(given.path), given.path)),
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
        await writeText(target, given.path, given.content);
        return `Wrote ${relativePath(given.path)} (${given.content.split("\n").length} lines).`;
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
        const before = await readText(target, given.path);
        const count = before.split(given.old).length - 1;
        if (count !== 1) throw new ToolFault(`expected the old text once in ${given.path}, found it ${count} times`);
        await writeText(
          target,
          given.path,
          before.replace(given.old, () => given.new),
        );
        return `Changed ${relativePath(given.path)}.`;
      },
    ),
    defineTool("remove_file", "Removes a file.", { path }, async (given) => {
      const target = await findToWrite(given.path);
      const info = await stat(target).catch(() => null);
      if (info?.isFile() !== true) throw new ToolFault(`there is no file ${given.path}`);
      await rm(target);
      return `Removed ${relativePath(given.path)}.`;
    }),
  ];
}

/** Paths of all files of a tree, from its root, in order; without packages and caches. */
export async function filesOf(tree: string): Promise<string[]> {
  const found: string[] = [];
  const walk = async (folder: string): Promise<void> => {
    const entries = await readdir(join(tree, folder), { withFileTypes: true });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const inner = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (found.length >= MOST_FILES) return;
      if (entry.isDirectory() && !LEFT_OUT.some((name) => name === entry.name) && entry.name !== ".git")
        await walk(inner);
      else if (entry.isFile()) found.push(inner);
    }
  };
  await walk("");
  return found;
}

async function search(tree: string, text: string): Promise<string> {
  const hits: string[] = [];
  for (const file of await filesOf(tree)) {
    const content = await readText(join(tree, file), file).catch(() => "");
    for (const [i, line] of content.split("\n").entries()) {
      if (line.includes(text)) hits.push(`${file}:${i + 1}: ${line}`);
      if (hits.length >= MOST_HITS) return `${hits.join("\n")}\n… more`;
    }
  }
  return hits.length === 0 ? "not found" : hits.join("\n");
}

async function readText(target: string, given: string): Promise<string> {
  const info = await stat(target).catch(() => null);
  if (info?.isFile() !== true) throw new ToolFault(`there is no file ${given}`);
  if (info.size > MOST_BYTES) throw new ToolFault(`${given} has ${info.size} bytes: too large to be shown`);
  return readFile(target, "utf8");
}

async function writeText(target: string, given: string, content: string): Promise<void> {
  try {
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
  } catch (error) {
    throw new ToolFault(`cannot write ${given}: ${messageOf(error).replaceAll(target, given)}`);
  }
}
