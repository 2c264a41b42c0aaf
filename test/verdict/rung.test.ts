import { describe, expect, it } from "vitest";
import { seededIntegers } from "../../src/base/random.js";
import { mcNemarExact } from "../../src/stats/p-values.js";
import {
  anytimeDifference,
  anytimePValue,
  clusterDifferences,
  decidedState,
  isClaimed,
  logWealth,
  sequentialRung,
  testGain,
  testRung,
} from "../../src/verdict/rung.js";

const times = <T>(count: number, item: T): T[] => Array<T>(count).fill(item);
const items = (values: readonly number[]) => ({ values, clusters: values.map((_, i) => String(i)) });
const rule = (name: string, shares: readonly number[]) => ({ rule: name, shares });

describe("testRung", () => {
  it("is reached above every rule, and names the hardest and the best", () => {
    // Right in 12 of 12. `half` is right in six: p = 2^−6. `third` is right in a third of each: p = 2^−12.
    const half = rule("half", [...times(6, 1), ...times(6, 0)]);
    const third = rule("third", times(12, 1 / 3));
    expect(testRung(items(times(12, 1)), [half, third])).toEqual({
      score: 1,
      best: { rule: "half", share: 0.5 },
      hardest: { rule: "half", share: 0.5, pValue: 2 ** -6 },
      isReached: false,
      hopeless: "half",
      clusters: 12,
    });
    expect(testRung(items(times(12, 1)), [third])).toMatchObject({
      hardest: { rule: "third", pValue: 2 ** -12 },
      isReached: true,
      hopeless: null,
    });
  });

  it("gives the exact largest p-value, whichever rule is nearest by its mean", () => {
    // 40 questions, all right. `few` misses eight of them: p = 2^−8. `shade` is right in 0.9 of each: p = 2^−40.
    const few = rule("few", [...times(32, 1), ...times(8, 0)]);
    const shade = rule("shade", times(40, 0.9));
    expect(testRung(items(times(40, 1)), [shade, few])?.hardest).toMatchObject({ rule: "few", pValue: 2 ** -8 });
  });

  it("takes a cluster for one case", () => {
    const values = times(20, 1);
    const clusters = values.map((_, i) => `task-${i % 5}`);
    // Five tasks: 2^−5 at best.
    expect(testRung({ values, clusters }, [rule("none", times(20, 0))])).toMatchObject({
      clusters: 5,
      hardest: { pValue: 2 ** -5 },
      isReached: false,
      hopeless: "none",
    });
  });

  it("is nothing without rules or items", () => {
    expect(testRung(items([]), [rule("none", [])])).toBeNull();
    expect(testRung(items([1]), [])).toBeNull();
  });
});

it("tests one measure of the same items against another, by cluster", () => {
  expect(testGain(items(times(7, 1)), times(7, 0))).toBe(2 ** -7);
  expect(testGain({ values: times(6, 1), clusters: ["a", "a", "a", "b", "b", "b"] }, times(6, 0))).toBe(2 ** -2);
  expect(testGain(items([1, 0]), [1, 0])).toBe(1);
});

const STAKES = [0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95];
const clusters = (values: readonly number[]) => ({ values, clusters: values.map((_, i) => `c${i}`) });
const rules = (rule: string, share: number, n: number) => ({
  rivals: [{ rule, shares: Array.from({ length: n }, () => share) }],
  best: rule,
});

describe("the wealth of a bettor", () => {
  it("is the mean over its stakes of what each made, in whatever order", () => {
    // Won 0.5 and lost 0.25: (1 + λ/2)(1 − λ/4).
    const expected = STAKES.reduce((sum, stake) => sum + (1 + stake / 2) * (1 - stake / 4), 0) / 10;
    expect(Math.exp(logWealth([0.5, -0.25]))).toBeCloseTo(expected, 12);
    expect(logWealth([-0.25, 0.5])).toBeCloseTo(logWealth([0.5, -0.25]), 12);
    expect(logWealth([])).toBeCloseTo(0, 12);
  });

  it("is never lost whole, and enough for a claim from 300 on", () => {
    expect(Number.isFinite(logWealth(Array.from({ length: 1000 }, () => -1)))).toBe(true);
    expect([isClaimed(Math.log(300.001)), isClaimed(Math.log(299.9))]).toEqual([true, false]);
    expect(anytimePValue(Math.log(600))).toBeCloseTo(0.005, 12);
    expect(anytimePValue(-5)).toBe(1);
  });

  it("is a fair game where the difference is 0 on average: 1 in the mean over all outcomes", () => {
    // Differences +¾ with ¼ and −¼ with ¾, three times: Σ over the eight outcomes.
    const outcomes = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => [0, 1, 2].map((i) => (bits >> i) & 1));
    const mean = outcomes.reduce((sum, wins) => {
      const probability = wins.reduce((p, win) => p * (win ? 0.25 : 0.75), 1);
      return sum + probability * Math.exp(logWealth(wins.map((win) => (win ? 0.75 : -0.25))));
    }, 0);
    expect(mean).toBeCloseTo(1, 12);
  });
});

describe("a difference while questions are asked", () => {
  it("is bet on from both sides, with half of the stake each", () => {
    // Of +1 the one wins ½ on average and the other loses it: nothing is shown.
    expect(anytimeDifference([1])).toBe(1);
    // Twice +1: mean (1 + λ)² = 2 + Σλ²/10 = 2.3325 and mean (1 − λ)² = 0.3325, together 2.665 of 2.
    expect(anytimeDifference([1, 1])).toBeCloseTo(2 / 2.665, 12);
    expect(anytimeDifference([-1, -1])).toBe(anytimeDifference([1, 1]));
    expect(anytimeDifference([])).toBe(1);
  });

  it("is found where there is none in at most one of 20 runs, which a test of a fixed number looked at so often is not", () => {
    const draw = seededIntegers(11);
    let [bets, peeks] = [0, 0];
    for (let run = 0; run < 300; run++) {
      const differences: number[] = [];
      const found = { bets: false, peeks: false };
      for (let n = 1; n <= 200; n++) {
        differences.push([-1, 0, 0, 0, 1][draw(0, 4)] ?? 0);
        if (n % 10 !== 0) continue;
        const count = (side: number) => differences.filter((each) => each === side).length;
        found.bets ||= anytimeDifference(differences) <= 0.05;
        found.peeks ||= mcNemarExact(count(-1), count(1)) <= 0.05;
      }
      bets += Number(found.bets);
      peeks += Number(found.peeks);
    }
    // At most 15 of 300 expected; 28 or more would have a probability below 0.001. Of a test held once, too.
    expect(bets).toBeLessThan(28);
    expect(peeks).toBeGreaterThan(30);
  });
});

describe("a rung while questions are asked", () => {
  it("is reached where the wealth against every rule is enough; the hardest rule is named", () => {
    const n = 30;
    const [easy, hard] = [rules("easy", 0.25, n).rivals[0]!, rules("hard", 0.6, n).rivals[0]!];
    const all = sequentialRung(clusters(Array.from({ length: n }, () => 1)), [easy, hard]);
    expect(all).toMatchObject({ score: 1, hardest: { rule: "hard" }, best: { rule: "hard", share: 0.6 }, clusters: n });
    expect(all?.isReached).toBe(true);
    expect(sequentialRung(clusters(Array.from({ length: n }, (_, i) => i % 2)), [easy, hard])?.isReached).toBe(false);
    expect(sequentialRung(clusters([]), [easy])).toBeNull();
  });

  it("is hopeless where being always right would not be enough, whatever was right", () => {
    const found = (n: number) =>
      sequentialRung(clusters(Array.from({ length: n }, () => 0)), rules("easy", 0.25, n).rivals);
    // Differences of 0.75: 1.7125^5 = 14.7 is the most that a stake of 0.95 wins, and 300 are needed; 1.7125^20 = 47,000.
    expect(found(5)).toMatchObject({ hopeless: "easy", isReached: false });
    expect(found(20)).toMatchObject({ hopeless: null, isReached: false });
  });

  it("has one difference a cluster: the mean of its items", () => {
    const measured = { values: [1, 0, 1], clusters: ["a", "a", "b"] };
    // a: (½ + −½)/2, b: ½
    expect(clusterDifferences(measured, [0.5, 0.5, 0.5])).toEqual([0, 0.5]);
  });
});

describe("the verdict that cannot be chance", () => {
  const state = (mean: number, invariant: number, words = 0.4, n = 100) =>
    decidedState({
      // Alternating around the mean, so that the values are no constants.
      mean: clusters(Array.from({ length: n }, (_, i) => mean + (i % 2 ? 0.02 : -0.02))),
      invariant: clusters(Array.from({ length: n }, (_, i) => Number((i * invariant) % 1 < invariant))),
      noRead: rules("middle", 0.3, n),
      all: { rivals: [...rules("middle", 0.3, n).rivals, ...rules("words", words, n).rivals], best: "words" },
    });

  it.each([
    ["at_floor", 0.05, 0],
    ["unsteady", 0.8, 0.05],
    ["above_floor", 0.9, 0.9],
  ] as const)("is %s", (expected, mean, invariant) => {
    expect(state(mean, invariant)).toBe(expected);
  });

  it("is that it matches words where these get more", () => {
    expect(state(0.6, 0.5, 0.95)).toBe("matches_words");
  });

  it("is not decided near a rule, nor of a few questions", () => {
    expect(state(0.3, 0.3)).toBeNull();
    expect(state(0.9, 0.9, 0.4, 5)).toBeNull();
  });
});

it("a reader who guesses is told to be above its rule in fewer than one of 100 runs, however often one looks", () => {
  const draw = seededIntegers(7);
  const wrong = Array.from({ length: 300 }, () => {
    const differences: number[] = [];
    for (let n = 0; n < 150; n++) {
      differences.push(draw(1, 4) === 1 ? 0.75 : -0.25);
      if (n % 5 === 4 && isClaimed(logWealth(differences))) return true;
    }
    return false;
  }).filter(Boolean).length;
  // Expected at most 300/300 = 1; more than 5 has a probability below 0.001.
  expect(wrong).toBeLessThan(6);
});
