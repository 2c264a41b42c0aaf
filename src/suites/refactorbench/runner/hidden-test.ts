import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Cage } from "../../../workspace/cage.js";
import type { CommandResult } from "../../../workspace/command.js";
import { type HiddenTest, layOut } from "./fixture-root.js";
import type { InstalledRunner } from "./install.js";
import { type HiddenTestResult, judgeReport } from "./judge-report.js";
import { type RunnerReport, reportSchema } from "./report.js";

/** How a hidden test is run. */
export interface HiddenTestRun {
  readonly runner: InstalledRunner;
  readonly cage: Cage;
  readonly signal: AbortSignal;
  /** Of all tests together; 120 s unless told otherwise. */
  readonly limitMs?: number;
}

const LIMIT_MS = 120_000;

/**
 * Runs a hidden test on a tree, in a cage where there is one: it reads the tree, writes nothing but its report, has no
 * network. The tree itself stays as it is: what is tested is a copy of its `src`.
 * @throws the signal's reason when it stops the run
 */
export async function runHiddenTest(
  hidden: HiddenTest,
  { runner, cage, signal, limitMs = LIMIT_MS }: HiddenTestRun,
): Promise<HiddenTestResult> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "probe-hidden-")));
  try {
    const [root, out] = [join(folder, "fixture"), join(folder, "out")];
    await mkdir(out);
    const [key, word] = [randomBytes(24).toString("hex"), `c${randomBytes(8).toString("hex")}`];
    const files = await layOut(root, hidden, word);
    const job = { key, root, ...files, isDom: hidden.isDom, out };
    const result = await cage.run(
      {
        argv: [process.execPath, join(runner.folder, "run.mjs")],
        cwd: root,
        env: environmentOf(out),
        input: JSON.stringify(job),
        limitMs,
      },
      {
        ...{ workspace: root, writesWorkspace: false, writes: [out] },
        ...{ reads: [await realpath(runner.folder)], network: false },
      },
      signal,
    );
    signal.throwIfAborted();
    const report = await readReport(join(out, "report.json"), key);
    return report === null ? withoutReport(result) : judgeReport(report, hidden.isDom, result.durationMs);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function environmentOf(out: string): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    ...{ HOME: out, TMPDIR: out, LANG: "C.UTF-8", TZ: "UTC", NO_COLOR: "1", CI: "1" },
  };
}

/** What the runner wrote; `null` where it wrote nothing, or somebody else did, who does not know the key. */
async function readReport(path: string, key: string): Promise<RunnerReport | null> {
  try {
    const report = reportSchema.parse(JSON.parse(await readFile(path, "utf8")));
    return report.key === key ? report : null;
  } catch {
    return null;
  }
}

function withoutReport({ end, output, durationMs }: CommandResult): HiddenTestResult {
  const isLate = end === "timed_out";
  return {
    ...{ passes: false, isTampered: false, testsPassed: 0, testsFailed: 0, missingPackages: [], durationMs },
    failureKind: isLate ? "time_limit" : "no_report",
    message: isLate ? "The tests took too long, and were stopped." : output,
  };
}
