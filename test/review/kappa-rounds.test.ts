import { describe, expect, it } from "vitest";
import { kappaByRound, type RoundSplit } from "../../src/review/annotator-agreement.js";
import { readDecisions } from "../../src/review/decisions-file.js";
import { type Category, writeDecisions } from "../fixtures/decisions.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";

const folder = useFreshFolder();

/** One letter an example: k keeps, d drops. */
async function roundsOf(ada: string, bob: string, split: RoundSplit) {
  const decisions = (letters: string) =>
    Object.fromEntries(
      [...letters].map((letter, i): [string, Category] => [`e${i + 1}`, letter === "k" ? "keep" : "unclear_comment"]),
    );
  const [a, b] = await Promise.all([
    readDecisions(writeDecisions(folder.path("a.jsonl"), "ada", decisions(ada))),
    readDecisions(writeDecisions(folder.path("b.jsonl"), "bob", decisions(bob))),
  ]);
  return kappaByRound(a, b, split);
}

describe("kappa by round", () => {
  it("is that of each batch of consecutive examples, with mean and standard deviation", async () => {
    // 1: k k d d both: 1. 2: kkdd and kddd: po 3/4, pe = 1/2 · 1/4 + 1/2 · 3/4 = 1/2: 1/2. 3: kkdd and ddkk: −1.
    const found = await roundsOf("kkddkkddkkdd", "kkddkdddddkk", { by: "size", size: 4 });
    expect(found.rounds.map(({ round, from, keepDrop }) => [round, from, keepDrop.n, keepDrop.kappa])).toEqual([
      [1, "e1", 4, 1],
      [2, "e5", 4, 0.5],
      [3, "e9", 4, -1],
    ]);
    // Mean 1/6; deviations 5/6, 2/6, −7/6: squares (25 + 4 + 49)/36 = 78/36, divided by 2.
    expect(found.keepDrop).toMatchObject({ n: 3, excluded: 0 });
    expect(found.keepDrop.mean).toBeCloseTo(1 / 6, 12);
    expect(found.keepDrop.sd).toBeCloseTo(Math.sqrt(78 / 72), 12);
    // One reason for all drops: the eight categories say the same.
    expect(found.allCategories).toEqual(found.keepDrop);
  });

  it("leaves a round out of the mean, and counts it, where both used one category", async () => {
    const found = await roundsOf("kkkd", "kkkd", { by: "rounds", rounds: 2 });
    expect(found.rounds.map(({ keepDrop }) => keepDrop.kappa)).toEqual([null, 1]);
    expect(found.keepDrop).toEqual({ n: 1, excluded: 1, mean: 1, sd: null });
    const none = await roundsOf("kk", "kk", { by: "rounds", rounds: 1 });
    expect(none.keepDrop).toEqual({ n: 0, excluded: 1, mean: null, sd: null });
  });

  it("makes rounds as equal as can be of a number, and leaves the rest to the last of a size", async () => {
    const letters = "kdkdkdkdkd";
    const sizes = async (split: RoundSplit) =>
      (await roundsOf(letters, letters, split)).rounds.map(({ keepDrop }) => keepDrop.n);
    expect(await sizes({ by: "rounds", rounds: 4 })).toEqual([3, 3, 2, 2]);
    expect(await sizes({ by: "size", size: 4 })).toEqual([4, 4, 2]);
    expect(await sizes({ by: "size", size: 50 })).toEqual([10]);
  });

  it("counts the examples that both decided, in the order of the first", async () => {
    const found = await roundsOf("kdkd", "kd", { by: "size", size: 2 });
    expect(found.rounds.map(({ from, keepDrop }) => [from, keepDrop.n])).toEqual([["e1", 2]]);
  });

  it("refuses more rounds than there are examples", async () => {
    await expect(roundsOf("kd", "kd", { by: "rounds", rounds: 3 })).rejects.toThrow(
      "Expected no more rounds than the 2 examples that both decided, found --rounds 3.",
    );
  });
});
