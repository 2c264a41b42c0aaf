import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openCage } from "../../src/workspace/cage.js";
import { watchLimits } from "../../src/workspace/limits.js";
import type { Permissions } from "../../src/workspace/run-command.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const [tree, output] = ["tree", "output"].map((name) => join(folder, name)) as [string, string];
for (const path of [tree, output]) mkdirSync(path);
const hasBubblewrap = spawnSync("bwrap", ["--ro-bind", "/", "/", "/bin/true"]).status === 0;
const isRoot = process.getuid?.() === 0;
const permissions: Permissions = {
  workspace: tree,
  writesWorkspace: true,
  writes: [output],
  reads: [],
  network: true,
};

async function attack(script: string, hidden: readonly string[] = []) {
  const cage = await openCage({ sandbox: "bwrap", hidden });
  const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin" };
  const command = { argv: ["/bin/sh", "-c", script] as const, cwd: tree, env, limitMs: 60_000 };
  return cage.run(command, permissions, new AbortController().signal);
}

describe.skipIf(!hasBubblewrap)("an agent with a network, in a cage", () => {
  let server: Server;
  let connections = 0;
  const sockets = isRoot ? mkdtempSync("/run/probe-test-") : mkdtempSync(join(folder, "run-"));
  const socket = join(sockets, "daemon.sock");
  beforeAll(async () => {
    server = createServer(() => connections++);
    await new Promise<void>((resolve) => server.listen(socket, resolve));
  });
  afterAll(() => {
    server.close();
    rmSync(sockets, { recursive: true, force: true });
  });

  it("reaches no socket of the machine by its path", async () => {
    const connect = `node -e "require('node:net').connect('${socket}').on('connect', () => console.log('in')).on('error', (e) => console.log(e.code))"`;
    expect((await attack(connect)).output.trim()).toBe("ENOENT");
    expect(connections).toBe(0);
    expect(
      (await attack("ls -A /run /srv /mnt /media /home /var | grep -v :$ | sort -u | tr '\\n' ' '")).output.trim(),
    ).toBe("tmp");
  });

  it("reads no key, no password and no setting of the machine's services", async () => {
    const files =
      "/etc/shadow /etc/ssh /etc/ssl/private /root/.ssh /proc/1/root/root/.bashrc /proc/1/environ /sys/kernel";
    const { output: said } = await attack(
      `for at in ${files}; do cat $at >/dev/null 2>&1 && echo "$at"; ls $at/* 2>/dev/null; done`,
    );
    // Its own first process has no variable of the machine's.
    expect(
      said
        .trim()
        .split("\n")
        .filter((line) => line !== "/proc/1/environ" && line !== ""),
    ).toEqual([]);
  });

  it.skipIf(!isRoot)("reads nothing of the data's repository or the project's, wherever they lie", async () => {
    const project = mkdtempSync("/opt/probe-test-");
    try {
      mkdirSync(join(project, "data"));
      mkdirSync(join(project, ".git"));
      for (const path of [".env", ".git/gold.patch", "data/hidden.test.js"])
        writeFileSync(join(project, path), "private");
      const { output: said } = await attack(
        `cat ${project}/.env ${project}/.git/* ${project}/data/*; ls -AR ${project}`,
        [join(project, "data")],
      );
      expect(said).not.toMatch(/private|hidden\.test|gold\.patch$/m);
      expect(said).toMatch(new RegExp(`^${project}:$`, "m"));
    } finally {
      rmSync(project, { recursive: true });
    }
  });

  it("makes no file but in its own folders", async () => {
    const places = "/x /usr/x /opt/x /etc/x /run/x /dev/x /sys/x";
    const { output: said } = await attack(
      `for at in ${places}; do (echo x > $at) 2>/dev/null && echo "wrote $at"; done; echo end`,
    );
    expect(said.trim()).toBe("end");
  });

  it("has no descriptor of ours, and no second name of a file of the system", async () => {
    // As a shell leaves one open that starts this program: without the mark that closes it.
    const { output: said } = await attack(
      `ls /proc/self/fd | wc -l; ln /usr/bin/env ${tree}/env 2>&1; ln ${tree}/a ${output}/a 2>&1`,
    );
    // 0, 1, 2, and the folder that ls reads.
    expect(said.trim().split("\n")[0]).toBe("4");
    expect(existsSync(join(tree, "env"))).toBe(false);
  });

  it("makes no file of 10 TB, fills no folder of the system's memory, opens no 5,000 files", async () => {
    const { output: said } = await attack(
      "truncate -s 10T big 2>&1; head -c 20M /dev/zero 2>/dev/null > /var/tmp/x || echo full; ulimit -n",
    );
    expect(said).toMatch(/File too large|file size limit exceeded/i);
    expect(said).toMatch(/full\n4096\n$/);
    expect(existsSync(join(tree, "big")) && readFileSync(join(tree, "big")).length > 0).toBe(false);
  });

  it("is stopped at 1,000 processes, and none is left", async () => {
    const mark = `44${process.pid}`;
    const result = await attack(`i=0; while [ $i -lt 1500 ]; do sleep ${mark} & i=$((i+1)); done 2>/dev/null; wait`);
    expect(result).toMatchObject({ end: "killed", code: null });
    expect(result.output).toContain("it took more than 1000 processes");
    expect(spawnSync("pgrep", ["-f", `sleep ${mark}`]).stdout.toString()).toBe("");
  });
});

describe("what commands take", () => {
  const few = { processes: 10, memory: 64 * 1024 * 1024, disk: 4 * 1024 * 1024, files: 100 };

  // Numbers of system calls are those of one architecture, and what is mapped is shown to root alone.
  const linux: readonly (readonly [string, string, RegExp])[] = [
    [
      "files in memory without a name",
      `exec perl -e 'open my $f, ">&=", syscall(319, my $m = "m", 0); syswrite $f, "x" x 1e6 for 1..120; sleep 30'`,
      /more than 64 MB of memory/,
    ],
    [
      "removed files that are mapped",
      `exec python3 -c 'import mmap, os, time; f = open("x", "w+b"); os.remove("x"); f.write(b"x" * 20000000); f.flush(); m = mmap.mmap(f.fileno(), 4096); os.closerange(3, 99); time.sleep(30)'`,
      /more than 4 MB or 100 files on disk/,
    ],
  ];

  it.each<readonly [string, string, RegExp]>([
    ...(process.platform === "linux" && process.arch === "x64" && isRoot ? linux : []),
    ["disk", "head -c 20000000 /dev/zero > x; sleep 30", /more than 4 MB or 100 files on disk/],
    [
      "files that no folder shows",
      "exec 3>x; rm x; head -c 20000000 /dev/zero >&3; sleep 30",
      /more than 4 MB or 100 files/,
    ],
    [
      "files",
      "i=0; while [ $i -lt 400 ]; do : > f$i; i=$((i+1)); done; sleep 30",
      /more than 4 MB or 100 files on disk/,
    ],
    ["processes", "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 30 & done; wait", /more than 10 processes/],
    [
      "memory",
      "exec node -e 'const kept = Buffer.alloc(120e6, 1); setTimeout(() => kept, 30000)'",
      /more than 64 MB of memory/,
    ],
  ])("is seen to be too much: %s", async (_, script, why) => {
    const cwd = mkdtempSync(join(folder, "limits-"));
    const child = spawn("/bin/sh", ["-c", `sh -c '${script.replaceAll("'", "'\\''")}'; :`], { cwd, detached: true });
    const found = await new Promise<string>((resolve) =>
      watchLimits({ pid: () => child.pid ?? null, folders: [cwd], stop: resolve }, few),
    );
    process.kill(-(child.pid ?? 0), "SIGKILL");
    expect(found).toMatch(why);
  });
});
