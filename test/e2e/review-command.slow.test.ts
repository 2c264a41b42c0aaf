import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../src/base/sha256.js";
import { runProbe } from "../fixtures/cli.js";
import { type Category, writeDecisions } from "../fixtures/decisions.js";
import { jsonl } from "../fixtures/jsonl.js";
import { startReview } from "../fixtures/page-process.js";
import { rawTripleWith } from "../fixtures/raw-triple.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const DATA = jsonl(...["a", "b", "c", "d"].map((id) => rawTripleWith({ id })));
const data = join(folder, "data.jsonl");
writeFileSync(data, DATA);

function decided(annotator: string, categories: Readonly<Record<string, Category>>): string {
  const dataset = { path: "data.jsonl", sha256: sha256(DATA), examples: 4 };
  return writeDecisions(join(folder, `${annotator}.jsonl`), annotator, categories, dataset);
}

const ada = decided("ada", { a: "keep", b: "keep", c: "code_formatting", d: "keep" });
const bob = decided("bob", { a: "keep", b: "wrong_linking", c: "code_formatting" });

async function decide(url: string, example_id: string, reason: string | null = null): Promise<void> {
  const decision = reason === null ? "keep" : "drop";
  const response = await fetch(`${url}api/decisions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ example_id, decision, reason, note: "" }),
  });
  expect(response.status).toBe(200);
}

const shownIds = async (url: string) => {
  const state = (await (await fetch(`${url}api/state`)).json()) as { examples: { id: string }[] };
  return state.examples.map(({ id }) => id);
};

describe("probe dataset review", () => {
  it("prints its address alone on standard output, ends in order on an interrupt, and sums up", async () => {
    const review = await startReview([data, "--annotator", "carol"]);
    await decide(review.url, "a");
    await decide(review.url, "b", "wrong_linking");
    const { code, stdout, stderr } = await review.stop("SIGINT");
    expect(stdout).toBe(`${review.url}\n`);
    expect(stderr).toContain("Reviewing 4 examples, 0 of them decided already.");
    expect(stderr).toContain("1 kept, 1 dropped (wrong linking 1); 2 undecided; the same command goes on.");
    expect(code).toBe(0);
    const again = await startReview([data, "-a", "carol"]);
    expect((await again.stop("SIGTERM")).stderr).toContain("4 examples, 2 of them decided already");
    expect(existsSync(`${data}.review.carol.jsonl.lock`)).toBe(false);
  });

  it("saves where --out says, and records the way from there to the data", async () => {
    const out = join(folder, "elsewhere.jsonl");
    const review = await startReview([data, "-a", "carol", "--out", out]);
    await review.stop("SIGINT");
    const header = JSON.parse(readFileSync(out, "utf8").split("\n")[1]!) as { dataset: object };
    expect(header.dataset).toEqual({ path: "data.jsonl", sha256: sha256(DATA), examples: 4 });
  });

  it("serves on the port that --port names, once", async () => {
    const first = await startReview([data, "-a", "dan"]);
    const { port } = new URL(first.url);
    const second = await runProbe(["dataset", "review", data, "-a", "eve", "--port", port]);
    expect(second.stderr).toContain(`Expected port ${port} to be free, found it taken by another program`);
    expect(second.code).toBe(2);
    await first.stop("SIGINT");
    const third = await startReview([data, "-a", "eve", "--port", port]);
    expect(new URL(third.url).port).toBe(port);
    await third.stop("SIGINT");
  });

  it("does not let two processes write the same decisions", async () => {
    const first = await startReview([data, "-a", "fay"]);
    const second = await runProbe(["dataset", "review", data, "-a", "fay"]);
    expect(second.stderr).toMatch(/review\.fay\.jsonl to be free, found it in use by process \d+/);
    expect(second.code).toBe(2);
    await decide(first.url, "a");
    await first.stop("SIGKILL");
    // The lock that a kill left is taken over.
    const third = await startReview([data, "-a", "fay"]);
    expect((await third.stop("SIGINT")).stderr).toContain("1 of them decided already");
  });

  it("does not mix decisions about data that changed since", async () => {
    const changed = join(folder, "changed.jsonl");
    writeFileSync(changed, DATA);
    await (await startReview([changed, "-a", "gil"])).stop("SIGINT");
    writeFileSync(changed, DATA.replace("shout", "whisper"));
    const { code, stderr } = await runProbe(["dataset", "review", changed, "-a", "gil"]);
    expect(stderr).toContain(`dataset sha256: the file has "${sha256(DATA)}"`);
    expect(stderr).toContain("Nothing was changed");
    expect(code).toBe(2);
  });

  it("refuses invalid lines, or leaves them out with --skip-invalid", async () => {
    const mixed = join(folder, "mixed.jsonl");
    writeFileSync(mixed, `${DATA}{"nothing":1}\n`);
    const refused = await runProbe(["dataset", "review", mixed, "-a", "hal"]);
    expect(refused.stderr).toMatch(/mixed\.jsonl:5: .*--skip-invalid/s);
    expect(refused.code).toBe(2);
    const review = await startReview([mixed, "-a", "hal", "--skip-invalid"]);
    expect(await shownIds(review.url)).toHaveLength(4);
    expect((await review.stop("SIGINT")).stderr).toContain("Left out 1 line: invalid line.");
  });

  // `prlimit` is Linux's: it makes the disk full for one process.
  it.skipIf(process.platform !== "linux")(
    "tells a decision that fits only in part, and saves it whole later",
    async () => {
      const review = await startReview([data, "-a", "ivy"]);
      const saved = `${data}.review.ivy.jsonl`;
      const limit = (bytes: string) => execFileSync("prlimit", ["--pid", String(review.pid), `--fsize=${bytes}`]);
      await decide(review.url, "a");
      const { length } = readFileSync(saved);
      limit(`${length + 30}:unlimited`);
      const body = JSON.stringify({ example_id: "b", decision: "keep", reason: null, note: "" });
      const headers = { "content-type": "application/json" };
      for (let attempt = 0; attempt < 2; attempt++) {
        const response = await fetch(`${review.url}api/decisions`, { method: "POST", headers, body });
        expect([response.status, await response.text()]).toEqual([500, expect.stringContaining("EFBIG")]);
        // The part that fitted is there; it is no line.
        expect(readFileSync(saved)).toHaveLength(length + 30);
      }
      limit("unlimited:unlimited");
      await decide(review.url, "b");
      await review.stop("SIGKILL");
      const ids = readFileSync(saved, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as object);
      expect(ids).toMatchObject([{ journal: "review" }, { kind: "review" }, { example_id: "a" }, { example_id: "b" }]);
    },
  );

  it("shows only conflicts with --conflicts, and what each annotator decided", async () => {
    const review = await startReview([data, "-a", "both", "--conflicts", ada, "--conflicts", bob]);
    expect(await shownIds(review.url)).toEqual(["b"]);
    const shown = (await (await fetch(`${review.url}api/examples/0`)).json()) as { earlier: object[] };
    expect(shown.earlier).toEqual([
      { annotator: "ada", decision: "keep", reason: null, note: "ada on b", questions: [] },
      { annotator: "bob", decision: "drop", reason: "wrong_linking", note: "bob on b", questions: [] },
    ]);
    await review.stop("SIGINT");
  });

  it.each([
    ["no annotator", [], /Expected --annotator with a name/],
    ["an annotator that is a path", ["-a", "../x"], /Expected --annotator .* found "\.\.\/x"/],
    ["a port out of range", ["-a", "x", "--port", "65536"], /Expected a port up to 65535/],
    ["one file of conflicts", ["-a", "x", "--conflicts", ada], /--conflicts with two decisions files, found 1/],
    ["files that agree", ["-a", "x", "--conflicts", ada, "--conflicts", ada], /found none: both files agree/],
  ])("with %s is refused", async (_, args, says) => {
    const { code, stderr } = await runProbe(["dataset", "review", data, ...args]);
    expect(stderr).toMatch(says);
    expect(code).toBe(2);
  });
});

describe("probe dataset kappa", () => {
  it("prints agreement, counts and conflicts", async () => {
    const { code, stdout } = await runProbe(["dataset", "kappa", ada, bob]);
    expect(stdout).toContain("Decided by both 3, by ada only 1, by bob only 0, by neither 0.");
    // Keep/drop over a, b, c: po = 2/3; ada keeps 2/3, bob 1/3: pe = 2/9 + 2/9 = 4/9; (2/9)/(5/9) = .4.
    expect(stdout).toMatch(/keep or drop +│ +3 │ +66\.7 % │ +44\.4 % │ +0\.400( \([^)]*\))? │/);
    expect(stdout).toContain("Decided by ada only: d");
    expect(stdout).toContain("Conflicts: 1 that one keeps and the other drops, 0 that both drop");
    expect(stdout).toMatch(/│ b +│ keep +│ drop: wrong linking/);
    expect(code).toBe(0);
  });

  it("prints one JSON document with --json; what is undefined is null", async () => {
    const { stdout } = await runProbe(["dataset", "kappa", ada, decided("one", { a: "keep" }), "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      annotators: ["ada", "one"],
      both: 1,
      only_a: ["b", "c", "d"],
      keep_or_drop: { n: 1, observed: 1, kappa: null, standard_error: null, ci_low: null, ci_high: null },
      rounds: null,
      conflicts: [],
      agreed: null,
    });
  });

  it("gives kappa by round, as text and as JSON", async () => {
    const { stdout } = await runProbe(["dataset", "kappa", ada, bob, "--rounds", "2"]);
    expect(stdout).toContain("By round: 2 rounds of 1 to 2 examples in the order of ada's decisions");
    // a and b: both keep a, bob drops b: po 1/2, pe = 1 · 1/2: kappa 0. c alone: one category, no kappa.
    expect(stdout).toMatch(/keep or drop +│ +1 │ +1 │ +0\.000 │ +– │/);
    const json = JSON.parse((await runProbe(["dataset", "kappa", ada, bob, "--round-size", "2", "--json"])).stdout);
    expect(json.rounds).toMatchObject({
      keep_or_drop: { rounds: 1, rounds_without_kappa: 1, mean: 0, standard_deviation: null },
      list: [
        { round: 1, from: "a", n: 2, keep_or_drop: { kappa: 0 } },
        { round: 2, from: "c", n: 1, keep_or_drop: { kappa: null } },
      ],
    });
  });

  it("writes the agreed set with --resolve, once, with conflicts as --resolutions has them", async () => {
    const out = join(folder, "agreed.jsonl");
    const first = await runProbe(["dataset", "kappa", ada, bob, "--resolve", out]);
    expect(first.stderr).toContain("Agreed on 1 of 4 reviews");
    expect(readFileSync(out, "utf8")).toBe(jsonl(rawTripleWith({ id: "a" })));
    const again = await runProbe(["dataset", "kappa", ada, bob, "--resolve", out]);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("--overwrite")]);
    const resolutions = ["--resolutions", decided("all", { b: "keep" })];
    const resolved = await runProbe(["dataset", "kappa", ada, bob, "--resolve", out, ...resolutions, "--overwrite"]);
    expect(resolved.stderr).toContain("Agreed on 2 of 4 reviews");
    expect(readFileSync(out, "utf8")).toBe(jsonl(rawTripleWith({ id: "a" }), rawTripleWith({ id: "b" })));
  });

  it("finds the data where --data says, and checks that it is the data that was reviewed", async () => {
    const moved = join(folder, "moved.jsonl");
    writeFileSync(moved, DATA);
    const out = join(folder, "agreed-moved.jsonl");
    const { code } = await runProbe(["dataset", "kappa", ada, bob, "--resolve", out, "--data", moved]);
    expect(code).toBe(0);
    expect(readFileSync(out, "utf8")).toBe(jsonl(rawTripleWith({ id: "a" })));
    writeFileSync(moved, `${DATA}\n`);
    const other = await runProbe(["dataset", "kappa", ada, bob, "--resolve", `${out}2`, "--data", moved]);
    expect([other.code, existsSync(`${out}2`)]).toEqual([2, false]);
    expect(other.stderr).toContain(`(sha256 ${sha256(DATA)}), found another`);
  });

  it.each([
    ["the same file twice", [ada, ada], /Expected two decisions files, found .* twice/],
    ["data for decisions", [ada, data], /Expected a decisions file .* found another first line/],
    ["no file", [ada, "nowhere.jsonl"], /Expected a decisions file .* cannot be read \(ENOENT/],
    ["--resolutions alone", [ada, bob, "--resolutions", ada], /Expected --resolve FILE beside --resolutions/],
    [
      "both kinds of rounds",
      [ada, bob, "--rounds", "2", "--round-size", "2"],
      /Expected --rounds or --round-size, found both/,
    ],
    ["too many rounds", [ada, bob, "--rounds", "4"], /no more rounds than the 3 examples .* found --rounds 4/],
    ["rounds of one", [ada, bob, "--round-size", "1"], /a whole number of at least 2 for --round-size/],
    ["an input to write to", [ada, bob, "--resolve", ada, "--overwrite"], /Expected a file of its own for --resolve/],
  ])("with %s is refused", async (_, args, says) => {
    const before = readFileSync(ada, "utf8");
    const { code, stderr } = await runProbe(["dataset", "kappa", ...args]);
    expect(stderr).toMatch(says);
    expect(code).toBe(2);
    expect(readFileSync(ada, "utf8")).toBe(before);
  });
});
