import { describe, expect, it, vi } from "vitest";
import { refactorbenchAdapter } from "../../../src/suites/refactorbench/adapter.js";
import { canariesIn } from "../../../src/trial/parts/canaries.js";
import { suiteParts } from "../../../src/trial/parts/suite-parts.js";

vi.setConfig({ testTimeout: 120_000 });

const partOf = (part: "source" | "test" | "gold") =>
  suiteParts(refactorbenchAdapter, { part, data: null, workingDirectory: "." });

describe("the code of a suite's tasks, file by file", () => {
  it("is what agents see and a right solution changes, or hidden tests are about", async () => {
    const { texts, canaries } = await partOf("source");
    const ids = texts.map(({ id }) => id);
    expect(ids).toContain("interval_set:src/intervalSet.js");
    // It has no right solution, but a test of its code.
    expect(ids.filter((id) => id.startsWith("broken_example:"))).toHaveLength(1);
    expect(ids.some((id) => id.startsWith("interval_set:src/intervals/"))).toBe(false);
    expect(texts.every(({ language }) => language === "javascript")).toBe(true);
    expect(canaries).toEqual([]);
  });

  it("is what right solutions add or change", async () => {
    const ids = (await partOf("gold")).texts.map(({ id }) => id).filter((id) => id.startsWith("interval_set:"));
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

describe("canary strings", () => {
  it("are found with their ids, each once, and nothing like them", () => {
    const id = "0123abcd-0123-4567-89ab-0123456789ab";
    const text = `Keep out. canary GUID suite:${id}\n# CANARY GUID ${id}\ncanary GUID suite:${id}\n`;
    expect(canariesIn(text)).toEqual([`canary GUID suite:${id}`, `CANARY GUID ${id}`]);
    expect(canariesIn(`a canary in a mine; GUID ${id}`)).toEqual([]);
  });
});
