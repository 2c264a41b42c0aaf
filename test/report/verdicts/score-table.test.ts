import { describe, expect, it } from "vitest";
import { plainText } from "../../../src/report/terminal.js";
import { bestBlocks } from "../../../src/report/verdicts/score-table.js";
import type { JudgementState } from "../../../src/verdict/judgement.js";
import { scoreboard } from "../../../src/verdict/scoreboard.js";
import { makeForm, makeJudgement, makeRunVerdicts, makeVerdict } from "../../fixtures/verdicts.js";

/** A run of ten CTR questions, of which the first are right. */
function run(model: string, right: number, state: JudgementState) {
  const measures = [{ metric: "invariant_accuracy", value: right / 10, ciLow: null, ciHigh: null, n: 10 }];
  return makeRunVerdicts({
    model,
    runId: model,
    forms: [makeForm({ measures, judgement: makeJudgement({ state }) })],
    verdicts: Array.from({ length: 10 }, (_, i) => makeVerdict({ item: String(i), passed: i < right })),
  });
}

const saidOf = (...runs: ReturnType<typeof run>[]) => plainText(bestBlocks(scoreboard(runs), runs));

describe("who is best", () => {
  it("is whoever has the highest score of those above their floor", () => {
    // Eight questions that only the first gets right: p = 2 / 2^8 = 0.0078.
    expect(saidOf(run("low", 2, "above_floor"), run("high", 10, "above_floor"))).toBe("Best: high on CTR.\n");
    expect(saidOf(run("floor", 10, "at_floor"), run("low", 2, "above_floor"))).toContain("Best: low on CTR.");
  });

  it("is doubted where the lead may be chance", () => {
    // Two questions that only the first gets right: p = 2 / 2^2 = 0.5.
    expect(saidOf(run("a", 6, "above_floor"), run("b", 8, "above_floor"))).toBe(
      "Best: b on CTR.\nThe lead may be chance on CTR (before a, p = 0.5000).\n",
    );
  });

  it("are both where they tie, none where nothing is above its floor, and nobody where there is one run", () => {
    expect(saidOf(run("a", 8, "above_floor"), run("b", 8, "above_floor"))).toBe("Best: a and b on CTR.\n");
    expect(saidOf(run("a", 8, "at_floor"), run("b", 8, "unknown"))).toBe("No score is above its floor.\n");
    expect(saidOf(run("a", 8, "above_floor"))).toBe("");
  });
});
