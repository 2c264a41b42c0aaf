import { mkdirSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openRoom } from "../../../src/trial/bench-room.js";
import type { BenchTask, HiddenOutcome } from "../../../src/trial/bench-task.js";
import { checkTask } from "../../../src/trial/check/check-task.js";
import { openCage } from "../../../src/workspace/cage.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";

const folder = useFreshFolder();
afterEach(() => vi.unstubAllEnvs());

const HOLDS: HiddenOutcome = { outcome: "pass", detail: null };
const FAILS: HiddenOutcome = { outcome: "fail", detail: "no gcc" };
const LOST: HiddenOutcome = { outcome: null, detail: "no python" };

/** How often hidden tests ran in two checks of one task, one after the other; each check runs them twice. */
async function runsOf(
  outcome: HiddenOutcome,
  isPinned: boolean,
  { cache = "cache", leastFree = 0 } = {},
): Promise<{ runs: number; valid: boolean | null }> {
  vi.stubEnv("XDG_CACHE_HOME", folder.path(cache));
  mkdirSync(folder.path("code"));
  writeFileSync(folder.path("code/a.js"), "");
  const source = { kind: "folder", path: folder.path("code") } as const;
  const task: BenchTask = { id: "t", group: "g", source, sha256: "5".repeat(64) };
  let runs = 0;
  const adapter = {
    name: "made-up",
    baselines: async () => [{ check: "original", patch: null, expected: "pass" }] as const,
    runHidden: async () => {
      runs++;
      return outcome;
    },
  };
  const runtime = { sha256: "6".repeat(64), versions: {}, ...(isPinned && { isPinned: true as const }) };
  const room = await openRoom(folder.path("room"), () => {}, leastFree);
  const bench = room.open(await openCage({ sandbox: "none", hidden: [] }), new AbortController().signal);
  await checkTask(adapter, task, runtime, bench);
  const { valid } = await checkTask(adapter, task, runtime, bench);
  await room.close();
  return { runs, valid };
}

it.each([
  ["holds", HOLDS, false, 2, true],
  ["fails by programs that are pinned", FAILS, true, 2, false],
  ["fails by programs of the machine, which may have changed", FAILS, false, 4, false],
  ["could not be run", LOST, true, 4, null],
] as const)("a task whose test %s: %j, runs of it in two checks", async (_, outcome, isPinned, runs, valid) => {
  expect(await runsOf(outcome, isPinned)).toEqual({ runs, valid });
});

it("is checked where nothing can be kept, such as in a home that is read-only", async () => {
  // No folder can be made below a file; so each check runs the test twice.
  expect(await runsOf(HOLDS, true, { cache: "code/a.js" })).toEqual({ runs: 4, valid: true });
});

describe("on a disk with too little room", () => {
  const leastFree = Number.MAX_SAFE_INTEGER;

  it("has not been checked by a test that fails, and is checked again", async () => {
    expect(await runsOf(FAILS, true, { leastFree })).toEqual({ runs: 4, valid: null });
  });

  it("is valid by one that holds", async () => {
    expect(await runsOf(HOLDS, true, { leastFree })).toEqual({ runs: 2, valid: true });
  });
});
