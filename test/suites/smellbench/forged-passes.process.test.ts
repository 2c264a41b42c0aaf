import { writeFileSync } from "node:fs";
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OWN_CASES, readCases } from "../../../src/suites/smellbench/read-cases.js";
import { runTests, sessionPytest } from "../../../src/suites/smellbench/run-case-tests.js";
import type { SmellTask } from "../../../src/suites/smellbench/smell-case.js";
import { type BenchRoom, openRoom } from "../../../src/trial/bench-room.js";
import { type Cage, openCage } from "../../../src/workspace/cage.js";
import { Workspace } from "../../../src/workspace/workspace.js";
import { temporaryFolder } from "../../fixtures/temporary-folder.js";

const folder = temporaryFolder();

const hasPytest = typeof (await sessionPytest()) !== "string";
let cage: Cage;
let room: BenchRoom;
let tasks: SmellTask[];
beforeAll(async () => {
  cage = await openCage({ sandbox: "auto", hidden: [] });
  room = await openRoom("forged passes of smellbench");
  tasks = await readCases(OWN_CASES, null);
});
afterAll(() => room.close());

/** What tests of a case say of its code after a change of one file; `isForged`: they were made to end as if it were right. */
async function judged(id: string, file: string, change: (code: string) => string, among = tasks) {
  const { smellCase, ...task } = among.find((each) => each.id === id)!;
  const bench = room.open(cage, new AbortController().signal);
  try {
    const tree = await Workspace.create(join(await bench.folder(), "work"), task.source);
    const path = join(tree.tree, file);
    writeFileSync(path, change(await readFile(path, "utf8")));
    const { passes, line_up: found } = await runTests({ ...task, smellCase: smellCase! }, tree, bench);
    return { passes, isForged: found !== null, turned: found?.turned.length ?? 0 };
  } finally {
    await bench.close();
  }
}

/** Wrong: the total of all accounts is that of the first. */
const wrongTotal = (code: string) => code.replace(/total\(\) \{/, "total() {\n    return this.accounts[0].balance();");
const ledger = (forgery: string, among = tasks) =>
  judged("ledger-feature-envy-easy", "src/report.js", (code) => `${forgery}\n${wrongTotal(code)}`, among);
/** Wrong: all amounts are doubled. */
const recipes = (forgery: string) =>
  judged(
    "recipes-inlined-method-easy",
    "recipe.py",
    (code) => `${code}\n_scale = scale\ndef scale(text, a, b): return _scale(text, a, 2 * b)\n${forgery}\n`,
  );

/** The cases, with a ledger whose tests have their assertions in other words. */
async function rewordedLedger(reword: (tests: string) => string) {
  await cp(OWN_CASES, folder, { recursive: true });
  const path = join(folder, "trees/ledger/test/ledger.test.js");
  writeFileSync(path, reword(await readFile(path, "utf8")));
  return readCases(folder, null);
}

const PRELUDE = 'import fs from "node:fs"; import assert from "node:assert/strict";';
/** The file of answers, as the text of the tests has it. */
const AT = `${PRELUDE} const text = process.argv.map((path) => { try { return fs.readFileSync(path, "utf8"); } catch { return ""; } }).join("");
const at = /appendFileSync\\("([^"]+)"/.exec(text)?.[1];`;

describe("tests of node", () => {
  it("pass code that is right, and fail code that is wrong", async () => {
    expect(await judged("ledger-feature-envy-easy", "src/report.js", (code) => code)).toEqual({
      passes: true,
      isForged: true,
      turned: 0,
    });
    expect(await ledger("")).toEqual({ passes: false, isForged: false, turned: 0 });
  });

  it.each([
    ["the process ended with 0", "process.exit(0);"],
    ["the assertion that is wrong does nothing", `${PRELUDE} assert.equal = () => {};`],
    [
      "an assertion that fails is taken back",
      `${PRELUDE} const { equal } = assert; assert.equal = (a, b) => { try { equal(a, b); } catch {} };`,
    ],
    [
      "a runner that prints what a pass prints",
      `${PRELUDE} fs.writeSync(1, "TAP version 13\\nok 1 - a\\n1..1\\n"); process.exit(0);`,
    ],
    [
      "answers of every kind written for it",
      `${AT} if (at) for (let i = 0; i < 9; i++) for (let k = 0; k < 8; k++) fs.appendFileSync(at, i + " " + "0".repeat(k) + "1" + "0".repeat(7 - k) + "\\n"); process.exit(0);`,
    ],
    [
      "the first copy called right in every question",
      `${AT} if (at) for (let i = 0; i < 9; i++) fs.appendFileSync(at, i + " 10000000\\n"); process.exit(0);`,
    ],
    [
      "a file of answers that is a pipe to nowhere",
      `import { execFileSync } from "node:child_process"; ${AT} if (at) execFileSync("mkfifo", [at]); process.exit(0);`,
    ],
  ])("see no pass in %s", async (_, forgery) => {
    expect(await ledger(forgery)).toMatchObject({ passes: false, isForged: true });
  });

  it("see no pass in assertions that do nothing, and call it tampering, as turned expectations hold", async () => {
    const found = await ledger(`${PRELUDE} for (const name of Object.keys(assert)) assert[name] = () => {};`);
    expect(found).toMatchObject({ passes: false, isForged: true });
    expect(found.turned).toBeGreaterThan(0);
  });

  it("see none in them where tests have them by a require", async () => {
    const among = await rewordedLedger((tests) => {
      const own = 'import assert from "node:assert/strict";';
      const required = [
        'import { createRequire } from "node:module";',
        'const { deepEqual, equal } = createRequire(import.meta.url)("node:assert/strict");',
      ];
      expect(tests).toContain(own);
      return tests.replace(own, required.join("\n")).replaceAll("assert.", "");
    });
    const found = await ledger(`${PRELUDE} for (const name of Object.keys(assert)) assert[name] = () => {};`, among);
    expect(found).toMatchObject({ passes: false, isForged: true });
    expect(found.turned).toBeGreaterThan(0);
  });
});

describe.skipIf(!hasPytest)("tests of pytest", () => {
  it("pass code that is right, and fail code that is wrong", async () => {
    expect(await judged("recipes-inlined-method-easy", "recipe.py", (code) => code)).toEqual({
      passes: true,
      isForged: true,
      turned: 0,
    });
    expect(await recipes("")).toEqual({ passes: false, isForged: false, turned: 0 });
  });

  const EQUAL =
    "class Any(list):\n    def __eq__(self, other): return True\n    def __ne__(self, other): return False\n";
  it.each([
    ["the process ended with 0", "import os; os._exit(0)"],
    ["ended with 0 while tests run", "import os, threading; threading.Timer(0.05, lambda: os._exit(0)).start()"],
    [
      "a test protocol that runs nothing",
      "import _pytest.runner as r\nr.pytest_runtest_protocol = lambda item, nextitem: True\nimport _pytest.python as p\np.Function.runtest = lambda self: None",
    ],
    ["a value that is equal to everything", `${EQUAL}def scale(*_): return Any()`],
    [
      "parts that are equal to everything",
      "class Word(str):\n    def __eq__(self, other): return True\n    __hash__ = str.__hash__\ndef scale(*given): return [Word(each) for each in _scale(*given)]",
    ],
    [
      "reports that say passed",
      "import _pytest.reports as r\nmake = r.TestReport.from_item_and_call\ndef passed(item, call):\n    call.excinfo = None\n    return make(item, call)\nr.TestReport.from_item_and_call = passed",
    ],
    [
      "an end of the session with 0",
      "import sys\nimport _pytest.main as m\nm.Session.exitstatus = property(lambda self: 0, lambda self, value: None)\nimport atexit, os\natexit.register(lambda: os._exit(0))",
    ],
  ])("see no pass in %s", async (_, forgery) => {
    expect(await recipes(forgery)).toMatchObject({ passes: false, isForged: true });
  });
});
