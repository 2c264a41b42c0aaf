// Measures the cost of a trial of refactorbench besides its agent: trees, patches, hidden tests.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { cacheFolder } from "../dist/src/base/folders.js";
import { installRunner } from "../dist/src/suites/refactorbench/runner/install-runner.js";

const METHOD = `Eight fixtures: our five that can be judged, and three of them again; agent scripted:gold, which applies a patch and is done, so that
all of a trial is spent outside the agent: its tree made, the patch taken ("tree"), a fresh tree with the hidden test run on it ("grading").
The whole command in a process of its own, with an empty cache of checks: "check" is what each fixture's own tests take, four times each.
Memory: resident sizes of the command and of all that it started, added up, read every
100 ms from /proc; shared pages count in each. Rounds in turn. --rounds=N, --jobs=N (default 1, then as many as there are cores).`;

const PROBE = join(import.meta.dirname, "../dist/src/cli/main.js");
const FIXTURES = join(import.meta.dirname, "../datasets/suites/refactorbench");
const BROKEN = "broken_example";
const AGAIN = ["csv_report", "interval_set", "task_board"];

export async function run(flags) {
  console.log(METHOD);
  const number = (name, usual) => Number(flags.find((flag) => flag.startsWith(`--${name}=`))?.split("=")[1] ?? usual);
  await installRunner();
  const folder = mkdtempSync(join(tmpdir(), "probe-bench-"));
  try {
    cpSync(FIXTURES, join(folder, "data"), { recursive: true });
    rmSync(join(folder, "data", BROKEN), { recursive: true });
    for (const name of AGAIN) cpSync(join(FIXTURES, name), join(folder, "data", `${name}_again`), { recursive: true });
    const jobs = flags.some((flag) => flag.startsWith("--jobs=")) ? [number("jobs", 1)] : [1, availableParallelism()];
    for (const each of jobs) await rounds(folder, each, number("rounds", 2));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function rounds(folder, jobs, count) {
  console.log(`\n--jobs ${jobs}, ${availableParallelism()} cores`);
  for (let round = 0; round < count; round++) {
    const { wallMs, peakMb, ownMb, trials } = await oneRun(folder, jobs, `${jobs}-${round}`);
    const seconds = (ms) => (ms / 1000).toFixed(2);
    const sum = (name) => trials.reduce((total, trial) => total + Number(trial[name]), 0);
    const mean = (name) => seconds(sum(name) / trials.length);
    // The rest beside tree and grading is start, checks and tables; at several jobs trials overlap.
    const rest =
      jobs === 1 ? `, check and start ${seconds(wallMs - sum("duration_ms") - sum("grading_ms"))} s in all` : "";
    console.log(
      `${trials.length} trials in ${seconds(wallMs)} s: a trial ${mean("duration_ms")} s tree, ${mean("grading_ms")} s grading${rest}; ` +
        `peak ${peakMb.toFixed(0)} MB, of these the command itself ${ownMb.toFixed(0)} MB`,
    );
    if (round === 0)
      for (const { task_id, duration_ms, grading_ms } of trials)
        console.log(`  ${task_id.padEnd(20)} ${seconds(duration_ms)} s tree, ${seconds(grading_ms)} s grading`);
  }
}

async function oneRun(folder, jobs, name) {
  const cache = join(folder, `cache-${name}`);
  mkdirSync(join(cache, "code-review-probe"), { recursive: true });
  symlinkSync(join(cacheFolder(process.env), "runners"), join(cache, "code-review-probe/runners"));
  const out = join(folder, `run-${name}`);
  const args = [
    "suite",
    "run",
    "refactorbench",
    "--data",
    join(folder, "data"),
    "--agent",
    "scripted:gold",
    "--out",
    out,
  ];
  const started = performance.now();
  const child = spawn(
    process.execPath,
    [PROBE, ...args, "--condition", "no-test-runner", "--jobs", String(jobs), "-q"],
    { stdio: ["ignore", "ignore", "inherit"], env: { ...process.env, XDG_CACHE_HOME: cache } },
  );
  let [peakMb, ownMb] = [0, 0];
  const timer = setInterval(() => {
    const tree = residentOf(child.pid);
    peakMb = Math.max(
      peakMb,
      tree.reduce((total, mb) => total + mb, 0),
    );
    ownMb = Math.max(ownMb, tree[0] ?? 0);
  }, 100);
  const code = await new Promise((resolve) => child.once("exit", resolve));
  clearInterval(timer);
  const trials = parse(readFileSync(join(out, "trials.csv")), { columns: true });
  const lost = trials.find(({ status }) => status !== "graded");
  if (lost !== undefined) throw new Error(`Expected every trial to be graded, found ${lost.task_id} ${lost.status}.`);
  if (code !== 0) throw new Error(`Expected the run to end well, found exit code ${code}.`);
  return {
    wallMs: performance.now() - started,
    peakMb,
    ownMb,
    trials,
  };
}

/** Resident megabytes of a process, then of all below it. */
function residentOf(root) {
  if (!existsSync("/proc/self/status")) return [];
  const found = new Map();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      const field = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
      found.set(Number(pid), { parent: field("PPid"), mb: field("VmRSS") / 1024 });
    } catch {
      // It has ended.
    }
  }
  const isBelow = (pid) => pid === root || (found.has(pid) && isBelow(found.get(pid).parent));
  const below = [...found].filter(([pid]) => pid !== root && isBelow(pid)).map(([, { mb }]) => mb);
  return [found.get(root)?.mb ?? 0, ...below];
}
