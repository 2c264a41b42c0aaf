import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { sha256 } from "../../src/base/sha256.js";
import { runCli } from "../../src/cli/program.js";
import { type Console, LiveRow } from "../../src/console/console.js";
import { datasetFile } from "../../src/dataset/dataset-file.js";
import { writeDecisions } from "../fixtures/decisions.js";
import { printedRows } from "../fixtures/published-counts.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const COLUMNS = 80;

/** All that a command shows on a terminal of 80 columns: what it prints, and tables among its messages. */
async function shown(args: readonly string[]): Promise<{ code: number; lines: string[] }> {
  let [out, err] = ["", ""];
  const help = vi.spyOn(globalThis.console, "log").mockImplementation((text) => {
    out += `${text}\n`;
  });
  const console: Console = {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    terminal: { width: COLUMNS, hasColours: false },
    isTerminal: false,
    workingDirectory: folder,
    onInterrupt: () => () => undefined,
    now: () => new Date(0),
  };
  const code = await runCli(args, console);
  help.mockRestore();
  return { code, lines: [...out.split("\n"), ...err.split("\n").filter((line) => /^[┌│├└]/.test(line))] };
}

/** Lines that are too long; not a path or an address alone on its line, which stays whole to be copied. */
const tooLong = (lines: readonly string[]) => lines.filter((line) => line.length > COLUMNS && /\s/.test(line.trim()));

describe("what a command shows on 80 columns", () => {
  const runs = ["a-run-with-a-rather-long-name-of-its-own", "another"].map(at);
  const [run = "", other = ""] = runs;
  const data = at("data.jsonl");
  const triples = at("triples.jsonl");
  const audit = at("audit");

  beforeAll(async () => {
    process.env["PROBE_TRUST_FILE"] = at("trust.json");
    const records = readFileSync(datasetFile("starter"), "utf8").trim().split("\n").slice(0, 6);
    writeFileSync(data, `${records.join("\n")}\n`);
    const ids = records.map((line) => (JSON.parse(line) as { id: string }).id);
    const reviewed = { path: data, sha256: sha256(readFileSync(data)), examples: ids.length };
    writeDecisions(at("ada.jsonl"), "ada", Object.fromEntries(ids.map((id) => [id, "keep"])), reviewed);
    const dropped = Object.fromEntries(ids.map((id, i) => [id, i < 2 ? "wrong_linking" : "keep"] as const));
    writeDecisions(at("bob.jsonl"), "bob", dropped, reviewed);
    const triple = { pre_review_code: "a = 1\n", post_review_code: "a = 2\n", language: "python" };
    const lines = ["Two, please: not one.", "lint"].map((code_review) => JSON.stringify({ ...triple, code_review }));
    writeFileSync(triples, `${lines.join("\n")}\n`);
    writeFileSync(at("rows.csv"), printedRows());
    for (const agent of ["claude-code-v2.0.76-sonnet45", "qwen-code-v0.6.2-qwen3-coder-30b-a3b-instruct"])
      for (const task of ["a/b/01234567", "a/b/89abcdef"]) {
        const own = at(`outputs/instructed/multiplan/${task}/${agent}`);
        mkdirSync(own, { recursive: true });
        writeFileSync(join(own, "prediction.diff"), "");
      }
    const shares = { TPR: "0.8258", LA: "0.7456", CQ: "0.5647", SS: "0.5084", CC: "0.3962", SE: "0.4080" };
    const printed = {
      table1: [{ agent: "OpenHands", llm: "Qwen-Coder-480B-A35B", ...shares }],
      table3: [{ setting: "targeted", difficulty: "medium", TPR: "0.8776", LA: "0.9184", LLM: "0.5670" }],
    };
    writeFileSync(at("printed.json"), JSON.stringify(printed));
    const ask = ["--dataset", data, "-q", "--task", "ACR,CTR,CL,SI,CLO", "--ablate", "review"];
    for (const [i, model] of ["scripted:uniform", "scripted:oracle"].entries()) {
      expect((await shown(["run", "--model", model, ...ask, "--out", runs[i] ?? ""])).code).toBe(0);
    }
    const audited = ["audit", "--model", "tiny", "--dataset", data, "--limit", "1", "--no-renamed", "-q"];
    expect((await shown([...audited, "--out", audit])).code).toBe(0);
  });

  const judge = `scripted:${join(import.meta.dirname, "../../datasets/suites/swe-atlas/judge.jsonl")}`;
  const judged = ["--agent", "scripted:noop", "--condition", "qa", "--judge", judge, "--judge-votes", "2", "-q"];
  const marks = `scripted:${join(import.meta.dirname, "../../datasets/suites/smellbench/judge.jsonl")}`;
  const smelled = ["--agent", "scripted:gold", "--task-id", "parcel-data-clump-easy", "--judge", marks, "-q"];
  const surrogate = process.env["PROBE_SLOW_TESTS"] === "1" ? ["--surrogate", "tiny"] : [];
  const commands: readonly (readonly string[])[] = [
    ["run", "--resume", run],
    ["score", run],
    ["compare", run, other],
    ["failures", run],
    ["failures", run, other],
    ["runs", folder],
    ["report", run, other, "--table", "scores"],
    ["report", run, other, "--table", "languages"],
    ["report", run, other, "--table", "failures"],
    ["report", audit, "--table", "contamination"],
    ["audit", "--resume", audit],
    ["audit", "--flips", "--model", "scripted:uniform", "--task", "CTR", "--limit", "1", "--out", at("flips")],
    ["models"],
    ["models", "check", "tiny"],
    ["dataset", "stats", data],
    ["dataset", "validate", "starter"],
    ["dataset", "shortcuts", data],
    ["dataset", "kappa", at("ada.jsonl"), at("bob.jsonl")],
    ["dataset", "apply", data, at("ada.jsonl"), at("bob.jsonl"), "--out", at("applied.jsonl")],
    ["dataset", "filter", triples, "--out", at("filtered.jsonl")],
    ["dataset", "sample", data, "--per-language", "1", "--out", at("sampled.jsonl")],
    ["dataset", "build", data, ...surrogate, "--limit", "2", "--out", at("built.jsonl")],
    ["suite", "list"],
    ["suite", "run", "swe-atlas", ...judged, "--out", at("judged")],
    ["suite", "run", "swe-atlas", ...judged, "--dry-run"],
    ["suite", "agreement", at("judged"), at("judged")],
    ["suite", "stats", "refactorbench", at("rows.csv")],
    ["suite", "stats", "codetaste", at("outputs")],
    ["suite", "run", "codetaste", "--agent", "scripted:noop", "--condition", "open/direct", "-q", "--out", at("noop")],
    ["suite", "run", "codetaste", "--model", "tiny", "--dry-run"],
    ["suite", "run", "smellbench", ...smelled, "--out", at("smelled")],
    ["suite", "show", at("smelled"), "parcel-data-clump-easy"],
    ["suite", "check", "smellbench", "--task-id", "parcel-data-clump-easy", "-q"],
    ["suite", "stats", "smellbench", at("smelled/per_case.csv"), at("printed.json")],
    ["trust", "list"],
    ["trust"],
    ["engine"],
  ];
  it.each(commands.map((args) => [args.map((word) => basename(word)).join(" "), args] as const))(
    "fits: %s",
    async (_, args) => {
      const { code, lines } = await shown(args);
      expect(lines.length).toBeGreaterThan(1);
      expect([0, 4]).toContain(code);
      expect(tooLong(lines)).toEqual([]);
    },
  );

  it("has the number of questions whole above each rule that was kept out", async () => {
    const { lines } = await shown(["dataset", "shortcuts", "starter"]);
    const kept = lines.slice(lines.findIndex((line) => line.startsWith("Kept out: ")));
    const heads = kept.filter((line) => /│ easy +\(n \d+\) +│ hard +\(n \d+\)/.test(line));
    expect(heads.map((line) => line.split(/[ │]+/)[1])).toEqual(["CL", "SI"]);
  });

  it("has all four marks of SmellBench in every table of them, and says once that the judge is in doubt", async () => {
    const { lines } = await shown(["score", at("smelled")]);
    expect(lines.filter((line) => /│ +SE │ +CC │ +SS │ +CQ │/.test(line))).toHaveLength(3);
    expect(lines.filter((line) => line.startsWith("judge?: SE, CC, SS, CQ"))).toHaveLength(3);
  });

  it("fits but for the prompts of a dry run, which stand as they are sent", async () => {
    const { lines } = await shown(["run", "--model", "tiny", "--dry-run", "--limit", "1", "--task", "ACR,CTR,CL,SI"]);
    const table = lines.slice(
      0,
      lines.findIndex((line) => line.startsWith("--- first prompt")),
    );
    expect(table.length).toBeGreaterThan(5);
    expect(tooLong(table)).toEqual([]);
  });
});

describe("a message on 80 columns", () => {
  const told = async (args: readonly string[]) => {
    let err = "";
    const write = (text: string) => {
      err += text;
    };
    const console: Console = {
      out: () => undefined,
      err: (text) => write(String(text)),
      isTerminal: true,
      row: new LiveRow({ write, columns: COLUMNS }),
      workingDirectory: folder,
      onInterrupt: () => () => undefined,
      now: () => new Date(0),
    };
    expect(await runCli(args, console)).toBe(2);
    return err;
  };

  it("is broken between words", async () => {
    const text = await told(["run"]);
    expect(text).toMatch(/^probe: Expected --model with an alias/);
    expect(text.split("\n").length).toBeGreaterThan(2);
    expect(tooLong(text.split("\n"))).toEqual([]);
  });

  it("has its commands whole, to be copied", async () => {
    const lines = (await told(["merge", "latest"])).split("\n");
    expect(lines.slice(1)).toEqual(["probe merge results/shard-* --out results/whole", ""]);
  });
});

describe("the help on 80 columns", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/commands.md"), "utf8");
  const commands = [...page.matchAll(/^## probe(.*)$/gm)].map(([, words = ""]) => words.trim());
  const typeless = (text: string) => text.replaceAll(/\[(string|array|boolean|required)\]/g, " ");
  const wordsOf = (text: string) => typeless(text).split(/\s+/);

  it.each(commands)("of probe %s fits, and breaks no word", async (words) => {
    const { lines } = await shown([...words.split(" ").filter((word) => word !== ""), "--help-all"]);
    expect(lines.length).toBeGreaterThan(5);
    expect(tooLong(lines)).toEqual([]);
    // The page has the same help on wider lines.
    const known = new Set(wordsOf(page));
    expect(wordsOf(lines.join("\n")).filter((word) => !known.has(word))).toEqual([]);
    // The kind of a value stands apart from what it is about.
    expect(lines.filter((line) => /[^\s\]]\[(string|array|boolean)\]/.test(line))).toEqual([]);
  });
});
