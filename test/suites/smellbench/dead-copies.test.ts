import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { seededIntegers } from "../../../src/base/random.js";
import { drawDeadCode } from "../../../src/suites/smellbench/inject/dead-copies.js";
import { smellyLines } from "../../../src/suites/smellbench/smelly-lines.js";

const NONE: ReadonlySet<string> = new Set();
const CODE = {
  "sum.js": "export function sum(a, b) {\n  return a + b;\n}\n",
  "sum.py": "class Sums:\n    def sum(self, a, b):\n        c = a\n        return c + b\n",
  "Sums.java": "class Sums {\n  int sum(int a, int b) {\n    return a + b;\n  }\n}\n",
  "sum.go": "package sums\n\nfunc sum(a int, b int) int {\n\treturn a + b\n}\n",
};

describe("dead code that is put into a repository", () => {
  it.each(Object.entries(CODE))(
    "is a copy below what it copies, by a name that is found there: %s",
    async (path, text) => {
      const found = await drawDeadCode([{ path, text }], 1, NONE, seededIntegers(1));
      const [file] = found?.files ?? [];
      const [, className, methodName] = found?.place ?? ["", null, ""];
      expect(methodName).toMatch(/^sum_?[A-Za-z]+$/);
      const added = (file?.text.split("\n").length ?? 0) - text.split("\n").length;
      // The function's lines, and an empty one.
      expect(added).toBe(4);
      expect(await smellyLines({ file: path, className, methodName }, file?.text ?? "")).toHaveLength(1);
      expect(file?.text).not.toMatch(/export function sum[A-Z]/);
    },
  );

  it("is the same by the same seed, copies nothing twice, and is none where there are too few files", async () => {
    const texts = Object.entries(CODE).map(([path, text]) => ({ path, text }));
    const draw = () => drawDeadCode(texts, 3, NONE, seededIntegers(5));
    expect(await draw()).toEqual(await draw());
    const taken = new Set((await drawDeadCode(texts, 4, NONE, seededIntegers(2)))?.copied);
    expect(taken.size).toBe(4);
    expect(await drawDeadCode(texts, 1, taken, seededIntegers(2))).toBeNull();
    expect(
      await drawDeadCode([{ path: "test/sum.test.js", text: CODE["sum.js"] }], 1, NONE, seededIntegers(0)),
    ).toBeNull();
  });
});

it("has cases of our own whose smells stand in as many files as their difficulty asks for", () => {
  const own = join(import.meta.dirname, "../../../datasets/suites/smellbench");
  const least = { easy: 1, medium: 2, hard: 3 };
  for (const name of readdirSync(own).filter((each) => /-(?:easy|medium|hard)$/.test(each))) {
    const { type, difficulty } = JSON.parse(readFileSync(join(own, name, "case.json"), "utf8")) as {
      type: string;
      difficulty: keyof typeof least;
    };
    const files = readFileSync(join(own, name, "smell.patch"), "utf8").match(/^diff --git /gm)?.length ?? 0;
    expect(files, name).toBeGreaterThanOrEqual(least[difficulty] + Number(type === "shotgun_surgery"));
  }
});
