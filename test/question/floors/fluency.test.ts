import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { COMMON_TRIGRAMS, trigramsOf } from "../../../src/question/floors/fluency.js";

it("are those of the bundled benchmark's pre-review code, by powers of two", () => {
  const counts = new Map<string, number>();
  for (const line of readFileSync("datasets/starter.jsonl", "utf8").trim().split("\n")) {
    const { old } = JSON.parse(line) as { old: string };
    const lines = old.split("\n").map((each) => each.slice(1));
    for (const trigram of lines.flatMap(trigramsOf)) counts.set(trigram, (counts.get(trigram) ?? 0) + 1);
  }
  const common = [...counts].filter(([trigram, count]) => count >= 4 && /^[ -~]{3}$/.test(trigram));
  for (const [tier, trigrams] of COMMON_TRIGRAMS.entries()) {
    const least = 2 ** (tier + 2);
    const own = common.filter(([, count]) => count >= least && count < 2 * least).map(([trigram]) => trigram);
    expect(trigrams).toBe(own.sort().join(""));
  }
  expect(COMMON_TRIGRAMS.join("").length).toBe(3 * common.length);
});
