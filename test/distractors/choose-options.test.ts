import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { diffHunk } from "../../src/dataset/hunk-diff.js";
import type { OfficialRecord } from "../../src/dataset/official-record.js";
import type { BuildStep } from "../../src/distractors/build-files.js";
import { OptionChooser } from "../../src/distractors/choose-options.js";
import { readRevision } from "../../src/distractors/near-miss/revision.js";
import { nearMissesOf } from "../../src/distractors/near-miss/solution-choices.js";

/** A step of a build as it is before options are chosen. */
async function stepOf(record: OfficialRecord, line: number): Promise<BuildStep> {
  const fields = Object.entries(record).filter(([name]) => !/_wrong_/.test(name));
  const bare = Object.fromEntries(fields) as OfficialRecord;
  const lines = (code: string) => code.split("\n").map((each) => each.slice(1));
  const [preReviewLines, postReviewLines] = [lines(record.old), lines(record.new)];
  const diff = diffHunk(preReviewLines, postReviewLines);
  if (diff === null) throw new Error("no change");
  const triple = { id: record.id ?? "", language: record.lang, preReviewLines, postReviewLines, review: record.review };
  const misses = record.type_correct === "remove_only" ? null : nearMissesOf(await readRevision(triple, diff));
  return { line, language: record.lang, dropped: null, record: bare, misses, explanation: { surrogate: null } };
}

const starter = readFileSync(join(import.meta.dirname, "../../datasets/starter.jsonl"), "utf8")
  .trimEnd()
  .split("\n");
const steps = await Promise.all(
  starter.slice(0, 16).map((line, i) => stepOf(JSON.parse(line) as OfficialRecord, i + 1)),
);
const [first, second] = [steps.slice(0, 8), steps.slice(8)];

describe("OptionChooser", () => {
  it("gives every record its options or a reason, and says where those of SI come from", async () => {
    const chosen = await new OptionChooser(0).choose(first);
    for (const { record, misses, explanation } of chosen) {
      expect(misses).toBeNull();
      expect(record?.loc_wrong_easy?.length ?? record?.not_built?.CL).toEqual(expect.anything());
      const isDeletion = record?.type_correct === "remove_only";
      const isBuilt = record?.solution_wrong_hard?.length === 3;
      expect(isBuilt || isDeletion || record?.not_built?.SI !== undefined).toBe(true);
      expect(explanation === null).toBe(!isBuilt);
    }
    expect(chosen.filter(({ explanation }) => explanation !== null).length).toBeGreaterThan(4);
  });

  it("goes on from a block that was chosen before as if it had not stopped", async () => {
    const whole = new OptionChooser(0);
    const before = await whole.choose(first);
    const after = await whole.choose(second);
    const resumed = new OptionChooser(0);
    for (const step of JSON.parse(JSON.stringify(before)) as BuildStep[]) resumed.enter(step);
    expect(await resumed.choose(second)).toEqual(after);
  });

  it("stops between two records", async () => {
    const stop = new AbortController();
    const chosen = new OptionChooser(0).choose(first, stop.signal);
    // Behind what runs now, as a signal of the system.
    setImmediate(() => stop.abort());
    await expect(chosen).rejects.toThrow(/abort/);
  });

  it("asks for no location where the key holds a line that a formatter changed alone", async () => {
    const record = {
      ...(JSON.parse(starter[0] ?? "") as OfficialRecord),
      lang: "c" as const,
      old: " f();\n-int  a = 1;\n-run(b);\n g();\n h();\n i();\n j();",
      new: " f();\n+int a = 1;\n+run(c);\n g();\n h();\n i();\n j();",
      loc_correct: [2, 3],
    };
    const [chosen] = await new OptionChooser(0).choose([await stepOf(record, 1)]);
    expect(chosen?.record?.not_built?.CL).toContain("a formatter changed alone");
    expect(chosen?.record?.loc_wrong_easy).toBeUndefined();
  });
});
