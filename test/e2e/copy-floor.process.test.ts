import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type CliResult, runProbe } from "../fixtures/cli.js";
import { journalRecords, rewriteJournal } from "../fixtures/journal-file.js";
import { recordWith } from "../fixtures/official-record.js";
import { readTable, summaryValue } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();

interface AcrRun extends CliResult {
  readonly out: string;
}

async function run(name: string, model: string, dataset: string): Promise<AcrRun> {
  const out = join(folder, name);
  const args = ["run", "--task", "ACR", "--model", model, "--dataset", dataset, "--out", out];
  return { out, ...(await runProbe(args)) };
}

const values = (out: string, metrics: readonly string[]) =>
  metrics.map((metric) => summaryValue(out, { task: "ACR", group_by: "overall", metric }));

describe("what repeating the code gives", () => {
  const dataset = join(folder, "two.jsonl");
  const copier = join(folder, "copier.jsonl");
  const commentOnly = {
    old: " one\n-two # a\n three\n-four # b\n five\n six",
    new: " one\n+two # c\n three\n+four # d\n five\n six",
  };
  const FLOORS = ["em", "em_trim", "em_no_space", "em_no_comment", "bleu", "edit_similarity"];
  const floors = (out: string) =>
    values(
      out,
      FLOORS.map((name) => `floor_copy_${name}`),
    );
  let silent: AcrRun;
  let copies: AcrRun;

  beforeAll(async () => {
    const records = [recordWith(commentOnly), recordWith()];
    writeFileSync(dataset, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    silent = await run("silent", "scripted:always-A", dataset);
    const texts = ["one\ntwo # a\nthree\nfour # b\nfive\nsix", "one\ntwo\nthree\nfour\nfive\nsix"];
    const ids = readTable(silent.out, "generations.csv").map(({ example_id: id }) => id);
    const line = (completion: string, i: number) => JSON.stringify({ task: "ACR", example_id: ids[i], completion });
    writeFileSync(copier, texts.map(line).join("\n"));
    copies = await run("copies", `scripted:${copier}`, dataset);
  });

  it("stands beside the metrics, whatever the model wrote", () => {
    // One of the two changes comments only. No four tokens in a row are those of the post-review code: BLEU 0. Two of 35
    // characters differ, and seven of 27.
    expect(floors(silent.out).slice(0, 5)).toEqual(["0", "0", "0", "0.5", "0"]);
    expect(Number(floors(silent.out)[5])).toBeCloseTo((33 / 35 + 20 / 27) / 2, 12);
    expect(values(silent.out, ["em_no_comment", "edit_similarity"])).toEqual(["0", "0"]);
    expect(silent.stdout).toMatch(/│ comments and whitespace removed +│ 2 │ +0\.0 % \([^)]*\) │ +50\.0 % │/);
    expect(silent.stdout).toContain("Repeating the code unchanged gives BLEU-4 0.0 %, edit similarity 84.2 %.");
  });

  it("is what a model scores that does repeat the code", () => {
    expect(values(copies.out, FLOORS)).toEqual(floors(copies.out));
    expect(floors(copies.out)).toEqual(floors(silent.out));
  });

  it("comes from the journal alone, and is absent where an earlier version wrote that", async () => {
    const again = join(folder, "without-data");
    cpSync(copies.out, again, { recursive: true });
    rmSync(dataset);
    const scored = await runProbe(["score", again]);
    expect(scored.code).toBe(0);
    expect(floors(again)).toEqual(floors(copies.out));
    const journal = join(again, "generations.jsonl");
    const withCode = journalRecords(journal);
    expect(withCode.map((record) => "pre_review" in record)).toEqual([true, true]);
    rewriteJournal(
      journal,
      withCode.map(({ pre_review: _, ...record }) => record),
    );
    const { code, stdout } = await runProbe(["score", again]);
    expect(code).toBe(0);
    expect(readTable(again, "summary.csv").filter(({ metric }) => metric?.startsWith("floor_copy"))).toEqual([]);
    expect(values(again, FLOORS)).toEqual(values(copies.out, FLOORS));
    expect(stdout.toLowerCase()).not.toContain("repeating");
  });
});
