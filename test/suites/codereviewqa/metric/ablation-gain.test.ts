import { describe, expect, it } from "vitest";
import { NO_TELLING } from "../../../../src/report/judgement-words.js";
import { gainMeasures } from "../../../../src/suites/codereviewqa/metric/ablation-gain.js";
import { anytimeDifference } from "../../../../src/verdict/rung.js";
import { makeScore } from "../../../fixtures/question-score.js";

/** Questions by whether they are right with the review, and without. */
function gain(pairs: readonly (readonly [boolean, boolean])[], caseOf: ((id: string) => string) | null = null) {
  const scores = (side: 0 | 1) =>
    pairs.map((pair, i) => makeScore({ exampleId: `t${Math.floor(i / 2)}#${i}`, invariantCorrect: pair[side] }));
  const form = { whole: scores(0), ablated: scores(1), state: "above_floor" as const, caseOf };
  const [measured, p] = gainMeasures("review", form);
  return { text: measured?.detail?.gain, low: measured?.ciLow, high: measured?.ciHigh, p: p?.value };
}

/** So many only with it, only without it, and right either way. */
function counts(onlyWith: number, onlyWithout: number, both: number): (readonly [boolean, boolean])[] {
  return Array.from({ length: onlyWith + onlyWithout + both }, (_, i) => [
    i < onlyWith || i >= onlyWith + onlyWithout,
    i >= onlyWith,
  ]);
}

it("of a form that is asked until it is decided is tested by bets, which hold whenever one stops, without an interval", () => {
  const scores = (right: boolean) =>
    Array.from({ length: 6 }, (_, i) => makeScore({ exampleId: `e${i}`, invariantCorrect: right }));
  const form = { whole: scores(true), ablated: scores(false), state: "above_floor" as const, isSequential: true };
  const [gained, p] = gainMeasures("review", form);
  expect(gained).toMatchObject({ value: 1, ciLow: null, ciHigh: null });
  // Six of six: 2/64 of a fixed number; of bets more.
  expect(p?.value).toBeCloseTo(anytimeDifference([1, 1, 1, 1, 1, 1]), 12);
  expect(p?.value).toBeGreaterThan(2 / 64);
  expect(gained?.note).toContain("anytime-valid bets");
});

it.each([
  // Bets on d right of d: p = 2 / mean of (1 + λ)^d over λ = .05, .15, … .95, near enough 2 (d + 1) / 2^(d + 1).
  [9, 0.0195, /^the review is not shown to make a difference/],
  [12, 0.0032, /^the review helps/],
])("until decided is shown at 1 %%: %d right only with the review, p near %s", (count, near, said) => {
  const scores = (right: boolean) =>
    Array.from({ length: count }, (_, i) => makeScore({ exampleId: `e${i}`, invariantCorrect: right }));
  const form = { whole: scores(true), ablated: scores(false), state: "above_floor" as const, isSequential: true };
  const [gained, p] = gainMeasures("review", form);
  expect(p?.value).toBeCloseTo(near, 2);
  expect(gained?.detail?.gain).toMatch(said);
});

describe("what a gain is said to show", () => {
  it("is never 'no difference' beside a p of .0192", () => {
    // 20 and 7 of 90: +14.4 pp; p = 2 P(X <= 7 of 27) = .0192.
    const found = gain(counts(20, 7, 63));
    expect(found.p).toBeCloseTo(0.0192, 4);
    expect(found.text).toMatch(/^the review helps \(gain \+14\.4 pp, /);
    expect(found.low).toBeGreaterThan(0);
  });

  it("is an effect below .05, and none that is shown above", () => {
    expect(gain(counts(20, 0, 10)).text).toMatch(/^the review helps \(/);
    expect(gain(counts(0, 20, 10)).text).toMatch(/^the review misleads \(/);
    // 5 of 5: p = .0625.
    const few = gain(counts(5, 0, 45));
    expect(few.text).toMatch(/^the review is not shown to make a difference \(gain \+10\.0 pp, /);
    expect(few.low).toBeLessThanOrEqual(0);
  });

  it("is no difference where as many are right only with it as only without, which decides questions all the same", () => {
    expect(gain(counts(5, 5, 30)).text).toMatch(
      /^the review is not shown to make a difference \(gain 0\.0 pp, .*p = 1\)$/,
    );
  });

  it("tells how many questions were lost on either side, and that what cannot be read tells nothing", () => {
    const right = Array.from({ length: 4 }, (_, i) => makeScore({ exampleId: `e${i}` }));
    const lost = (...which: number[]) => right.map((score, i) => ({ ...score, lost: which.includes(i) }));
    const textOf = (whole: typeof right, ablated: typeof right, state: "above_floor" | "unreadable") =>
      gainMeasures("code", { whole, ablated, state })[0]?.detail?.gain;
    const caution = "; 3 of 4 questions count as not right only because orders failed or were undecided";
    const read = textOf(lost(0, 1), lost(1, 2), "above_floor");
    expect(read?.startsWith("the code decides none of these questions (gain 0.0 pp")).toBe(true);
    expect(read?.endsWith(`, p = 1)${caution}`)).toBe(true);
    expect(textOf(right, right, "above_floor")).not.toContain("only because");
    const unread = textOf(lost(0, 1, 2), right, "unreadable");
    expect(unread?.startsWith(`the code: ${NO_TELLING} (gain 0.0 pp`)).toBe(true);
    expect(unread?.endsWith(caution)).toBe(true);
  });

  it("tells nothing where failures may have made it: lost questions of the side that is behind may have been right", () => {
    const right = Array.from({ length: 20 }, (_, i) => makeScore({ exampleId: `e${i}` }));
    const without = (lost: number, wrong: number) =>
      right.map((score, i) => ({ ...score, invariantCorrect: i >= lost + wrong, lost: i < lost }));
    const of = (ablated: typeof right) => gainMeasures("review", { whole: right, ablated, state: "above_floor" })[0];
    // 10 of 20 right only with it, p = 2/1024; had the 8 lost ones been right, 2 of 20: p = .5. Had 3: 7 of 20, p = 2/128.
    expect(of(without(8, 2))?.detail?.gain).toMatch(/^the review: no telling \(gain \+50\.0 pp.*; 8 of 20 questions/);
    expect(of(without(3, 7))?.detail?.gain).toMatch(/^the review helps \(gain \+50\.0 pp.*; 3 of 20 questions/);
    expect(of(without(3, 7))?.note).toMatch(
      /exact McNemar p = 0\.0020; 3 of 20 questions count as not right only because/,
    );
    expect(of(without(0, 10))?.note).toMatch(/p = 0\.0020$/);
  });

  it("has a p-value that is not told to more than four digits", () => {
    // 2 · 2^−14 = 0.00012, 2 · 2^−15 = 0.00006.
    expect(gain(counts(14, 0, 10)).text).toMatch(/, p = 0\.0001\)$/);
    expect(gain(counts(15, 0, 10)).text).toMatch(/, p < 0\.0001\)$/);
  });

  it("has an interval of some width where it decides no question", () => {
    const found = gain(counts(0, 0, 50));
    expect(found.text).toMatch(
      /^the review decides none of these questions \(gain 0\.0 pp, 95 % −7\.1 to \+7\.1, p = 1\)/,
    );
  });

  it("tells nothing of who is right under all orders in no question either way, with both mean accuracies", () => {
    const of = (...right: number[]) =>
      right.map((correctPermutations, i) =>
        makeScore({
          exampleId: `e${i}`,
          correctPermutations,
          invariantCorrect: correctPermutations === 6,
          meanAccuracy: correctPermutations / 6,
        }),
      );
    const textOf = (whole: ReturnType<typeof of>, ablated: ReturnType<typeof of>) =>
      gainMeasures("review", { whole, ablated, state: "unsteady" })[0]?.detail?.gain;
    // 10 of 12 orders with it, 3 of 12 without; the third question was asked one way only.
    expect(textOf(of(5, 5, 0), of(1, 2))).toMatch(
      /^the review: no telling, as no question is right under all orders either way; mean accuracy 83\.3 % with it, 25\.0 % without \(gain 0\.0 pp, .*p = 1\)$/,
    );
    // One that is right either way is a question that the review could have decided.
    expect(textOf(of(6, 5), of(6, 1))).toMatch(/^the review decides none of these questions \(gain 0\.0 pp/);
    const unknown = of(1, 2).map((score) => ({ ...score, meanAccuracy: null }));
    expect(textOf(of(5, 5), unknown)).toMatch(/either way \(gain 0\.0 pp/);
  });

  it("is nothing where every question was lost to orders that failed", () => {
    const lost = Array.from({ length: 20 }, (_, i) =>
      makeScore({ exampleId: `${i}`, invariantCorrect: false, lost: true, answered: 0, failed: 6 }),
    );
    const [measured] = gainMeasures("review", { whole: lost, ablated: lost, state: "unknown" });
    expect(measured?.detail?.gain).toMatch(/^the review: no telling \(gain 0\.0 pp.*; 20 of 20 questions count/);
  });

  it("is tested by task where questions are about hunks of these", () => {
    // Eight hunks of four tasks, all right only with it: by hunk p = 2/256, by task 2/16.
    const all = counts(8, 0, 0);
    expect(gain(all).p).toBe(2 / 256);
    expect(gain(all, (id) => id.split("#")[0] ?? id).p).toBe(2 / 16);
  });
});
