import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type ComparedDocument, RunsToCompare, rowNamed } from "../fixtures/comparison.js";
import { journalRecords, rewriteJournal } from "../fixtures/journal-file.js";
import { jsonl } from "../fixtures/jsonl.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const runs = new RunsToCompare(temporaryFolder(), ["--task", "ACR", "--limit", "16"]);

const journal = (name: string) => join(runs.path(name), "generations.jsonl");

/** A scripted model that writes the right revisions, but nothing for these examples; or fails, where `isLost`. */
function without(file: string, examples: readonly number[], isLost = false): string {
  const lines = journalRecords(journal("oracle")).flatMap((line, i) =>
    examples.includes(i) ? (isLost ? [] : [{ ...line, generation: "" }]) : [line],
  );
  const path = runs.path(`${file}.jsonl`);
  writeFileSync(path, jsonl(...lines));
  return `scripted:${path}`;
}

beforeAll(async () => {
  await runs.run("oracle", "scripted:oracle");
  await runs.run("one-wrong", without("one-wrong", [8]));
  await runs.run("eight-wrong", without("eight-wrong", [0, 1, 2, 3, 4, 5, 6, 7]));
  await runs.run("with-ctr", "scripted:oracle", "--task", "CTR");
});

describe("two runs with only ACR", () => {
  it("have the p-value and the differences worked out by hand", async () => {
    const document = await runs.compareJson("eight-wrong", "one-wrong");
    expect(document.comparisons[0]).toMatchObject({ examples: 16, questions: 0, generations: 16 });
    expect(document.comparisons[0]?.rows).toHaveLength(1);
    const row = rowNamed(document, "ACR");
    // 2 · (C(9,0) + C(9,1)) / 2^9 = 20/512; one test, so nothing to adjust; the difference is (15 − 8)/16.
    expect(row).toMatchObject({
      scope: "form",
      metric: "em",
      only_baseline: 1,
      only_candidate: 8,
      test: "mcnemar_exact",
      p_value: 0.0390625,
      p_adjusted: 0.0390625,
      invariant_accuracy: null,
      mean_accuracy: null,
      em: { n: 16, baseline: 8 / 16, candidate: 15 / 16, difference: 7 / 16 },
      // Nothing written is similar to nothing: the similarities are those shares too.
      edit_similarity: { n: 16, baseline: 8 / 16, candidate: 15 / 16, difference: 7 / 16 },
    });
    expect(row.detectable_difference).toBeGreaterThan(0.3);
    for (const { ci_low: low, ci_high: high } of [row.em!, row.edit_similarity!]) {
      expect(low).toBeLessThan(7 / 16);
      expect(low).toBeGreaterThan(0);
      expect(high).toBeGreaterThan(7 / 16);
    }
  });

  it("print a table", async () => {
    const { code, stdout } = await runs.compare("eight-wrong", "one-wrong");
    expect(code).toBe(0);
    expect(stdout).toContain("16 examples, 16 generations, the same in both runs");
    expect(stdout).toMatch(/Exact match\n/);
    expect(stdout).toMatch(/│ ACR +│ +16 │ +50\.0 % │ +93\.8 % │ +\+43\.8 pp /);
    expect(stdout).toMatch(/│ edit similarity │/);
    expect(stdout).toMatch(/│ ACR +│ +16 │ +50\.0 % \/ 93\.8 % │ +\+43\.8 pp /);
    expect(stdout).toContain("ACR: the candidate is better by 43.8 pp");
    expect(stdout).not.toContain("mean accuracy");
  });

  it("end with exit code 5 when em drops by more than --fail-under allows", async () => {
    const { code, stdout, stderr } = await runs.compare("one-wrong", "eight-wrong", "--fail-under", "-0.2", "--json");
    expect(code).toBe(5);
    expect(stderr).toBe("eight-wrong, ACR: difference -0.4375 is under -0.2 (--fail-under)\n");
    const { fail_under: result } = JSON.parse(stdout) as ComparedDocument;
    expect(result).toMatchObject({ passed: false, below: [{ task: "ACR", metric: "em", difference: -0.4375 }] });
    const junit = runs.path("compare.xml");
    expect((await runs.compare("one-wrong", "eight-wrong", "--fail-under", "-0.4375", "--junit", junit)).code).toBe(0);
    // 15 and 8 of 16 match.
    expect(readFileSync(junit, "utf8")).toContain("baseline 0.9375, candidate 0.5000, 16 generations");
  });

  it("count a failed generation as not matched, and say how many", async () => {
    await runs.run("partial", without("partial", [2], true));
    const row = rowNamed(await runs.compareJson("oracle", "partial"), "ACR");
    expect(row).toMatchObject({
      only_baseline: 1,
      lost_baseline: 0,
      lost_candidate: 1,
      em: { n: 16, difference: -1 / 16 },
      edit_similarity: { n: 15, difference: 0 },
    });
    const { stdout } = await runs.compare("oracle", "partial");
    expect(stdout).toContain(
      "Lost only because something failed, was undecided or is missing; they count as not passed:",
    );
    expect(stdout).toContain("  ACR: baseline 0, candidate 1");
  });
});

describe("two runs with ACR and a probe", () => {
  it("have both in one table, adjusted together; no row averages them", async () => {
    await runs.run("letter", "scripted:always-A", "--task", "CTR");
    const document = await runs.compareJson("with-ctr", "letter");
    expect(document.method.tests).toBe(2);
    expect(document.comparisons[0]?.rows.map(({ task, metric }) => [task, metric])).toEqual([
      ["CTR", "invariant_accuracy"],
      ["ACR", "em"],
    ]);
    // All 16 are right in one run and wrong in the other, in both: 2/2^16.
    expect(document.comparisons[0]?.rows.map((row) => row.p_adjusted)).toEqual([2 ** -15, 2 ** -15]);
  });
});

describe("runs with ACR that cannot be compared", () => {
  it("with a run without ACR are refused, naming it", async () => {
    const ctr = new RunsToCompare(runs.folder, ["--task", "CTR", "--limit", "16"]);
    await ctr.run("ctr", "scripted:oracle");
    const { code, stdout, stderr } = await runs.compare("with-ctr", "ctr");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("  probe ACR: 16 questions and not asked\n");
    expect((await runs.compare("oracle", "ctr")).stderr).toContain("  probe CTR: not asked and 16 questions\n");
  });

  it("are unfinished: it is said how to go on", async () => {
    cpSync(runs.path("one-wrong"), runs.path("cut"), { recursive: true });
    rewriteJournal(journal("cut"), journalRecords(journal("cut")).slice(0, -1));
    const { code, stderr } = await runs.compare("oracle", "cut");
    expect(code).toBe(2);
    expect(stderr).toContain("found 1 of 16 generations missing");
    expect(stderr).toContain("probe run --resume cut");
  });
});
