import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scanTree } from "../../../../src/suites/codetaste/rules/scan-tree.js";
import type { RuleEngine } from "../../../../src/suites/codetaste/rules/taste-rule.js";
import { measureTree } from "../../../../src/suites/codetaste/score/measure-tree.js";
import { codetasteAdapter } from "../../../../src/suites/codetaste/taste-adapter.js";
import { openRoom } from "../../../../src/trial/bench-room.js";
import { openCage } from "../../../../src/workspace/cage.js";
import { Workspace } from "../../../../src/workspace/workspace.js";

/** Measures our instance's tree after a change of it; a regular expression may take 4 s a file. */
async function measured(change: (tree: string) => void, isScanned: (tree: string) => boolean = () => true) {
  const { tasks } = await codetasteAdapter.load(null, process.cwd(), { "rule-engine": "regex", ruleEngine: "regex" });
  const room = await openRoom("forged passes of codetaste");
  const bench = room.open(await openCage({ sandbox: "auto", hidden: [] }), new AbortController().signal);
  try {
    const tree = await Workspace.create(join(await bench.folder(), "work"), tasks[0]!.source);
    change(tree.tree);
    const engine: RuleEngine = {
      name: "regex",
      version: "1",
      async scan(set, at, { signal }, patched) {
        if (!isScanned(at)) return { status: "missing", detail: "semgrep ended with timed_out" };
        return scanTree(set, { tree: at, patched, limitMs: 4000, signal });
      },
    };
    return await measureTree({ ...tasks[0]!, engine }, tree, { patch: Buffer.alloc(0), applies: true }, bench);
  } finally {
    await room.close();
  }
}

/** What the tests of our instance say of its code, with something besides, and wrong if told so. */
async function judged(forgery: string, isWrong = true) {
  const { measured: found, report } = await measured((tree) => {
    const path = join(tree, "src/line.js");
    const code = readFileSync(path, "utf8");
    writeFileSync(path, `${forgery}\n${isWrong ? code.replace("line.count * 100", "100") : code}`);
  });
  return { pass: found.pass, isForged: report.line_up !== null };
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

it("sees old code that a patch moves to where nothing is scanned", async () => {
  const { measured: found } = await measured((tree) => {
    mkdirSync(join(tree, "src/vendor"));
    for (const name of readdirSync(join(tree, "src")).filter((each) => each.endsWith(".js"))) {
      renameSync(join(tree, "src", name), join(tree, "src/vendor", name));
      writeFileSync(join(tree, "src", name), `export * from "./vendor/${name}";\n`);
    }
  });
  // As on the unmodified tree: each of the eight old patterns is there.
  expect(found.tallies.reductive).toMatchObject({ rules: 8, run: 8, matched: 8 });
  expect(found.pass).toBe(true);
});

it("counts a rule as not followed that a patch keeps from its end", async () => {
  const { measured: found, report } = await measured((tree) => {
    writeFileSync(join(tree, "src/slow.js"), `/*${"Math.round(".repeat(85_000)}*/\n`);
  });
  expect(found.tallies.reductive).toMatchObject({ rules: 8, run: 8, matched: 8 });
  expect(report.rules.find(({ id }) => id === "rounded-to-cents")).toEqual({
    id: "rounded-to-cents",
    side: "reductive",
    matches: 1,
    followed: false,
    why: "it was not done after 4 s in src/slow.js",
  });
});

it("lets nobody take a trial out of the rates by code on which the engine of rules ends: it cannot be graded", async () => {
  const hostile = measured(
    (tree) => writeFileSync(join(tree, "src/slow.js"), "slow"),
    (tree) => !existsSync(join(tree, "src/slow.js")),
  );
  await expect(hostile).rejects.toThrow("semgrep ended with timed_out, and not so on the unmodified tree");
});
