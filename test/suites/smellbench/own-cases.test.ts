import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

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
