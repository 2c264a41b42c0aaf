import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import type { OfficialRecord } from "../../src/dataset/official-record.js";
import { type CliResult, runProbe, startProbe } from "../fixtures/cli.js";
import { jsonl } from "../fixtures/jsonl.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const isWhole = process.env["PROBE_SLOW_TESTS"] === "1";
const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const input = at("reviews.jsonl");

const RAW = [
  {
    pre_review_code: "def total(items):\n    result = sum(items)\n    return result\n\n# end\n",
    code_review: "Count every price once.",
    post_review_code: "def total(items):\n    result = sum(set(items))\n    return result\n\n# end\n",
    language: "py",
  },
  {
    pre_review_code: "func Close(f *File) error {\n\tf.flush()\n\treturn f.handle.Close()\n}",
    code_review: "The error of flush is lost.",
    post_review_code:
      "func Close(f *File) error {\n\tif err := f.flush(); err != nil {\n\t\treturn err\n\t}\n\treturn f.handle.Close()\n}",
    language: "golang",
    repo: "files/close",
  },
  {
    pre_review_code: "$a = 1;\n$debug = true;\n$b = 2;\n$c = 3;\nreturn $a;",
    code_review: "Remove the leftover.",
    post_review_code: "$a = 1;\n$b = 2;\n$c = 3;\nreturn $a;",
    language: "PHP",
    id: "leftover",
  },
  // Dropped, each for its reason.
  { pre_review_code: "a = 1", code_review: "Nothing.", post_review_code: "a = 1", language: "rb" },
  { pre_review_code: "if(a)\n{", code_review: "Brace up.", post_review_code: "if (a) {", language: ".cs" },
  { pre_review_code: "MOVE 1 TO A.", code_review: "Two.", post_review_code: "MOVE 2 TO A.", language: "cobol" },
];
// The first again.
const REVIEWS = [...RAW, { ...RAW[0], language: "python" }];

const build = (...args: string[]): Promise<CliResult> => {
  const options = [
    ["--surrogate", "tiny"],
    ["--method", "paper"],
  ].filter(([name = ""]) => !args.includes(name));
  return runProbe(["dataset", "build", input, ...options.flat(), ...args]);
};

function records(path: string): OfficialRecord[] {
  return readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as OfficialRecord);
}

beforeAll(() => {
  writeFileSync(input, jsonl(...REVIEWS));
});

describe("probe dataset build", () => {
  const out = at("bench.jsonl");

  beforeAll(async () => {
    const { code, stdout } = await build("--out", out, "--surrogate", "tiny", "--seed", "1", "--json");
    expect(code).toBe(0);
    const { examples } = JSON.parse(stdout) as { examples: unknown };
    expect(examples).toEqual({
      read: { csharp: 1, go: 1, php: 1, python: 2, ruby: 1, other: 1 },
      drops: [
        { reason: "no change", counts: { ruby: 1 } },
        { reason: "only whitespace changes", counts: { csharp: 1 } },
        { reason: "language not supported: cobol", counts: { other: 1 } },
        { reason: "the same as an example before", counts: { python: 1 } },
      ],
      kept: { go: 1, php: 1, python: 1 },
    });
  });

  it("makes records of triples: type, location and solution from the line diff", () => {
    const [python, go, php] = records(out);
    expect(python).toMatchObject({
      lang: "python",
      type_correct: "modify",
      loc_correct: [2],
      review: RAW[0]?.code_review,
    });
    expect(python?.solution_correct).toBe("2 -     result = sum(items)\n2 +     result = sum(set(items))");
    expect(go).toMatchObject({ lang: "go", type_correct: "modify", loc_correct: [2], repo: "files/close" });
    expect(php).toMatchObject({ id: "leftover", type_correct: "remove_only", loc_correct: [2] });
    expect(php?.solution_correct).toBeUndefined();
  });

  it("makes wrong locations of the same size, the hard ones a line away from the truth", () => {
    for (const { loc_correct: truth, loc_wrong_hard: hard } of records(out)) {
      expect(hard).toHaveLength(3);
      for (const lines of hard ?? []) {
        expect(lines).toHaveLength(truth.length);
        expect(lines.filter((line) => !truth.includes(line))).toHaveLength(1);
      }
    }
  });

  it("makes wrong solutions that differ from the right one in one leaf of one line", () => {
    for (const { solution_correct: truth, solution_wrong_easy: easy, solution_wrong_hard: hard } of records(out)) {
      if (truth === undefined) continue;
      const wrong = [...(easy ?? []), ...(hard ?? [])];
      expect(new Set(wrong).size).toBe(6);
      for (const solution of wrong) {
        const lines = solution.split("\n");
        const changed = truth.split("\n").filter((line, i) => line !== lines[i]);
        expect(changed).toHaveLength(1);
        expect(changed[0]).toMatch(/^\d+ \+ /);
      }
    }
  });

  it("explains every wrong solution beside the records: easy ones are less like the truth than hard ones", () => {
    const lines = readFileSync(at("bench.distractors.jsonl"), "utf8").trimEnd().split("\n");
    expect(lines).toHaveLength(2); // the deletion has none
    for (const line of lines) {
      const explanation = JSON.parse(line) as {
        id: string;
        leaf: { text: string; line: number };
        surprisalBits: number;
        pooling: string;
        distractors: { difficulty: string; replacement: string; cosine: number; tries: number }[];
      };
      expect(explanation).toMatchObject({ id: expect.any(String) as string, surrogate: "tiny", pooling: "mean" });
      expect(explanation.surprisalBits).toBeGreaterThan(0);
      const cosines = (difficulty: string) =>
        explanation.distractors.filter((each) => each.difficulty === difficulty).map(({ cosine }) => cosine);
      expect(cosines("easy")).toHaveLength(3);
      expect(Math.max(...cosines("easy"))).toBeLessThanOrEqual(Math.min(...cosines("hard")));
    }
  });

  it("says what was built from what", () => {
    expect(JSON.parse(readFileSync(at("bench.build.json"), "utf8"))).toMatchObject({
      kind: "build",
      input: "reviews.jsonl",
      seed: 1,
      method: "paper",
      surrogate: "tiny",
      surrogate_provider: "llama",
      infill_temperature: 3.5,
      prompt: "paper/ACR",
    });
  });

  it("makes what validate accepts and run asks", async () => {
    expect((await runProbe(["dataset", "validate", out])).code).toBe(0);
    const { code } = await runProbe(["run", "--model", "tiny", "--dataset", out, "--out", at("run"), "-q"]);
    expect(code).toBe(0);
  });

  it("makes the same bytes by the same seed, from its own records too, and other distractors by another seed", async () => {
    const again = at("again.jsonl");
    expect((await build("--out", again, "--seed", "1", "-q")).code).toBe(0);
    expect(readFileSync(again, "utf8")).toBe(readFileSync(out, "utf8"));
    expect(readFileSync(at("again.distractors.jsonl"), "utf8")).toBe(
      readFileSync(at("bench.distractors.jsonl"), "utf8"),
    );
    const rebuilt = at("rebuilt.jsonl");
    expect(
      (
        await runProbe([
          "dataset",
          "build",
          out,
          "--out",
          rebuilt,
          "--seed",
          "1",
          "--surrogate",
          "tiny",
          "--method",
          "paper",
          "-q",
        ])
      ).code,
    ).toBe(0);
    expect(readFileSync(rebuilt, "utf8")).toBe(readFileSync(out, "utf8"));
    const other = at("other.jsonl");
    expect((await build("--out", other, "--seed", "2", "-q")).code).toBe(0);
    records(other).forEach((record, i) => {
      const first = records(out)[i];
      expect(record.solution_correct).toBe(first?.solution_correct);
      if (first?.solution_wrong_easy !== undefined)
        expect(record.solution_wrong_easy).not.toEqual(first.solution_wrong_easy);
    });
  });

  it("takes the first wrong locations with --cl-order first, whatever the seed", async () => {
    const [first, second] = [at("first.jsonl"), at("second.jsonl")];
    await build("--out", first, "--method", "paper", "--cl-order", "first", "--limit", "3", "-q");
    await build("--out", second, "--method", "paper", "--cl-order", "first", "--limit", "3", "--seed", "5", "-q");
    const locations = (path: string) => records(path).map((record) => [record.loc_wrong_easy, record.loc_wrong_hard]);
    // Truth 2 of the first example's 5 lines: the other lines in order.
    expect(locations(first)[0]).toEqual([
      [[1], [3], [4]],
      [[1], [3], [4]],
    ]);
    expect(locations(second)).toEqual(locations(first));
  });

  it("does not replace a file unless it is told to", async () => {
    const before = readFileSync(out, "utf8");
    const { code, stderr } = await build("--out", out, "--seed", "2");
    expect([code, stderr]).toEqual([2, expect.stringContaining("--overwrite") as string]);
    expect(readFileSync(out, "utf8")).toBe(before);
  });

  it("replaces neither what stands beside its output, nor, whatever it is told, its input", async () => {
    const beside = at("beside.distractors.jsonl");
    writeFileSync(beside, "mine\n");
    const { code, stderr } = await build("--out", at("beside.jsonl"));
    expect([code, stderr]).toEqual([2, expect.stringContaining("beside.distractors.jsonl, which exists") as string]);
    expect(readFileSync(beside, "utf8")).toBe("mine\n");
    const onto = await build("--out", input, "--overwrite");
    expect([onto.code, onto.stderr]).toEqual([2, expect.stringContaining("the file that is read") as string]);
    expect(readFileSync(input, "utf8")).toBe(jsonl(...REVIEWS));
  });

  it("tells an example that only has the id of another from one that is there again", async () => {
    const ids = at("ids.jsonl");
    // The deletion, another code review under its id, and the deletion again.
    writeFileSync(ids, jsonl(RAW[2], { ...RAW[2], code_review: "Another." }, RAW[2]));
    const { code, stdout } = await runProbe(["dataset", "build", ids, "--out", at("ids-built.jsonl"), "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      examples: {
        drops: [
          { reason: "the id of another example before", counts: { php: 1 } },
          { reason: "the same as an example before", counts: { php: 1 } },
        ],
        kept: { php: 1 },
      },
    });
  });
});

describe("a build by --method matched", () => {
  const out = at("matched.jsonl");
  const starter = join(import.meta.dirname, "../../datasets/starter.jsonl");

  it("is the default, makes squares of near misses with a surrogate too, and says what differs where", async () => {
    const args = ["dataset", "build", starter, "--out", out, "--surrogate", "tiny", "--limit", "4", "--json"];
    const { code, stdout } = await runProbe(args);
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as { warning: string }).warning).toContain("tiny, the bundled model");
    expect(JSON.parse(readFileSync(at("matched.build.json"), "utf8"))).toMatchObject({ method: "matched" });
    const explanations = readFileSync(at("matched.distractors.jsonl"), "utf8").trimEnd().split("\n");
    expect(explanations.length).toBeGreaterThan(0);
    for (const line of explanations) {
      const { surrogate, squares } = JSON.parse(line) as {
        surrogate: string;
        squares: { difficulty: string; a: { edits: unknown[] }; b: { edits: unknown[] }; options: string[] }[];
      };
      expect([surrogate, squares.map(({ difficulty }) => difficulty)]).toEqual(["tiny", ["easy", "hard"]]);
      for (const { a, b, options } of squares) {
        expect(options).toEqual(["a", "b", "a and b"]);
        expect(a.edits).not.toEqual(b.edits);
      }
    }
  });

  it("is warned of in the statistics too", async () => {
    const { code, stdout, stderr } = await runProbe(["dataset", "stats", out]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("tiny, the bundled model") as string]);
    expect(stdout).not.toContain("tiny");
    const { stdout: json } = await runProbe(["dataset", "stats", out, "--json"]);
    expect((JSON.parse(json) as { warning: string }).warning).toContain("tiny, the bundled model");
    const { stdout: none } = await runProbe(["dataset", "stats", input, "--json"]);
    expect((JSON.parse(none) as { warning: null }).warning).toBeNull();
  });

  // Builds without a surrogate do after a kill at any operation on the disk (`kill-points.slow`).
  it.runIf(isWhole)("goes on after a kill by the same command to the same bytes", async () => {
    const asked = ["dataset", "build", starter, "--surrogate", "tiny", "--limit", "4"];
    const killed = at("killed.jsonl");
    const partial = at("killed.partial.jsonl");
    const lines = () => (existsSync(partial) ? readFileSync(partial, "utf8").split("\n").length : 0);
    const { child, result } = startProbe([...asked, "--out", killed]);
    while (lines() < 3 && child.exitCode === null) await sleep(2);
    child.kill("SIGKILL");
    expect((await result).signal).toBe("SIGKILL");
    expect(existsSync(killed)).toBe(false);
    const { code, stderr } = await runProbe([...asked, "--out", killed]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("of 4 examples are done") as string]);
    expect(readFileSync(killed, "utf8")).toBe(readFileSync(out, "utf8"));
    expect(existsSync(partial)).toBe(false);
  });
});

describe("a build without a surrogate", () => {
  /** Two conditions that change, and what is returned. */
  const NEAR = {
    pre_review_code: "def take(first, items):\n    if items:\n        return first\n    return items",
    code_review: "Return the highest of them, and the items where there are none.",
    post_review_code: "def take(first, items):\n    if not items:\n        return items\n    return max(items)",
    language: "python",
    id: "near",
  };

  it("makes SI questions of near misses, tells which, and what such are worth", async () => {
    const out = at("alone.jsonl");
    writeFileSync(at("near.jsonl"), jsonl(NEAR, ...RAW.slice(2, 3)));
    const { code, stdout } = await runProbe(["dataset", "build", at("near.jsonl"), "--out", out]);
    expect([code, stdout.includes("Name a model")]).toEqual([0, false]);
    // What readers found in such questions stands beside them, but not where there is none, of a deletion.
    expect(stdout).toContain("SI was built without a writer: in 50 of 80");
    writeFileSync(at("gone.jsonl"), jsonl(...RAW.slice(2, 3)));
    const gone = await runProbe(["dataset", "build", at("gone.jsonl"), "--out", at("gone-built.jsonl")]);
    expect([gone.code, gone.stdout.includes("without a writer")]).toEqual([0, false]);
    const [near] = records(out);
    expect([near?.solution_wrong_easy?.length, near?.solution_wrong_hard?.length]).toEqual([3, 3]);
    const [explained] = readFileSync(at("alone.distractors.jsonl"), "utf8").trim().split("\n");
    expect(JSON.parse(explained ?? "")).toMatchObject({
      surrogate: null,
      method: "matched",
      squares: [{ difficulty: "easy", options: ["a", "b", "a and b"] }, { difficulty: "hard" }],
    });
    const php = records(out).find(({ lang }) => lang === "php");
    expect(php?.not_built).toBeUndefined(); // a deletion
  });

  it("keeps with --needs-reading the questions alone that matching words gets wrong", async () => {
    const [all, some] = [at("all.jsonl"), at("some.jsonl")];
    // Without the two languages that take longest: rules are fitted on 50 questions of a form or more.
    const starter = records("datasets/starter.jsonl").filter(({ lang }) => lang !== "c" && lang !== "cpp");
    writeFileSync(at("starter.jsonl"), jsonl(...starter));
    const build = ["dataset", "build", at("starter.jsonl")];
    await runProbe([...build, "--out", all]);
    const { code, stdout } = await runProbe([...build, "--out", some, "--needs-reading"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("words of the review suffice") as string]);
    const { stdout: stats } = await runProbe(["dataset", "stats", all, "--json"]);
    const { needs } = JSON.parse(stats) as { needs: { task: string; difficulty: string | null; words_fail: number }[] };
    for (const { task, difficulty, words_fail: wordsFail } of needs) {
      if (task === "CTR") continue;
      const form = `${task} ${difficulty}` as "CL easy";
      const field = (task === "CL" ? `loc_wrong_${difficulty}` : `solution_wrong_${difficulty}`) as "loc_wrong_easy";
      const asked = records(some).filter(
        (record) => record[field] !== undefined && record.not_asked?.[form] === undefined,
      );
      expect([form, asked.length]).toEqual([form, wordsFail]);
    }
  });

  it("is refused with --needs-reading where a form has too few questions to fit a rule, and keeps what is built", async () => {
    const out = at("few.jsonl");
    const { code, stderr } = await runProbe(["dataset", "build", input, "--out", out, "--needs-reading"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("Expected at least 50 questions of CL easy") as string]);
    expect(existsSync(at("few.partial.jsonl"))).toBe(true);
    expect((await runProbe(["dataset", "build", input, "--out", out])).code).toBe(0);
  });

  it("makes none by the paper's method, and counts and says why", async () => {
    const out = at("paper.jsonl");
    const { code, stdout } = await runProbe(["dataset", "build", input, "--out", out, "--method", "paper"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("no SI: no surrogate was named") as string]);
    expect(stdout).toContain("Name a model with --surrogate.");
    const [python] = records(out);
    expect(python?.loc_wrong_easy).toHaveLength(3);
    expect([python?.solution_wrong_easy, python?.not_built?.["SI"]]).toEqual([undefined, "no surrogate was named"]);
    expect(readFileSync(at("paper.distractors.jsonl"), "utf8")).toBe("");
  });

  it("is refused with a model in its place", async () => {
    const { code, stderr } = await runProbe(["dataset", "build", input, "--out", at("x.jsonl"), "--scorer", "tiny"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("Expected --surrogate beside --scorer") as string]);
  });
});

describe("a build that was stopped", () => {
  it("stops in order on an interrupt, with how to go on; another command is refused", async () => {
    const starter = join(import.meta.dirname, "../../datasets/starter.jsonl");
    const asked = ["dataset", "build", starter, "--surrogate", "tiny", "--out", at("interrupted.jsonl")];
    const { child, result } = startProbe(asked);
    while (!existsSync(at("interrupted.partial.jsonl")) && child.exitCode === null) await sleep(5);
    await sleep(300);
    child.kill("SIGINT");
    const { code, stderr } = await result;
    expect(code).toBe(130);
    expect(stderr).toContain("The same command goes on where it stopped.");
    const refused = await runProbe([...asked, "--seed", "9"]);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("seed: the file has 0, this command 9") as string,
    ]);
  });
});

describe("bad input of a build", () => {
  it.each([
    ["a missing --out", [], "Expected --out, found none: JSONL file to write"],
    ["a surrogate that cannot infill", ["--out", "x.jsonl", "--surrogate", "scripted:oracle"], "scripted:oracle"],
    ["a folder that is not there", ["--out", "none/x.jsonl"], "which does not exist"],
    ["a bad order", ["--out", "x.jsonl", "--cl-order", "best"], "one of sampled, first"],
    ["a bad method", ["--out", "x.jsonl", "--method", "best"], "one of matched, paper"],
    ["an order of matched locations", ["--out", "x.jsonl", "--cl-order", "first"], "--method paper"],
  ])("is refused: %s", async (_name, args, message) => {
    const { code, stderr } = await runProbe(["dataset", "build", input, ...args], { cwd: folder });
    expect(code).toBe(args.includes("--surrogate") ? 3 : 2);
    expect(stderr).toContain(message);
    expect(existsSync(at("x.jsonl"))).toBe(false);
  });

  it("names file and line of what is no code review, and builds the others with --skip-invalid", async () => {
    const bad = at("bad.jsonl");
    writeFileSync(bad, `{"code_review": 1}\n${jsonl(RAW[2])}\n{"code_review": 1}\n`);
    const args = ["dataset", "build", bad, "--out", at("good.jsonl")];
    const { code, stderr } = await runProbe(args);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/bad\.jsonl:\d+: /) as string]);
    const built = await runProbe([...args, "--skip-invalid", "-q"]);
    expect([built.code, built.stdout.replaceAll(/[ │]+/g, " ")]).toEqual([
      0,
      expect.stringMatching(/read 3 1 2\s+- invalid record 2 0 2\s+kept 1 1 0/) as string,
    ]);
    expect(records(at("good.jsonl"))).toHaveLength(1);
    // Read up to the one example that is asked for: the second invalid line stands behind it.
    const limited = await runProbe([...args, "--skip-invalid", "-q", "--limit", "1", "--overwrite", "--json"]);
    const examples = { read: { php: 1, other: 1 }, drops: [{ reason: "invalid record", counts: { other: 1 } }] };
    expect(JSON.parse(limited.stdout)).toMatchObject({ examples });
    expect(JSON.parse(readFileSync(at("good.build.json"), "utf8"))).toMatchObject({ examples });
  });
});
