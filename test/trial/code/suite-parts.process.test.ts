import { describe, expect, it } from "vitest";
import { codetasteAdapter } from "../../../src/suites/codetaste/taste-adapter.js";
import { refactorbenchAdapter } from "../../../src/suites/refactorbench/refactor-adapter.js";
import { smellbenchAdapter } from "../../../src/suites/smellbench/smell-adapter.js";
import { sweAtlasAdapter } from "../../../src/suites/swe-atlas/atlas-adapter.js";
import type { BenchAdapter } from "../../../src/trial/adapter.js";
import type { BenchTask } from "../../../src/trial/bench-task.js";
import { suiteParts } from "../../../src/trial/code/suite-parts.js";

type Part = "source" | "test" | "gold";

const own = { data: null, repo: null, workingDirectory: "." };
const partOf = (part: Part) => suiteParts(refactorbenchAdapter, { part, ...own });
const idsOf = async <Task extends BenchTask>(adapter: BenchAdapter<Task>, part: Part) =>
  (await suiteParts(adapter, { part, ...own })).texts.map(({ id }) => id);

describe("the code of a suite's tasks, file by file", () => {
  it("is what agents see and a right solution changes, or hidden tests are about", async () => {
    const { texts, canaries, searched, leftOut } = await partOf("source");
    const ids = texts.map(({ id }) => id);
    expect(ids).toContain("interval_set:src/intervalSet.js");
    // It has no right solution, but a test of its code.
    expect(ids.filter((id) => id.startsWith("broken_example:"))).toHaveLength(1);
    expect(ids.some((id) => id.startsWith("interval_set:src/intervals/"))).toBe(false);
    expect(texts.every(({ language }) => language === "javascript")).toBe(true);
    expect(canaries).toEqual([]);
    // Five fixtures of six files, one of four, and a page about them.
    expect(searched).toBe(35);
    expect(leftOut).toEqual([]);
  });

  it("is what right solutions add or change", async () => {
    const { texts, leftOut } = await partOf("gold");
    const ids = texts.map(({ id }) => id).filter((id) => id.startsWith("interval_set:"));
    expect(leftOut).toEqual([{ taskId: "broken_example", why: "none told" }]);
    expect(ids).toEqual([
      "interval_set:src/intervalSet.js",
      "interval_set:src/intervals/interval.js",
      "interval_set:src/intervals/operations/index.js",
      "interval_set:src/intervals/queries.js",
      "interval_set:src/intervals/text.js",
    ]);
  });

  it("is the hidden tests", async () => {
    const { texts } = await partOf("test");
    expect(texts).toHaveLength(6);
    expect(texts.find(({ id }) => id === "interval_set:intervalSet.test.js")?.text).toContain("describe(");
  });
});

describe("suites whose tests stand elsewhere", () => {
  /** SmellBench with one case: its thirty are laid out one by one. */
  const oneCase: typeof smellbenchAdapter = {
    ...smellbenchAdapter,
    load: async (...asked) => {
      const found = await smellbenchAdapter.load(...asked);
      return { ...found, tasks: found.tasks.filter(({ id }) => id === "kiosk-god-class-easy") };
    },
  };

  it("have the code of CodeTaste: its gold, what that changes, and the tests of the repository", async () => {
    const task = "probe/till/5e77a1e5";
    expect(await idsOf(codetasteAdapter, "test")).toEqual([`${task}:test/till.test.mjs`]);
    expect(await idsOf(codetasteAdapter, "source")).toContain(`${task}:src/basket.js`);
    expect(await idsOf(codetasteAdapter, "gold")).toContain(`${task}:src/basket.js`);
  });

  it("have the code of SmellBench, whether or not its tests can be run here: the tests that a case names", async () => {
    const tests = await idsOf(smellbenchAdapter, "test");
    expect(tests).toContain("recipes-inlined-method-easy:test_recipe.py");
    expect(tests).toContain("kiosk-god-class-easy:test/kiosk.test.js");
    // Trees of two cases have their tests once: eleven trees.
    expect(tests).toHaveLength(11);
    expect(await idsOf(oneCase, "source")).toContain("kiosk-god-class-easy:src/kiosk.js");
    expect(await idsOf(oneCase, "gold")).toContain("kiosk-god-class-easy:src/kiosk.js");
  });

  it("have hidden tests of refactorings alone in SWE Atlas", async () => {
    const { texts, leftOut } = await suiteParts(sweAtlasAdapter, { part: "test", ...own });
    expect(texts.map(({ id }) => id)).toEqual(["task-one-spoiled-rule:test/spoiled.test.js"]);
    expect(leftOut.map(({ taskId }) => taskId)).toEqual(["task-spoiled-entries", "task-sweep-tests"]);
  });
});

describe("tasks without the part", () => {
  const allBut = (faults: Readonly<Record<string, string>>, gold: typeof refactorbenchAdapter.gold) =>
    suiteParts(
      { ...refactorbenchAdapter, gold, unreachable: ({ id }) => faults[id] ?? null },
      { part: "gold", ...own },
    );

  it("are named with the reason, and the others are there", async () => {
    const broken = { interval_set: Buffer.from("no patch"), broken_example: null };
    const { texts, leftOut } = await allBut({ broken_example: "not cloned" }, async (task) =>
      task.id in broken ? broken[task.id as keyof typeof broken] : refactorbenchAdapter.gold(task),
    );
    expect(texts.some(({ id }) => id.startsWith("interval_set:"))).toBe(false);
    expect(texts.length).toBeGreaterThan(0);
    expect(leftOut).toEqual(
      expect.arrayContaining([
        { taskId: "broken_example", why: "not cloned" },
        { taskId: "interval_set", why: expect.stringContaining("its right solution does not apply: ") },
      ]),
    );
  });

  it("are named by their languages where they have files, whatever else they lack", async () => {
    const prose = { ...refactorbenchAdapter, testTexts: async () => [{ path: "notes.txt", text: "prose" }] };
    await expect(
      suiteParts({ ...prose, unreachable: () => "no tests can be run" }, { part: "test", ...own }),
    ).rejects.toThrow("found none (in languages that no probe knows); there is source and gold.");
  });
});

describe("a part that a suite has not", () => {
  it("is refused by name, with those that there are", async () => {
    const { testTexts: _, ...untested } = refactorbenchAdapter;
    await expect(suiteParts(untested, { part: "test", ...own })).rejects.toThrow(
      "Expected code of the part test in the tasks of refactorbench, found none (none told); there is source and gold.",
    );
  });

  it("is not looked for in clones that the suite does not take", async () => {
    await expect(suiteParts(refactorbenchAdapter, { part: "test", ...own, repo: "clones" })).rejects.toThrow(
      "Expected a suite that takes --repo, found refactorbench.",
    );
  });
});
