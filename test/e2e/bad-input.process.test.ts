import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { MINI } from "../fixtures/reference.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const records = readFileSync(MINI, "utf8").trim().split("\n");
type Fields = Record<string, unknown>;

/** The first record of the reference file with some fields changed, as the second line of a file. */
function fileWith(name: string, change: (record: Fields) => Fields): string {
  const path = join(folder, `${name}.jsonl`);
  const changed = change(JSON.parse(records[0]!) as Fields);
  writeFileSync(path, `${records[1]}\n${JSON.stringify({ ...changed, id: name })}\n`);
  return path;
}

const CASES: { name: string; path: () => string; says: RegExp }[] = [
  {
    name: "a broken JSON line",
    path: () => {
      const path = join(folder, "broken.jsonl");
      writeFileSync(path, `${records[0]}\n{"lang": "py\n`);
      return path;
    },
    says: /broken\.jsonl:2: expected one JSON object, found /,
  },
  {
    name: "a location out of range",
    path: () => fileWith("range", (record) => ({ ...record, loc_wrong_hard: [[3], [5], [99]] })),
    says: /range\.jsonl:2: loc_wrong_hard\[2\]: expected line numbers from 1 to 8, found 99/,
  },
  {
    name: "a duplicate option",
    path: () => fileWith("same", (record) => ({ ...record, loc_wrong_easy: [[1], [6], [4]] })),
    says: /same\.jsonl:2: loc_wrong_easy\[2\]: expected an option unlike the others, found the same as loc_correct/,
  },
  {
    name: "an unknown language",
    path: () => fileWith("cobol", (record) => ({ ...record, lang: "cobol" })),
    says: /cobol\.jsonl:2: lang: expected one of c, cpp, .*, found "cobol"/,
  },
  {
    name: "an empty file",
    path: () => {
      const path = join(folder, "empty.jsonl");
      writeFileSync(path, "");
      return path;
    },
    says: /empty\.jsonl:1: expected at least one record, found an empty file/,
  },
  { name: "a directory", path: () => folder, says: /expected a JSONL file at .*, found a directory/i },
  { name: "a missing file", path: () => join(folder, "nowhere.jsonl"), says: /nowhere\.jsonl, found no such file/ },
  {
    name: "a line of 100 kB",
    path: () => fileWith("long", (record) => ({ ...record, old: `${String(record["old"])}\n ${"x".repeat(100_000)}` })),
    says: /long\.jsonl:2: old: expected lines of at most 20000 characters, found one of 100001/,
  },
];

describe.each(CASES)("$name", ({ path, says }) => {
  it("stops a run with exit code 2 before anything is asked or written", async () => {
    const out = join(folder, "never");
    const { code, stderr, stdout } = await runProbe([
      "run",
      "--model",
      "scripted:oracle",
      "--dataset",
      path(),
      "--out",
      out,
    ]);
    expect(stderr).toMatch(says);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(readdirSync(folder)).not.toContain("never");
  });

  it("fails validation with exit code 2 and the same message", async () => {
    const { code, stderr } = await runProbe(["dataset", "validate", path()]);
    expect(stderr).toMatch(says);
    expect(code).toBe(2);
  });
});

describe("a file of raw triples", () => {
  const triple = { pre_review_code: "a = 1", code_review: "Make it two.", post_review_code: "a = 2", language: "py" };
  const write = (name: string, lines: readonly object[]) => {
    const path = join(folder, name);
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    return path;
  };

  it("is told apart by validate, which names the command that makes questions of it", async () => {
    const path = write("triples.jsonl", [triple, { ...triple, language: "cobol" }]);
    const { code, stdout, stderr } = await runProbe(["dataset", "validate", path]);
    expect(stdout).toContain("1 valid code review (raw triples)");
    expect(stderr).toContain('1 × language "cobol"');
    expect(stderr).toContain(`probe dataset build ${path}`);
    expect(code).toBe(0);
  });

  it("has a problem of many lines told once", async () => {
    const { language: _, ...without } = triple;
    const path = write(
      "no-language.jsonl",
      Array.from({ length: 200 }, () => without),
    );
    const { code, stderr } = await runProbe(["dataset", "validate", path]);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).toContain("(200 ×: lines 1, 2, 3, 4, 5 …)");
    expect(code).toBe(2);
  });

  it("is not run: the message names the command that makes questions of it", async () => {
    const path = write("run-triples.jsonl", [triple]);
    const { code, stderr } = await runProbe(["run", "--model", "scripted:oracle", "--dataset", path], { cwd: folder });
    expect(stderr).toContain("found 1 raw triples, which have none yet. Make them: probe dataset build");
    expect(code).toBe(2);
    // A build needs no model.
    const { stderr: validated } = await runProbe(["dataset", "validate", path]);
    for (const text of [stderr, validated]) expect(text).toContain(`probe dataset build ${path} --out FILE`);
  });
});

describe("a file with one invalid record", () => {
  it("runs on the others with --skip-invalid, which says how many it left out", async () => {
    const path = fileWith("skip", (record) => ({ ...record, lang: "cobol" }));
    const args = ["run", "--model", "scripted:oracle", "--task", "CTR", "--dataset", path, "--skip-invalid"];
    const { code, stderr, stdout } = await runProbe([...args, "--out", join(folder, "skipped"), "--json"]);
    expect(code).toBe(0);
    expect(stderr).toContain("Skipped 1 invalid record (--skip-invalid)");
    expect(JSON.parse(stdout)).toMatchObject({ run: { dataset: { examples: 1, invalid: 1 }, questions: 1 } });
  });

  it("cannot lose what an earlier run recorded", async () => {
    const out = join(folder, "kept");
    await runProbe(["run", "--model", "scripted:oracle", "--dataset", MINI, "--out", out]);
    const before = readFileSync(join(out, "answers.jsonl"), "utf8");
    const { code } = await runProbe([
      "run",
      "--model",
      "scripted:oracle",
      "--dataset",
      join(folder, "empty.jsonl"),
      "--out",
      out,
    ]);
    expect(code).toBe(2);
    expect(readFileSync(join(out, "answers.jsonl"), "utf8")).toBe(before);
  });
});

describe("a folder that holds something else", () => {
  it("is not written to", async () => {
    const out = join(folder, "mine");
    mkdirSync(out);
    writeFileSync(join(out, "thesis.txt"), "years of work");
    const { code, stderr } = await runProbe(["run", "--model", "scripted:oracle", "--dataset", MINI, "--out", out]);
    expect(stderr).toContain("Name another folder");
    expect(code).toBe(2);
    expect(readdirSync(out)).toEqual(["thesis.txt"]);
  });
});

describe("the records of a run", () => {
  it.each([
    ["report", "answers.jsonl"],
    ["report", "run.json"],
    ["failures", "run.json"],
  ])("are not replaced by probe %s --out %s, even with --overwrite", async (command, file) => {
    const run = join(folder, `${command}-${file}`);
    const args = ["--model", "scripted:oracle", "--dataset", MINI, "--task", "CTR", "--limit", "1", "--out", run, "-q"];
    expect((await runProbe(["run", ...args])).code).toBe(0);
    const before = readFileSync(join(run, file), "utf8");
    const { code, stderr } = await runProbe([command, run, "--out", join(run, file), "--overwrite"]);
    expect(stderr).toContain(`${file}, the file that is read. Name another file.`);
    expect(code).toBe(2);
    expect(readFileSync(join(run, file), "utf8")).toBe(before);
  });
});

describe("usage", () => {
  const CALLS: [string[], RegExp][] = [
    [["rnu"], /Did you mean probe run\?/],
    [["run", "--no-such", "--other-one"], /Unknown arguments: --no-such, --other-one\. See --help\./],
    [["run", "--no-such"], /Unknown argument: --no-such\. See --help\./],
    [["nonsense"], /Unknown argument: nonsense\. See --help\./],
    [["dataset", "nonsense"], /Unknown argument: nonsense\./],
    [["dataset", "validat"], /Did you mean probe dataset validate\? See --help\./],
    [
      ["dataset", "validate"],
      /Expected at least 1 argument after the command, found 0\. Such as: probe dataset validate /,
    ],
    [["dataset", "kappa", "a"], /Expected at least 2 arguments after the command, found 1\./],
    [["run"], /Expected --model/],
    [["run", "--model", "tyni"], /Did you mean tiny/],
    [["run", "--model", "scripted:oracle", "--task", "XL"], /one of CTR, CL, SI, ACR, CLO, found "XL"/],
    [["run", "--model", "scripted:oracle", "--task", ""], /Expected a value for --task, found an empty text/],
    [["run", "--model", "scripted:oracle", "--language", ""], /Expected a value for --language, found an empty text/],
    [["run", "--model", "scripted:oracle", "--limit", ""], /Expected a value for --limit, found an empty text/],
    [["run", "--model", "scripted:oracle", "--difficulty", "medium"], /easy, hard or both/],
    [["run", "--model", "scripted:oracle", "--language", "cobol"], /--language, found "cobol"/],
    [["run", "--model", "scripted:oracle", "--limit", "0"], /whole number of at least 1/],
    [["run", "--model", "scripted:oracle", "--limit", "1", "--limit", "2"], /one value for --limit/],
    [["run", "--model", "scripted:oracle", "--sample", "1.5"], /whole number/],
    [["run", "--model", "scripted:oracle", "--mode", "quick"], /one of fast, exact/],
    [["run", "--model", "scripted:oracle", "--colour"], /colour/],
    [["run", "--model", "scripted:nothing"], /scripted:always-A/],
    [["run", "--model", "scripted:oracle", "--dataset", "github:owner/name"], /Reviews elsewhere are imported first/],
    [["score", "nowhere"], /Expected a folder of a run, .*found none at nowhere/],
  ];

  it.each(CALLS)("probe %j is refused with exit code 2 and a reason", async (args, says) => {
    const { code, stderr, stdout } = await runProbe(args, { cwd: folder });
    expect(stderr).toMatch(says);
    expect(stdout).toBe("");
    expect(code).toBe(2);
  });

  it("a model file that is not there ends with exit code 3", async () => {
    const { code, stderr } = await runProbe(["run", "--model", "nowhere.gguf"], { cwd: folder });
    expect(stderr).toContain("--model tiny");
    expect(code).toBe(3);
  });
});
