import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { runProbe, spawnProbe, startProbe } from "../fixtures/cli.js";
import { buildProgram } from "../fixtures/suites/build.js";
import { sumsBench } from "../fixtures/suites/sums-bench/entry.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const hasBubblewrap = spawnSync("bwrap", ["--ro-bind", "/", "/", "/bin/true"]).status === 0;
const env = { XDG_CACHE_HOME: join(folder, "cache") };
let program: string;
const probe = (...args: readonly string[]) => runProbe(args, { more: [sumsBench], cwd: folder, env });
const bench = (...rest: readonly string[]) => probe("suite", "run", "sums-bench", "-q", ...rest);
const text = (...path: readonly string[]) => readFileSync(join(folder, ...path), "utf8");

/** Rows of a run's table as objects; no field of these holds a comma. */
function rows(run: string, file = "trials.csv"): Record<string, string>[] {
  const [head = "", ...lines] = text(run, file).trim().split("\r\n");
  const names = head.split(",");
  return lines.map((line) => Object.fromEntries(line.split(",").map((cell, i) => [names[i] ?? "", cell])));
}

/** Without what another run, or another clock, changes. */
const stable = (run: string) => rows(run).map(({ run_id: _, duration_ms: __, grading_ms: ___, ...rest }) => rest);

const MEND = 'sed -i "s/=> 0/=> x * 2/" {workspace}/index.js';

beforeAll(async () => {
  program = await buildProgram("sums-bench/main.ts");
});

describe("a suite of agents", () => {
  it("finds the task that cannot be passed, and every wrong solution wrong", async () => {
    const { code, stdout } = await probe("suite", "check", "sums-bench", "--json", "-q", "--out", "checked");
    expect(code).toBe(0);
    const { tasks } = JSON.parse(stdout);
    expect(tasks.map((task: { valid: boolean }) => task.valid)).toEqual([true, true, true, true, true, false]);
    expect(tasks[5].reason).toBe("gold: failed: 3 times wrong");
    expect(rows("checked", "validity.csv")).toHaveLength(12);
  });

  it("has floor and ceiling beside the score", async () => {
    const { code, stdout } = await bench("--agent", "scripted:gold", "--controls", "--out", "gold");
    expect(code).toBe(0);
    expect(stdout).toMatch(/│ floor: noop +│ 5 │ +0\.0 %/);
    expect(stdout).toMatch(/│ scripted:gold +│ 5 │ 100\.0 %/);
    expect(stdout).toContain("times-7: gold: failed: 3 times wrong");
    const graded = rows("gold").filter(({ status }) => status === "graded");
    const rightOf = (agent: string) => graded.filter((row) => row["agent"] === agent).map((row) => row["right"]);
    expect(rightOf("scripted:gold")).toEqual(["true", "true", "true", "true", "true"]);
    expect(rightOf("scripted:noop")).toEqual(["false", "false", "false", "false", "false"]);
    expect(rows("gold").filter(({ status }) => status === "invalid_task")).toHaveLength(2);
    expect(text("gold", "artifacts/times-2/plain/0/patch.diff")).toContain("+export const times = (x) => x * 2;");
  });

  it("works beside a run of the same name in another folder", async () => {
    const tasks = ["--task-id", "times-2,times-3", "--jobs", "2"];
    const asked = ["suite", "run", "sums-bench", "-q", "--agent", "scripted:gold", "--out", "same", ...tasks];
    const others = ["one", "two"].map(async (name) => {
      mkdirSync(join(folder, name));
      return spawnProbe(asked, { program, cwd: join(folder, name), env });
    });
    for (const { code, stdout } of await Promise.all(others))
      expect([code, stdout]).toEqual([0, expect.stringMatching(/│ scripted:gold +│ 2 │ 100\.0 %/)]);
  });

  it("is compared trial by trial, and reported", async () => {
    expect((await bench("--agent-cmd", MEND, "--out", "mend")).code).toBe(0);
    const { code, stdout } = await probe("compare", "gold", "mend", "--json");
    expect(code).toBe(0);
    // Times 2 alone is mended: one of five, four fewer.
    expect(JSON.parse(stdout).comparisons[0].rows[0]).toMatchObject({ task: "plain", p_value: 0.125 });
    // Lines and dollars are no shares.
    expect((await probe("compare", "gold", "mend")).stdout).toMatch(/│ 2\.000 \/ 2\.000 │/);
    expect((await probe("score", "mend", "--junit", "mend.xml")).code).toBe(0);
    expect(text("mend.xml")).toContain("all trials came");
    expect((await probe("report", "gold", "mend", "--out", "page.html")).code).toBe(0);
    expect(text("page.html")).toContain("floor: noop");
  });

  it("takes patches that others made, and says which are missing", async () => {
    writeFileSync(join(folder, "times-2.patch"), text("gold", "artifacts/times-2/plain/0/patch.diff"));
    const { code, stdout } = await bench("--patches", ".", "--task-id", "times-2,times-3", "--out", "patches");
    expect(code).toBe(4);
    expect(stdout).toContain("unreachable: no patch times-3[/plain][/0] in .");
    expect(rows("patches").map(({ status, reported_success }) => [status, reported_success])).toEqual([
      ["graded", ""],
      ["unreachable", ""],
    ]);
  });

  it("refuses a model beside an agent, two agents, and to go on with other limits", async () => {
    const both = await bench("--model", "tiny", "--agent", "scripted:noop");
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining("found both: tiny and scripted:noop") });
    const two = await bench("--agent-cmd", "true", "--agent", "scripted:noop");
    expect(two.stderr).toContain("Expected one agent, found --agent-cmd and --agent.");
    const other = await bench("--agent", "scripted:gold", "--controls", "--attempts", "2", "--out", "gold");
    expect(other).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("parameter attempts: the run has 3, this command 2"),
    });
    const again = await probe("suite", "run", "sums-bench", "--resume", "mend");
    expect(again.stderr).toContain("Expected --agent-cmd again");
    const changed = await probe("suite", "run", "sums-bench", "--resume", "mend", "--agent-cmd", "true");
    expect(changed.stderr).toMatch(/agent command command_sha256: the run has .*, this command/);
  });

  it("lets the bundled model work by itself, and replays that without it, to the byte", async () => {
    const asked = [
      "--model",
      "tiny",
      "--task-id",
      "times-2,times-3",
      "--attempts",
      "2",
      "--max-calls",
      "3",
      "--trials",
      "2",
    ];
    expect((await bench(...asked, "--out", "tiny")).code).toBe(0);
    expect(rows("tiny").map(({ status }) => status)).toEqual(["graded", "graded", "graded", "graded"]);
    expect(Number(rows("tiny")[0]?.["calls"])).toBeGreaterThan(0);
    expect((await bench(...asked, "--out", "again", "--replies", "tiny/replies.jsonl", "--replay", "only")).code).toBe(
      0,
    );
    expect(stable("again")).toEqual(stable("tiny"));
    const unknown = await bench(
      ...asked,
      "--seed",
      "7",
      "--out",
      "other",
      "--replies",
      "tiny/replies.jsonl",
      "--replay",
      "only",
    );
    expect(unknown.code).toBe(4);
    expect(unknown.stdout).toMatch(/unreachable: no recorded reply to request [0-9a-f]{12}/);
  });
});

describe("a run of agents that is given to two processes at once", () => {
  it("makes each trial once: the second is refused, as is another share in the same folder", async () => {
    const asked = ["suite", "run", "sums-bench", "--agent-cmd", `echo x >> ${folder}/made; ${MEND}; sleep 1`, "-q"];
    const rest = ["--task-id", "times-2,times-3", "--sandbox", "none", "--out", "at-once"];
    const given = (...more: readonly string[]) =>
      spawnProbe([...asked, ...rest, ...more], { program, cwd: folder, env });
    const [one, other] = await Promise.all([given("--shard", "1/2"), given("--shard", "1/2")]);
    expect([one.code, other.code].toSorted()).toEqual([0, 2]);
    expect(`${one.stderr}${other.stderr}`).toMatch(/in use by process \d+/);
    const share = await given("--shard", "2/2");
    expect([share.code, share.stderr]).toEqual([2, expect.stringContaining("shard")]);
    expect(text("made")).toBe("x\n");
  });
});

describe("a run of agents that is killed again and again", () => {
  it("goes on, makes no trial twice, and leaves no process behind", async () => {
    const mark = `sleep 0.${process.pid}7`;
    const asked = ["suite", "run", "sums-bench", "--agent-cmd", `${mark}; (setsid sleep 9${process.pid} &) ; ${MEND}`];
    const rest = ["--trials", "3", "--task-id", "times-2,times-3,times-4", "--sandbox", "none"];
    const whole = await probe(...asked, ...rest, "--out", "whole", "-q");
    expect(whole.code).toBe(0);
    const recorded = () =>
      existsSync(join(folder, "killed/trials.jsonl")) ? text("killed", "trials.jsonl").split("\n").length - 2 : 0;
    // Of nine trials: behind a first one, in the next, and in one that is being recorded or graded.
    for (const afterMs of [0, 90, 180]) {
      const before = recorded();
      const { child, result } = startProbe([...asked, ...rest, "--out", "killed", "-q"], { program, cwd: folder, env });
      while (recorded() <= before && child.exitCode === null) await sleep(5);
      await sleep(afterMs);
      child.kill("SIGKILL");
      expect((await result).signal).toBe("SIGKILL");
    }
    const goneOn = await probe(...asked, ...rest, "--out", "killed", "-q");
    expect([goneOn.code, goneOn.stderr]).toEqual([0, ""]);
    expect(stable("killed")).toEqual(stable("whole"));
    const trials = text("killed", "trials.jsonl").trim().split("\n").slice(1);
    expect(trials).toHaveLength(9);
    await expect.poll(() => spawnSync("pgrep", ["-f", `9${process.pid}$`]).stdout.toString()).toBe("");
  });
});

describe("a run of agents that is interrupted", () => {
  it("ends, though its agent would take an hour, and goes on with that trial by the very words that it ends with", async () => {
    const [started, goOn] = [join(folder, "started"), join(folder, "go-on")];
    const line = `[ -e ${goOn} ] || { touch ${started}; sleep 36${process.pid}; }; ${MEND}`;
    const asked = ["suite", "run", "sums-bench", "--agent-cmd", line];
    // Without a cage, code that is named in a record alone is not run.
    const rest = ["--data", "my tasks", "--task-id", "times-2,times-3", "--sandbox", "none", "--out", "stopped"];
    const { child, result } = startProbe([...asked, ...rest], { program, cwd: folder, env });
    await expect.poll(() => existsSync(started)).toBe(true);
    child.kill("SIGINT");
    const { code, stderr } = await result;
    expect(code, stderr).toBe(130);
    const [, hint = ""] = /Go on with:\n {2}probe (suite run sums-bench --resume stopped .+)\n$/.exec(stderr) ?? [];
    expect(hint).toContain(" --data 'my tasks' --agent-cmd '");
    expect(spawnSync("pgrep", ["-f", `sleep 36${process.pid}`]).status).toBe(1);
    writeFileSync(goOn, "");
    const words = `exec "${process.execPath}" "${program}" ${hint}`;
    const goneOn = spawnSync("sh", ["-c", words], { cwd: folder, env: { ...process.env, ...env }, encoding: "utf8" });
    expect([goneOn.status, goneOn.stderr]).toEqual([0, expect.stringContaining("Resuming stopped")]);
    expect(rows("stopped").map(({ status }) => status)).toEqual(["graded", "graded"]);
  });
});

const HOSTILE = [
  "echo '* -diff' > .gitattributes; echo '*' > .gitignore; mkdir -p .git/hooks; echo 'touch /tmp/pwned' > .git/hooks/pre-commit",
  "cat {output_dir}/../../../x 2>/dev/null; (cd / && ls RUN/run.json) && echo SAW-RUN; head -c 3000000 /dev/zero | tr '\\0' x",
  "(setsid env -i sleep 8MARK &)",
  "rm -rf index.js; echo 'export const times = (x) => x * 2;' > index.js",
].join("; ");

describe("a hostile agent", () => {
  const run = (sandbox: string, out: string) =>
    bench(
      "--agent-cmd",
      // No path of the line is whole: what it names of this machine would be looked for before it starts.
      HOSTILE.replace("RUN", join(folder, out).slice(1)).replace("MARK", String(process.pid)),
      "--task-id",
      "times-2",
      "--sandbox",
      sandbox,
      "--out",
      out,
    );

  it.skipIf(!hasBubblewrap)("is held in a cage: it hides nothing, sees no run and leaves nothing", async () => {
    const { code, stdout } = await run("bwrap", "caged");
    expect(code, stdout).toBe(0);
    expect(rows("caged")[0]).toMatchObject({ status: "graded", right: "true", patch_applies: "true" });
    const transcript = text("caged", "artifacts/times-2/plain/0/transcript.jsonl");
    expect(transcript.includes("SAW-RUN")).toBe(false);
    expect(transcript.length).toBeLessThan(1_200_000);
    expect(spawnSync("pgrep", ["-f", `sleep 8${process.pid}`]).stdout.toString()).toBe("");
    expect(text("caged", "artifacts/times-2/plain/0/patch.diff")).toContain(".gitignore");
    expect(JSON.parse(text("caged", "run.json"))).toMatchObject({
      sandbox: { kind: "bwrap" },
      hidden_tests_exposed: false,
    });
  });

  it("is said not to be held without one", async () => {
    const { code, stdout } = await run("none", "free");
    expect(code).toBe(0);
    expect(stdout).toContain("Sandbox: none. The agent could read the hidden tests and the run's folder");
    expect(rows("free")[0]).toMatchObject({ status: "graded", right: "true" });
    expect(JSON.parse(text("free", "run.json"))).toMatchObject({
      sandbox: { kind: "none" },
      hidden_tests_exposed: true,
    });
    // It cleared its environment and left its group: nobody can find it again.
    const strays = spawnSync("pgrep", ["-f", `^sleep 8${process.pid}$`])
      .stdout.toString()
      .trim()
      .split("\n");
    for (const pid of strays.map(Number).filter((each) => each > 0)) process.kill(pid);
    expect(existsSync("/tmp/pwned")).toBe(false);
  });
});

/** Programs that a run needs, without bubblewrap. */
function pathWithoutCage(): string {
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  for (const name of ["git", "sh", "tar", "node"]) {
    const found = spawnSync("which", [name]).stdout.toString().trim();
    if (!existsSync(join(bin, name))) symlinkSync(found, join(bin, name));
  }
  return bin;
}

describe("a run that was found, whose record names code", () => {
  const CALLS =
    '{"tool":"write_file","arguments":{"path":"index.js","content":"export const times = (x) => x * 2;"}}\n';
  const resume = (out: string, more: readonly string[], PATH: string) =>
    runProbe(["suite", "run", "sums-bench", "--resume", out, ...more], {
      more: [sumsBench],
      cwd: folder,
      env: { ...env, PATH },
    });

  it("does not have it run without a cage, unless the command line names it again", async () => {
    writeFileSync(join(folder, "calls.jsonl"), CALLS);
    const asked = ["--agent", "scripted:calls.jsonl", "--task-id", "times-2"];
    const bare = pathWithoutCage();
    const args = ["suite", "run", "sums-bench", ...asked, "--out", "found"];
    const surroundings = { more: [sumsBench], cwd: folder, env: { ...env, PATH: bare } };
    const unsaid = await runProbe(args, surroundings);
    expect(unsaid.stderr).toContain(
      "Expected a sandbox for the code of --agent scripted:calls.jsonl, found none (no bwrap on the search path; no podman " +
        "on the search path; no docker on the search path): it would have your rights. Install bubblewrap or podman, or " +
        "say --sandbox none.",
    );
    expect(unsaid.code).toBe(2);
    const bareSandbox = ["--sandbox", "none"];
    expect((await runProbe([...args, ...bareSandbox], surroundings)).code).toBe(0);
    const refused = await resume("found", bareSandbox, bare);
    expect(refused.stderr).toContain(
      "Expected a sandbox for code that the run's run.json names, found none: it would have " +
        "your rights. Look at it, then name it again, --agent scripted:calls.jsonl, or install bubblewrap or podman.",
    );
    expect(refused.code).toBe(2);
    expect((await resume("found", ["--agent", "scripted:calls.jsonl", ...bareSandbox], bare)).code).toBe(0);
  });

  it.skipIf(!hasBubblewrap)("does not take the cage away", async () => {
    const { PATH = "" } = process.env;
    const refused = await resume("found", ["--agent", "scripted:calls.jsonl"], PATH);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("Expected --sandbox none again")]);
    const named = ["--agent", "scripted:calls.jsonl", "--sandbox", "none"];
    expect((await resume("found", named, PATH)).code).toBe(0);
  });
});
