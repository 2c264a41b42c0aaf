import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { beforeAll, describe, expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { recordWith } from "../fixtures/official-record.js";
import { MINI } from "../fixtures/reference.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const read = (name: string) => readFileSync(at(name), "utf8");
const dataset = (...args: string[]) => runProbe(["dataset", ...args], { cwd: folder });

const raw = (language: string, review: string, more: object = {}) =>
  JSON.stringify({ pre_review_code: "a = 1", code_review: review, post_review_code: "a = 2", language, ...more });

const KEPT_PYTHON = raw("py", "Two, please: not one.", { repo: "o/a" });
/** An official record, spaced as its author liked it, and ended the Windows way. */
const KEPT_OFFICIAL = ` ${JSON.stringify(recordWith({ review: "Shout the even lines." })).replace(",", " , ")}`;
const SHORT = raw("go", "Fix this.", { id: "short" });
const FORMATTING = raw(".cs", "eslint says =cmd() \u001b[2J");
const COBOL = raw("cobol", "A comment that is long enough.");
const REVIEWS = [KEPT_PYTHON, SHORT, "", `${KEPT_OFFICIAL}\r`, FORMATTING, COBOL];

beforeAll(() => {
  writeFileSync(at("in.jsonl"), `${REVIEWS.join("\n")}\n`);
  writeFileSync(at("bad.jsonl"), `${KEPT_PYTHON}\n{"lang": 5\n`);
});

describe("probe dataset filter", () => {
  it("writes the kept lines as they stood, every drop with its reason, and the funnel", async () => {
    const { code, stdout, stderr } = await dataset(
      "filter",
      "in.jsonl",
      "--out",
      "kept.jsonl",
      "--drops",
      "drops.jsonl",
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(read("kept.jsonl")).toBe(`${KEPT_PYTHON}\n${KEPT_OFFICIAL}\n`);
    const drops = read("drops.jsonl").trim().split("\n");
    expect(drops.map((drop) => JSON.parse(drop) as unknown)).toEqual([
      { line: 2, id: "short", language: "go", reason: "unclear comment", matched: "Fix this." },
      {
        line: 5,
        id: expect.stringMatching(/^[0-9a-f]{12}$/) as string,
        language: "csharp",
        reason: "code formatting",
        matched: "eslint",
      },
      { line: 6, id: null, language: null, reason: "unsupported language", matched: "cobol" },
    ]);
    expect(stderr).toMatch(/read +│ +5 /);
    expect(stderr).toMatch(/- unclear comment +│ +1 /);
    expect(stderr).toContain("Kept 2 of 5 reviews: kept.jsonl\nEvery drop with its reason: drops.jsonl\n");
  });

  it("prints the funnel as JSON", async () => {
    const { code, stdout, stderr } = await dataset("filter", "in.jsonl", "--out", "json.jsonl", "--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      schema_version: 1,
      file: "in.jsonl",
      out: "json.jsonl",
      drops: null,
      funnel: {
        read: { csharp: 1, go: 1, python: 2, other: 1 },
        drops: [
          { reason: "unclear comment", counts: { go: 1 } },
          { reason: "code formatting", counts: { csharp: 1 } },
          { reason: "unsupported language", counts: { other: 1 } },
        ],
        kept: { python: 2 },
      },
    });
  });

  it("writes nothing where a line is invalid, unless it is to be skipped", async () => {
    const refused = await dataset("filter", "bad.jsonl", "--out", "never.jsonl", "--drops", "never-drops.jsonl");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/bad\.jsonl:2: expected one JSON object/);
    expect(readdirSync(folder).filter((name) => name.includes("never"))).toEqual([]);
    const skipped = await dataset("filter", "bad.jsonl", "--out", "good.jsonl", "--skip-invalid");
    expect(skipped.code).toBe(0);
    expect(skipped.stderr).toMatch(/Skipped 1 invalid record[\s\S]+- invalid record +│ +1 /u);
    expect(read("good.jsonl")).toBe(`${KEPT_PYTHON}\n`);
  });

  it("replaces a file only with --overwrite, and never the input", async () => {
    writeFileSync(at("mine.jsonl"), "years of work");
    const refused = await dataset("filter", "in.jsonl", "--out", "mine.jsonl");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("add --overwrite");
    expect(read("mine.jsonl")).toBe("years of work");
    expect((await dataset("filter", "in.jsonl", "--out", "mine.jsonl", "--overwrite")).code).toBe(0);
    expect(read("mine.jsonl")).toBe(`${KEPT_PYTHON}\n${KEPT_OFFICIAL}\n`);
    const before = read("in.jsonl");
    expect((await dataset("filter", "in.jsonl", "--out", "in.jsonl", "--overwrite")).code).toBe(2);
    expect(read("in.jsonl")).toBe(before);
  });
});

describe("probe dataset sample", () => {
  const lines = ["o/a", "o/a", "o/a", "o/a", "o/b", undefined].flatMap((repo, i) => [
    raw("py", `Python ${i}`, { repo }),
    ...(i < 2 ? [raw("rb", `Ruby ${i}`, { repo })] : []),
  ]);
  beforeAll(() => writeFileSync(at("all.jsonl"), `${lines.join("\n")}\n${COBOL}\n`));

  it("spreads each language over its repositories, in file order, and accounts for the rest", async () => {
    const args = ["sample", "all.jsonl", "--out", "s.jsonl", "--per-language", "3", "--seed", "5"];
    const { code, stdout, stderr } = await dataset(...args);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    const drawn = read("s.jsonl").trim().split("\n");
    // Python: one of four from o/a, the one of o/b, the nameless one. Ruby: both, for there are no three.
    expect(lines.filter((line) => drawn.includes(line))).toEqual(drawn);
    expect(drawn.filter((line) => line.includes("Ruby"))).toHaveLength(2);
    const repos = drawn
      .filter((line) => line.includes("Python"))
      .map((line) => (JSON.parse(line) as { repo?: string }).repo);
    expect(repos).toEqual(["o/a", "o/b", undefined]);
    expect(stderr).toContain("ruby: all 2 taken, fewer than the 3 asked for.");
    expect(stderr).toContain("No examples of c, cpp, csharp, go, java, javascript, php.");
    expect(stderr).toContain("Examples without a repository: 1;");
    expect(stderr).toMatch(/- not drawn +│ +3 /);
    expect(stderr).toContain("Took 5 of 9 reviews: s.jsonl");
  });

  it("writes the same bytes for the same seed, and draws otherwise for another", async () => {
    const draw = async (out: string, seed: string) => {
      const { code, stdout } = await dataset(
        "sample",
        "all.jsonl",
        "--out",
        out,
        "--per-language",
        "2",
        "--seed",
        seed,
        "--json",
      );
      expect(code).toBe(0);
      return { bytes: read(out), document: JSON.parse(stdout) as { seed: number; languages: object[] } };
    };
    const first = await draw("first.jsonl", "1");
    expect((await draw("again.jsonl", "1")).bytes).toBe(first.bytes);
    const others = await Promise.all(["2", "3", "4", "5"].map((seed) => draw(`other-${seed}.jsonl`, seed)));
    expect(new Set([first, ...others].map(({ bytes }) => bytes)).size).toBeGreaterThan(1);
    expect(first.document.seed).toBe(1);
    expect(first.document.languages[1]).toMatchObject({ language: "ruby", available: 2, taken: 2 });
  });

  it.each<[string[], RegExp]>([
    [["--out", "x.jsonl"], /Expected --per-language, found none/],
    [["--per-language", "3"], /Expected --out, found none/],
    [["--out", "x.jsonl", "--per-language", "0"], /whole number of at least 1 for --per-language, found "0"/],
    [["--out", "x.jsonl", "--per-language", "3", "--seed", "-1"], /whole number of at least 0 for --seed/],
    [["--out", "no/x.jsonl", "--per-language", "3"], /the folder .*no, which does not exist/],
  ])("refuses %j", async (args, says) => {
    const { code, stderr } = await dataset("sample", "all.jsonl", ...args);
    expect(stderr).toMatch(says);
    expect(code).toBe(2);
    expect(existsSync(at("x.jsonl"))).toBe(false);
  });
});

describe("probe dataset stats", () => {
  it("prints the table, and the same in full precision as JSON and CSV", async () => {
    const { code, stdout } = await dataset("stats", MINI);
    expect(code).toBe(0);
    expect(stdout).toMatch(/comment length \(words\) +│ +6 │/);
    expect(stdout).toMatch(/\n6 examples\nWhat would it take\?\n/);
    const exact = await dataset("stats", MINI, "--json", "--csv", "stats.csv");
    const { statistics, needs } = JSON.parse(exact.stdout) as Record<"statistics" | "needs", Record<string, unknown>[]>;
    // Six questions: 2^-6 > .01, so that nobody could be told to be above anything.
    expect(needs.map(({ task, unsteady, above_floor }) => [task, unsteady, above_floor])).toContainEqual([
      "CTR",
      null,
      null,
    ]);
    const rows = parse(read("stats.csv"), { columns: true }) as Record<string, string>[];
    expect(Object.keys(rows[0]!).join()).toBe("statistic,change_type,n,min,max,mean,sd,q1,median,q3");
    expect(rows).toEqual(
      statistics.map((row) =>
        Object.fromEntries(Object.entries(row).map(([key, value]) => [key, value === null ? "" : String(value)])),
      ),
    );
  });

  it("has no standard deviation of one example, and describes only the languages asked for", async () => {
    const { code, stdout } = await dataset("stats", "in.jsonl", "--language", "golang", "--json");
    expect(code).toBe(0);
    const document = JSON.parse(stdout) as { statistics: object[] };
    // "Fix this.": 2 words; "a = 1" to "a = 2": 1 character; half a character a word.
    expect(document).toMatchObject({
      examples: 1,
      left_out: { unchanged: 0, other_language: 3, unsupported_language: 1, invalid: 0 },
    });
    const one = (value: number) => ({
      n: 1,
      min: value,
      max: value,
      mean: value,
      sd: null,
      q1: value,
      median: value,
      q3: value,
    });
    expect(document.statistics[0]).toEqual({ statistic: "comment_length", change_type: null, ...one(2) });
    expect(document.statistics.at(-1)).toEqual({ statistic: "specification_ratio", change_type: null, ...one(0.5) });
  });

  it("counts examples that change nothing, and leaves them out", async () => {
    writeFileSync(at("same.jsonl"), `${raw("py", "Why?", { post_review_code: "a = 1" })}\n${KEPT_PYTHON}\n`);
    const { stdout } = await dataset("stats", "same.jsonl");
    expect(stdout).toMatch(/\n1 example; left out: 1 without a change in the code\n$/);
  });

  it.each<[string[], RegExp]>([
    [["bad.jsonl"], /bad\.jsonl:2: expected one JSON object.*[\s\S]*--skip-invalid/],
    [["nowhere.jsonl"], /nowhere\.jsonl, found no such file/],
    [["in.jsonl", "--language", "cobol"], /--language, found "cobol"/],
    [["in.jsonl", "--csv", "in.jsonl", "--overwrite"], /--csv, found in\.jsonl, the file that is read/],
  ])("refuses %j", async (args, says) => {
    const { code, stdout, stderr } = await dataset("stats", ...args);
    expect(stderr).toMatch(says);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  });
});

it.each(["filter", "sample", "stats"])("probe dataset %s --help shows an example", async (command) => {
  const { code, stdout } = await dataset(command, "--help");
  expect(code).toBe(0);
  expect(stdout).toMatch(new RegExp(`Examples:\\s+probe dataset ${command} `));
});
