import { mkdirSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { canariesIn } from "../../../src/trial/code/suite-parts.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";

const folder = useFreshFolder();
const id = "0123abcd-0123-4567-89ab-0123456789ab";

it("finds canary strings in every file of the data, with how often each stands there", async () => {
  mkdirSync(folder.path("tests"));
  mkdirSync(folder.path(".git"));
  const twice = `Keep out. canary GUID suite:${id}\n# CANARY GUID ${id}\ncanary GUID suite:${id}\n`;
  writeFileSync(folder.path("tests/rubrics.json"), twice);
  writeFileSync(folder.path("prompt.txt"), `harbor-canary GUID suite:${id}`);
  writeFileSync(folder.path("mine.txt"), `a canary in a mine; GUID ${id}`);
  writeFileSync(folder.path(".git/packed"), twice);
  expect(await canariesIn(folder.path())).toEqual({
    canaries: [
      {
        text: `canary GUID suite:${id}`,
        files: [
          { path: "prompt.txt", count: 1 },
          { path: "tests/rubrics.json", count: 2 },
        ],
      },
      { text: `CANARY GUID ${id}`, files: [{ path: "tests/rubrics.json", count: 1 }] },
    ],
    // Not the history.
    searched: 3,
  });
});

it("finds one that stands across two pieces of a large file, once, and looks at data that are one file", async () => {
  // Files are read 65,536 bytes at a time: it begins ten bytes before the end of the first.
  const path = folder.path("cases.json");
  writeFileSync(path, `${"x".repeat(65_526)}canary GUID suite:${id}${"y".repeat(70_000)}`);
  expect(await canariesIn(path)).toEqual({
    canaries: [{ text: `canary GUID suite:${id}`, files: [{ path: "cases.json", count: 1 }] }],
    searched: 1,
  });
});
