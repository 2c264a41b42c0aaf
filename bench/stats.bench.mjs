// Measures the time of `probe dataset stats` over one review with a long hunk.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measured, PROBE } from "./measured-command.mjs";

const METHOD = `One review, as a generated or a hostile file has it: every line of its hunk is changed. Processor time of the
whole command (starting it included), so that what else the machine does has no say.`;

const LINES = [1, 500, 1000, 2000, 4000, 8000, 16_000, 100_000];

export async function run() {
  console.log(METHOD);
  const folder = mkdtempSync(join(tmpdir(), "probe-bench-"));
  try {
    console.log("\n  lines  seconds");
    for (const lines of LINES) {
      const path = join(folder, "reviews.jsonl");
      writeFileSync(path, `${JSON.stringify(review(lines))}\n`);
      const { cpuMs } = await measured(PROBE, ["dataset", "stats", path], join(folder, "cost.json"));
      console.log(`${String(lines).padStart(7)}  ${(cpuMs / 1000).toFixed(2).padStart(7)}`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function review(lines) {
  const code = (word) => Array.from({ length: lines }, (_, i) => `  int ${word}_${i} = compute(${i});`).join("\n");
  return {
    language: "java",
    code_review: "Name them totals, please.",
    pre_review_code: code("value"),
    post_review_code: code("total"),
  };
}
