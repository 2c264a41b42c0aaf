import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sweAtlasAdapter } from "../../../src/suites/swe-atlas/atlas-adapter.js";
import { loadOwnPrompts } from "../../../src/suites/swe-atlas/atlas-task.js";
import { goldOf } from "../../../src/suites/swe-atlas/hand-in.js";
import { OWN_TASKS, readTasks } from "../../../src/suites/swe-atlas/read-tasks.js";
import { testRefactoring } from "../../../src/suites/swe-atlas/test-outcomes.js";
import { type BenchRoom, openRoom } from "../../../src/trial/bench-room.js";
import { type Cage, openCage } from "../../../src/workspace/cage.js";
import { Workspace } from "../../../src/workspace/workspace.js";

let cage: Cage;
let room: BenchRoom;
beforeAll(async () => {
  cage = await openCage({ sandbox: "auto", hidden: [] });
  room = await openRoom("forged passes of swe-atlas");
});
afterAll(() => room.close());

const wrongEnd = (code: string) => code.replace(">=", ">");

/** What the tests of our refactoring say of the right solution, with something besides, and wrong unless told otherwise. */
async function judged(forgery: string, change = wrongEnd) {
  const tasks = await readTasks(OWN_TASKS, await loadOwnPrompts());
  const task = tasks.find(({ workflow }) => workflow === "rf")!;
  const bench = room.open(cage, new AbortController().signal);
  try {
    const tree = await Workspace.create(join(await bench.folder(), "work"), task.source);
    expect(await tree.apply((await goldOf(task))!)).toBeNull();
    const path = join(tree.tree, "src/spoiled.js");
    const code = readFileSync(path, "utf8");
    writeFileSync(path, `${forgery}\n${change(code)}`);
    const { result } = await testRefactoring(task, tree, bench);
    return { reward: result?.reward, published: result?.rewardPublished, asked: result?.line_up?.asked };
  } finally {
    await bench.close();
  }
}

const NAMES =
  '["take gives back what was put", "take drops what is spoiled", "peek leaves what is spoiled where it is", "put drops what was not used for longest", "isSpoiled begins at exactly keepMs", "isSpoiled goes by the time of storing"]';
const REPORT = `import fs from "node:fs";
const report = fs.readFileSync("/proc/" + process.ppid + "/cmdline", "utf8").split("\\0")[2];
fs.writeFileSync(report, JSON.stringify({ passed_tests: ${NAMES}.map((name) => ({ name })), failed_tests: [] }));`;

it("rewards code that is right, whose expectations were all asked for, and not code that is wrong", async () => {
  const right = await judged("", (code) => code);
  expect(right).toMatchObject({ reward: true, published: true });
  // Four of the task's own tests, and at least one of each of the repository's.
  expect(right.asked).toBeGreaterThan(8);
  expect(await judged("")).toEqual({ reward: false, published: false, asked: undefined });
});

it("takes no report of a script that was killed", async () => {
  expect(await judged(`${REPORT}\nprocess.kill(process.ppid, "SIGKILL");`)).toMatchObject({ reward: false });
});

it.each([["assertions that do nothing", 'import assert from "node:assert/strict"; assert.equal = () => {};']])(
  "does not reward %s",
  async (_, forgery) => {
    expect(await judged(forgery)).toMatchObject({ reward: false, published: true });
  },
);

it("runs no code that is kept beside what was handed in, where no judge sees it", async () => {
  const tasks = await readTasks(OWN_TASKS, await loadOwnPrompts());
  const task = tasks.find(({ workflow }) => workflow === "rf")!;
  const gold = (await goldOf(task))!;
  const bench = room.open(cage, new AbortController().signal);
  const graded = async (hide: (tree: string) => void) => {
    const tree = await Workspace.create(join(await bench.folder(), "work"), task.source);
    expect(await tree.apply(gold)).toBeNull();
    hide(tree.tree);
    const key = { taskId: task.id, condition: "rf", trial: 0, attempt: 0 };
    const submission = { key, graded: tree, patch: gold, applies: true, reportedSuccess: true };
    const grade = await sweAtlasAdapter.grade(task, submission, bench);
    return grade.status === "graded" && grade.scores["tests_reward"];
  };
  try {
    expect(await graded((tree) => mkdirSync(join(tree, "logs/agent"), { recursive: true }))).toBe(true);
    const hidden = (tree: string) => {
      mkdirSync(join(tree, "logs/agent"), { recursive: true });
      renameSync(join(tree, "src/spoiled.js"), join(tree, "logs/agent/spoiled.js"));
      writeFileSync(join(tree, "src/spoiled.js"), 'export * from "../logs/agent/spoiled.js";\n');
    };
    expect(await graded(hidden)).toBe(false);
  } finally {
    await bench.close();
  }
});

it("does not hand code under test the hidden tests as they were: by them it would tell which copy is right", async () => {
  const forgery = `import fs from "node:fs"; import assert from "node:assert/strict";
const tests = process.argv.join("").includes("spoiled") && fs.existsSync("/tests/test_patch.diff") ? fs.readFileSync("/tests/test_patch.diff", "utf8") : "";
const right = [...tests.matchAll(/assert[.]equal[(].*, (\\w+)[)];/g)].map(([, text]) => text);
let asked = 0;
if (right.length > 0) assert.equal = (value, other) => {
  const { stack } = new Error();
  if (!stack.includes("_held")) return;
  if (right[asked++ >> 1] !== String(other)) throw new Error("turned");
};`;
  // Wrong for what the hidden tests give it alone: entries without a value.
  const wrong = (code: string) => code.replace("return ", 'if (!("value" in arguments[0])) return 0; return ');
  expect(await judged(forgery, wrong)).toMatchObject({ reward: false });
});
