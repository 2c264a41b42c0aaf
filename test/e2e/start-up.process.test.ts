import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { spawnProbe } from "../fixtures/cli.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";

const HOOKS = pathToFileURL(join(import.meta.dirname, "../fixtures/loaded-modules.mjs")).href;
const DIST = pathToFileURL(join(import.meta.dirname, "../../dist/")).href;

const folder = useFreshFolder();

/** The modules of this package that a command loads, each with the one that asked for it first. */
async function loadedBy(args: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
  const cwd = folder.path();
  const log = folder.path("loaded.jsonl");
  const result = await spawnProbe(args, { cwd, env: { NODE_OPTIONS: `--import=${HOOKS}`, LOADED_MODULES: log } });
  expect(result.code, result.stderr).toBe(0);
  const lines = readFileSync(log, "utf8").trim().split("\n");
  const found = new Map<string, string | null>();
  for (const [url, parent] of lines.map((line) => JSON.parse(line) as [string, string | null])) {
    const name = url.replace(DIST, "");
    if (!found.has(name)) found.set(name, parent?.replace(DIST, "") ?? null);
  }
  return found;
}

/** The way by which each module came: what a module was loaded for is the one before it. */
function ways(loaded: ReadonlyMap<string, string | null>): string {
  const way = (name: string): string => {
    const parent = loaded.get(name) ?? null;
    return parent === null ? name : `${way(parent)} > ${name}`;
  };
  return [...loaded.keys()].map(way).sort().join("\n");
}

// Half of the 302 that a run loaded once, near names and the option of thoughts; the others by what they load now. A module too many is loaded where it is
// needed, by `await import`.
it.each([
  { args: ["run", "--model", "scripted:oracle", "--limit", "2", "--task", "CL", "--out", "x"], most: 158 },
  { args: ["--help"], most: 36 },
  { args: ["runs", "."], most: 67 },
])("$args.0 loads at most $most modules", async ({ args, most }) => {
  const loaded = await loadedBy(args);
  // The command itself is among them, so that a count of nothing is no success.
  expect(loaded.has("src/cli/program.js")).toBe(true);
  expect(loaded.size <= most, `${loaded.size} modules, at most ${most} expected:\n${ways(loaded)}`).toBe(true);
});
