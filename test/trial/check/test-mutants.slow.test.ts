import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openRoom } from "../../../src/trial/bench-room.js";
import type { Bench, BenchTask, HiddenOutcome } from "../../../src/trial/bench-task.js";
import { isWeak, mutationDocument } from "../../../src/trial/check/mutant-blocks.js";
import { knownStrength, type MutationCheck, testMutants } from "../../../src/trial/check/test-mutants.js";
import { openCage } from "../../../src/workspace/cage.js";
import type { Workspace } from "../../../src/workspace/workspace.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";

const folder = useFreshFolder();
const cage = await openCage({ sandbox: "none", hidden: [] });
const runtime = { sha256: "0".repeat(64), versions: {} };

beforeEach(() => {
  vi.stubEnv("XDG_CACHE_HOME", folder.path("cache"));
});

afterEach(() => {
  vi.unstubAllEnvs();
});

/**
 * Two faults can be put in: `<=` for `<`, which changes nothing as equal numbers are equal, and no branch, after which the
 * larger of 1 and 2 is 1.
 */
const MAX = "export function max(a, b) {\n  if (a < b) return b;\n  return a;\n}\n";
const MAX_TEST = 'import { max } from "./max.mjs";\nif (max(1, 2) !== 2 || max(2, 1) !== 2) process.exit(1);\n';
const WEAK_TEST = 'import "./max.mjs";\n';

interface Made {
  readonly code: string;
  readonly test: string;
  readonly tested?: readonly string[];
}

/** A suite of one task whose hidden test is a module that ends with 0 or not. */
function suiteOf({ code, test, tested = ["max.mjs"] }: Made) {
  const path = folder.path("task");
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, "max.mjs"), code);
  const task: BenchTask = { id: "max", group: "max", source: { kind: "folder", path }, sha256: "1".repeat(64) };
  let runs = 0;
  const runHidden = async (_: BenchTask, { tree }: Workspace, bench: Bench): Promise<HiddenOutcome> => {
    runs++;
    writeFileSync(join(tree, "test.mjs"), test);
    const argv = [process.execPath, "test.mjs"] as const;
    const command = { argv, cwd: tree, env: {}, limitMs: null };
    const permissions = { workspace: tree, writesWorkspace: false, writes: [], reads: [], network: false };
    const { code: status } = await bench.cage.run(command, permissions, bench.signal);
    bench.signal.throwIfAborted();
    return { outcome: status === 0 ? "pass" : "fail", detail: null };
  };
  const adapter = { name: "own", tested: async () => tested, baselines: async () => [], runHidden };
  return { adapter, task, runs: () => runs };
}

const VALID = { task_id: "max", group: "max", valid: true, reason: null, runtime_sha256: "", checks: [] };

async function check(made: ReturnType<typeof suiteOf>, more: { leastLimitMs?: number; valid?: boolean } = {}) {
  const room = await openRoom(folder.path("owner"));
  const { valid = true, ...rest } = more;
  const setting = { adapter: made.adapter, runtime, room, cage, count: 20, seed: 0, say: () => undefined, ...rest };
  return testMutants(made.task, { ...VALID, valid }, setting).finally(() => room.close());
}

function outcomes({ tested }: MutationCheck): string[] {
  return tested.map(({ operator, outcome }) => `${operator} ${outcome}`).sort();
}

describe("mutants of a task's own code", () => {
  it("are killed where the hidden tests fail, and survive where they pass, with their diff", async () => {
    const found = await check(suiteOf({ code: MAX, test: MAX_TEST }));
    expect(outcomes(found)).toEqual(["comparison survived", "dropped_branch killed"]);
    // One of two: Wilson's bounds are (1/2 + z²/4 ± z √(1/8 + z²/16))/(1 + z²/2), z² = 3.8415: 0.0945 and 0.9055.
    expect(mutationDocument(found)).toMatchObject({
      mutants: 2,
      killed: 1,
      mutants_reason: null,
      killed_ci_low: expect.closeTo(0.0945, 4),
      killed_ci_high: expect.closeTo(0.9055, 4),
      survivors: [
        {
          file: "max.mjs",
          line: 2,
          operator: "comparison",
          diff: [
            "--- a/max.mjs",
            "+++ b/max.mjs",
            "@@ -1,3 +1,3 @@",
            " export function max(a, b) {",
            "-  if (a < b) return b;",
            "+  if (a <= b) return b;",
            "   return a;",
            "",
          ].join("\n"),
        },
      ],
    });
    // Half is not below half.
    expect(isWeak(found)).toBe(false);
  });

  it("survive tests that were weakened, which are marked", async () => {
    const found = await check(suiteOf({ code: MAX, test: WEAK_TEST }));
    expect([found.killed, found.mutants, isWeak(found)]).toEqual([0, 2, true]);
  });

  it("are killed where the tests do not end", async () => {
    // Without its branch the loop has no end.
    const code = "export function max(a, b) {\n  for (;;) if (a) return b;\n}\n";
    const found = await check(suiteOf({ code, test: 'import { max } from "./max.mjs";\nmax(1, 2);\n' }), {
      leastLimitMs: 100,
    });
    expect(outcomes(found)).toEqual(["dropped_branch timed_out"]);
    expect([found.killed, found.mutants]).toEqual([1, 1]);
  });

  it("are none, and say why, without tests of the code, on a task that is not valid, or where there is nothing to change", async () => {
    expect(await check(suiteOf({ code: MAX, test: MAX_TEST, tested: [] }))).toMatchObject({
      mutants: 0,
      tested: [],
      reason: "no hidden tests judge its code",
    });
    expect(await check(suiteOf({ code: MAX, test: MAX_TEST }), { valid: false })).toMatchObject({
      reason: "the task is not valid",
    });
    expect(await check(suiteOf({ code: "export const max = Math.max;\n", test: MAX_TEST }))).toMatchObject({
      reason: "there is nothing in its code to put a fault into",
    });
    expect(await check(suiteOf({ code: MAX, test: "process.exit(1);\n" }))).toMatchObject({
      reason: "the hidden tests do not pass on its own code: fail",
    });
  });

  it("are tested once: the same again comes from the cache, where a run finds it too", async () => {
    const made = suiteOf({ code: MAX, test: MAX_TEST });
    expect(await knownStrength(made.adapter, made.task, runtime, cage)).toBeNull();
    const first = await check(made);
    // The unmodified code, and two mutants.
    expect(made.runs()).toBe(3);
    expect(await check(made)).toEqual(first);
    expect(made.runs()).toBe(3);
    expect(await knownStrength(made.adapter, made.task, runtime, cage)).toEqual({
      asked: 20,
      seed: 0,
      mutants: 2,
      killed: 1,
    });
  });
});
