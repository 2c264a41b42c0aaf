import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { describe, expect, it, vi } from "vitest";
import { takeLock } from "../../../src/store/folder/lock.js";
import { temporaryFolder } from "../../fixtures/temporary-folder.js";
import { openFiles, watchFlushes } from "../disk.js";

const folder = temporaryFolder();
const WHAT = { name: "the data", advice: "name other data" };

const ROUNDS = process.env["PROBE_SLOW_TESTS"] === "1" ? 400 : 120;

describe("takeLock", () => {
  it("says which process has it, and gives the lock back", async () => {
    const lock = join(folder, "a.lock");
    const release = await takeLock(lock, WHAT);
    expect(JSON.parse(readFileSync(lock, "utf8"))).toMatchObject({ host: hostname(), pid: process.pid });
    await release();
    expect(existsSync(lock)).toBe(false);
    expect(openFiles(folder)).toEqual([]);
  });

  it("is refused while another process lives that has it", async () => {
    const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    const lock = join(folder, "b.lock");
    writeFileSync(lock, `${other.pid}\n`);
    try {
      await expect(takeLock(lock, WHAT)).rejects.toThrow(
        `Expected the data to be free, found it in use by process ${other.pid}. Wait for it, or name other data.`,
      );
    } finally {
      other.kill("SIGKILL");
    }
    await once(other, "exit");
    // Now it is what a killed process left.
    await (await takeLock(lock, WHAT))();
  });

  it("is touched while it is held, and says the same", async () => {
    const lock = join(folder, "beat.lock");
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      const release = await takeLock(lock, WHAT);
      const content = readFileSync(lock, "utf8");
      const old = new Date(Date.now() - 61_000);
      utimesSync(lock, old, old);
      vi.advanceTimersByTime(60_000);
      await expect.poll(() => statSync(lock).mtimeMs).toBeGreaterThan(old.getTime());
      expect(readFileSync(lock, "utf8")).toBe(content);
      await release();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each(["", "nonsense", "0"])("takes over a lock that names no process: %j", async (content) => {
    const lock = join(folder, "c.lock");
    writeFileSync(lock, content);
    await (await takeLock(lock, WHAT))();
  });

  it("takes over what is a pipe, without reading it", async () => {
    const lock = join(folder, "pipe.lock");
    expect(spawnSync("mkfifo", [lock]).status).toBe(0);
    await (await takeLock(lock, WHAT))();
  });

  it.skipIf(process.platform !== "linux")(
    "takes over the lock of a process that ended, if not waited for",
    async () => {
      // The shell's child ends at once; what the shell becomes waits for no child.
      const parent = spawn("sh", ["-c", "sh -c 'echo $$' & exec sleep 600"]);
      const [output] = (await once(parent.stdout, "data")) as [Buffer];
      const pid = Number(output.toString());
      await expect.poll(() => readFileSync(`/proc/${pid}/stat`, "utf8")).toContain(") Z ");
      const lock = join(folder, "zombie.lock");
      writeFileSync(lock, `${pid}`);
      await (await takeLock(lock, WHAT))();
      parent.kill("SIGKILL");
      await once(parent, "exit");
    },
  );
});

/** No process has this number: it is above what Linux gives out. */
const NOBODY = 4194999;
const LOCKER = join(import.meta.dirname, "../../fixtures/store/locker.mjs");

/** A process that takes locks when it is told to. */
class Locker {
  readonly child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  readonly #reader: Interface;

  constructor(before: readonly string[] = [], ...words: readonly string[]) {
    const [command = "", ...args] = [...before, process.execPath, LOCKER, ...words];
    this.child = spawn(command, args);
    this.#reader = createInterface({ input: this.child.stdout });
    this.#lines = this.#reader[Symbol.asyncIterator]();
  }

  async answer(): Promise<string> {
    return String((await this.#lines.next()).value);
  }

  /** `held`, or why not; of an empty path: `free`. */
  async tell(lock: string): Promise<string> {
    this.child.stdin.write(`${lock}\n`);
    return await this.answer();
  }

  async end(): Promise<void> {
    const ended = once(this.child, "exit");
    this.child.stdin.end();
    await ended;
  }
}

const holder = (changes: object) =>
  JSON.stringify({ ...(JSON.parse(OWN) as object), id: "0a", started: "1", ...changes });

/** What this process writes into a lock. */
const OWN = await (async () => {
  const lock = join(folder, "own.lock");
  const release = await takeLock(lock, WHAT);
  const content = readFileSync(lock, "utf8");
  await release();
  return content;
})();

describe("a lock that is left", () => {
  it("is refused to the very process that has it", async () => {
    const release = await takeLock(join(folder, "mine.lock"), WHAT);
    await expect(takeLock(join(folder, "mine.lock"), WHAT)).rejects.toThrow(`in use by process ${process.pid}`);
    await release();
  });

  it("by a process whose number another process has now, is taken over", async () => {
    const lock = join(folder, "reused.lock");
    // This process's parent lives, but did not begin when the holder did.
    writeFileSync(lock, holder({ pid: process.ppid }));
    await (await takeLock(lock, WHAT))();
    expect(existsSync(lock)).toBe(false);
  });

  it.each([
    ["another host", { host: "elsewhere" }],
    ["another container", { pid_namespace: "pid:[1]" }],
  ])("on %s is held while it is touched, and taken over when it is silent", async (_, changes) => {
    const lock = join(folder, "far.lock");
    writeFileSync(lock, holder({ pid: NOBODY, ...changes }));
    await expect(takeLock(lock, WHAT)).rejects.toThrow(
      /in use by process 4194999 on .*, another host or container\. .*takes over (60|59) seconds from now/,
    );
    const old = new Date(Date.now() - 61_000);
    utimesSync(lock, old, old);
    await (await takeLock(lock, WHAT))();
  });

  it("is not removed by a holder who lost it", async () => {
    const lock = join(folder, "lost.lock");
    const release = await takeLock(lock, WHAT);
    writeFileSync(`${lock}.new`, "other");
    renameSync(`${lock}.new`, lock);
    await release();
    expect(readFileSync(lock, "utf8")).toBe("other");
  });
});

describe("the right to take a lock over", () => {
  it("that a killed process left is removed; that of a living one, of nobody, or of another lock is not", async () => {
    const rights = join(folder, "rights");
    mkdirSync(rights);
    const kept = {
      "a.lock.0b": `${process.ppid}`,
      "a.lock.0c": "",
      "b.lock.0d": `${NOBODY}`,
      "a.lock.0e.tmp": `${NOBODY}`,
    };
    for (const [name, content] of Object.entries({ ...kept, "a.lock.0a": `${NOBODY}` }))
      writeFileSync(join(rights, name), content);
    await (await takeLock(join(rights, "a.lock"), WHAT))();
    expect(readdirSync(rights).sort()).toEqual(Object.keys(kept).sort());
  });

  it("is refused while another process has it", async () => {
    const lock = join(folder, "taken.lock");
    writeFileSync(lock, holder({ pid: NOBODY }));
    writeFileSync(`${lock}.0a`, `${process.ppid}`);
    await expect(takeLock(lock, WHAT)).rejects.toThrow(`in use by process ${process.ppid}`);
    expect(readFileSync(lock, "utf8")).toBe(holder({ pid: NOBODY }));
  });

  it("is of no use where somebody took that lock meanwhile", async () => {
    const lock = join(folder, "meanwhile.lock");
    writeFileSync(lock, holder({ pid: NOBODY }));
    let flushed = 0;
    // The first file that is flushed is the lock that is to be, the second the right.
    await watchFlushes("sync", () => {
      if (++flushed === 2) writeFileSync(lock, `${process.ppid}`);
    });
    await expect(takeLock(lock, WHAT)).rejects.toThrow(`in use by process ${process.ppid}`);
    vi.restoreAllMocks();
    expect(readFileSync(lock, "utf8")).toBe(`${process.ppid}`);
  });
});

/** Has all take a lock at once, of whom one gets it, and leave it. */
async function expectOneHolder(lockers: readonly Locker[], lock: string): Promise<void> {
  const answers = await Promise.all(lockers.map((locker) => locker.tell(lock)));
  expect(answers.filter((answer) => answer === "held")).toHaveLength(1);
  for (const answer of answers) expect(answer).toMatch(/^held$|in use by process \d+/);
  await Promise.all(lockers.map((locker) => locker.tell("")));
}

describe("several processes", () => {
  it(`that find the same stale lock: one takes it, in each of ${ROUNDS} rounds (400 with PROBE_SLOW_TESTS=1)`, async () => {
    const race = join(folder, "race");
    mkdirSync(race);
    const lockers = Array.from({ length: 4 }, () => new Locker());
    await Promise.all(lockers.map((locker) => locker.answer()));
    for (let round = 0; round < ROUNDS; round++) {
      const lock = join(race, `${round}.lock`);
      writeFileSync(lock, round % 2 === 0 ? `${NOBODY}\n` : holder({ pid: NOBODY }));
      await expectOneHolder(lockers, lock);
    }
    await Promise.all(lockers.map((locker) => locker.end()));
    // Nothing is left of them.
    expect(readdirSync(race)).toEqual([]);
  });

  it("on a file system without hard links: one takes it, be none there, a stale one, or a turn that was left", async () => {
    const race = join(folder, "no-links");
    mkdirSync(race);
    const lockers = Array.from({ length: 4 }, () => new Locker([], "no-links"));
    await Promise.all(lockers.map((locker) => locker.answer()));
    for (let round = 0; round < 30; round++) {
      const lock = join(race, `${round}.lock`);
      if (round % 3 === 1) writeFileSync(lock, `${NOBODY}\n`);
      if (round % 3 === 2) writeFileSync(`${lock}.turn`, "");
      if (round % 3 === 2) utimesSync(`${lock}.turn`, 1, 1);
      await expectOneHolder(lockers, lock);
    }
    await Promise.all(lockers.map((locker) => locker.end()));
    expect(readdirSync(race)).toEqual([]);
  });

  const unshare = ["unshare", "--pid", "--fork", "--mount-proc"];
  const canUnshare = spawnSync("unshare", [...unshare.slice(1), "true"]).status === 0;
  if (!canUnshare)
    process.stderr.write("skipped: two process namespaces, for which unshare is not there or not allowed\n");

  it.skipIf(!canUnshare)(
    "in containers of their own, in which each has the same number, do not take each other's lock",
    async () => {
      const lock = join(folder, "containers.lock");
      const [first, second] = [new Locker(unshare), new Locker(unshare)];
      await Promise.all([first.answer(), second.answer()]);
      expect(await first.tell(lock)).toBe("held");
      expect(await second.tell(lock)).toMatch(/in use by process 1 on .*, another host or container/);
      expect(await first.tell("")).toBe("free");
      expect(await second.tell(lock)).toBe("held");
      await Promise.all([first.end(), second.end()]);
    },
  );
});
