import { describe, expect, it } from "vitest";
import { testGain, testRung } from "../../src/verdict/rung.js";

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
