import { cp, mkdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shorten } from "../../../base/text.js";
import { removeTree } from "../../../workspace/remove-tree.js";
import { runCommand } from "../../../workspace/run-command.js";
import { readSealed, SealedFault, writeSealed } from "../../../workspace/sealed-files.js";
import { MOST_SARIF_BYTES, readScanText } from "./read-sarif.js";
import type { RuleEngine, RuleSet, ScanResult } from "./taste-rule.js";

/** Time limit of a scan, as released. */
const SCAN_LIMIT_MS = 1_200_000;
const VERSION_LIMIT_MS = 60_000;

/**
 * Opengrep or Semgrep, as found on the search path.
 * @param ignoreFile what the tool is to leave out, beside the rules of released data; `null`: what it leaves out by itself
 * @returns `null` where there is no such program, or none that works
 */
export async function programEngine(
  name: "opengrep" | "semgrep",
  ignoreFile: string | null,
): Promise<RuleEngine | null> {
  const version = await versionOf(name);
  if (version === null) return null;
  return {
    name,
    version,
    async scan(set, tree, bench) {
      if (set.rules.length === 0) return { status: "scanned", matches: new Map(), notRun: [], errors: 0 };
      const folder = await bench.folder();
      const [rules, output] = [join(folder, "rules.yml"), join(folder, "results.sarif")];
      await cp(set.path, rules);
      const restore = await withIgnoreFile(tree, ignoreFile);
      const unlimited = ["--timeout-threshold", "0", "--timeout", "0", "--max-memory", "0"];
      const command = {
        argv: [name, "scan", ...unlimited, "-f", rules, "--sarif-output", output, "."] as const,
        cwd: tree,
        env: await environmentIn(folder),
        limitMs: SCAN_LIMIT_MS,
      };
      const permissions = { workspace: tree, writesWorkspace: false, writes: [folder], reads: [], network: false };
      const { end, code, output: said } = await bench.cage.run(command, permissions, bench.signal);
      await restore();
      bench.signal.throwIfAborted();
      if (end === "exited" && (code === 0 || code === 1)) return scanIn(folder, set.rules);
      const how = code === null ? end : `exit code ${code}`;
      return { status: "missing", detail: `${name} ended with ${how}: ${shorten(said.trim(), 200)}` };
    },
  };
}

async function scanIn(folder: string, rules: RuleSet["rules"]): Promise<ScanResult> {
  try {
    const bytes = await readSealed({ root: folder, path: "results.sarif" }, MOST_SARIF_BYTES);
    return readScanText(bytes.toString("utf8"), rules);
  } catch (error) {
    if (!(error instanceof SealedFault)) throw error;
    return { status: "missing", detail: `there is no SARIF file (${error.message})` };
  }
}

/** Puts the file into the tree under the name that the tools look for. */
async function withIgnoreFile(tree: string, file: string | null): Promise<() => Promise<void>> {
  if (file === null) return async () => undefined;
  const place = { root: tree, path: ".semgrepignore" };
  const before = await readSealed(place).catch(() => null);
  await removeTree(join(tree, place.path));
  await writeSealed(place, await readFile(file));
  return async () => {
    await removeTree(join(tree, place.path));
    if (before !== null) await writeSealed(place, before);
  };
}

async function environmentIn(folder: string): Promise<Record<string, string>> {
  const home = join(folder, "home");
  await mkdir(home, { recursive: true });
  return {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    LANG: "C.UTF-8",
    HOME: home,
    SEMGREP_SEND_METRICS: "off",
    SEMGREP_ENABLE_VERSION_CHECK: "0",
  };
}

async function versionOf(name: string): Promise<string | null> {
  const command = {
    argv: [name, "--version"] as const,
    cwd: tmpdir(),
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: tmpdir(), SEMGREP_ENABLE_VERSION_CHECK: "0" },
    limitMs: VERSION_LIMIT_MS,
  };
  const { code, output } = await runCommand(command, new AbortController().signal);
  return code === 0 ? shorten(output.trim().split("\n").at(-1) ?? "", 60) : null;
}
