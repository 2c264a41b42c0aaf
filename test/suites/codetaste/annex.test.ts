import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readRules } from "../../../src/suites/codetaste/assets.js";
import { readScan } from "../../../src/suites/codetaste/rules/program-engine.js";
import { scanTree } from "../../../src/suites/codetaste/rules/scan-tree.js";
import type { RuleSide, Scan } from "../../../src/suites/codetaste/rules/taste-rule.js";
import { changedLines } from "../../../src/suites/codetaste/score/changed-lines.js";
import {
  following,
  precision,
  precisionCounts,
  publishedFollowing,
  tally,
} from "../../../src/suites/codetaste/score/following.js";
import { temporaryFolder } from "../../fixtures/temporary-folder.js";

/** Released test data of the benchmark (MIT), and what the released code makes of them. */
const ANNEX = join(import.meta.dirname, "../../../../shared/suites-annex/codetaste");
const isThere = existsSync(join(ANNEX, "golden.json"));
if (!isThere) process.stdout.write("Skipping the released rules and results: they are not on this machine\n");

const NAMES: Record<RuleSide, string> = { additive: "positive", reductive: "negative" };
const golden = isThere ? JSON.parse(readFileSync(join(ANNEX, "golden.json"), "utf8")) : {};

async function tekton(side: RuleSide) {
  const stem = join(ANNEX, `rule_evaluation/rules_${NAMES[side]}`);
  const { rules } = (await readRules(`${stem}.yml`, side))!;
  const scan = (await readScan(`${stem}.sarif`, rules)) as Scan & { status: "scanned" };
  return { rules, scan, tally: tally(rules, scan) };
}

const tree = temporaryFolder();

describe.skipIf(!isThere)("the released rules and results", () => {
  it("of the repository tekton: 0 of 85 come, 52 of 52 stay, no rule followed", async () => {
    const [additive, reductive] = [await tekton("additive"), await tekton("reductive")];
    expect([additive.tally.rules, additive.tally.matched]).toEqual([85, 0]);
    expect([reductive.tally.rules, reductive.tally.matched]).toEqual([52, 52]);
    const tallies = { additive: additive.tally, reductive: reductive.tally };
    expect(following(tallies)).toMatchObject({ ifr: 0, ifr_additive: 0, ifr_reductive: 0, rules_supported: 137 });
    expect(publishedFollowing(tallies)).toEqual({ ifr: 0, ifr_additive: 0, ifr_reductive: 0 });
    for (const [side, found] of Object.entries({ positive: additive, negative: reductive })) {
      const counts = [...found.scan.matches]
        .filter(([, spans]) => spans.length > 0)
        .map(([id, spans]) => [id, spans.length]);
      expect(Object.fromEntries(counts)).toEqual(golden.rule_evaluation_per_set.expected[side].matches_per_rule);
    }
  });

  it("have 23 of 137 rules that the built-in engine runs, and the others are named", async () => {
    const counts = await Promise.all(
      (["additive", "reductive"] as const).map(async (side) => {
        const set = (await readRules(join(ANNEX, `rule_evaluation/rules_${NAMES[side]}.yml`), side))!;
        const scan = await scanTree(set, { tree, limitMs: 1000, signal: new AbortController().signal });
        const own = tally(set.rules, scan);
        return { run: own.run, left: scan.status === "scanned" ? scan.notRun.length : 0 };
      }),
    );
    expect(counts).toEqual([
      { run: 17, left: 68 },
      { run: 6, left: 46 },
    ]);
  });

  it("of a patch of gradle: 279 lines come and 233 go, 202 and 102 of them wanted", async () => {
    const lines = changedLines(readFileSync(join(ANNEX, "coverage/prediction.diff"), "utf8"))!;
    const additiveOnTree = await readScan(join(ANNEX, "coverage/rules_positive.sarif"), null);
    const reductiveOnBase = await readScan(join(ANNEX, "coverage/rules_negative.sarif"), null);
    const counts = precisionCounts(lines, { additiveOnTree, reductiveOnBase });
    expect(counts).toEqual({ added: 279, removed: 233, relevantAdded: 202, relevantRemoved: 102 });
    const { expected } = golden.coverage_precision;
    expect(precision(counts)).toEqual({
      overall: expected.precision_overall,
      added: expected.precision_added,
      removed: expected.precision_removed,
    });
    for (const [side, scan] of Object.entries({ positive: additiveOnTree, negative: reductiveOnBase })) {
      const byRule = Object.entries(Object.fromEntries((scan as Scan).matches)).map(([id, spans]) => {
        const own = spans.flatMap(({ path, first, last }) =>
          Array.from({ length: last - first + 1 }, (_, i) => `${path}:${first + i}`),
        );
        return [id, new Set(own).size];
      });
      expect(Object.fromEntries(byRule)).toEqual(golden.coverage_sarif.expected[side].distinct_lines_per_rule);
    }
  });
});
