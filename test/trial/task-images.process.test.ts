import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BenchAdapter } from "../../src/trial/adapter.js";
import { agentSuite } from "../../src/trial/agent-suite.js";
import { TaskCages } from "../../src/trial/bench-room.js";
import type { Bench, BenchTask, HiddenOutcome } from "../../src/trial/bench-task.js";
import { TRIAL_OPTIONS } from "../../src/trial/trial-options.js";
import { findContainers } from "../../src/workspace/containers.js";
import type { Workspace } from "../../src/workspace/workspace.js";
import { runProbe } from "../fixtures/cli.js";
import { makeImage, removeImages } from "../fixtures/container-image.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const engine = await findContainers("podman", null);
if ("reason" in engine) process.stdout.write(`Skipping containers: ${engine.reason}\n`);
const [OF_TASK, OF_SUITE] = ["task", "suite"].map((name) => `localhost/probe-test-${process.pid}:${name}`) as [
  string,
  string,
];
const sandbox = "podman" as const;

/** Each task asks for the name of the image that the agent was in, and its test is in one of that name too. */
function adapterOf(...images: readonly (string | undefined)[]): BenchAdapter {
  const path = join(folder, "code");
  const runHidden = async (_: BenchTask, { tree }: Workspace, { cage, signal }: Bench): Promise<HiddenOutcome> => {
    const place = { workspace: tree, writesWorkspace: false, writes: [], reads: [], network: false };
    const argv = ["/bin/sh", "-c", '[ "$(made-for)" = "$(cat answer)" ] || id'] as const;
    const { code, output } = await cage.run(
      { argv, cwd: tree, env: { PATH: "/none" }, limitMs: 60_000 },
      place,
      signal,
    );
    return { outcome: code === 0 && output === "" ? "passed" : "failed", detail: output };
  };
  return {
    name: "images",
    title: "tasks in images of their own",
    conditions: [{ name: "plain", isDefault: true }],
    options: {},
    scores: [{ name: "right", kind: "share", description: "" }],
    headline: "right",
    limits: {},
    prompts: async () => [],
    load: async () => ({
      source: "images",
      sha256: "1".repeat(64),
      tasks: images.map((image, i) => ({
        id: `t${i}`,
        group: "g",
        source: { kind: "folder", path } as const,
        sha256: String(i).repeat(64),
        ...(image !== undefined && { image }),
      })),
      hidden: [],
    }),
    runtime: async () => ({ sha256: "2".repeat(64), versions: {} }),
    baselines: async () => [{ check: "original", patch: null, expected: "failed" }],
    runHidden,
    gold: async () => null,
    prepare: async () => ({ system: "", user: "", instruction: "", tools: [] }),
    grade: async (task, { graded }, bench) => ({
      status: "graded",
      scores: { right: (await runHidden(task, graded, bench)).outcome === "passed" },
      nonTrivial: null,
      tampered: null,
      report: {},
      output: "",
    }),
  };
}

describe.skipIf("reason" in engine)("a task with an image of its own", () => {
  beforeAll(() => {
    mkdirSync(join(folder, "code"));
    writeFileSync(join(folder, "code/answer"), "nothing\n");
    if ("argv" in engine) for (const name of [OF_TASK, OF_SUITE]) makeImage(engine.argv, name, folder);
  });
  afterAll(() => {
    if ("argv" in engine) removeImages(engine.argv, [OF_TASK, OF_SUITE]);
  });

  it("has its agent and its tests in it, whatever its entry point and user are; one whose image is missing is told", async () => {
    const adapter = adapterOf(OF_TASK, "localhost/none:0");
    const entry = {
      name: "images",
      title: "images",
      command: null,
      options: TRIAL_OPTIONS,
      examples: [],
      commands: [],
      suiteCommands: [],
      load: async () => agentSuite(adapter),
    };
    const env = { XDG_CACHE_HOME: join(folder, "cache") };
    const args = ["suite", "run", "images", "--agent-cmd", "made-for > answer", "--out", "run", "-q"];
    const { code, stdout } = await runProbe(args, { more: [entry], cwd: folder, env });
    const trials = readFileSync(join(folder, "run/trials.csv"), "utf8").split("\r\n");
    const [head = "", made = "", missing = ""] = trials;
    expect(made.split(",")[head.split(",").indexOf("right")], stdout).toBe("true");
    expect(missing).toMatch(/,unreachable,/);
    expect(readFileSync(join(folder, "run/trials.jsonl"), "utf8")).toContain(
      "Expected the image localhost/none:0 and a podman or docker",
    );
    expect(code).toBe(4);
    expect(stdout).toContain("2 of 2 tasks in a container of an image of their own");
    expect(JSON.parse(readFileSync(join(folder, "run/run.json"), "utf8"))).toMatchObject({
      tasks: [{ image: OF_TASK }, { image: "localhost/none:0" }],
      sandbox: { image: null },
    });
  });

  it("has the user's image before its own, and its own before the suite's; results are kept apart by them", async () => {
    const opened = { sandbox, hidden: [] };
    const cages = await TaskCages.open({ image: OF_SUITE }, opened);
    const [own, other] = [await cages.of({ image: OF_TASK }), await cages.of({})];
    expect([own.cage.image?.name, other.cage.image?.name]).toEqual([OF_TASK, OF_SUITE]);
    expect(own.cage.setting).toBe(`podman ${own.cage.image?.id}`);
    expect(other.cage.setting).not.toBe(own.cage.setting);
    const users = await TaskCages.open({}, { ...opened, image: OF_SUITE });
    expect((await users.of({ image: OF_TASK })).cage.image?.name).toBe(OF_SUITE);
  });

  it("names no flag, file or registry by it, and none beside another sandbox", async () => {
    const cages = await TaskCages.open({}, { sandbox: "auto", hidden: [] });
    for (const image of ["--privileged", "-v=/:/x", "dir:/etc", "docker-archive:/x.tar", "a b", ""])
      expect((await cages.of({ image })).obstacle).toContain("Expected an image such as localhost/mine:1");
    const bare = await TaskCages.open({}, { sandbox: "none", hidden: [] });
    expect((await bare.of({ image: OF_TASK })).obstacle).toMatch(/Expected --sandbox podman or docker/);
  });
});
