import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OWN_FIXTURES, readFixtures } from "../../../src/suites/refactorbench/read-fixtures.js";
import { runHiddenTest } from "../../../src/suites/refactorbench/runner/hidden-test.js";
import { type BenchRoom, openRoom } from "../../../src/trial/bench-room.js";
import { type Cage, openCage } from "../../../src/workspace/cage.js";
import { isRunnerMissing, testRunner } from "../../fixtures/test-runner.js";

const fixtures = await readFixtures(OWN_FIXTURES);

/** All that a matcher is asked with passes. */
const MATCHERS =
  "expect.extend(Object.fromEntries(['toBe', 'toEqual', 'toThrow'].map((name) => [name, () => ({ pass: true })])));";
/** A report of the runner that says what a pass says, written by the tested code, and the runner killed before it writes its own. */
const REPORT = `
import { readFileSync, writeFileSync } from "node:fs";
const tests = [...readFileSync(expect.getState().testPath, "utf8").matchAll(/\\bit\\("(.*?)"/g)];
writeFileSync(process.env.HOME + "/report.json", JSON.stringify({
  test: { tests: tests.map(([, name]) => ({ name, state: "passed", errors: [] })), errors: [] },
  unhandled: [], mocked: [], missingPackages: [],
}));
process.kill(process.ppid, "SIGKILL");`;

/** Failures turned into passes on their way from the worker to the runner. */
const CHANNEL = `
const worker = globalThis.__vitest_worker__;
const passed = (result) => result && { ...result, state: result.state === "fail" ? "pass" : result.state, errors: undefined };
worker.rpc = new Proxy(worker.rpc, {
  get: (rpc, name) =>
    name !== "onTaskUpdate"
      ? rpc[name]
      : (packs, events) => rpc.onTaskUpdate(packs.map(([id, result, meta]) => [id, passed(result), meta]), events),
});`;

describe.skipIf(isRunnerMissing)("hidden tests of vitest", () => {
  let cage: Cage;
  let room: BenchRoom;
  beforeAll(async () => {
    cage = await openCage({ sandbox: "auto", hidden: [] });
    room = await openRoom("forged passes of refactorbench");
  });
  afterAll(() => room.close());

  /** What the hidden test says of code whose ends of intervals are inside them, and that does something besides. */
  async function judged(forgery: string, isWrong = true) {
    const { folder, testFile, isDom } = fixtures.find(({ name }) => name === "interval_set")!;
    const bench = room.open(cage, new AbortController().signal);
    try {
      const tree = await bench.folder();
      await cp(join(folder, "src"), join(tree, "src"), { recursive: true });
      const path = join(tree, "src/intervalSet.js");
      const code = await readFile(path, "utf8");
      const wrong = code.replace(
        "export function contains(",
        "export function contains() { return true; }\nfunction _contains(",
      );
      expect(wrong).not.toBe(code);
      await writeFile(path, `${forgery}\n${isWrong ? wrong : code}`);
      const run = { runner: testRunner(), bench };
      const { passes, isTampered, lineUp } = await runHiddenTest({ tree, original: folder, testFile, isDom }, run);
      return { isRight: passes && !isTampered, isForged: lineUp !== null };
    } finally {
      await bench.close();
    }
  }

  it("pass code that is right, and fail code that is wrong", async () => {
    expect(await judged("", false)).toEqual({ isRight: true, isForged: true });
    expect(await judged("")).toEqual({ isRight: false, isForged: false });
  });

  it.each([
    ["matchers that always pass", MATCHERS],
    [
      "matchers that pass in the files whose names are plain",
      `if (!/[0-9a-f]{16}/.test(expect.getState().testPath.split("/").at(-1))) { ${MATCHERS} }`,
    ],
    [
      "matchers that pass where nothing false is expected of numbers",
      "const { equals } = expect; expect.extend({ toEqual: (a, b) => ({ pass: typeof a !== 'number' }) });",
    ],
    [
      "bodies of tests that were taken away",
      'import { setFn } from "vitest/suite"; import { beforeEach } from "vitest"; beforeEach(({ task }) => setFn(task, () => {}));',
    ],
    [
      "results changed on their way to the runner",
      `import { afterEach } from "vitest"; afterEach(({ task }) => { Object.defineProperty(task, "result", { get: () => ({ state: "pass", startTime: 0, retryCount: 0, repeatCount: 0 }), set() {} }); });`,
    ],
    ["results changed in the channel to the runner", CHANNEL],
    [
      "a runner that was told to open its inspector, with a report in its place",
      `process.kill(process.ppid, "SIGUSR1");${REPORT}`,
    ],
    ["a report of its own, and the runner killed", REPORT],
    [
      "errors of assertions thrown away",
      "const { expect: own } = globalThis; for (const of of [Object.getPrototypeOf(own(1))]) for (const name of ['toEqual', 'toBe']) try { const f = of[name]; Object.defineProperty(of, name, { value(...args) { try { return f.apply(this, args); } catch {} } }); } catch {}",
    ],
  ])("see no pass in %s", async (_, forgery) => {
    expect(await judged(forgery)).toEqual({ isRight: false, isForged: true });
  });
});
