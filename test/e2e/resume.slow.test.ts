import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { seededIntegers } from "../../src/base/random.js";
import { runProbe, startProbe } from "../fixtures/cli.js";
import { journalRecords, recordCount, rewriteJournal } from "../fixtures/journal-file.js";
import { readRecord } from "../fixtures/record.js";
import { MINI } from "../fixtures/reference.js";
import { comparableTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const TABLES = ["answers.csv", "questions.csv", "summary.csv"];
/** Twenty with `PROBE_SLOW_TESTS=1`. */
const KILLS = process.env["PROBE_SLOW_TESTS"] === "1" ? 20 : 3;
const ASKED = ["--model", "tiny", "--dataset", MINI, "--limit", "3", "--task", "CTR,CL", "--difficulty", "easy"];
const args = (out: string) => ["run", ...ASKED, "--out", out];
const journal = (out: string) => join(out, "answers.jsonl");
const answers = (out: string) => recordCount(journal(out));

describe("a run with ACR", () => {
  const acr = (out: string) => [
    "run",
    "--model",
    "tiny",
    "--dataset",
    "starter",
    "--limit",
    "4",
    "--task",
    "ACR,CTR",
    "--difficulty",
    "easy",
    "--out",
    out,
  ];
  const generated = (out: string) => recordCount(join(out, "generations.jsonl"));

  // `kill-points.slow` resumes each state of the disk of a run with generations, asked of a script.
  it.runIf(process.env["PROBE_SLOW_TESTS"] === "1")(
    "killed between and in generations, ends with the tables of an uninterrupted run",
    async () => {
      const [whole, out] = [join(folder, "acr-whole"), join(folder, "acr-killed")];
      expect((await runProbe(acr(whole))).code).toBe(0);
      for (const [kill, afterMs] of [0, 40].entries()) {
        const { child, result } = startProbe(acr(out));
        while (generated(out) <= kill && child.exitCode === null) await sleep(2);
        await sleep(afterMs);
        child.kill("SIGKILL");
        expect((await result).signal).toBe("SIGKILL");
      }
      const { code, stderr } = await runProbe(["run", "--resume", out]);
      expect(stderr).toMatch(/24 of 24 answers and [123] of 4 generations are there; asking the rest\./);
      expect(code).toBe(0);
      for (const table of [...TABLES, "generations.csv"]) {
        expect(comparableTable(out, table)).toEqual(comparableTable(whole, table));
      }
      // No generation is asked for twice.
      expect([answers(out), generated(out)]).toEqual([24, 4]);
    },
  );
});

describe("a run of the bundled model", () => {
  const whole = join(folder, "whole");

  beforeAll(async () => {
    expect((await runProbe(args(whole))).code).toBe(0);
  });

  it(`killed at ${KILLS} random moments (20 with PROBE_SLOW_TESTS=1) and resumed each time, ends with the tables of an uninterrupted run`, async () => {
    const out = join(folder, "killed");
    const draw = seededIntegers(20);
    const total = answers(whole);
    for (let kill = 0; kill < KILLS; kill++) {
      const target = Math.min(total - 2, answers(out) + draw(1, Math.ceil((2 * total) / KILLS) - 1));
      const { child, result } = startProbe(args(out));
      while (answers(out) < target && child.exitCode === null) await sleep(2);
      await sleep(draw(0, 10));
      child.kill("SIGKILL");
      expect((await result).signal ?? "ended").toMatch(/SIGKILL|ended/);
    }
    expect((await runProbe(["run", "--resume", out])).code).toBe(0);
    for (const table of TABLES) expect(comparableTable(out, table)).toEqual(comparableTable(whole, table));
    // No answered call is made twice: the journal has as many records as there are orders.
    expect(answers(out)).toBe(total);
  });

  it("goes on by the same command under results/, without --out", async () => {
    const cwd = join(folder, "here");
    const results = join(cwd, "results");
    cpSync(whole, join(cwd, "elsewhere"), { recursive: true });
    const same = ["run", ...ASKED];
    const { child, result } = startProbe(same, { cwd });
    const hasBegun = () => existsSync(results) && readdirSync(results).some((name) => answers(join(results, name)) > 0);
    while (!hasBegun() && child.exitCode === null) await sleep(2);
    child.kill("SIGKILL");
    expect((await result).signal).toBe("SIGKILL");
    const { code, stdout, stderr } = await runProbe([...same, "--json"], { cwd });
    expect(stderr).toMatch(/^Resuming results\//);
    expect(code).toBe(0);
    const outcome = JSON.parse(stdout) as { folder: string; run: { counts: { chosen: number } } };
    // 3 examples: 3 · 6 of CTR, 3 · 24 of CL.
    expect(outcome.run.counts.chosen).toBe(18 + 72);
    expect([outcome.folder]).toEqual(readdirSync(results).map((name) => join("results", name)));
    expect(answers(join(cwd, outcome.folder))).toBe(18 + 72);
  });

  it("drops a torn last line with a message, and asks its question again", async () => {
    const out = join(folder, "torn");
    cpSync(whole, out, { recursive: true });
    const text = readFileSync(journal(out), "utf8");
    const lastLine = text.lastIndexOf("\n", text.length - 2) + 1;
    writeFileSync(journal(out), text.slice(0, lastLine + 40));
    const { code, stderr } = await runProbe(args(out));
    expect(stderr).toMatch(/Dropped a torn last line of answers\.jsonl \(40 bytes\)/);
    expect(code).toBe(0);
    for (const table of TABLES) expect(comparableTable(out, table)).toEqual(comparableTable(whole, table));
  });

  it("asks nothing twice when it is complete", async () => {
    const { code, stderr } = await runProbe(args(whole));
    expect(stderr).toContain("nothing is left to ask");
    expect(code).toBe(0);
  });

  it("is scored again to the same bytes, without a model", async () => {
    const out = join(folder, "scored");
    cpSync(whole, out, { recursive: true });
    for (const table of TABLES) rmSync(join(out, table));
    expect((await runProbe(["score", out])).code).toBe(0);
    for (const table of TABLES) expect(readFileSync(join(out, table))).toEqual(readFileSync(join(whole, table)));
  });

  it("says so when it was complete and lacks lines now, and asks them again when told to", async () => {
    const out = join(folder, "lacking");
    cpSync(whole, out, { recursive: true });
    rewriteJournal(journal(out), journalRecords(journal(out)).slice(0, -3));
    const scored = await runProbe(["score", out]);
    expect(scored.stdout).toContain(
      "Missing from the journals of a run that was complete: 1 of 6 questions with orders",
    );
    expect(scored.stdout).toContain(`probe run --resume ${out}`);
    expect((await runProbe(["run", "--resume", out])).code).toBe(0);
    for (const table of TABLES) expect(comparableTable(out, table)).toEqual(comparableTable(whole, table));
    expect(answers(out)).toBe(answers(whole));
  });

  it("refuses a journal in which a line was changed by hand, naming it", async () => {
    const out = join(folder, "changed");
    cpSync(whole, out, { recursive: true });
    const all = readFileSync(journal(out), "utf8").split("\n");
    all[4] = all[4]!.replace(/"chosen_symbol":"[A-D]"/, '"chosen_symbol":"X"');
    writeFileSync(journal(out), all.join("\n"));
    const { code, stderr } = await runProbe(["score", out]);
    expect(stderr).toMatch(/answers\.jsonl:5: expected an answer of a run, found a damaged line \(its checksum is /);
    expect(code).toBe(2);
  });

  it("refuses a journal with a damaged line in the middle, naming it", async () => {
    const out = join(folder, "damaged");
    cpSync(whole, out, { recursive: true });
    const all = readFileSync(journal(out), "utf8").split("\n");
    all[4] = all[4]!.slice(0, 30);
    writeFileSync(journal(out), all.join("\n"));
    const { code, stderr } = await runProbe(["score", out]);
    expect(stderr).toMatch(/answers\.jsonl:5: expected an answer of a run, found a damaged line/);
    expect(code).toBe(2);
  });

  const OTHERS: [string, string[], RegExp][] = [
    ["model", ["--model", "scripted:oracle"], /model: the run has "tiny", this command "scripted:oracle"/],
    ["dataset", ["--dataset", "starter"], /dataset sha256: the run has /],
    ["task", ["--task", "CL"], /parameter tasks: the run has \["CTR","CL"\], this command \["CL"\]/],
    ["mode", ["--mode", "exact"], /parameter mode: the run has "fast", this command "exact"/],
    [
      "selection",
      ["--limit", "2"],
      /dataset selected: the run has 3, this command 2\n {2}parameter limit: the run has 3, /,
    ],
    ["model setting", ["--model-arg", "kvCache=F16"], /model kv_cache: the run has "F32", this command "F16"/],
  ];

  it.each(OTHERS)("is not resumed with another %s; the difference is named", async (_, other, says) => {
    const before = readFileSync(journal(whole), "utf8");
    const { code, stderr } = await runProbe(["run", "--resume", whole, ...other]);
    expect(stderr).toMatch(says);
    expect(stderr).toContain("Nothing was changed");
    expect(code).toBe(2);
    expect(readFileSync(journal(whole), "utf8")).toBe(before);
  });

  it("is not resumed with another prompt; the prompt is named", async () => {
    const out = join(folder, "prompt");
    cpSync(whole, out, { recursive: true });
    const path = join(out, "run.json");
    const run = readRecord<{ prompts: { id: string; sha256: string }[] }>(path);
    run.prompts[1]!.sha256 = "f".repeat(64);
    writeFileSync(path, JSON.stringify(run));
    const { code, stderr } = await runProbe(["run", "--resume", out]);
    expect(stderr).toMatch(/prompt paper\/CL: the run has "ffff/);
    expect(code).toBe(2);
  });

  it("stops in order on an interrupt: exit code 130, and how to go on", async () => {
    const out = join(folder, "interrupted");
    const { child, result } = startProbe([...args(out), "--json"]);
    while (answers(out) < 5) await sleep(5);
    child.kill("SIGINT");
    const { code, stdout, stderr } = await result;
    expect(code).toBe(130);
    expect(stderr).toContain(`probe run --resume ${out}`);
    // 3 examples: 3 · 6 of CTR, 3 · 24 of CL.
    const records = [{ name: "answers", planned: 18 + 72, recorded: answers(out) }];
    expect(JSON.parse(stdout)).toEqual({ schema_version: 1, status: "interrupted", folder: out, records });
    expect((await runProbe(["run", "--resume", out])).code).toBe(0);
    for (const table of TABLES) expect(comparableTable(out, table)).toEqual(comparableTable(whole, table));
  });

  it("is not written by two processes at once", async () => {
    const out = join(folder, "locked");
    const { child, result } = startProbe(args(out));
    while (answers(out) < 1) await sleep(5);
    // It waits for the second one, however quick it is.
    child.kill("SIGSTOP");
    const second = await runProbe(args(out));
    child.kill("SIGCONT");
    expect(second.stderr).toMatch(/in use by process \d+/);
    expect(second.code).toBe(2);
    expect((await result).code).toBe(0);
  });

  it("takes over the lock of a process that was killed", async () => {
    const out = join(folder, "stale");
    cpSync(whole, out, { recursive: true });
    // No process has this number: it is above what Linux gives out.
    appendFileSync(join(out, "run.lock"), "4194999\n");
    expect((await runProbe(args(out))).code).toBe(0);
    expect(existsSync(join(out, "run.lock"))).toBe(false);
  });
});
