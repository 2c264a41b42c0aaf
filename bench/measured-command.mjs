// A command of probe, of this version or another, run in a process of its own, and what it took.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const STARTER = join(ROOT, "datasets/starter.jsonl");
const COMMAND = "dist/src/cli/main.js";

/** This version's command. */
export const PROBE = join(ROOT, COMMAND);

/** Loaded into a command, leaves what it took in the file that PROBE_BENCH_COST names. */
export const COST = join(import.meta.dirname, "command-cost.mjs");

/** The starter set so many times, under new ids. */
export function copiedStarter(folder, copies) {
  const path = join(folder, `starter-${copies}.jsonl`);
  const records = readFileSync(STARTER, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const lines = Array.from({ length: copies }, (_, i) =>
    records.map((record) => JSON.stringify({ ...record, id: `${record.id}-${i}` })),
  );
  writeFileSync(path, `${lines.flat().join("\n")}\n`);
  return path;
}

/** The command of a folder that is built, or of a commit, which is built beside the data. */
export function commandOf(base, folder) {
  if (existsSync(join(base, COMMAND))) return join(base, COMMAND);
  const home = join(folder, "base");
  mkdirSync(home);
  const archive = execFileSync("git", ["archive", base], { cwd: ROOT, maxBuffer: 1024 ** 3 });
  execFileSync("tar", ["-x", "-C", home], { input: archive });
  symlinkSync(join(ROOT, "node_modules"), join(home, "node_modules"));
  const build = (file, ...args) => execFileSync(process.execPath, [file, ...args], { cwd: home, stdio: "inherit" });
  build("node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json");
  build("scripts/finish-build.mjs");
  return join(home, COMMAND);
}

export function median(values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Memory of a process under way, MB; 0 where the system does not tell. */
export function residentMb(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Runs a command of probe to its end: processor time of all its threads, peak of its resident memory, as the kernel counts them. */
export async function measured(command, args, costFile) {
  const started = performance.now();
  const child = spawn(process.execPath, ["--import", COST, command, ...args], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, PROBE_BENCH_COST: costFile },
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`probe ${args[0]} ended with ${code}`);
  return { ms: performance.now() - started, ...JSON.parse(readFileSync(costFile, "utf8")) };
}
