import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { measureTree } from "../../../../src/suites/codetaste/score/measure-tree.js";
import { codetasteAdapter } from "../../../../src/suites/codetaste/taste-adapter.js";
import { openRoom } from "../../../../src/trial/bench-room.js";
import { openCage } from "../../../../src/workspace/cage.js";
import { Workspace } from "../../../../src/workspace/workspace.js";

/** What the tests of our instance say of its code, with something besides, and wrong if told so. */
async function judged(forgery: string, isWrong = true) {
  const { tasks } = await codetasteAdapter.load(null, process.cwd(), { "rule-engine": "regex", ruleEngine: "regex" });
  const room = await openRoom(`forged passes of codetaste ${forgery}`);
  const bench = room.open(await openCage({ sandbox: "auto", hidden: [] }), new AbortController().signal);
  try {
    const tree = await Workspace.create(join(await bench.folder(), "work"), tasks[0]!.source);
    const path = join(tree.tree, "src/line.js");
    const code = readFileSync(path, "utf8");
    writeFileSync(path, `${forgery}\n${isWrong ? code.replace("line.count * 100", "100") : code}`);
    const { measured, report } = await measureTree(tasks[0]!, tree, { patch: Buffer.alloc(0), applies: true }, bench);
    return { pass: measured.pass, isForged: report.line_up !== null };
  } finally {
    await room.close();
  }
}

it("passes code that is right, and fails code that is wrong", async () => {
  expect(await judged("", false)).toEqual({ pass: true, isForged: true });
  expect(await judged("")).toEqual({ pass: false, isForged: false });
});

it("sees no pass where assertions do nothing", async () => {
  const patched =
    "for (const name of Object.keys(assert)) if (typeof assert[name] === 'function') assert[name] = () => {};";
  expect(await judged(`import assert from "node:assert/strict";\n${patched}`)).toEqual({ pass: false, isForged: true });
});
