import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runCli } from "../../../src/cli/program.js";
import type { Console } from "../../../src/console/console.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";
import { MINI } from "../../fixtures/reference.js";

const folder = useFreshFolder();

interface Cell {
  readonly model: string;
  readonly task: string | null;
  readonly state: string;
  readonly exit_code: number;
  readonly folder: string;
  readonly problem: string | null;
}

async function probe(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ["", ""];
  const console: Console = {
    out: (text) => {
      out += String(text);
    },
    err: (text) => {
      err += String(text);
    },
    isTerminal: false,
    workingDirectory: folder.path(),
    onInterrupt: () => () => undefined,
    now: () => new Date("2026-11-22T12:00:00Z"),
  };
  return { code: await runCli(args, console), out, err };
}

const matrix = (...args: readonly string[]) => probe("run", "--matrix", "--out", folder.path("out"), ...args);

async function cells(...args: readonly string[]): Promise<{ code: number; cells: Cell[]; report: string | null }> {
  const { code, out } = await matrix("--json", "--quiet", ...args);
  return { code, ...(JSON.parse(out) as { cells: Cell[]; report: string | null }) };
}

function configure(matrixSection: object, run: object = { limit: 2 }): void {
  writeFileSync(folder.path("probe.config.json"), JSON.stringify({ run, matrix: matrixSection }));
}

const home = process.cwd();
beforeEach(() => {
  copyFileSync(MINI, folder.path("mini.jsonl"));
  vi.stubEnv("PROBE_TRUST_FILE", folder.path("trust.json"));
  process.chdir(folder.path());
});
afterEach(() => {
  vi.unstubAllEnvs();
  process.chdir(home);
});

describe("probe run --matrix", () => {
  it("runs every model on every entry of tasks, goes on after one that fails, and reports all", async () => {
    configure({
      models: ["scripted:oracle", "no-such", "scripted:always-A"],
      tasks: ["CTR", "CL"],
      datasets: ["mini.jsonl"],
    });
    const { code, out, err } = await matrix();
    // Two cells of a model that there is not: bad input, though four cells are done.
    expect(code).toBe(2);
    expect(err).toContain("probe: no-such · CTR · mini.jsonl: Expected an alias");
    expect(out.match(/asked/g)).toHaveLength(4);
    expect(out.match(/failed/g)).toHaveLength(2);
    expect(out).toContain(`Report: ${folder.path("out/report.html")}`);
    const page = readFileSync(folder.path("out/report.html"), "utf8");
    expect([page.includes("scripted:oracle"), page.includes("scripted:always-A")]).toEqual([true, true]);
  });

  it("skips what is done, asks what was added, and says what there is without asking", async () => {
    configure({ models: ["scripted:oracle"], tasks: ["CTR"], datasets: ["mini.jsonl"] });
    const first = await cells();
    expect(first).toMatchObject({ code: 0, cells: [{ model: "scripted:oracle", task: "CTR", state: "asked" }] });
    const journal = join(first.cells[0]?.folder ?? "", "answers.jsonl");
    const before = statSync(journal).mtimeMs;
    configure({ models: ["scripted:oracle", "scripted:always-A"], tasks: ["CTR"], datasets: ["mini.jsonl"] });
    const dry = await cells("--dry-run");
    expect(dry.cells.map(({ state }) => state)).toEqual(["done", "missing"]);
    expect(dry.report).toBeNull();
    const second = await cells();
    expect(second.cells.map(({ state }) => state)).toEqual(["done", "asked"]);
    expect(statSync(journal).mtimeMs).toBe(before);
  });

  it("asks models that run in this process beside those of a server that is named", async () => {
    configure({ models: ["scripted:oracle"], tasks: ["CTR"], datasets: ["mini.jsonl"] });
    const { code, cells: found } = await cells("--base-url", "http://127.0.0.1:9/v1", "--api-key-env", "LAB_KEY");
    expect({ code, state: found[0]?.state }).toEqual({ code: 0, state: "asked" });
    const record = JSON.parse(readFileSync(join(found[0]?.folder ?? "", "run.json"), "utf8")) as object;
    expect(record).toMatchObject({ model: { connection: { base_urls: [], api_key_env: null } } });
  });

  it("goes on with a run that was stopped", async () => {
    configure({ models: ["scripted:oracle"], tasks: ["CTR"], datasets: ["mini.jsonl"] });
    const [cell] = (await cells()).cells;
    const journal = join(cell?.folder ?? "", "answers.jsonl");
    const lines = readFileSync(journal, "utf8").split("\n");
    writeFileSync(journal, `${lines.slice(0, 4).join("\n")}\n`);
    const again = await cells();
    expect(again).toMatchObject({ code: 0, cells: [{ state: "asked" }] });
    expect(readFileSync(journal, "utf8").split("\n")).toHaveLength(lines.length);
  });

  it("refuses a run that was asked otherwise, naming the difference, and runs the rest", async () => {
    configure({ models: ["scripted:oracle"], tasks: ["CTR"], datasets: ["mini.jsonl"] });
    await cells();
    configure(
      { models: ["scripted:oracle", "scripted:always-A"], tasks: ["CTR"], datasets: ["mini.jsonl"] },
      { limit: 3 },
    );
    const { code, cells: found } = await cells();
    expect(code).toBe(2);
    expect(found[0]?.problem).toMatch(/parameter limit: the run has 2, this command 3/);
    expect(found.map(({ state }) => state)).toEqual(["failed", "asked"]);
  });

  it("ends with exit code 5 where a score is below what is asked for, also of a run that was done before", async () => {
    configure({ models: ["scripted:oracle", "scripted:always-A"], tasks: ["CL"], datasets: ["mini.jsonl"] });
    // The oracle gets all; a model that always says A is right under no question's every order.
    const first = await cells("--fail-under", "0.5");
    expect(first.cells.map(({ exit_code }) => exit_code)).toEqual([0, 5]);
    const second = await cells("--fail-under", "0.5");
    expect(second).toMatchObject({
      code: 5,
      cells: [
        { state: "done", exit_code: 0 },
        { state: "done", exit_code: 5 },
      ],
    });
  });

  it("holds a cell against no name that only another cell has, and asks nothing where no cell has it", async () => {
    configure(
      { models: ["scripted:oracle", "scripted:always-A"], tasks: ["CTR", "CL"], datasets: ["mini.jsonl"] },
      { limit: 2, "fail-under": "CL=0.5" },
    );
    const strange = await matrix("--fail-under", "SI=0.5", "--require", "CL=readable");
    expect([strange.code, existsSync(folder.path("out"))]).toEqual([2, false]);
    expect(strange.err).toContain(
      'Expected --fail-under to name a form of the run (CTR, CL, CL easy, CL hard), found "SI".',
    );
    // The oracle gets all of CL; a model that always says A is right under no question's every order.
    const codes = [0, 0, 0, 5];
    const first = await cells();
    expect(first.cells.map(({ exit_code }) => exit_code)).toEqual(codes);
    const again = await cells();
    expect(again.cells.map(({ state, exit_code }) => [state, exit_code])).toEqual(codes.map((code) => ["done", code]));
  });

  it("sends nothing to a server that the file alone names", async () => {
    configure({ models: ["openai:gpt-4o"], tasks: ["CTR"], datasets: ["mini.jsonl"] });
    const { code, err } = await matrix();
    expect(code).toBe(2);
    expect(err).toContain("probe trust");
    const { out } = await probe("trust");
    expect(out).toContain("api.openai.com");
  });

  it("reads no data outside the folder of the file", async () => {
    configure({ models: ["scripted:oracle"], datasets: ["../elsewhere.jsonl"] });
    const { code, err } = await matrix();
    expect(code).toBe(2);
    expect(err).toContain("Expected a file inside its folder for dataset");
  });

  it("refuses options that the matrix says itself, a matrix that is missing, and one that names a thing twice", async () => {
    expect((await matrix()).err).toContain("Expected a matrix in probe.config.json, found none.");
    configure({ models: ["scripted:oracle", "scripted:oracle"] });
    expect((await matrix()).err).toContain("Expected models of the matrix in probe.config.json once each");
    configure({ models: ["scripted:oracle"] });
    for (const option of ["--model", "--dataset", "--shard", "--junit"]) {
      const { code, err } = await matrix(option, option === "--shard" ? "1/2" : "x");
      expect([code, err]).toEqual([2, `probe: Expected --matrix without ${option}, found both. Leave one out.\n`]);
    }
    configure({ models: ["scripted:oracle"], suites: ["no-suite"] });
    expect((await matrix()).err).toContain("Expected a suite");
    expect(existsSync(folder.path("out"))).toBe(false);
  });

  it("has a folder of its own for every cell, whatever its names hold", async () => {
    mkdirSync(folder.path("b"));
    copyFileSync(MINI, folder.path("b/mini.jsonl"));
    configure({ models: ["scripted:oracle"], tasks: ["CTR", "CTR,CL"], datasets: ["mini.jsonl", "b/mini.jsonl"] });
    // The same examples under two names are the same runs, which no page shows twice.
    const { err } = await matrix();
    expect(err).toContain("probe: no report: ");
    expect(readdirSync(folder.path("out"))).toHaveLength(4);
  });
});
