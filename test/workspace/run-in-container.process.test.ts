import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { onSearchPath } from "../../src/workspace/bubblewrap.js";
import { openCage, runInContainer } from "../../src/workspace/cage.js";
import { findContainers } from "../../src/workspace/containers.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const [tree, output] = ["tree", "output"].map((name) => join(folder, name)) as [string, string];
for (const path of [tree, output]) mkdirSync(path);
const engine = await findContainers("podman", null);
const isRoot = process.getuid?.() === 0;
if ("reason" in engine) process.stdout.write(`Skipping containers: ${engine.reason}\n`);

interface Attack {
  readonly hidden?: readonly string[];
  readonly limitMs?: number;
  readonly input?: string;
}

async function attack(script: string, { hidden = [], limitMs = 60_000, ...more }: Attack = {}) {
  const cage = await openCage({ sandbox: "podman", hidden });
  const env = {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    QUOTED: "it's\n$(one)",
    LD_DEBUG_OUTPUT: `${folder}/log`,
  };
  const command = { argv: ["/bin/sh", "-c", script] as const, cwd: tree, env, limitMs, ...more };
  const places = { workspace: tree, writesWorkspace: true, writes: [output], reads: [], at: { "/app": tree } };
  return cage.run(command, { ...places, network: false }, new AbortController().signal);
}

/** Those that have the tree: other tests have containers of their own. */
const containers = () =>
  "reason" in engine
    ? ""
    : spawnSync(engine.argv[0], [
        ...engine.argv.slice(1),
        "ps",
        "--all",
        "--filter",
        `volume=${tree}`,
        "--quiet",
      ]).stdout.toString();

describe.skipIf("reason" in engine)("a command in podman", () => {
  it("works in its tree, at other places and in its output folder, with its variables and its input", async () => {
    const result = await attack(`echo 2 > b; cat /app/b; echo 3 > ${output}/c; printf %s "$QUOTED"; cat`, {
      input: "in",
    });
    expect(result).toMatchObject({ end: "exited", code: 0, output: "2\nit's\n$(one)in" });
    expect(readFileSync(join(output, "c"), "utf8")).toBe("3\n");
  });

  it.skipIf(!isRoot)("reads nothing of the data's repository, wherever it lies", async () => {
    const project = mkdtempSync("/opt/probe-test-");
    mkdirSync(join(project, "data"));
    mkdirSync(join(project, ".git"));
    for (const path of [".env", ".git/gold.patch", "data/hidden.test.js"])
      writeFileSync(join(project, path), "private");
    const { output: said } = await attack(`cat ${project}/.env ${project}/*/*; ls -A ${project}`, {
      hidden: [join(project, "data")],
    });
    rmSync(project, { recursive: true });
    expect(said).not.toMatch(/private|hidden\.test|^\.env$/m);
  });

  it("has no more processes than it may, no file of 10 TB, and leaves no container at its limit", async () => {
    const many = await attack(
      "(i=0; while [ $i -lt 1500 ]; do sleep 30 & i=$((i+1)); done) 2>log; cat log; kill -9 -1",
    );
    expect(many.output).toMatch(/Cannot fork/);
    expect((await attack("truncate -s 10T big 2>&1")).output).toMatch(/File too large|file size limit/i);
    expect(existsSync(join(tree, "big")) && readFileSync(join(tree, "big")).length > 0).toBe(false);
    expect(await attack("setsid sleep 60 & sleep 60", { limitMs: 2000 })).toMatchObject({ end: "timed_out" });
    expect(containers()).toBe("");
  });

  it("is not taken for one that never began, whatever it prints and does to the file that says so", async () => {
    const forged = [
      "echo 'Error: OCI runtime error'; exit 125",
      "echo 'docker: Error response'; exit 127",
      ": > /.probe-started; touch -d @0 /.probe-started; rm -f /.probe-started; echo Error: x; exit 125",
    ];
    for (const script of forged) expect(await attack(script), script).toMatchObject({ end: "exited" });
    // Linux takes 128 kB an argument: with more, as of all files that an agent left, the engine itself is not started.
    expect(await attack(`#${"x".repeat(200_000)}`)).toMatchObject({ end: "exited", code: 126 });
  });

  it("is told apart from an engine that failed, and an image that is not there", async () => {
    expect(await attack("exit 125")).toMatchObject({ end: "exited", code: 125 });
    const cage = await openCage({ sandbox: "podman", hidden: [] });
    const command = { argv: ["/bin/sh", "-c", "true"] as const, cwd: tree, env: {}, limitMs: 60_000 };
    const gone = { workspace: tree, writesWorkspace: true, writes: [join(folder, "gone")], reads: [], network: false };
    expect(await cage.run(command, gone, new AbortController().signal)).toMatchObject({ end: "not_started" });
    await expect(openCage({ sandbox: "auto", hidden: [], image: "localhost/none:0" })).rejects.toThrow(
      /Expected the image localhost\/none:0 and a podman or docker that works/,
    );
    await expect(openCage({ sandbox: "bwrap", hidden: [], image: "a" })).rejects.toThrow(
      /podman or docker for the image a, found bwrap/,
    );
  });
});

describe.skipIf(onSearchPath("docker") === null)("a command line for docker", () => {
  it.each([null, { name: "localhost/mine:1", id: "0".repeat(64) }])(
    "is one that its client understands: %j",
    async (image) => {
      // Flags are read before the daemon is asked, of which there is none.
      const argv = ["docker", "--host", `unix://${folder}/none.sock`] as const;
      const made = { argv, kind: "docker", version: "docker", holdsSums: true, calls: null, image } as const;
      const command = { argv: ["/bin/true"] as const, cwd: tree, env: { A: "1" }, limitMs: 20_000, input: "" };
      const places = {
        workspace: tree,
        writesWorkspace: true,
        writes: [output],
        reads: [],
        at: { "/app": tree },
        network: false,
      };
      const { end, output: said } = await runInContainer(command, places, made, [], new AbortController().signal);
      expect(end, said).toBe("not_started");
      expect(said).toMatch(/connect to the docker/i);
    },
  );
});
