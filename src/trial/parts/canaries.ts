import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Canary } from "../../run/suite-entry.js";
import { filesOf } from "../../workspace/tree-files.js";

/** As benchmarks write them, in whatever encoding that has ASCII in it. */
const CANARY = /canary\s{1,20}GUID\s{1,20}[\w.:/-]{0,100}[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** Longer than any match. */
const OVERLAP = 256;

/** The canary strings in the files of some data, each with the files that it stands in, and how many files there are. */
export async function canariesIn(
  data: string,
): Promise<{ readonly canaries: readonly Canary[]; readonly searched: number }> {
  const isFile = (await stat(data).catch(() => null))?.isFile() === true;
  const folder = isFile ? dirname(data) : data;
  const paths = isFile ? [basename(data)] : await filesOf(data);
  const found = new Map<string, { path: string; count: number }[]>();
  for (const path of paths)
    for (const [text, count] of await canariesOfFile(join(folder, path))) {
      const files = found.get(text) ?? [];
      files.push({ path, count });
      found.set(text, files);
    }
  return { canaries: [...found].map(([text, files]) => ({ text, files })), searched: paths.length };
}

/** How often each stands in a file. Memory: two chunks. */
async function canariesOfFile(path: string): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  let kept = "";
  for await (const chunk of createReadStream(path, "latin1") as AsyncIterable<string>) {
    const text = kept + chunk;
    let end = 0;
    for (const match of text.matchAll(CANARY)) {
      end = match.index + match[0].length;
      counts.set(match[0], (counts.get(match[0]) ?? 0) + 1);
    }
    kept = text.slice(Math.max(end, text.length - OVERLAP));
  }
  return counts;
}
