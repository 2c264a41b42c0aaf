import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { runProbe, startProbe } from "../fixtures/cli.js";
import { arithmetic } from "../fixtures/suites/arithmetic/entry.js";
import { buildProgram } from "../fixtures/suites/build.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const [right, wrong] = [join(folder, "right"), join(folder, "wrong")];
const env = { GITHUB_STEP_SUMMARY: join(folder, "summary.md") };
const probe = (...args: readonly string[]) => runProbe(args, { more: [arithmetic], cwd: folder, env });
const sums = (out: string, ...rest: readonly string[]) => ["suite", "run", "arithmetic", "--out", out, ...rest];
const text = (...path: readonly string[]) => readFileSync(join(folder, ...path), "utf8");

beforeAll(async () => {
  expect(await probe(...sums(right, "--model", "scripted:oracle"))).toMatchObject({ code: 0 });
  expect(await probe(...sums(wrong, "--model", "scripted:always-A"))).toMatchObject({ code: 0 });
});

describe("a suite of twelve sums: a folder of its own, and one line where the suites are listed", () => {
  it("is listed beside the suite that comes with the program, and has a help of its own", async () => {
    const { stdout } = await probe("suite", "list");
    expect(stdout).toMatch(/^codereviewqa: code review questions/m);
    expect(stdout).toMatch(/^arithmetic: short sums, answered in free text$/m);
    const help = await probe("suite", "run", "arithmetic", "--help");
    expect(help.stdout).toMatch(/--count +how many sums are asked/);
    expect(help.stdout).toContain("--resume");
    expect(help.stdout).not.toContain("--task");
  });

  it("has a command of its own under `probe suite`, which takes files and options", async () => {
    expect(await probe("suite", "stats", "arithmetic", "a.csv", "b.csv", "--loud")).toMatchObject({
      code: 0,
      stdout: "2 files!\n",
    });
    expect((await probe("suite", "stats", "arithmetic", "--help")).stdout).toMatch(/--loud +say it aloud/);
    const other = await probe("suite", "stats", "codereviewqa");
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining("Unknown argument: codereviewqa") });
  });

  it("runs no module that its data name until that is trusted, and no more once it has changed", async () => {
    const [data, ran] = [join(folder, "data"), join(folder, "ran")];
    const module = join(data, "first.mjs");
    const trusting = { ...env, PROBE_TRUST_FILE: join(folder, "trust.json") };
    const trusted = (...args: readonly string[]) => runProbe(args, { more: [arithmetic], cwd: folder, env: trusting });
    const run = (out: string) => trusted(...sums(out, "--model", "scripted:oracle", "--data", data));
    mkdirSync(data);
    writeFileSync(join(data, "data.json"), '{"module":"./first.mjs"}');
    const source = `process.getBuiltinModule("fs").writeFileSync(${JSON.stringify(ran)}, "");\n`;
    writeFileSync(module, source);
    const refused = await run("untrusted");
    expect(refused.stderr).toContain(`found ./first.mjs in data.json`);
    expect(refused.stderr).toContain(`\n  probe trust add --module ${module}\n`);
    expect([refused.code, existsSync(ran)]).toEqual([2, false]);
    expect((await trusted("trust", data)).stdout).toContain("not trusted");
    expect((await trusted("trust", "add", data, "--yes")).code).toBe(0);
    expect([(await run("trusted")).code, existsSync(ran)]).toEqual([0, true]);
    rmSync(ran);
    writeFileSync(module, `${source}console.log("more");\n`);
    const changed = await run("changed");
    expect(changed.stderr).toContain("it has changed since");
    expect([changed.code, existsSync(ran)]).toEqual([2, false]);
  });

  it("is dropped by the program that does not list it", async () => {
    const { code, stderr } = await runProbe(["score", right]);
    expect(code).toBe(2);
    expect(stderr).toBe(
      'probe: Expected a suite (codereviewqa, refactorbench, swe-atlas, codetaste, smellbench, harbor), found "arithmetic".\n',
    );
  });

  it("keeps a record and a table that say which suite and which sums they are of", () => {
    const run = JSON.parse(text("right", "run.json"));
    expect(run).toMatchObject({
      suite: "arithmetic",
      status: "complete",
      sums: 12,
      parameters: { count: 12, seed: 0 },
    });
    // 0 + 0, then 3 + 11: the first two of seed 0.
    expect(text("right", "sums.csv").split("\r\n").slice(0, 3)).toEqual([
      "run_id,model,index,expected,text,passed",
      `${run.run_id},scripted:oracle,0,0,0,true`,
      `${run.run_id},scripted:oracle,1,14,14,true`,
    ]);
    expect(JSON.parse(text("right", "datapackage.json")).resources.map(({ path }: { path: string }) => path)).toEqual([
      "sums.csv",
    ]);
  });

  it("goes on after a kill, and ends with the table of a run that was never killed", async () => {
    const [whole, killed] = [join(folder, "whole"), join(folder, "killed")];
    const asked = ["--model", "scripted:oracle", "--count", "60"];
    const recorded = () =>
      existsSync(join(killed, "sums.jsonl")) ? text("killed", "sums.jsonl").split("\n").length : 0;
    expect((await probe(...sums(whole, ...asked))).code).toBe(0);
    const program = await buildProgram("arithmetic/main.ts");
    const { child, result } = startProbe(sums(killed, ...asked, "--pause", "30"), { program, cwd: folder });
    while (recorded() < 12 && child.exitCode === null) await sleep(5);
    child.kill("SIGKILL");
    expect((await result).signal).toBe("SIGKILL");
    const { code, stderr } = await probe("suite", "run", "arithmetic", "--resume", killed);
    expect(stderr).toMatch(/\d+ of 60 sums are there; asking the rest\./);
    expect(code).toBe(0);
    // A header, and each sum once.
    expect(recorded()).toBe(1 + 60 + 1);
    const rows = (run: string) => text(run, "sums.csv").replaceAll(JSON.parse(text(run, "run.json")).run_id, "run");
    expect(rows("killed")).toBe(rows("whole"));
  });

  it("is scored again, from its journal alone", async () => {
    const before = text("right", "sums.csv");
    const { code, stdout } = await probe("score", right);
    expect(code).toBe(0);
    expect(stdout).toContain("12 of 12 sums are right");
    expect(text("right", "sums.csv")).toBe(before);
  });

  it("is compared, with the same tests and the same exit code", async () => {
    const { code, stdout } = await probe("compare", right, wrong, "--json", "--fail-under", "0.05");
    expect(code).toBe(5);
    const [{ rows, sums }] = JSON.parse(stdout).comparisons;
    expect(sums).toBe(12);
    // All twelve changed for the worse: McNemar's exact p is 2/2^12.
    expect(rows).toMatchObject([{ metric: "right", task: "SUM", right: { difference: -1 }, p_value: 2 / 2 ** 12 }]);
  });

  it("is refused beside a run of another suite, and beside other sums", async () => {
    const other = join(folder, "other");
    expect((await probe(...sums(other, "--model", "scripted:oracle", "--seed", "1"))).code).toBe(0);
    const differing = await probe("compare", right, other);
    expect(differing.code).toBe(2);
    expect(differing.stderr).toContain("the sums of seed 0 and of seed 1");
    const review = join(folder, "review");
    const run = ["run", "--model", "scripted:oracle", "--task", "CTR", "--limit", "2", "--out", review];
    expect((await probe(...run)).code).toBe(0);
    const suites = await probe("compare", right, review);
    expect(suites.code).toBe(2);
    expect(suites.stderr).toMatch(/arithmetic.*codereviewqa/s);
  });

  it("writes JUnit and a job summary", async () => {
    const files = ["--junit", "sums.xml", "--github-summary"];
    const { code } = await probe("score", wrong, ...files);
    expect(code).toBe(0);
    // All sums came; none is right, which is what a text that is always empty gets.
    expect(text("sums.xml")).toContain('tests="2" failures="1" errors="0"');
    expect(text("sums.xml")).toContain('<failure type="at_floor" message="0 of 12 sums are right">');
    expect(text("summary.md")).toContain("0 of 12 sums are right");
  });

  it("has a section on a page of a report, beside a run of the other suite, and a leaderboard", async () => {
    const boards = ["--leaderboard-md", "board.md", "--leaderboard-csv", "board.csv"];
    const { code, stderr } = await probe(
      "report",
      right,
      wrong,
      join(folder, "review"),
      "--out",
      "page.html",
      ...boards,
    );
    expect(stderr).not.toContain("unexpected");
    expect(code).toBe(0);
    const page = text("page.html");
    expect(page).toContain("12 of 12 sums are right");
    expect(page).toContain("0 of 12 sums are right");
    expect(page).toContain("short sums");
    const board = text("board.md");
    expect(board).toMatch(/scripted:oracle.*100\.0/);
    expect(text("board.csv")).toMatch(/scripted:always-A/);
  });
});
