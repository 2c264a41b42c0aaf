import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { runProbe, startProbe } from "../fixtures/cli.js";
import { jsonl } from "../fixtures/jsonl.js";
import { rawTripleWith } from "../fixtures/raw-triple.js";
import { MINI } from "../fixtures/reference.js";
import { referencePerplexities } from "../fixtures/reference-perplexity.js";
import { readTable, type TableRow } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const isWhole = process.env["PROBE_SLOW_TESTS"] === "1";
const folder = temporaryFolder();
let outs = 0;
const newOut = () => join(folder, `audit-${++outs}`);

async function audit(out: string, ...more: string[]) {
  return runProbe(["audit", "--model", "tiny", "--dataset", MINI, "--out", out, ...more]);
}

interface AuditFile {
  readonly audit_id: string;
  readonly status: string;
  readonly results: { readonly counts: readonly { readonly forms: readonly Record<string, unknown>[] }[] };
}

function auditFile(out: string): AuditFile {
  return JSON.parse(readFileSync(join(out, "audit.json"), "utf8")) as AuditFile;
}

function withoutRun(rows: readonly TableRow[]): TableRow[] {
  return rows.map(({ run_id: _, ...row }) => row);
}

/** Reviews in raw form, each in a language of its own. */
function olderReviews(): string {
  const path = join(folder, "older.jsonl");
  const reviews = ["py", "go", "java"].map((language) =>
    rawTripleWith({
      language,
      code_review: "Name it `total_price`.",
      pre_review_code: "price = item.price\nreturn price * count",
      post_review_code: "total_price = item.price\nreturn total_price * count",
    }),
  );
  writeFileSync(path, jsonl(...reviews));
  return path;
}

describe("an audit of the bundled model", () => {
  const out = newOut();
  let stdout: string;

  beforeAll(async () => {
    const result = await audit(out, "--against", olderReviews());
    expect(result.stderr).toBe("");
    expect(result.code).toBe(0);
    ({ stdout } = result);
  });

  it("finds the ACR perplexities that PyTorch finds", () => {
    const acr = readTable(out, "contamination.csv").filter(({ form }) => form === "ACR");
    const reference = referencePerplexities();
    expect(acr.map((row) => row["example_id"])).toEqual(reference.map((row) => row.example_id));
    for (const [i, { tokens, nll, perplexity }] of reference.entries()) {
      expect(acr[i]?.["tokens"]).toBe(String(tokens));
      expect(Number(acr[i]?.["nll"]) / nll).toBeCloseTo(1, 4);
      expect(Number(acr[i]?.["perplexity"]) / perplexity).toBeCloseTo(1, 4);
    }
  });

  it("writes a row for every text in the columns of the specification", () => {
    const header = readFileSync(join(out, "contamination.csv"), "utf8").split("\r\n", 1)[0];
    expect(header).toBe(
      "run_id,model,example_id,language,form,task,difficulty,tokens,nll,perplexity,ngram_n,ngram_starts,ngram_hits,ngram_accuracy",
    );
    const rows = readTable(out, "contamination.csv");
    // Six examples: ACR, CTR, CL easy and hard; SI easy and hard but for the one that deletes.
    expect(rows).toHaveLength(6 * 4 + 5 * 2);
    for (const row of rows) {
      const [tokens, nll, hits] = [row["tokens"], row["nll"], row["ngram_hits"]].map(Number);
      expect(Number(row["perplexity"])).toBeCloseTo(Math.exp(nll! / tokens!), 10);
      expect([row["ngram_n"], row["ngram_starts"]]).toEqual(["5", "5"]);
      expect(Number(row["ngram_accuracy"])).toBe(hits! / 5);
      expect(row["run_id"]).toBe(auditFile(out).audit_id);
    }
  });

  it("keeps benchmarks and renamed code apart, in files of their own", () => {
    expect(readdirSync(out).sort()).toEqual([
      "audit.json",
      "contamination.against-1-older.csv",
      "contamination.against-1-older.renamed.csv",
      "contamination.csv",
      "contamination.jsonl",
      "contamination.renamed.csv",
      "contamination_summary.csv",
      "datapackage.json",
    ]);
    // Raw reviews have no options, so no questions.
    expect(readTable(out, "contamination.against-1-older.csv").map(({ form }) => form)).toEqual(["ACR", "ACR", "ACR"]);
    expect(readTable(out, "contamination.renamed.csv")).toHaveLength(6);
    const described = JSON.parse(readFileSync(join(out, "datapackage.json"), "utf8")) as { resources: object[] };
    expect(described.resources).toHaveLength(5);
  });

  it("sums up every benchmark, form and language", () => {
    const rows = readTable(out, "contamination_summary.csv");
    const acr = readTable(out, "contamination.csv").filter(({ form }) => form === "ACR");
    const mean = rows.find(
      ({ benchmark, form, metric, group }) =>
        benchmark === "mini" && form === "ACR" && metric === "perplexity_mean" && group === "all",
    );
    const expected = acr.reduce((sum, row) => sum + Number(row["perplexity"]), 0) / 6;
    expect(Number(mean?.["value"])).toBeCloseTo(expected, 10);
    const languages = new Set(rows.filter((row) => row["group_by"] === "language").map(({ group }) => group));
    expect([...languages].sort()).toEqual(["cpp", "csharp", "go", "java", "javascript", "python"]);
    expect(rows.some(({ metric }) => metric === "renaming_cost_difference")).toBe(true);
  });

  it("prints the paper's Table 4, forms, languages, differences and what looks memorised", () => {
    for (const part of [
      /^tiny · 46 texts of mini \(6 examples\), older \(3 examples\)/,
      /│ mini +│ ACR +│ +6 │ +15\.15 \(/,
      /│ mini +│ MCQA +│ +28 │/,
      /│ older +│ ACR +│ +3 │/,
      /│ SI hard +│ +5 │/,
      /│ JavaScript │/,
      /The same examples in another form, beside ACR/,
      /What renaming the identifiers costs/,
      // Six examples and three: numbers, but no verdict.
      / {2}mini beside older: too few examples \(3\) for a verdict: it takes 20\n/,
      /\nmini: too few examples \(6\) for a verdict: it takes 20\n/,
      /below 30 examples by Student's t\n/,
      /Texts that look memorised .*: (none|\d+)/,
    ]) {
      expect(stdout).toMatch(part);
    }
    expect(stdout).not.toMatch(/memorised code|no difference shown/);
  });

  it("is finished: the same command scores nothing and changes nothing", async () => {
    const before = readFileSync(join(out, "contamination.csv"), "utf8");
    const { code, stderr } = await audit(out, "--against", olderReviews());
    expect(code).toBe(0);
    expect(stderr).toContain("46 of 46 texts are scored; nothing is left to score");
    expect(readFileSync(join(out, "contamination.csv"), "utf8")).toBe(before);
  });

  it("is not mixed with another: the folder is refused, naming the difference", async () => {
    const before = readFileSync(join(out, "audit.json"), "utf8");
    const { code, stderr } = await audit(out, "--starts", "random");
    expect(code).toBe(2);
    expect(stderr).toMatch(/against 1: the audit has "older", this command none/);
    expect(stderr).toMatch(/starts: the audit has "even", this command "random"/);
    expect(readFileSync(join(out, "audit.json"), "utf8")).toBe(before);
  });
});

describe("an audit that is killed", () => {
  // As after a kill at any operation on the disk (`kill-points.slow`), or at any byte of its journal (`store/contract`).
  it.runIf(isWhole)("goes on behind the last whole line, to the tables of an uninterrupted one", async () => {
    const [whole, out] = [newOut(), newOut()];
    const what = ["--task", "ACR,CTR"];
    expect((await audit(whole, "-q", ...what)).code).toBe(0);
    const journal = join(out, "contamination.jsonl");
    const lines = () => (existsSync(journal) ? readFileSync(journal, "utf8").split("\n").length - 1 : 0);
    const { child, result } = startProbe(["audit", "--model", "tiny", "--dataset", MINI, "--out", out, ...what]);
    while (lines() < 5 && child.exitCode === null) await sleep(2);
    child.kill("SIGKILL");
    await result;
    expect(auditFile(out).status).toBe("running");
    appendFileSync(journal, '{"benchmark":0,"example_id":"mini-');
    const { code, stderr } = await runProbe(["audit", "--resume", out]);
    expect(stderr).toMatch(/Going on in .*: \d+ of 18 texts are scored; scoring the rest\./);
    expect(code).toBe(0);
    // Header and one line a text: none is scored twice.
    expect(lines()).toBe(1 + 18);
    for (const table of ["contamination.csv", "contamination.renamed.csv", "contamination_summary.csv"]) {
      expect(withoutRun(readTable(out, table))).toEqual(withoutRun(readTable(whole, table)));
    }
  });

  it("by Ctrl-C, says how to go on", async () => {
    const out = newOut();
    const { child, result } = startProbe(["audit", "--model", "tiny", "--dataset", "starter", "--out", out]);
    while (!existsSync(join(out, "contamination.jsonl")) && child.exitCode === null) await sleep(5);
    child.kill("SIGINT");
    const { code, stderr } = await result;
    expect(code).toBe(130);
    expect(stderr).toMatch(/Stopped with \d+ of \d+ texts scored\. Go on with:\n {2}probe audit --resume .*audit-\d+/);
    expect(auditFile(out).status).toBe("interrupted");
  });
});

describe("the options of an audit", () => {
  const tasks = (out: string) => {
    const rows = readTable(out, "contamination.csv");
    return [...new Set(rows.map(({ task, difficulty }) => `${task} ${difficulty}`.trim()))];
  };

  it("--task, --difficulty, --language, --limit and --no-renamed choose what is scored", async () => {
    const out = newOut();
    const what = [
      "--task",
      "cl,acr",
      "--difficulty",
      "hard",
      "--language",
      "go,py,java",
      "--limit",
      "2",
      "--no-renamed",
    ];
    expect((await audit(out, ...what)).code).toBe(0);
    expect(tasks(out)).toEqual(["ACR", "CL hard"]);
    expect(readTable(out, "contamination.csv").map((row) => row["example_id"])).toEqual([
      "mini-py",
      "mini-py",
      "mini-go",
      "mini-go",
    ]);
    expect(existsSync(join(out, "contamination.renamed.csv"))).toBe(false);
  });

  it("--starts random draws other 5-grams of the same texts, by --seed", async () => {
    const starts = async (...more: string[]) => {
      const out = newOut();
      expect((await audit(out, "--task", "CTR", "--limit", "3", "--json", ...more)).code).toBe(0);
      const lines = readFileSync(join(out, "contamination.jsonl"), "utf8").trim().split("\n").slice(1);
      const records = lines.map((line) => JSON.parse(line) as { nll: number; hits: { start: number }[] });
      return { nll: records.map(({ nll }) => nll), hits: records.map(({ hits }) => hits.map(({ start }) => start)) };
    };
    const [even, one, again, two] = [
      await starts(),
      await starts("--starts", "random", "--seed", "1"),
      await starts("--starts", "random", "--seed", "1"),
      await starts("--starts", "random", "--seed", "2"),
    ];
    expect(one).toEqual(again);
    expect(one.nll).toEqual(even.nll);
    expect(one.hits).not.toEqual(even.hits);
    expect(one.hits).not.toEqual(two.hits);
  });

  it("--json prints one document", async () => {
    const { stdout } = await audit(newOut(), "--task", "ACR", "--limit", "1", "--json");
    const document = JSON.parse(stdout) as { status: string; summary: { metric: string; ci_low: number | null }[] };
    expect(document.status).toBe("complete");
    expect(document.summary[0]).toMatchObject({ metric: "perplexity_mean", ci_low: null, n: 1 });
  });

  it.each([
    ["an unknown task", ["--task", "CTX"], /--task to be one of CTR, CL, SI, ACR, found "CTX"/],
    ["unknown starts", ["--starts", "first"], /one of even, random for --starts/],
    ["a file that is not there", ["--against", "none.jsonl"], /JSONL file at none\.jsonl, found no such file/],
    ["a file without --against", ["other.jsonl"], /files behind --against, found other\.jsonl alone/],
  ])("refuse %s before anything is scored", async (_, more, message) => {
    const out = newOut();
    const { code, stderr } = await audit(out, ...more);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(existsSync(out)).toBe(false);
  });
});

describe("texts that cannot be scored in full", () => {
  it("are counted, named and left empty in the table", async () => {
    const out = newOut();
    const long = "x = 1\n".repeat(200);
    const path = join(folder, "long.jsonl");
    const review = { pre_review_code: long, post_review_code: long.replace("1", "2") };
    writeFileSync(
      path,
      jsonl(rawTripleWith({ id: "short" }), rawTripleWith({ id: "far\u001b[31m-too-long", ...review })),
    );
    const { code, stdout } = await runProbe([
      "audit",
      "--model",
      "tiny",
      "--dataset",
      path,
      "--out",
      out,
      "--no-renamed",
      "--model-arg",
      "contextSize=512",
    ]);
    expect(code).toBe(4);
    expect(stdout).toContain("long ACR: 1 not scored (context_overflow): far\\u001b[31m-too-long");
    const [, row] = readTable(out, "contamination.csv");
    expect(row).toMatchObject({ tokens: "", nll: "", perplexity: "", ngram_hits: "", ngram_accuracy: "" });
    expect(auditFile(out).results.counts[0]?.forms[0]).toMatchObject({ scored: 1 });
  });
});
