import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { runProbe, startProbe } from "../fixtures/cli.js";
import { readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";
import { isRunnerMissing } from "../fixtures/test-runner.js";

const isWhole = process.env["PROBE_SLOW_TESTS"] === "1";
// Each state of the disk of such a run is resumed in `kill-points.slow`, and one whose agent works in `agent-suite.slow`.
if (!isWhole) process.stdout.write("Killing runs of refactorbench 40 times with PROBE_SLOW_TESTS=1 alone\n");

const folder = temporaryFolder();
/** Trees are made in a place of these runs alone: what is left there, they have left. */
const OPTIONS = { cwd: folder, env: { TMPDIR: join(folder, "tmp") } };
mkdirSync(OPTIONS.env.TMPDIR);

/** Where a run can be killed: its agent works, its grader does, a trial was just recorded. */
const PHASES = ["agent", "grading", "between"] as const;
type Phase = (typeof PHASES)[number];

/** Of every process of this file's agents, and of nobody else's. */
const MARK = `7${process.pid}`;
/** Takes a while, leaves a process that has left its group, and adds a module. */
const AGENT = `(setsid sleep ${MARK} &); sleep 0.7; echo 'export const one = 1;' > {workspace}/src/one.js`;

interface Killed {
  readonly sandbox: "auto" | "none";
  readonly tasks: readonly string[];
  readonly trials: number;
  readonly kills: number;
}

/** Whole lines of its journal, the header not counted. */
function recordedTrials(run: string): number {
  const path = join(run, "trials.jsonl");
  return existsSync(path) ? Math.max(0, readFileSync(path, "utf8").split("\n").length - 2) : 0;
}

/** In one session of a run: what it is doing, by what it has written. */
class Sight {
  readonly #run: string;
  /** Folders of the artifacts of all trials. */
  readonly #trials: readonly string[];
  readonly #since = Date.now();
  readonly #recorded: number;

  constructor(run: string, trials: readonly string[]) {
    this.#run = run;
    this.#trials = trials;
    this.#recorded = recordedTrials(run);
  }

  /** `null`: it has not begun to. */
  phase(): Phase | null {
    if (recordedTrials(this.#run) > this.#recorded) return "between";
    if (this.#trials.some((trial) => this.#isNew(join(trial, "transcript.jsonl")))) return "grading";
    return this.#trials.some((trial) => this.#isNew(trial)) ? "agent" : null;
  }

  #isNew(path: string): boolean {
    const info = statSync(join(this.#run, "artifacts", path), { throwIfNoEntry: false });
    return info !== undefined && info.mtimeMs >= this.#since;
  }
}

/** Goes on with the run until it is in that phase, and a part of a second longer; returns where it was when it was killed. */
async function killIn(
  phase: Phase,
  waitMs: number,
  args: readonly string[],
  sight: Sight,
): Promise<Phase | "ended" | null> {
  const { child, result } = startProbe(args, OPTIONS);
  const isThere = () => {
    const seen = sight.phase();
    return seen !== null && PHASES.indexOf(phase) <= PHASES.indexOf(seen);
  };
  while (child.exitCode === null && !isThere()) await sleep(10);
  await sleep(waitMs);
  const found = sight.phase();
  child.kill("SIGKILL");
  return (await result).signal === "SIGKILL" ? found : "ended";
}

/** Without what another run, or another clock, changes. */
const rowsOf = (run: string, file: string) =>
  readTable(run, file).map((row) =>
    Object.entries(row).filter(([name]) => !/^(run_id|.*_(ms|min)|result_.*|source_export|experiment_id)$/.test(name)),
  );

async function killAgain({ sandbox, tasks, trials, kills }: Killed): Promise<void> {
  const asked = [
    "suite",
    "run",
    "refactorbench",
    "--agent-cmd",
    AGENT,
    "--sandbox",
    sandbox,
    "-q",
    "--task-id",
    tasks.join(),
    "--condition",
    "no-test-runner",
    "--trials",
    String(trials),
  ];
  const [whole, killed] = [join(folder, `whole-${sandbox}`), join(folder, `killed-${sandbox}`)];
  expect((await runProbe([...asked, "--out", whole], OPTIONS)).code).toBe(0);
  const places = tasks.flatMap((task) =>
    Array.from({ length: trials }, (_, trial) => `${task}/no-test-runner/${trial}`),
  );
  const seen: (Phase | "ended" | null)[] = [];
  for (let i = 0; i < kills; i++) {
    const phase = PHASES[i % PHASES.length]!;
    const spanMs = { agent: 600, grading: 1500, between: 60 }[phase];
    seen.push(
      await killIn(phase, (spanMs * ((i * 37) % 100)) / 100, [...asked, "--out", killed], new Sight(killed, places)),
    );
  }
  process.stdout.write(`${sandbox}: killed at ${seen.join(", ")}\n`);
  for (const phase of PHASES) expect(seen).toContain(phase);
  expect(seen).not.toContain("ended");
  const { code, stderr } = await runProbe([...asked, "--out", killed], OPTIONS);
  expect([code, stderr]).toEqual([0, ""]);
  for (const file of ["trials.csv", "summary.csv", "validity.csv", "per_fixture.csv"])
    expect(rowsOf(killed, file)).toEqual(rowsOf(whole, file));
  expect(recordedTrials(killed)).toBe(places.length);
  expect(readdirSync(OPTIONS.env.TMPDIR)).toEqual([]);
  expect(spawnSync("pgrep", ["-f", `sleep ${MARK}`]).stdout.toString()).toBe("");
}

describe.skipIf(isRunnerMissing || !isWhole)(
  "a run of refactorbench that is killed while its agent works, is graded, and between",
  () => {
    const [tasks, trials, kills] = [["interval_set", "draft_hook"], 8, 20] as const;

    it(`goes on behind ${kills} kills with the tables of a whole one, and leaves no process`, async () => {
      await killAgain({ sandbox: "auto", tasks, trials, kills });
    });

    it("likewise without a sandbox", async () => {
      await killAgain({ sandbox: "none", tasks, trials, kills });
    });
  },
);
