import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findContainers } from "../../src/workspace/containers.js";
import { runProbe } from "../fixtures/cli.js";
import { makeImage, removeImages } from "../fixtures/container-image.js";
import { readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";
import { writeWordsTask } from "../fixtures/words-task.js";

const folder = temporaryFolder();
const env = { XDG_CACHE_HOME: join(folder, "cache"), SECRET_OF_MINE: "do-not-tell" };
const probe = (...args: readonly string[]) => runProbe(args, { cwd: folder, env });
const at = (...path: readonly string[]) => join(folder, ...path);
const gradesOf = (name: string) =>
  readTable(at(name), "trials.csv").map((row) =>
    [row["agent"], row["passed"], row["reward"], row["tampered"]].join(" "),
  );

/** Calls of an agent that writes a file and says that it is done. */
function writing(name: string, path: string, content: string): string {
  const calls = [
    { tool: "write_file", arguments: { path, content } },
    { tool: "finish", arguments: { success: true, summary: "done" } },
  ];
  writeFileSync(at(name), calls.map((call) => `${JSON.stringify(call)}\n`).join(""));
  return `scripted:${name}`;
}

describe("the task in Harbor's layout that comes with the program", () => {
  it("has a reward of 1 for its oracle and of 0 for who does nothing", async () => {
    const { code } = await probe(
      "suite",
      "run",
      "harbor",
      "--agent",
      "scripted:gold",
      "--controls",
      "-q",
      "--out",
      "own",
    );
    expect(code).toBe(0);
    expect(gradesOf("own")).toEqual(["scripted:gold true 1 false", "scripted:noop false 0 "]);
    expect(readTable(at("own"), "validity.csv").map((row) => [row["check"], row["outcome"]].join(" "))).toEqual([
      "noop fail",
      "oracle pass",
    ]);
  });

  it("has no reward that the code under test wrote, or had nobody look at", async () => {
    const forged = `import { writeFileSync } from "node:fs";
export const heightAt = () => 2;
export const windows = () => [];
process.on("exit", () => writeFileSync("/logs/verifier/reward.txt", "1"));
process.exit(0);
`;
    const agent = writing("forged.jsonl", "src/tides.mjs", forged);
    expect((await probe("suite", "run", "harbor", "--agent", agent, "-q", "--out", "forged")).code).toBe(0);
    // The file says 1: that no expectation was seen to hold decides.
    expect(gradesOf("forged")).toEqual([`${agent} false 1 false`]);
    const told = await probe("suite", "show", "forged", "tide-windows");
    expect(told.stdout).toContain("Its passes do not stand: not seen to hold, in 6 tests");
  });
});

describe("an agent that leaves something else where the logs belong", () => {
  it.each([
    ["file", "a file", "rm -r logs; echo x >logs"],
    ["within", "a link to a folder of its own", "rm -r logs; ln -s src logs"],
    ["nowhere", "a link to nothing", "rm -r logs/agent; ln -s none logs/agent"],
  ])("%s: fails the task by %s, and its trial is not lost", async (out, _, command) => {
    const calls = [
      { tool: "run_command", arguments: { command } },
      { tool: "finish", arguments: { success: true, summary: "done" } },
    ];
    writeFileSync(at("logs.jsonl"), calls.map((call) => `${JSON.stringify(call)}\n`).join(""));
    const agent = "scripted:logs.jsonl";
    const all = ["suite", "run", "harbor", "--agent", agent, "-q", "--out", out];
    expect((await probe(...all)).code).toBe(0);
    expect(gradesOf(out)).toEqual([`${agent} false 0 `]);
  });
});

describe("tests that do not end by themselves", () => {
  /** A task whose tests pass where `done` is there, and then wait for ever or are killed where it says so. */
  function writeTask(data: string, solution: string): void {
    const write = (path: string, text: string) => {
      mkdirSync(dirname(at(data, "late", path)), { recursive: true });
      writeFileSync(at(data, "late", path), text);
    };
    write("task.toml", 'version = "1.0"\n[verifier]\ntimeout_sec = 3\n');
    write("instruction.md", "Write a file named done.");
    write("environment/Dockerfile", "FROM x\nWORKDIR /app\nCOPY app /app\n");
    write("environment/app/notes", "");
    write("solution/solve.sh", solution);
    write(
      "tests/test.sh",
      "[ -e done ]; echo $((1 - $?)) >/logs/verifier/reward.txt\n" +
        "if grep -q wait done; then sleep 1000; fi\nif grep -q kill done; then kill -9 $$; fi\n",
    );
  }

  it.each([
    ["holds them up", "wait"],
    ["kills them", "kill"],
  ])("have a reward of 0 for who %s, whatever their file says", async (_, how) => {
    writeTask("held", "echo >done");
    const agent = writing(`${how}.jsonl`, "done", how);
    expect((await probe("suite", "run", "harbor", "--data", "held", "--agent", agent, "-q", "--out", how)).code).toBe(
      0,
    );
    expect(gradesOf(how)).toEqual([`${agent} false 0 `]);
  });

  it("are no proof of the oracle", async () => {
    writeTask("unproved", "echo wait >done");
    const { stdout } = await probe("suite", "check", "harbor", "--data", "unproved", "--json", "-q");
    expect(JSON.parse(stdout).tasks).toMatchObject([
      { valid: false, reason: expect.stringContaining("oracle: fail: reward 0, timed out") },
    ]);
  });
});

const engine = await findContainers("podman", null);
if ("reason" in engine) process.stdout.write(`Skipping containers: ${engine.reason}\n`);

describe.skipIf("reason" in engine)("a task whose Dockerfile is built", () => {
  const base = `localhost/probe-test-${process.pid}:harbor`;
  beforeAll(() => {
    if ("argv" in engine) makeImage(engine.argv, base, folder);
    writeWordsTask(at("data"), base);
  });
  afterAll(() => {
    if ("argv" in engine) removeImages(engine.argv, [base]);
  });

  it("is tried in its image, on a copy of its working directory, and gets nothing of this machine", async () => {
    const data = ["--data", "data"];
    expect((await probe("suite", "check", "harbor", ...data, "-q")).stdout).toContain("probe suite setup");
    const made = await probe("suite", "setup", "harbor", ...data);
    expect(made.code, made.stderr).toBe(0);
    const image = /localhost\/probe-harbor:\w+/.exec(made.stderr)?.[0] ?? "";
    const all = ["suite", "run", "harbor", ...data, "--agent", "scripted:gold", "--controls", "-q", "--out", "built"];
    const { code, stdout } = await probe(...all);
    if ("argv" in engine) removeImages(engine.argv, [image]);
    expect(code, stdout).toBe(0);
    expect(gradesOf("built")).toEqual(["scripted:gold true 1 ", "scripted:noop false 0 "]);
    const printed = readFileSync(at("built/artifacts/words/plain/0/output.txt"), "utf8");
    expect(printed.replace(/\s+/g, " ")).toBe(`${base} /app [] kept copy.txt logs longest.txt notes words.txt `);
  });
});
