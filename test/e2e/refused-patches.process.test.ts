import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";
import { isRunnerMissing } from "../fixtures/test-runner.js";

const folder = temporaryFolder();

/** A change of a file that no tree has. */
const ASTRAY = "diff --git a/none.js b/none.js\n--- a/none.js\n+++ b/none.js\n@@ -1 +1 @@\n-one\n+two\n";
/** Larger than any patch that is taken: 20 MiB. All suites have it refused in one place, where each trial takes seconds. */
const LARGE_BYTES = 22_000_000;

/** A task of each suite, and the score that its hidden tests decide; some pass on the untouched tree. */
const SUITES = [
  ["refactorbench", "interval_set", "passes_tests"],
  ["swe-atlas", "task-one-spoiled-rule", "tests_reward"],
  ["codetaste", "probe/till/5e77a1e5", "pass"],
  ["smellbench", "parcel-data-clump-easy", "tpr"],
  ["harbor", "tide-windows", "passed"],
] as const;

describe("a patch that is not taken", () => {
  it.for(SUITES)(
    "passes nothing in %s, whether it goes astray or is, in one of them, too large",
    async (own, { skip }) => {
      const [suite, task, score] = own;
      skip(suite === "refactorbench" && isRunnerMissing);
      mkdirSync(join(folder, suite, task), { recursive: true });
      writeFileSync(join(folder, suite, task, "0.patch"), ASTRAY);
      const isLargeToo = suite === "swe-atlas";
      if (isLargeToo) writeFileSync(join(folder, suite, task, "1.patch"), Buffer.alloc(LARGE_BYTES));
      const trials = isLargeToo ? "2" : "1";
      const asked = ["--patches", suite, "--task-id", task, "--trials", trials, "-q", "--out", `${suite}-run`];
      const { code, stderr } = await runProbe(["suite", "run", suite, ...asked], { cwd: folder });
      expect(code, stderr).toBe(0);
      const [, ...lines] = readFileSync(join(folder, `${suite}-run`, "trials.jsonl"), "utf8")
        .trim()
        .split("\n");
      const records = lines.map((line) => JSON.parse(line));
      const first = records.filter(({ condition }) => condition === records[0].condition);
      const common = { status: "graded", patch_applies: false, patch_sha256: null };
      expect(first).toMatchObject([
        { ...common, scores: { [score]: false }, detail: "error: none.js: No such file or directory" },
        ...(isLargeToo
          ? [{ ...common, scores: { [score]: false }, detail: "a patch of more than 20971520 bytes" }]
          : []),
      ]);
    },
  );
});
