import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "csv-parse/sync";
import { beforeAll, describe, expect, it } from "vitest";
import { runProbe, startProbe } from "../fixtures/cli.js";
import { recordCount } from "../fixtures/journal-file.js";
import { probeModule } from "../fixtures/probe-module.js";
import { readRecord } from "../fixtures/record.js";
import { comparableTable, readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

/** Without links: a process that runs there sees it so. */
const folder = realpathSync(temporaryFolder());
const EXAMPLES = join(import.meta.dirname, "../../examples/probes");
const PROBE_FILE = join(folder, "language.ts");
const TABLES = ["answers.csv", "questions.csv", "summary.csv"];
/** 2 examples in the 5! = 120 orders of five options. */
const ANSWERS = 240;

const args = (model: string, out: string) => [
  "run",
  "--model",
  model,
  "--probe",
  PROBE_FILE,
  "--limit",
  "2",
  "--out",
  out,
];
const answersIn = (out: string) => recordCount(join(out, "answers.jsonl"));

/** A module that defines a probe; `changes` are its properties in source. */
function writeModule(name: string, changes: Readonly<Record<string, string>> = {}): string {
  const path = join(folder, name);
  writeFileSync(path, probeModule(changes));
  return path;
}

const ask = (path: string, ...more: string[]) =>
  runProbe(["run", "--model", "scripted:oracle", "--probe", path, "--limit", "1", ...more], { cwd: folder });

beforeAll(() => cpSync(EXAMPLES, folder, { recursive: true }));

describe("a probe with five options, given by --probe", () => {
  const whole = join(folder, "tiny");

  beforeAll(async () => {
    expect((await runProbe(args("tiny", whole))).code).toBe(0);
  });

  it("is asked in its 120 orders, alone, and scored", async () => {
    const out = join(folder, "oracle");
    const { code, stdout } = await runProbe(args("scripted:oracle", out));
    expect(stdout).toContain("LANGUAGE");
    expect(code).toBe(0);
    const answers = readTable(out, "answers.csv");
    expect(answers).toHaveLength(ANSWERS);
    expect(new Set(answers.map(({ permutation }) => permutation)).size).toBe(120);
    expect(new Set(answers.map(({ task }) => task))).toEqual(new Set(["LANGUAGE"]));
    expect(answers[0]).toMatchObject({ permutation: "01234", correct_symbol: "A", correct: "true" });
    expect(readTable(out, "questions.csv")).toMatchObject([
      { permutations: "120", correct_permutations: "120", invariant_correct: "true" },
      { permutations: "120", correct_permutations: "120", invariant_correct: "true" },
    ]);
  });

  it("has a column for the log probability of each option, and rows as wide as the header", () => {
    for (const table of TABLES) {
      const [header, ...rows] = parse(readFileSync(join(whole, table)), { relax_column_count: true }) as string[][];
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.every((row) => row.length === header!.length)).toBe(true);
    }
    const [first] = readTable(whole, "answers.csv");
    const names = Object.keys(first!);
    expect(names.slice(names.indexOf("logprob_a"), names.indexOf("symbol_mass"))).toEqual([
      "logprob_a",
      "logprob_b",
      "logprob_c",
      "logprob_d",
      "logprob_e",
    ]);
    const total = ["a", "b", "c", "d", "e"].reduce((sum, name) => sum + Math.exp(Number(first![`logprob_${name}`])), 0);
    expect(total).toBeCloseTo(Number(first!["symbol_mass"]), 6);
  });

  // Journals of a probe of one's own go on as those of the others, which `resume.slow` kills.
  it.runIf(process.env["PROBE_SLOW_TESTS"] === "1")(
    "killed and resumed, ends with the tables of an uninterrupted run",
    async () => {
      const out = join(folder, "killed");
      for (const target of [20, 130]) {
        const { child, result } = startProbe(args("tiny", out));
        while (answersIn(out) < target && child.exitCode === null) await sleep(2);
        child.kill("SIGKILL");
        expect((await result).signal).toBe("SIGKILL");
      }
      const [before, unnamed] = [answersIn(out), await runProbe(["run", "--resume", out])];
      // What a file names is not run by itself.
      expect(unnamed.stderr).toContain(`found ${PROBE_FILE} in the run's run.json`);
      expect(unnamed.stderr).toContain(
        `--probe ${PROBE_FILE}, or trust it:\n  probe trust add --module ${PROBE_FILE}\n`,
      );
      expect([unnamed.code, answersIn(out)]).toEqual([2, before]);
      expect((await runProbe(["run", "--resume", out, "--probe", PROBE_FILE])).code).toBe(0);
      for (const table of TABLES) expect(comparableTable(out, table)).toEqual(comparableTable(whole, table));
      expect(answersIn(out)).toBe(ANSWERS);
    },
  );

  it("is scored and reported without its module", async () => {
    const elsewhere = join(folder, "elsewhere");
    cpSync(whole, join(elsewhere, "run"), { recursive: true });
    const run = readRecord<{ probes: { source: string }[] }>(join(whole, "run.json"));
    run.probes[0]!.source = "gone.ts";
    writeFileSync(join(elsewhere, "run", "run.json"), JSON.stringify(run));
    expect((await runProbe(["score", "run"], { cwd: elsewhere })).code).toBe(0);
    for (const table of TABLES) {
      expect(readFileSync(join(elsewhere, "run", table))).toEqual(readFileSync(join(whole, table)));
    }
    const { code, stderr } = await runProbe(["report", "run", "--out", "report.html"], { cwd: elsewhere });
    expect(stderr).not.toContain("Error");
    expect(code).toBe(0);
    expect(readFileSync(join(elsewhere, "report.html"), "utf8")).toContain("LANGUAGE");
  });

  it("is not resumed when it has changed since; it is named, and nothing of it runs", async () => {
    const [out, path] = [join(folder, "changed"), writeModule("changed.mjs")];
    expect((await ask(path, "--out", out)).code).toBe(0);
    writeFileSync(path, `${readFileSync(path, "utf8")}\nthrow new Error("it ran");\n`);
    const { code, stderr } = await runProbe(["run", "--resume", out, "--probe", path], { cwd: folder });
    expect(stderr).toMatch(/changed\.mjs: expected the probe that the run was begun with \(SHA-256 [0-9a-f]{12}…\)/);
    expect(stderr).not.toContain("it ran");
    expect(code).toBe(2);
    const again = await ask(writeModule("changed.mjs", { title: '"another"' }), "--out", out);
    expect(again.stderr).toMatch(/probe COLOUR: the run has "[0-9a-f]{64}", this command "[0-9a-f]{64}"/);
    expect(again.code).toBe(2);
  });

  it("is not resumed when its template has changed since", async () => {
    const out = join(folder, "template");
    const path = writeModule("template.mjs", { templateText: "undefined", template: '"./template.txt"' });
    writeFileSync(join(folder, "template.txt"), "{option_a} {option_b}");
    expect((await ask(path, "--out", out)).code).toBe(0);
    writeFileSync(join(folder, "template.txt"), "{option_a} or {option_b}");
    const { code, stderr } = await runProbe(["run", "--resume", out, "--probe", path], { cwd: folder });
    expect(stderr).toMatch(/prompt own\/COLOUR: the run has "[0-9a-f]{64}", this command "[0-9a-f]{64}"/);
    expect(code).toBe(2);
  });

  it("stands beside the shipped ones when both are named", async () => {
    const out = join(folder, "both");
    const { code } = await runProbe([...args("scripted:oracle", out), "--task", "CTR,LANGUAGE"]);
    expect(code).toBe(0);
    const answers = readTable(out, "answers.csv");
    // 2 examples in 3! = 6 and 5! = 120 orders.
    expect(answers.filter(({ task }) => task === "CTR")).toHaveLength(12);
    expect(answers.filter(({ task }) => task === "LANGUAGE")).toHaveLength(ANSWERS);
  });
});

describe("a probe that cannot be asked", () => {
  it.each<[string, Readonly<Record<string, string>>, RegExp]>([
    ["27 options", { optionCount: "27" }, /bad\.mjs: expected COLOUR to have 2 to 8 options .*found 27: there are 26/],
    ["the name of a shipped one", { task: '"CL"' }, /bad\.mjs: expected a task of its own, found CL, which comes with/],
    [
      "no template where it says",
      { templateText: "undefined", template: '"none.txt"' },
      /bad\.mjs: expected its template at none\.txt beside it, found: ENOENT/,
    ],
    [
      "a template that names what is not given",
      { templateText: '"{option_a} {option_b} {mood}"' },
      /bad\.mjs: expected a template that names only .*found \{mood\}, which the stem does not give/,
    ],
    [
      "fewer options than it says",
      { options: '() => ["red"]' },
      /The probe COLOUR cannot be asked about the example .*expected 2 distinct options/,
    ],
  ])("for it has %s, is refused with the reason", async (_, changes, says) => {
    const { code, stderr } = await ask(writeModule("bad.mjs", changes), "--out", join(folder, "none"));
    expect(stderr).toMatch(says);
    expect(code).toBe(2);
    expect(existsSync(join(folder, "none"))).toBe(false);
  });
});

describe("a probe named by probe.config.json", () => {
  const cwd = join(folder, "project");
  const ran = join(cwd, "ran.txt");

  beforeAll(() => {
    mkdirSync(cwd);
    const path = writeModule("project/mine.mjs", {
      title: `(globalThis.process.getBuiltinModule("fs").writeFileSync(${JSON.stringify(ran)}, ""), "mine")`,
    });
    expect(path).toBe(join(cwd, "mine.mjs"));
    writeFileSync(join(cwd, "probe.config.json"), JSON.stringify({ probes: ["./mine.mjs"] }));
  });

  const run = (more: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runProbe(["run", "--model", "scripted:oracle", "--limit", "1", ...more], { cwd, env });

  it("is not run unless it is trusted; the message says how to name it", async () => {
    const { code, stderr } = await run(["--task", "COLOUR"]);
    expect(stderr).toMatch(
      /found \.\/mine\.mjs in probe\.config\.json.*Name it on the command line, --probe \.\/mine\.mjs,/,
    );
    expect(code).toBe(2);
    expect(existsSync(ran)).toBe(false);
  });

  it("is asked by its name once it is trusted, and not otherwise; not once it has changed", async () => {
    const env = { PROBE_TRUST_FILE: join(folder, "trust.json") };
    expect((await runProbe(["trust", "add", "--module", "mine.mjs"], { cwd, env })).code).toBe(0);
    const named = await run(["--task", "COLOUR", "--out", "named"], env);
    expect(named.stdout).toContain("COLOUR");
    expect(named.code).toBe(0);
    const unnamed = await run(["--out", "unnamed"], env);
    expect(unnamed.stdout).not.toContain("COLOUR");
    expect(unnamed.code).toBe(0);
    rmSync(ran, { force: true });
    const module = join(cwd, "mine.mjs");
    const before = readFileSync(module, "utf8");
    writeFileSync(module, before.replace("a colour", "a mood").replace('"blue"', '"green"'));
    const changed = await run(["--task", "COLOUR", "--out", "changed"], env);
    writeFileSync(module, before);
    expect(changed.stderr).toContain("You trusted another content of it: it has changed since.");
    expect([changed.code, existsSync(ran)]).toEqual([2, false]);
  });

  it("is run when it is named on the command line too", async () => {
    expect((await run(["--probe", "mine.mjs", "--out", "both"])).code).toBe(0);
  });
});
