import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { openRoom } from "../../src/trial/bench-room.js";
import { openCage } from "../../src/workspace/cage.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";

const folder = useFreshFolder();
afterEach(() => vi.unstubAllEnvs());

it("makes folders for its user alone, and leaves none", async () => {
  mkdirSync(folder.path("tmp"));
  vi.stubEnv("TMPDIR", folder.path("tmp"));
  const room = await openRoom("a run");
  const bench = room.open(await openCage({ sandbox: "none", hidden: [] }), new AbortController().signal);
  const made = await bench.folder();
  expect(statSync(`${made}/..`).mode & 0o777).toBe(0o700);
  await bench.close();
  await room.close();
  // Somebody cleaned up: that is no want of room, and does not end a run.
  expect(await bench.spaceFault()).toBeNull();
  expect(existsSync(`${made}/..`)).toBe(false);
});

it("is removed by that of other work where its process is gone, and by none where that lives", async () => {
  vi.stubEnv("TMPDIR", folder.path());
  const living = await openRoom("one");
  const [room = ""] = readdirSync(folder.path());
  const holder = JSON.parse(readFileSync(folder.path(`${room}/holder.json`), "utf8")) as object;
  mkdirSync(folder.path("probe-trials-left/t-1"), { recursive: true });
  // No process has this number: it is above what Linux gives out.
  writeFileSync(folder.path("probe-trials-left/holder.json"), JSON.stringify({ ...holder, pid: 4194999 }));
  mkdirSync(folder.path("probe-trials-of-nobody"));
  const other = await openRoom("another");
  await other.close();
  expect(readdirSync(folder.path()).sort()).toEqual([room, "probe-trials-of-nobody"].sort());
  await living.close();
});

it("is made where names may not be listed, as hardened systems have /tmp", () => {
  const program = `
    import { openRoom } from ${JSON.stringify(join(import.meta.dirname, "../../dist/src/trial/bench-room.js"))};
    import { readdir } from "node:fs/promises";
    const named = await readdir(process.env.TMPDIR).catch(({ code }) => code);
    const room = await openRoom("a run");
    await room.close();
    console.log(named);`;
  // Root may list all.
  const ids = process.getuid?.() === 0 ? ["setpriv", "--reuid", "65534", "--clear-groups"] : [];
  const [file = "", ...args] = [...ids, process.execPath, "--input-type=module", "-e", program];
  chmodSync(folder.path(), 0o1333);
  const env = { PATH: process.env["PATH"], TMPDIR: folder.path() };
  expect(execFileSync(file, args, { env, encoding: "utf8" })).toBe("EACCES\n");
  chmodSync(folder.path(), 0o700);
});

// In /proc a folder that is made with those above it is asked for without an end.
it.each(["/proc", "/no/such/folder"])("says so where there can be none: %s", async (place) => {
  vi.stubEnv("TMPDIR", place);
  await expect(openRoom("a run")).rejects.toMatchObject({
    code: "bad_input",
    message: expect.stringMatching(new RegExp(`^Expected to make a folder in ${place}, found: ENOENT.*TMPDIR\\.$`)),
  });
});
