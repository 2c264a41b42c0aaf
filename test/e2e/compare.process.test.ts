import { readdirSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { type ComparedDocument, RunsToCompare, rowNamed } from "../fixtures/comparison.js";
import type { JournalRecord } from "../fixtures/journal-file.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

// 16 examples: 16 CTR and 16 CL questions.
const runs = new RunsToCompare(temporaryFolder(), ["--task", "CTR,CL", "--difficulty", "hard", "--limit", "16"]);

/** Wrong under one of the six orders. */
const wrongOnce = (answer: JournalRecord) =>
  answer["permutation"] === "012" ? { ...answer, chosen_symbol: "B" } : answer;

beforeAll(async () => {
  const tiny = runs.run("tiny", "tiny");
  await runs.run("oracle", "scripted:oracle");
  await runs.run("a", "scripted:always-A");
  await runs.run("b", "scripted:always-B");
  for (const seed of ["1", "2"]) await runs.run(`uniform-${seed}`, "scripted:uniform", "--seed", seed);
  await runs.run("one-wrong", runs.scriptFrom("oracle", "one-wrong", [8], wrongOnce));
  await runs.run("eight-wrong", runs.scriptFrom("oracle", "eight-wrong", [0, 1, 2, 3, 4, 5, 6, 7], wrongOnce));
  await tiny;
});

describe("six runs with known relations", () => {
  const NAMES = ["oracle", "tiny", "a", "b", "uniform-1", "uniform-2"];
  /** Questions right under all orders, CTR and CL. `tiny` has 10 of 16 CTR right; letters and guesses none. */
  const RIGHT: Readonly<Record<string, readonly [number, number]>> = { oracle: [16, 16], tiny: [10, 0] };
  let document: ComparedDocument;

  beforeAll(async () => {
    document = await runs.compareJson(...NAMES, "--all-pairs");
  });

  it("have the p-values worked out by hand", () => {
    // 15 pairs × (CTR, CL, all).
    expect(document.comparisons).toHaveLength(15);
    expect(document.method.tests).toBe(45);
    for (const { baseline, candidate, rows } of document.comparisons) {
      const [first, second] = [RIGHT[baseline.folder] ?? [0, 0], RIGHT[candidate.folder] ?? [0, 0]];
      // The right questions of the weaker run are among those of the stronger: all d discordant pairs lie on one side,
      // p = 2 · (1/2)^d. Over all probes an example counts once: 16 examples wherever CL differs.
      const [ctr, cl] = [first[0] - second[0], first[1] - second[1]];
      const oneSided = (d: number) => (d === 0 ? 1 : 2 / 2 ** d);
      expect(rows.map((row) => row.p_value)).toEqual([oneSided(ctr), oneSided(cl), oneSided(Math.max(ctr, cl))]);
    }
  });

  it("are told apart exactly where they differ by more than 45 tests find by chance", () => {
    // Ranks 1-14: the oracle against letters and guesses (4 × 3) and tiny (CL, all), 2^-15 · 45/14. Ranks 15-22: tiny
    // against letters and guesses (4 × CTR, all), 2^-9 · 45/22 = 0.0040. Rank 23: the oracle against tiny on CTR, six
    // questions, 2^-5 · 45/23 = 0.061: no difference once 45 tests are counted. The rest: 1.
    const expected: readonly number[] = [
      ...Array<number>(14).fill((2 ** -15 * 45) / 14),
      ...Array<number>(8).fill((2 ** -9 * 45) / 22),
      (2 ** -5 * 45) / 23,
    ];
    const rows = document.comparisons.flatMap(({ baseline, candidate, rows: own }) =>
      own.map((row) => ({ name: `${baseline.folder} ${candidate.folder} ${row.task ?? "all"}`, p: row.p_adjusted })),
    );
    const adjusted = rows.map(({ p }) => p).sort((left, right) => left - right);
    for (const [i, p] of adjusted.entries()) expect(p).toBeCloseTo(expected[i] ?? 1, 12);
    const zero = ["a", "b", "uniform-1", "uniform-2"];
    const found = rows.filter(({ p }) => p <= 0.05).map(({ name }) => name);
    expect(found.sort()).toEqual(
      [
        ...zero.flatMap((name) => ["CTR", "CL", "all"].map((row) => `oracle ${name} ${row}`)),
        "oracle tiny CL",
        "oracle tiny all",
        ...zero.flatMap((name) => ["CTR", "all"].map((row) => `tiny ${name} ${row}`)),
      ].sort(),
    );
  });

  it("have equal mean accuracies where they always say a letter, and intervals around 0 where they guess", () => {
    const rowsOf = (first: string, second: string) =>
      document.comparisons.find(({ baseline, candidate }) => baseline.folder === first && candidate.folder === second)!
        .rows;
    // Each letter is right under 1/3 of the orders of every CTR question, and 1/4 of those of every CL question.
    for (const { mean_accuracy: mean } of rowsOf("a", "b")) {
      // None differs; of others a share of up to z²/(16 + z²) may: 3.8414588/19.8414588.
      expect(mean?.difference).toBe(0);
      expect(mean?.ci_high).toBeCloseTo(0.193608, 5);
    }
    // One interval in twenty misses 0 by chance: allow each half its width more on both sides.
    for (const { mean_accuracy: mean } of rowsOf("uniform-1", "uniform-2")) {
      const { ci_low: low, ci_high: high } = mean!;
      expect(high).toBeGreaterThan(low);
      expect(low - (high - low) / 2).toBeLessThan(0);
      expect(high + (high - low) / 2).toBeGreaterThan(0);
    }
  });

  it("are compared with the first unless --all-pairs asks for more", async () => {
    const { comparisons } = await runs.compareJson("oracle", "a", "b");
    const pairs = comparisons.map(({ baseline, candidate }) => `${baseline.folder} ${candidate.folder}`);
    expect(pairs).toEqual(["oracle a", "oracle b"]);
  });

  it("have intervals by Student's t, as they are 16 examples, whatever the --seed, which is told", async () => {
    const [first, other] = await Promise.all(
      ["3", "4"].map(
        async (seed) =>
          JSON.parse(
            (await runs.compare("uniform-1", "uniform-2", "--json", "--seed", seed)).stdout,
          ) as ComparedDocument,
      ),
    );
    expect([first?.method.seed, other?.method.seed]).toEqual([3, 4]);
    expect(rowNamed(other!, "overall")).toEqual(rowNamed(first!, "overall"));
  });
});

describe("two runs that are each right where the other is not", () => {
  it("are tested by their nine discordant pairs, one against eight, and left as they were", async () => {
    const [files, journal] = [readdirSync(runs.path("one-wrong")), runs.journal("one-wrong")];
    const row = rowNamed(await runs.compareJson("eight-wrong", "one-wrong"), "CTR");
    // 2 · (C(9,0) + C(9,1)) / 2^9 = 20/512; the difference is (15 − 8)/16.
    expect(row).toMatchObject({ only_baseline: 1, only_candidate: 8, p_value: 0.0390625 });
    expect(row.invariant_accuracy).toMatchObject({ n: 16, difference: 7 / 16 });
    expect(row.invariant_accuracy.ci_low).toBeLessThan(7 / 16);
    expect(row.invariant_accuracy.ci_high).toBeGreaterThan(7 / 16);
    expect(readdirSync(runs.path("one-wrong"))).toEqual(files);
    expect(runs.journal("one-wrong")).toEqual(journal);
  });

  it("print a table without --json", async () => {
    const { code, stdout } = await runs.compare("eight-wrong", "one-wrong");
    expect(code).toBe(0);
    expect(stdout).toMatch(/│ +1 \/ 8 │/);
    // Over CTR and all p is 0.039, over CL 1: adjusted 0.039 · 3/2 = 0.059.
    expect(stdout).toContain("CTR: no difference shown, as all tests are counted");
  });
});

describe("--fail-under", () => {
  it("ends with exit code 5 when a difference is below it, naming the probe on standard error", async () => {
    const { code, stdout, stderr } = await runs.compare("one-wrong", "eight-wrong", "--fail-under", "-0.2", "--json");
    expect(code).toBe(5);
    // CTR drops by 7/16, all by 7/32 = 0.219, CL not at all.
    expect(stderr).toBe(
      "eight-wrong, CTR: difference -0.4375 is under -0.2 (--fail-under)\n" +
        "eight-wrong, all probes: difference -0.2188 is under -0.2 (--fail-under)\n",
    );
    const { fail_under: result } = JSON.parse(stdout) as ComparedDocument;
    expect(result).toMatchObject({ threshold: -0.2, passed: false });
    expect(result?.below).toHaveLength(2);
  });

  it("passes a difference that is just allowed, and no difference at 0; asks for a gain when positive", async () => {
    expect((await runs.compare("one-wrong", "eight-wrong", "--fail-under", "-0.4375")).code).toBe(0);
    expect((await runs.compare("a", "b", "--fail-under=0")).code).toBe(0);
    expect((await runs.compare("a", "b", "--fail-under=0.01")).code).toBe(5);
  });

  it("takes one baseline", async () => {
    const { code, stdout } = await runs.compare("a", "b", "--all-pairs", "--fail-under", "0");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  });
});
