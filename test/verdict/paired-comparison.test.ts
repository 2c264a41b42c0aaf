import { describe, expect, it } from "vitest";
import { compareVerdicts, type PairedRow, type RunPair } from "../../src/verdict/paired-comparison.js";
import type { Verdict, VerdictForm } from "../../src/verdict/verdict.js";
import { makeForm, makeJudgement, makeRunVerdicts, makeVerdict, makeWrittenForm } from "../fixtures/verdicts.js";

const OPTIONS = { seed: 0, resamples: 500 };
const CTR = makeForm();
const HARD = makeForm({ name: "CL hard", task: "CL", difficulty: "hard" });
const ACR = makeWrittenForm();

type Right = "both" | "baseline" | "candidate" | "none";
interface Pair {
  readonly baseline: Verdict;
  readonly candidate: Verdict;
}

/** A question of both runs, by which of them passes it; where it is not passed, half of its orders are right. */
function pair(item: string, right: Right, more: Partial<Verdict> = {}): Pair {
  const verdict = (passed: boolean) => {
    const values = { mean_accuracy: passed ? 1 : 0.5, plurality_agreement: 1 };
    return makeVerdict({ item, passed, values, ...more });
  };
  return {
    baseline: verdict(right === "both" || right === "baseline"),
    candidate: verdict(right === "both" || right === "candidate"),
  };
}

/** A generation of both runs, by which of them matches; similarity 1 where one does, else 0.6. */
function generation(item: string, right: Right): Pair {
  const verdict = (passed: boolean) =>
    makeVerdict({ item, form: "ACR", passed, values: { edit_similarity: passed ? 1 : 0.6 } });
  return {
    baseline: verdict(right === "both" || right === "baseline"),
    candidate: verdict(right === "both" || right === "candidate"),
  };
}

function runPair(pairs: readonly Pair[], forms: readonly VerdictForm[] = [CTR]): RunPair {
  const run = (verdicts: readonly Verdict[]) => makeRunVerdicts({ forms, verdicts });
  return {
    baseline: run(pairs.map(({ baseline }) => baseline)),
    candidate: run(pairs.map(({ candidate }) => candidate)),
  };
}

function compare(pairs: readonly Pair[], forms?: readonly VerdictForm[]): PairedRow[] {
  const [rows = []] = compareVerdicts([runPair(pairs, forms)], OPTIONS);
  return rows;
}

describe("compareVerdicts", () => {
  it("pairs items by name, in whatever order a run has its forms", () => {
    const hard = { form: HARD.name };
    const pairs = [pair("a", "baseline"), pair("a", "both", hard), pair("b", "both"), pair("b", "candidate", hard)];
    const { baseline, candidate } = runPair(pairs, [CTR, HARD]);
    const turned = makeRunVerdicts({ forms: [HARD, CTR], verdicts: candidate.verdicts.toReversed() });
    const [rows = []] = compareVerdicts([{ baseline, candidate: turned }], OPTIONS);
    expect(rows).toEqual(compare(pairs, [CTR, HARD]));
    expect(rows[0]).toMatchObject({ label: "CTR", onlyBaseline: 1, onlyCandidate: 0 });
  });

  it("counts who alone passes, and tests that by McNemar's exact test", () => {
    // b = 1, c = 8: p = 20/512. Shares (2 + 1)/12 and (2 + 8)/12.
    const rows = compare([
      ...["a", "b"].map((id) => pair(id, "both")),
      pair("c", "baseline"),
      ..."defghijk".split("").map((id) => pair(id, "candidate")),
      pair("l", "none"),
    ]);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      form: { task: "CTR", difficulty: null },
      label: "CTR",
      items: "questions",
      metric: "invariant_accuracy",
      examples: 12,
      onlyBaseline: 1,
      onlyCandidate: 8,
      test: "mcnemar_exact",
      pValue: 0.0390625,
      share: { n: 12, baseline: 3 / 12, candidate: 10 / 12, difference: 7 / 12 },
    });
    const { low, high } = rows[0]!.share.interval!;
    expect(low).toBeLessThan(7 / 12);
    expect(high).toBeGreaterThan(7 / 12);
    // Questions that are not passed are right under half: (3 + 9/2)/12 and (10 + 2/2)/12.
    expect(rows[0]!.values["mean_accuracy"]).toMatchObject({ n: 12, baseline: 7.5 / 12, candidate: 11 / 12 });
  });

  it("gives a row a form and one over all of a pool, where a cluster's items count as one observation", () => {
    const pairs = ["a", "b", "c"].flatMap((id) => [pair(id, "candidate"), pair(id, "candidate", { form: HARD.name })]);
    const rows = compare(pairs, [CTR, HARD]);
    expect(rows.map(({ label }) => label)).toEqual(["CTR", "CL hard", "all probes"]);
    // c = 3: 2/8, in each form and over all (three examples); six independent pairs would give 2/64.
    expect(rows.map(({ pValue }) => pValue)).toEqual([0.25, 0.25, 0.25]);
    expect(rows[2]).toMatchObject({
      form: null,
      examples: 3,
      test: "sign_flip_by_example",
      detectableDifference: null,
      judgements: null,
      share: { n: 6, difference: 1, interval: { high: 1 } },
    });
    // All three alike: of others a share of z²/(3 + z²) may be the other way round. 1 − 2 · 3.8414588/6.8414588.
    for (const { share } of rows) expect(share.interval?.low).toBeCloseTo(1 - 2 * 0.561497, 5);
  });

  it("adjusts the p-values over the tests of all runs", () => {
    // Up: c = 3, p = 0.25; same: p = 1. Benjamini-Hochberg over two: 0.25 * 2 / 1 = 0.5 and 1.
    const up = runPair(["a", "b", "c"].map((id) => pair(id, "candidate")));
    const same = runPair(["a", "b", "c"].map((id) => pair(id, "both")));
    const rows = compareVerdicts([up, same], OPTIONS);
    expect(rows.map(([row]) => row?.adjustedPValue)).toEqual([0.5, 1]);
  });

  it("has no interval and no detectable difference for a single cluster", () => {
    expect(compare([pair("a", "candidate")])[0]).toMatchObject({
      pValue: 1,
      detectableDifference: null,
      share: { interval: null },
    });
  });

  it("says nothing of values that an item has in one of the runs only", () => {
    const { baseline, candidate } = pair("a", "both");
    const stopped = { ...candidate, values: { mean_accuracy: null, plurality_agreement: null } };
    expect(compare([{ baseline, candidate: stopped }])[0]).toMatchObject({
      values: { mean_accuracy: null, plurality_agreement: null },
      share: { n: 1 },
    });
  });

  it("takes a mean over the items that have the value in both runs, and counts what was lost", () => {
    const failed = pair("b", "none", { lost: true, values: { mean_accuracy: null, plurality_agreement: null } });
    const [row] = compare([pair("a", "candidate"), failed]);
    expect(row?.values["mean_accuracy"]).toMatchObject({
      n: 1,
      baseline: 0.5,
      candidate: 1,
      difference: 0.5,
      interval: null,
    });
    expect(row?.share).toMatchObject({ n: 2, candidate: 0.5 });
    expect(row?.lost).toEqual({ baseline: 1, candidate: 1 });
  });

  it("leaves out what one of the runs did not judge, and forms of which nothing is left", () => {
    const { baseline, candidate } = pair("b", "both");
    const unjudged = { baseline, candidate: { ...candidate, passed: null } };
    expect(compare([pair("a", "candidate"), unjudged])[0]?.share).toMatchObject({ n: 1, difference: 1 });
    expect(compare([unjudged])).toEqual([]);
  });

  it("compares several pairs of runs, each as it would be alone", () => {
    const [up, down] = (["candidate", "baseline"] as const).map((right) =>
      runPair(["a", "b", "c"].map((id) => pair(id, right))),
    );
    const [first, second] = compareVerdicts([up!, down!], OPTIONS);
    const [alone] = compareVerdicts([up!], OPTIONS);
    // Alone there is one test to adjust for; of two equal p-values the adjusted one is the same: 0.25 * 2 / 2.
    expect(first).toEqual(alone);
    expect(second?.[0]).toMatchObject({ onlyBaseline: 3, onlyCandidate: 0, share: { difference: -1 } });
  });

  it("draws examples by the seed where there are 30 or more, and takes Student's t below", () => {
    const asked = (n: number) =>
      runPair(Array.from({ length: n }, (_, i) => pair(`${i}`, i % 3 === 0 ? "candidate" : "both")));
    const interval = (n: number, seed: number) => compareVerdicts([asked(n)], { seed, resamples: 200 })[0]?.[0]?.share;
    expect(interval(40, 1)).not.toEqual(interval(40, 2));
    expect(interval(29, 1)).toEqual(interval(29, 2));
  });

  it("has an interval that says what the test says", () => {
    // Five of 40 are right in the candidate alone: p = 2/32 > .05, though resamples without any of them are rare.
    const few = Array.from({ length: 40 }, (_, i) => pair(`${i}`, i < 5 ? "candidate" : "both"));
    const [row] = compare(few);
    expect(row?.pValue).toBe(0.0625);
    expect(row?.share.interval?.low).toBeLessThanOrEqual(0);
    // Six: p = 2/64.
    const [more] = compare(few.map((each, i) => (i === 5 ? pair("5", "candidate") : each)));
    expect(more?.share.interval?.low).toBeGreaterThan(0);
  });

  it("carries what each run's own score is worth", () => {
    const run = runPair([pair("a", "both")]);
    const below = makeJudgement({ state: "at_floor" });
    const candidate = { ...run.candidate, forms: [makeForm({ judgement: below })] };
    const [[row] = []] = compareVerdicts([{ ...run, candidate }], OPTIONS);
    expect(row?.judgements).toEqual({ baseline: makeJudgement(), candidate: below });
  });
});

describe("compareVerdicts of a form that goes with no other", () => {
  const failed = (verdict: Verdict): Verdict => ({
    ...verdict,
    passed: false,
    lost: true,
    values: { edit_similarity: null },
  });

  it("tests matches by McNemar's exact test, and has the similarity beside", () => {
    // b = 1, c = 8: p = 2 · (1 + 9) / 2^9 = 20/512. Matches (2 + 1)/12 and (2 + 8)/12.
    const [row] = compare(
      [
        ...["a", "b"].map((id) => generation(id, "both")),
        generation("c", "baseline"),
        ..."defghijk".split("").map((id) => generation(id, "candidate")),
        generation("l", "none"),
      ],
      [ACR],
    );
    expect(row).toMatchObject({
      form: { task: "ACR", difficulty: null },
      items: "generations",
      metric: "em",
      examples: 12,
      onlyBaseline: 1,
      onlyCandidate: 8,
      lost: { baseline: 0, candidate: 0 },
      test: "mcnemar_exact",
      pValue: 0.0390625,
      share: { n: 12, baseline: 3 / 12, candidate: 10 / 12, difference: 7 / 12 },
    });
    expect(row?.detectableDifference).toBeGreaterThan(0.3);
    // Similarities: (3 + 9 · 0.6)/12 = 0.7 and (10 + 2 · 0.6)/12 = 0.9333.
    const similarity = row!.values["edit_similarity"]!;
    expect(similarity.n).toBe(12);
    expect(similarity.baseline).toBeCloseTo(0.7, 12);
    expect(similarity.candidate).toBeCloseTo(11.2 / 12, 12);
    expect(similarity.interval!.low).toBeLessThan(2.8 / 12);
    expect(similarity.interval!.high).toBeGreaterThan(2.8 / 12);
  });

  it("takes what failed for no match and counts it as lost; it has no similarity", () => {
    const { baseline, candidate } = generation("b", "both");
    const pairs = [generation("a", "both"), { baseline, candidate: failed(candidate) }];
    expect(compare(pairs, [ACR])[0]).toMatchObject({
      onlyBaseline: 1,
      lost: { baseline: 0, candidate: 1 },
      share: { n: 2, candidate: 0.5 },
      values: { edit_similarity: { n: 1, difference: 0, interval: null } },
    });
  });

  it("has no similarity at all where each failed in one of the runs", () => {
    const { baseline, candidate } = generation("a", "both");
    expect(compare([{ baseline, candidate: failed(candidate) }], [ACR])[0]).toMatchObject({
      values: { edit_similarity: null },
      share: { n: 1, difference: -1 },
    });
  });

  it("is a row of its own after the row over the pool, which it does not enter", () => {
    const ids = ["a", "b"];
    const questions = ids.flatMap((id) => [pair(id, "candidate"), pair(id, "candidate", { form: HARD.name })]);
    const rows = compare([...questions, ...ids.map((id) => generation(id, "baseline"))], [CTR, HARD, ACR]);
    expect(rows.map(({ label }) => label)).toEqual(["CTR", "CL hard", "all probes", "ACR"]);
    expect(rows.map(({ share: { n, difference } }) => [n, difference])).toEqual([
      [2, 1],
      [2, 1],
      [4, 1],
      [2, -1],
    ]);
    expect(rows.slice(0, 3).map(({ share }) => share)).toEqual(
      compare(questions, [CTR, HARD]).map(({ share }) => share),
    );
    // One form of a pool needs no row over all.
    const one = compare([pair("a", "both"), ...ids.map((id) => generation(id, "baseline"))], [CTR, ACR]);
    expect(one.map(({ label }) => label)).toEqual(["CTR", "ACR"]);
  });
});
