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

const saidOf = (...runs: ReturnType<typeof run>[]) => plainText(bestBlocks(scoreboard(runs)));

describe("who is best", () => {
  it("is whoever has the highest score above its floor, where a paired test tells it from the next", () => {
    // Eight questions that only the first gets right: p = 2 / 2^8 = 0.0078.
    expect(saidOf(run("low", 2, "above_floor"), run("high", 10, "above_floor"))).toBe("Best: high on CTR.\n");
    expect(saidOf(run("low", 2, "at_floor"), run("high", 10, "above_floor"))).toBe("Best: high on CTR.\n");
  });

  it("is nobody where the lead may be chance, where two tie, or where a run at its floor has more", () => {
    // Two questions that only the first gets right: p = 2 / 2^2 = 0.5.
    const none = "No model is shown to be best.\nHighest, but not shown to be better than the next: ";
    expect(saidOf(run("a", 6, "above_floor"), run("b", 8, "above_floor"))).toBe(
      `${none}b on CTR (beside a, p = 0.5000).\n`,
    );
    expect(saidOf(run("a", 8, "above_floor"), run("b", 8, "above_floor"))).toContain(
      `${none}a on CTR (beside b, p = 1`,
    );
    expect(saidOf(run("floor", 10, "at_floor"), run("low", 2, "above_floor"))).not.toContain("Best");
  });

  it("is nobody by hunks of two tasks: eight questions are two cases then", () => {
    const hunks = (each: ReturnType<typeof run>) => ({
      ...each,
      verdicts: each.verdicts.map((verdict, i) => ({ ...verdict, cluster: `task-${i % 2}` })),
    });
    // Two tasks that differ: p = 2 / 2^2.
    expect(saidOf(hunks(run("low", 2, "above_floor")), hunks(run("high", 10, "above_floor")))).toContain("p = 0.5000");
  });

  it("is nobody where nothing is above its floor, and not told of one run", () => {
    expect(saidOf(run("a", 8, "at_floor"), run("b", 8, "unknown"))).toBe(
      "No model is shown to be best.\nNo score is above its floor on CTR.\n",
    );
    expect(saidOf(run("a", 8, "above_floor"))).toBe("");
  });
});
