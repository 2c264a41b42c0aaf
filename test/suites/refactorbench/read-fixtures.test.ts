import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { readFixtures } from "../../../src/suites/refactorbench/read-fixtures.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";

const folder = useFreshFolder();

const APP = { "eval.config.json": '{"name": "x", "description": "d", "appType": "web"}' };

/** Writes fixtures as a clone of the released repository has them. */
function clone(files: Readonly<Record<string, Readonly<Record<string, string>>>>, hardness?: string): string {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(folder.path(path)), { recursive: true });
    writeFileSync(folder.path(path), text);
  };
  for (const [fixture, own] of Object.entries(files)) {
    for (const [path, text] of Object.entries(own)) write(join("refactoring/data", fixture, path), text);
  }
  if (hardness !== undefined) write("data/eval-results/refactorbench_js_fixture_hardness.csv", hardness);
  return folder.path(".");
}

const CONFIG = (target: string, test: string) => ({
  "refactoring_eval.config.json": JSON.stringify({ targetFile: target, testFile: test }),
});

describe("readFixtures", () => {
  it("reads the released layout, with targets that the table of hardness alone tells", async () => {
    const data = clone(
      {
        told: { ...APP, ...CONFIG("app/a.js", "a.test.js"), "src/app/a.js": "", "a.test.js": "" },
        untold: { ...APP, "src/lib/b.js": "", "other-name.test.js": 'import x from "react";' },
        "no-fixture": { "notes.md": "" },
      },
      "fixture,target_file,target_loc\nuntold,lib/b.js,5\n",
    );
    const fixtures = await readFixtures(data);
    expect(
      fixtures.map(({ name, target, testFile, isDom }) => [name, target, testFile.split("/").at(-1), isDom]),
    ).toEqual([
      ["told", "app/a.js", "a.test.js", false],
      ["untold", "lib/b.js", "other-name.test.js", true],
    ]);
    expect(await readFixtures(join(data, "refactoring/data"))).toEqual(fixtures);
  });

  it.each([
    ["vitest's own words", 'import { vi } from "vitest"; vi.fn();', {}, false],
    ["Jest's", 'jest.mock("a", () => ({}));', {}, true],
    ["Jest's by import", 'import { it } from "@jest/globals";', {}, true],
    ["both", "vi.fn(); jest.fn();", {}, false],
    ["neither", "it('jest.', () => {});", {}, false],
    ["neither, and asked for Jest", "", { testRunner: "jest" }, true],
    ["Jest's, and asked for vitest", "jest.fn();", { testRunner: "vitest" }, false],
  ])("takes the runner that a test is written for: %s", async (_, test, more, isJest) => {
    const config = JSON.stringify({ targetFile: "a.js", testFile: "a.test.js", ...more });
    const data = clone({ f: { ...APP, "refactoring_eval.config.json": config, "src/a.js": "", "a.test.js": test } });
    expect((await readFixtures(data))[0]).toMatchObject({ isJest });
  });

  it("takes of several tests the one named like the target", async () => {
    const tests = { "page.test.js": "", "Board.test.jsx": "" };
    const data = clone({ f: { ...APP, ...tests, "src/app/Board.jsx": "" } }, "fixture,target_file\nf,app/Board.jsx\n");
    expect((await readFixtures(data))[0]).toMatchObject({ isDom: true, goldPatch: null });
    expect((await readFixtures(data))[0]?.testFile).toMatch(/\/Board\.test\.jsx$/);
  });

  it.each([
    [
      "no target",
      { ...APP, "src/a.js": "", "a.test.js": "" },
      /Expected refactoring_eval\.config\.json .* found neither/,
    ],
    [
      "no such target",
      { ...APP, ...CONFIG("b.js", "a.test.js"), "src/a.js": "", "a.test.js": "" },
      /the target of f .* found no b\.js/,
    ],
    [
      "a target outside src",
      { ...APP, ...CONFIG("../a.test.js", "a.test.js"), "src/a.js": "", "a.test.js": "" },
      /the target of f .* found no \.\.\/a\.test\.js/,
    ],
    [
      "no test",
      { ...APP, ...CONFIG("a.js", "a.test.js"), "src/a.js": "" },
      /the hidden test of f .* found no a\.test\.js/,
    ],
    [
      "another app",
      { "eval.config.json": '{"name": "f", "description": "", "appType": "desk"}' },
      /eval\.config\.json, found: .*appType/s,
    ],
  ])("refuses a fixture with %s, and says which", async (_, files, message) => {
    await expect(readFixtures(clone({ f: files }))).rejects.toThrow(message);
  });

  it("refuses a folder without fixtures, and one that is not there", async () => {
    await expect(readFixtures(clone({ f: { "a.js": "" } }))).rejects.toThrow(
      "Expected fixtures (folders with eval.config.json)",
    );
    await expect(readFixtures(folder.path("nowhere"))).rejects.toThrow("Expected a folder of fixtures");
  });
});
