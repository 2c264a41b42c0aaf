import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { readTable, summaryValue } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const run = (...args: string[]) => runProbe(["run", ...args], { cwd: folder });
const value = (out: string, task: string, metric: string) => summaryValue(join(folder, out), { task, metric });

describe("probe run --task CLO", () => {
  beforeAll(async () => {
    expect((await run("--model", "scripted:oracle", "--task", "CLO", "--out", "oracle")).code).toBe(0);
  });

  it("scores the right lines 1, above rules that see the code alone", async () => {
    expect([value("oracle", "CLO", "em"), value("oracle", "CLO", "jaccard")]).toEqual(["1", "1"]);
    expect(value("oracle", "CLO", "no_answer_rate")).toBe("0");
    for (const rule of ["longest_line", "middle_line", "commonest_size"]) {
      expect(Number(value("oracle", "CLO", `floor_${rule}`))).toBeLessThan(0.5);
    }
    const { stdout } = await runProbe(["score", "oracle"], { cwd: folder });
    const [judged] = JSON.parse((await runProbe(["score", "oracle", "--json"], { cwd: folder })).stdout).verdicts;
    expect(judged).toMatchObject({ task: "CLO", state: "above_floor", score: 1 });
    expect(stdout).toContain(`CLO: ${judged.text}`);
  });

  it("counts what is no list of line numbers, and gives half a match its share", async () => {
    const journal = readFileSync(join(folder, "oracle", "generations.jsonl"), "utf8")
      .trim()
      .split("\n");
    const answers = journal.map((line) => JSON.parse(line)).filter(({ kind }) => kind === "generation");
    const two = answers.filter(({ reference }) => /^\d+,\d+$/.test(reference)).slice(0, 1);
    const one = answers.filter(({ reference }) => /^\d+$/.test(reference)).slice(0, 2);
    const asked = [...two, ...one];
    expect(asked).toHaveLength(3);
    // Half of two lines; a sentence; the right line.
    const completions = [two[0].reference.split(",")[0], `line ${one[0].reference}`, one[1].reference];
    const lines = asked.map(({ example_id }, i) =>
      JSON.stringify({ task: "CLO", example_id, completion: completions[i] }),
    );
    writeFileSync(join(folder, "answers.jsonl"), lines.join("\n"));
    const all = readFileSync(join(import.meta.dirname, "../../datasets/starter.jsonl"), "utf8")
      .trim()
      .split("\n");
    const ids = new Set(asked.map(({ example_id }) => example_id));
    const own = all.filter((line) => ids.has(JSON.parse(line).id ?? JSON.parse(line).example_id));
    expect(own).toHaveLength(3);
    writeFileSync(join(folder, "three.jsonl"), `${own.join("\n")}\n`);
    const args = ["--model", "scripted:answers.jsonl", "--dataset", "three.jsonl", "--task", "CLO", "--out", "three"];
    const { code, stdout } = await run(...args);
    expect(code).toBe(0);
    // One of three; (1/2 + 0 + 1) / 3 = 1/2; one of three.
    expect(Number(value("three", "CLO", "em"))).toBeCloseTo(1 / 3, 12);
    expect(Number(value("three", "CLO", "jaccard"))).toBeCloseTo(1 / 2, 12);
    expect(Number(value("three", "CLO", "no_answer_rate"))).toBeCloseTo(1 / 3, 12);
    // Three questions tell nothing.
    const [judged] = JSON.parse((await runProbe(["score", "three", "--json"], { cwd: folder })).stdout).verdicts;
    expect(judged.state).toBe("unknown");
    expect(stdout).toContain(`CLO: ${judged.text}`);
    const scores = readTable(join(folder, "three"), "generations.csv").map(({ em, jaccard }) => [em, jaccard]);
    expect(scores.toSorted()).toEqual([
      ["false", ""],
      ["false", "0.5"],
      ["true", "1"],
    ]);
  });

  it("is asked of tiny beside ACR, whose scores stay its own", async () => {
    const args = ["--model", "tiny", "--limit", "2", "--quiet"];
    expect((await run(...args, "--task", "ACR,CLO", "--out", "both")).code).toBe(0);
    expect((await run(...args, "--task", "ACR", "--out", "acr")).code).toBe(0);
    const rows = readTable(join(folder, "both"), "generations.csv");
    expect(rows.map(({ task }) => task)).toEqual(["ACR", "CLO", "ACR", "CLO"]);
    const header = Object.keys(rows[0]!);
    expect(header.slice(-3)).toEqual(["completion_tokens", "task", "jaccard"]);
    const alone = readTable(join(folder, "acr"), "generations.csv");
    // Without CLO the table has the columns that it always had.
    expect(Object.keys(alone[0]!)).toEqual(header.slice(0, -2));
    const code = rows.filter(({ task }) => task === "ACR").map(({ run_id: _, task: __, jaccard: ___, ...row }) => row);
    expect(code).toEqual(alone.map(({ run_id: _, ...row }) => row));
    expect(
      rows.filter(({ task }) => task === "CLO").map(({ em_trim, paper_em, bleu }) => [em_trim, paper_em, bleu]),
    ).toEqual([
      ["", "", ""],
      ["", "", ""],
    ]);
    for (const metric of ["em", "bleu", "edit_similarity", "failure_rate"]) {
      expect(value("both", "ACR", metric)).toBe(value("acr", "ACR", metric));
    }
    expect(value("both", "CLO", "bleu")).toBeUndefined();
  });

  it("stands on the page and in a comparison", async () => {
    expect((await run("--model", "scripted:always-A", "--task", "CLO", "--out", "nothing")).code).toBe(0);
    expect((await runProbe(["report", "oracle", "nothing", "--out", "page.html"], { cwd: folder })).code).toBe(0);
    expect(readFileSync(join(folder, "page.html"), "utf8")).toContain("Answers without options (CLO)");
    const { code, stdout } = await runProbe(["compare", "oracle", "nothing", "--json"], { cwd: folder });
    expect(code).toBe(0);
    const [row] = JSON.parse(stdout).comparisons?.[0]?.rows ?? [];
    expect(row).toMatchObject({
      task: "CLO",
      em: { baseline: 1, candidate: 0 },
      jaccard: { baseline: 1, candidate: 0 },
    });
  });

  it("is not asked unless it is named", async () => {
    const { stdout } = await run("--model", "scripted:oracle", "--limit", "1", "--dry-run", "--json");
    const tasks = (JSON.parse(stdout) as { forms: { task: string }[] }).forms.map(({ task }) => task);
    expect(new Set(tasks)).toEqual(new Set(["CTR", "CL", "SI"]));
  });
});
