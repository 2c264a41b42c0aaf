import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { openCage } from "../../src/workspace/cage.js";
import type { Permissions } from "../../src/workspace/run-command.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const [tree, output, data] = ["tree", "output", "data"].map((name) => join(folder, name)) as [string, string, string];
for (const path of [tree, output, data]) mkdirSync(path);
writeFileSync(join(data, "hidden.test.js"), "secret");
writeFileSync(join(tree, "a.js"), "1");

const hasBubblewrap = spawnSync("bwrap", ["--ro-bind", "/", "/", "/bin/true"]).status === 0;
const permissions: Permissions = {
  workspace: tree,
  writesWorkspace: true,
  writes: [output],
  reads: [],
  network: false,
};

async function run(script: string, more: Partial<Permissions> = {}) {
  const cage = await openCage({ sandbox: "bwrap", hidden: [data] });
  const command = {
    argv: ["/bin/sh", "-c", script],
    cwd: tree,
    env: { PATH: "/usr/bin:/bin", A: "1" },
    limitMs: 20_000,
  } as const;
  return cage.run(command, { ...permissions, ...more }, new AbortController().signal);
}

describe.skipIf(!hasBubblewrap)("a caged command", () => {
  it("works in its tree and its output folder", async () => {
    const result = await run(`cat a.js; echo 2 > b.js; echo 3 > ${output}/c; pwd`);
    expect(result).toMatchObject({ end: "exited", code: 0, output: `1${tree}\n` });
    expect(readFileSync(join(tree, "b.js"), "utf8")).toBe("2\n");
    expect(readFileSync(join(output, "c"), "utf8")).toBe("3\n");
  });

  it("sees no hidden folder, no home, nothing in /tmp but its own; and writes nowhere else", async () => {
    const result = await run(`ls ${data}; ls -A ${homedir()}; ls -A /tmp; touch /etc/x /usr/x; env | sort`);
    expect(result.output).not.toContain("hidden.test.js");
    expect(result.output).toMatch(/cannot touch '\/etc\/x': Read-only file system/);
    expect(result.output).toContain("A=1\n");
    expect(result.output).not.toMatch(/^(HOME|USER)=/m);
  });

  it("is shown no folder by a link that a command before it put where its own was, and does not start", async () => {
    const [own, mine] = [join(tree, "own"), join(folder, "mine")];
    for (const path of [own, mine]) mkdirSync(path);
    const at = { "/own": own };
    expect(await run(`echo 1 >/own/a; rm -r own; ln -s ${mine} own`, { at })).toMatchObject({ end: "exited", code: 0 });
    expect(await run("echo 1 >/own/b", { at })).toMatchObject({
      end: "not_started",
      output: "Expected a folder without links on its path for /own, found a link. Put a folder in its place.\n",
    });
    expect(readdirSync(mine)).toEqual([]);
    rmSync(own);
  });

  it("cannot read a hidden file where its folder is shown", async () => {
    const cage = await openCage({ sandbox: "bwrap", hidden: [join(data, "hidden.test.js")] });
    const argv = ["/bin/sh", "-c", `cat ${data}/*; ls ${data}`] as const;
    const command = { argv, cwd: tree, env: { PATH: "/usr/bin:/bin" }, limitMs: 20_000 };
    const result = await cage.run(command, { ...permissions, reads: [data] }, new AbortController().signal);
    expect(result.output).toMatch(/^hidden\.test\.js$/m);
    expect(result.output).not.toContain("secret");
  });

  it("has its own variables and no others, none of them on a command line that others can read, or around bubblewrap", async () => {
    const running = run(`env | sort; : bwrap-${process.pid}; sleep 2`);
    const found = () =>
      spawnSync("pgrep", ["-f", `bwrap .*: bwrap-${process.pid}`])
        .stdout.toString()
        .trim();
    await expect.poll(found).not.toBe("");
    const lines = spawnSync("ps", ["-eo", "args"]).stdout.toString().split("\n");
    expect(lines.filter((line) => line.includes(`: bwrap-${process.pid}`)).join("\n")).not.toMatch(/\bA\b/);
    const [bubblewrap = ""] = found().split("\n");
    expect(readFileSync(`/proc/${bubblewrap}/environ`, "utf8")).not.toMatch(/(?:^|\0)A=/);
    const { output } = await running;
    expect(output.match(/^\w+(?==)/gm)?.filter((name) => !["_", "SHLVL"].includes(name))).toEqual(["A", "PATH", "PWD"]);
  });

  it("has variables for loaders inside alone: no library is loaded, and no log of one written, outside", async () => {
    const cage = await openCage({ sandbox: "bwrap", hidden: [] });
    const env = { PATH: "/usr/bin:/bin", LD_DEBUG: "libs", LD_DEBUG_OUTPUT: join(data, "loaded"), "no name": "1" };
    const command = { argv: ["/bin/sh", "-c", "echo $LD_DEBUG"], cwd: tree, env, limitMs: 20_000 } as const;
    const result = await cage.run(command, permissions, new AbortController().signal);
    expect(result).toMatchObject({ code: 0 });
    expect(result.output).toContain("libs\n");
    expect(readdirSync(data)).toEqual(["hidden.test.js"]);
  });

  it("finds programs that are installed for one user, and what they need; nothing that is hidden among it", async () => {
    const home = join(folder, "home");
    const [bin, tool, bench] = ["bin", "share/tool/v1", "lib/node_modules/bench/data"].map((name) => join(home, name));
    for (const path of [bin!, tool!, bench!]) mkdirSync(path, { recursive: true });
    writeFileSync(join(tool!, "run"), '#!/bin/sh\ncat "$(dirname "$(readlink -f "$0")")/words"', { mode: 0o755 });
    writeFileSync(join(tool!, "words"), "found");
    symlinkSync("../share/tool/v1/run", join(bin!, "tool"));
    writeFileSync(join(bench!, "gold.patch"), "secret");
    vi.stubEnv("PATH", `${bin}:${process.env["PATH"]}`);
    const cage = await openCage({ sandbox: "bwrap", hidden: [bench!] });
    const argv = ["/bin/sh", "-c", `tool; ls ${home}/lib/node_modules; ls -A ${bench}`] as const;
    const command = { argv, cwd: tree, env: { PATH: `${bin}:/usr/bin:/bin` }, limitMs: 20_000 };
    const result = await cage.run(command, permissions, new AbortController().signal);
    vi.unstubAllEnvs();
    expect(result.output).toBe("foundbench\n");
  });

  it("may be kept from writing its own tree", async () => {
    const result = await run("echo 1 > c.js", { writesWorkspace: false });
    expect(result.code).not.toBe(0);
    expect(existsSync(join(tree, "c.js"))).toBe(false);
  });

  it("has no network unless it is given one, no other processes and no rights", async () => {
    const links = "cat /proc/net/dev | tail -n +3 | cut -d: -f1 | tr -d ' ' | sort | tr '\\n' ' '";
    expect((await run(links)).output.trim()).toBe("lo");
    expect((await run("ls -d /proc/[0-9]* | wc -l")).output.trim()).toMatch(/^[1-9]$/);
    expect((await run("grep CapEff /proc/self/status")).output).toMatch(/CapEff:\s+0{16}/);
  });

  it("leaves no process behind, however it detaches them", async () => {
    const mark = `sleep 9${process.pid}`;
    const result = await run(`setsid env -i ${mark} & sleep 0.2; exit 3`);
    expect(result).toMatchObject({ end: "exited", code: 3 });
    expect(spawnSync("pgrep", ["-f", mark]).stdout.toString()).toBe("");
  });

  it("has a folder at another place where it is told to", async () => {
    const result = await run("cat /app/a.js; ls / | grep -c usr", { at: { "/app": tree } });
    expect(result.output).toBe("11\n");
  });
});

describe("without a cage", () => {
  it("a command runs as it is, and the program says why", async () => {
    const cage = await openCage({ sandbox: "none", hidden: [] });
    expect(cage).toMatchObject({ kind: "none", reason: null });
    const path = process.env["PATH"];
    process.env["PATH"] = "/nowhere";
    try {
      expect(await openCage({ sandbox: "auto", hidden: [] })).toMatchObject({
        kind: "none",
        reason: "no bwrap on the search path; no podman on the search path; no docker on the search path",
      });
      await expect(openCage({ sandbox: "bwrap", hidden: [] })).rejects.toThrow(
        "Expected a bwrap that works for --sandbox bwrap, found no bwrap on the search path.",
      );
    } finally {
      process.env["PATH"] = path;
    }
  });
});
