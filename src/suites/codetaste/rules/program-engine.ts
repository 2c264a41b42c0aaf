import { cp, mkdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { isSystemError, messageOf } from "../../../base/errors.js";
import { shorten } from "../../../base/text.js";
import { readText } from "../../../store/text-lines.js";
import { runCommand } from "../../../workspace/run-command.js";
import { readSealed, SealedFault, writeSealed } from "../../../workspace/sealed-files.js";
import { removeTree } from "../../../workspace/tree-files.js";
import {
  cleanId,
  type LineSpan,
  NOWHERE,
  type Rule,
  type RuleEngine,
  type RuleSet,
  type Scan,
  type ScanResult,
} from "./taste-rule.js";

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

/** Results of a large repository. */
const MOST_SARIF_BYTES = 128 * 1024 * 1024;

const line = z.int().positive();
const locationSchema = z.looseObject({
  physicalLocation: z
    .looseObject({
      artifactLocation: z.looseObject({ uri: z.string().optional() }).nullish(),
      region: z.looseObject({ startLine: line.optional(), endLine: line.optional() }).nullish(),
    })
    .nullish(),
});
const resultSchema = z.looseObject({ ruleId: z.string().nullish(), locations: z.array(locationSchema).nullish() });
const notices = z.array(z.unknown()).nullish();
const invocationSchema = z.looseObject({
  executionSuccessful: z.boolean().nullish(),
  toolExecutionNotifications: notices,
  toolConfigurationNotifications: notices,
});
const sarifSchema = z.looseObject({
  runs: z.array(
    z.looseObject({
      results: z.array(resultSchema).nullish(),
      invocations: z.array(invocationSchema).nullish(),
    }),
  ),
});
/** Results of a scan as tools write them (SARIF 2.1.0), as far as they count. */
type Sarif = z.infer<typeof sarifSchema>;
type SarifResult = z.infer<typeof resultSchema>;

/**
 * Reads the results of these rules from a SARIF file; missing where it cannot be read, or tells of a scan that failed.
 * @param rules `null`: they are not known, and those that have results count
 */
export async function readScan(path: string, rules: readonly Rule[] | null): Promise<ScanResult> {
  try {
    return readScanText(await readText(path, MOST_SARIF_BYTES), rules);
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return { status: "missing", detail: "there is no SARIF file" };
    return unreadable(error);
  }
}

/** Reads the results of these rules from the text of a SARIF file. */
function readScanText(text: string, rules: readonly Rule[] | null): ScanResult {
  try {
    return scanOf(sarifSchema.parse(JSON.parse(text)), rules);
  } catch (error) {
    return unreadable(error);
  }
}

function unreadable(error: unknown): ScanResult {
  return { status: "missing", detail: `a SARIF file that cannot be read: ${shorten(messageOf(error), 200)}` };
}

/** Results of these rules in SARIF: a rule without results matched nothing. */
export function scanOf({ runs }: Sarif, rules: readonly Rule[] | null): ScanResult {
  const invocations = runs.flatMap((run) => run.invocations ?? []);
  if (runs.length === 0) return { status: "missing", detail: "a SARIF file without a run" };
  if (invocations.some((each) => each.executionSuccessful === false))
    return { status: "missing", detail: "the scan failed" };
  const results = runs.flatMap((run) => run.results ?? []);
  const errors = invocations.reduce(
    (sum, each) =>
      sum + (each.toolExecutionNotifications?.length ?? 0) + (each.toolConfigurationNotifications?.length ?? 0),
    0,
  );
  return { status: "scanned", matches: matchesOf(results, rules), notRun: [], errors };
}

function matchesOf(results: readonly SarifResult[], rules: readonly Rule[] | null): Scan["matches"] {
  const matches = new Map<string, LineSpan[]>((rules ?? []).map(({ id }) => [id, []]));
  for (const { ruleId, locations } of results) {
    if (ruleId == null) continue;
    const id = cleanId(ruleId);
    const own = matches.get(id) ?? [];
    // A result without a place that can be told is a match all the same.
    const spans = (locations ?? []).flatMap(spanOf);
    for (const span of spans.length === 0 ? [NOWHERE] : spans) own.push(span);
    if (rules === null) matches.set(id, own);
  }
  return matches;
}

function spanOf({ physicalLocation }: z.infer<typeof locationSchema>): LineSpan[] {
  const uri = physicalLocation?.artifactLocation?.uri;
  const first = physicalLocation?.region?.startLine;
  if (uri === undefined || first === undefined) return [];
  return [{ path: uri.replace(/^\.\//, ""), first, last: physicalLocation?.region?.endLine ?? first }];
}
