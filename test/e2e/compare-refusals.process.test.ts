import { cpSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { RunsToCompare, rowNamed } from "../fixtures/comparison.js";
import { rewriteJournal } from "../fixtures/journal-file.js";
import { MINI } from "../fixtures/reference.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

// Six examples: 6 CTR and 6 CL questions.
const runs = new RunsToCompare(temporaryFolder(), ["--task", "CTR,CL", "--difficulty", "hard", "--dataset", MINI]);

beforeAll(async () => {
  await runs.run("oracle", "scripted:oracle");
  await runs.run("a", "scripted:always-A");
});

describe("runs that cannot be compared", () => {
  it("over other examples are refused with exit code 2, naming the difference", async () => {
    await runs.run("fewer", "scripted:always-A", "--limit", "5");
    const { code, stdout, stderr } = await runs.compare("oracle", "fewer");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/oracle and fewer differ:\n {2}examples: 6 and 5 of the dataset's 6, not the same ones/);
  });

  it("over another dataset are refused", async () => {
    const starter = new RunsToCompare(runs.folder, ["--task", "CTR", "--limit", "6"]);
    await starter.run("starter", "scripted:always-A");
    const { code, stderr } = await runs.compare("oracle", "starter");
    expect(code).toBe(2);
    expect(stderr).toMatch(/ {2}dataset: .*mini\.jsonl \(sha256 [0-9a-f]{12}…\) and starter \(sha256 /);
    expect(stderr).toContain("probe CL hard: 6 questions and not asked");
  });

  it("one run twice, a copy, and one run alone are refused", async () => {
    cpSync(runs.path("a"), runs.path("copy"), { recursive: true });
    const twice = await runs.compare("a", join("..", basename(runs.folder), "a"));
    expect(twice.code).toBe(2);
    expect(twice.stderr).toContain("(one folder)");
    expect((await runs.compare("a", "copy")).stderr).toContain(
      "found one of them twice: a and copy (both have the run",
    );
    expect((await runs.compare("a")).stderr).toContain("Expected two or more runs to compare, found 1");
  });

  it("a folder without a run, and bad options, are refused", async () => {
    expect((await runs.compare("a", "nowhere")).stderr).toMatch(/Expected a folder of a run,.* nowhere/);
    const threshold = await runs.compare("oracle", "a", "--fail-under", "7");
    expect(threshold).toMatchObject({ code: 2, stdout: "" });
    expect(threshold.stderr).toContain("Expected a difference from -1 to 1 for --fail-under");
    expect((await runs.compare("oracle", "a", "--seed", "x")).stderr).toContain("for --seed");
  });

  it("an unfinished run is refused, saying how to go on", async () => {
    cpSync(runs.path("a"), runs.path("cut"), { recursive: true });
    rewriteJournal(runs.journalPath("cut"), runs.journal("cut").slice(0, -3));
    const { code, stderr } = await runs.compare("oracle", "cut");
    expect(code).toBe(2);
    expect(stderr).toContain("found 1 of 12 questions with orders that have no answer yet");
    expect(stderr).toContain("probe run --resume cut");
  });
});

describe("runs with failed answers, and runs that stopped early", () => {
  it("count lost questions as not right, and say how many", async () => {
    await runs.run(
      "partial",
      runs.scriptFrom("oracle", "partial", [2], () => null),
    );
    const row = rowNamed(await runs.compareJson("oracle", "partial"), "CTR");
    expect(row).toMatchObject({
      only_baseline: 1,
      lost_candidate: 1,
      invariant_accuracy: { n: 6, difference: -1 / 6 },
    });
    expect((await runs.compare("oracle", "partial")).stdout).toContain("  CTR: baseline 0, candidate 1");
  });

  it("keep invariant accuracy with --early-stop; mean accuracy is that of the order asked first", async () => {
    await runs.run("early", "scripted:always-A", "--early-stop");
    const row = rowNamed(await runs.compareJson("oracle", "early"), "CTR");
    // All six discordant: 2 / 2^6.
    expect(row).toMatchObject({ p_value: 0.03125, mean_accuracy: { n: 6, baseline: 1 } });
    // Six questions, each right or wrong under one order.
    expect(((row.mean_accuracy?.candidate ?? 0) * 6) % 1).toBe(0);
    expect(row.mean_accuracy?.candidate).toBeLessThan(1);
    expect((await runs.compare("oracle", "early")).stdout).toContain(
      "The runs also differ in: early_stop false / true",
    );
  });
});
