import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { beforeAll, describe, expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const report = (...args: string[]) => runProbe(["report", ...args], { cwd: folder });
const csvOf = (text: string) => parse(text, { columns: true }) as Record<string, string>[];

describe("probe report --table", () => {
  beforeAll(async () => {
    const asked = ["--language", "c,cpp", "--limit", "13", "--task", "ACR,CTR,CL,SI", "-q"];
    const audit = ["audit", "--model", "tiny", "--task", "CTR", "--limit", "2", "--out", "audit", "--quiet"];
    const made = await Promise.all([
      runProbe(["run", "--model", "scripted:always-A", ...asked, "--out", "letter"], { cwd: folder }),
      runProbe(["run", "--model", "scripted:oracle", ...asked, "--out", "oracle"], { cwd: folder }),
      runProbe(audit, { cwd: folder }),
    ]);
    expect(made.map(({ code }) => code)).toEqual([0, 0, 0]);
  });

  it("scores: the numbers of summary.csv, the best first, whatever the order of the folders", async () => {
    const { stdout, stderr, code } = await report("letter", "oracle", "--table", "scores", "--format", "csv");
    expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
    const rows = csvOf(stdout);
    expect(rows.filter(({ is_reference }) => is_reference === "false").map(({ model }) => model)).toEqual([
      "scripted:oracle",
      "scripted:always-A",
    ]);
    const summary = readTable(join(folder, "letter"), "summary.csv");
    const hard = summary.find(
      ({ task, difficulty, metric, group_by }) =>
        task === "CL" && difficulty === "hard" && metric === "invariant_accuracy" && group_by === "overall",
    );
    expect(rows[1]).toMatchObject({ cl_hard: hard?.["value"], cl_hard_ci_high: hard?.["ci_high"] });
    const noRead = summary.find(
      ({ task, metric, group_by }) => task === "CTR" && metric === "floor_no_read" && group_by === "overall",
    );
    expect(rows.find(({ model }) => model === "Floor: no-read rule")).toMatchObject({ ctr: noRead?.["value"] });
  });

  it("prints a table unless a form is asked for, a column a model where there are many, or rows as JSON", async () => {
    const shown = await report("letter", "oracle", "--table", "scores");
    expect(shown.stdout).toMatch(/Floor: no-read rule/);
    const groups = (await report("letter", "oracle", "--table", "languages")).stdout.split("\n");
    expect(Math.max(...groups.filter((line) => line.startsWith("│")).map((line) => line.length))).toBeLessThanOrEqual(
      80,
    );
    const { stdout } = await report("letter", "--table", "languages", "--json");
    const { table, rows } = JSON.parse(stdout) as { table: string; rows: Record<string, unknown>[] };
    expect(table).toBe("languages");
    expect(rows[0]).toMatchObject({ table: "CTR", model: "scripted:always-A", c: 0, cpp: 0 });
  });

  it("writes neither page nor leaderboard where one of them cannot be written, so that the command can be given again", async () => {
    // The file beside it, in which it is written first, has a name of more than 255 characters.
    const csv = `${"l".repeat(250)}.csv`;
    const line = ["letter", "oracle", "--out", "e.html", "--leaderboard-md", "e.md", "--leaderboard-csv", csv];
    for (const _ of [1, 2]) {
      const { code, stderr } = await report(...line);
      expect([code, stderr]).toEqual([2, expect.stringContaining("found a name that is too long")]);
    }
    expect(readdirSync(folder).filter((name) => /^(e|l{9})/.test(name))).toEqual([]);
  });

  it("writes Markdown and LaTeX into files whose names say so, and replaces nothing unasked", async () => {
    const tex = await report("letter", "oracle", "--table", "failures", "--out", "table3.tex");
    expect(tex).toMatchObject({ code: 0, stdout: "", stderr: "Wrote failures to table3.tex.\n" });
    const text = readFileSync(join(folder, "table3.tex"), "utf8");
    expect(text.match(/\\begin\{tabular\}/g)).toHaveLength(2);
    // It always says A and writes nothing: every example fails, which says nothing of comprehension.
    expect(text).toContain("100.0$^{\\times}$");
    expect((await report("letter", "--table", "scores", "--out", "table3.tex")).stderr).toMatch(
      /which exists.*--overwrite/,
    );
    const { stdout } = await report("letter", "--table", "languages", "--format", "md");
    expect(stdout).toContain("| Model | n | Overall | C | C++ |");
  });

  it("makes the table of contamination of audits, alone or beside runs", async () => {
    const alone = await report("audit", "--table", "contamination", "--format", "csv");
    expect(alone.stderr).toBe("");
    expect(csvOf(alone.stdout)[0]).toMatchObject({ model: "tiny", form: "MCQA", texts: "2" });
    expect((await report("letter", "audit", "--table", "contamination", "--format", "csv")).stdout).toBe(alone.stdout);
    expect((await report("letter", "--table", "contamination")).stderr).toMatch(/folder of an audit/);
  });

  it.each([
    [["--table", "score"], /one of scores, languages, failures, contamination for --table, found "score"/],
    [["--table", "scores", "--format", "html"], /one of md, csv, latex for --format/],
    [["--table", "scores", "--out", "x.txt"], /one of md, csv, latex for --format, found none/],
    [["--format", "csv"], /--table beside --format, found none: a page is HTML. Such as: probe report/],
    [["--table", "scores", "--leaderboard-md", "x.md"], /--table or a leaderboard, found both/],
    [["--table", "scores", "--json", "--format", "csv"], /--json, or --format and --out/],
  ])("refuses %j", async (args, message) => {
    const { code, stderr } = await report("letter", ...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
