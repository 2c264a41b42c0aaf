import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Bench } from "../../../src/trial/bench-task.js";
import { lineUp, stands } from "../../../src/trial/lineup/line-up.js";
import { temporaryFolder } from "../../fixtures/temporary-folder.js";

const root = temporaryFolder();
const bench = { folder: () => mkdtemp(join(root, "bench-")) } as Bench;

const TESTS = [
  {
    path: "a.test.js",
    text: 'test("is seven", () => {\n  assert.equal(f(), 7);\n});\ntest("is a", () => {\n  assert.equal(g(), "abc");\n});\n',
  },
];

/** Writes the answers of code that is right: copies that stand as the tests had them. */
async function answerRightly(text: string, folder: string): Promise<void> {
  const lists = [...text.matchAll(/\((\d+), .*?=> \[(.*)\]\)/g)];
  const lines = lists.map(([, number, copies = ""]) => {
    const held = copies
      .split("() => ")
      .slice(1)
      .map((copy) => (/, (?:7|"abc")\)/.test(copy) ? "1" : "0"));
    return `${number} ${held.join("")}\n`;
  });
  await writeFile(join(folder, "answers"), lines.join(""));
}

it("believes no pass because the unmodified code said nothing the second time", async () => {
  const runs: string[] = [];
  const found = await lineUp(
    {
      tests: TESTS,
      reference: "the second time nothing",
      run: async (code, files, folder) => {
        runs.push(code);
        if (runs.length === 1) await answerRightly(files[0]?.text ?? "", folder);
      },
    },
    bench,
  );
  expect(runs).toEqual(["reference", "submitted", "reference"]);
  expect(found).toMatchObject({ asked: 2, unseen: ["a.test.js: is seven", "a.test.js: is a"] });
  expect(stands(found)).toBe(false);
});

it("does not count what misleads on the unmodified code too", async () => {
  let runs = 0;
  const found = await lineUp(
    {
      tests: TESTS,
      reference: "misleads the second time",
      run: async (_, files, folder) => {
        runs++;
        if (runs === 1) await answerRightly(files[0]?.text ?? "", folder);
        // A copy more holds than is right, of both.
        else await writeFile(join(folder, "answers"), "0 11111111\n1 11111111\n");
      },
    },
    bench,
  );
  expect(found).toEqual({ asked: 0, unseen: [], turned: [] });
});
