import { existsSync, mkdirSync, statSync } from "node:fs";
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
  expect(existsSync(`${made}/..`)).toBe(false);
});

// In /proc a folder that is made with those above it is asked for without an end.
it.each(["/proc", "/no/such/folder"])("says so where there can be none: %s", async (place) => {
  vi.stubEnv("TMPDIR", place);
  await expect(openRoom("a run")).rejects.toMatchObject({
    code: "bad_input",
    message: expect.stringMatching(new RegExp(`^Expected to make a folder in ${place}, found: ENOENT.*TMPDIR\\.$`)),
  });
});
