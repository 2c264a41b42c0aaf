import { describe, expect, it } from "vitest";
import { seededIntegers } from "../../../src/base/random.js";
import { FittedRules } from "../../../src/distractors/selection/fitted-ranks.js";
import type { RuleScores } from "../../../src/distractors/selection/rank-balance.js";
import { type SelectableQuestion, Selection } from "../../../src/distractors/selection/selection.js";

const WEIGHTS = { weights: [1, 1], fitted: 2, groups: [[0], [0, 1]] };

/** Sets of a question by the ranks that two rules give the truth, 0 to 3: the truth's score among 3, 2, 1, 0. */
function scoresOf(...ranks: readonly number[]): RuleScores {
  return ranks.map((rank) => [3 - rank, ...[3, 2, 1, 0].filter((score) => score !== 3 - rank)]);
}

function question(i: number, sets: readonly (readonly [number, number])[], cost = 0): SelectableQuestion {
  return {
    parts: ["form", `fold ${i % 5}`],
    fold: i % 5,
    sets: sets.map((ranks) => ({ scores: () => scoresOf(...ranks), cost })),
  };
}

/** How often the truth has each rank under a rule. */
function ranksOf(questions: readonly SelectableQuestion[], chosen: readonly number[], rule: number): number[] {
  const counts = [0, 0, 0, 0];
  for (const [i, { sets }] of questions.entries()) {
    const own = sets[chosen[i] ?? 0]?.scores()[rule] ?? [];
    const rank = own.filter((score) => score > (own[0] ?? 0)).length;
    counts[rank] = (counts[rank] ?? 0) + 1;
  }
  return counts;
}

describe("Selection", () => {
  it("gives the truth every rank equally often, under each rule, where there are sets for it", async () => {
    const all = [0, 1, 2, 3].flatMap((a) => [0, 1, 2, 3].map((b): [number, number] => [a, b]));
    const questions = Array.from({ length: 40 }, (_, i) => question(i, all));
    const chosen = await new Selection(WEIGHTS).choose(questions);
    expect(ranksOf(questions, chosen, 0)).toEqual([10, 10, 10, 10]);
    expect(ranksOf(questions, chosen, 1)).toEqual([10, 10, 10, 10]);
  });

  it("makes up for questions that have no choice", async () => {
    const fixed = Array.from({ length: 10 }, (_, i) => question(i, [[0, 0]]));
    const free = Array.from({ length: 30 }, (_, i) =>
      question(
        i,
        [0, 1, 2, 3].map((rank): [number, number] => [rank, rank]),
      ),
    );
    const questions = [...fixed, ...free];
    expect(ranksOf(questions, await new Selection(WEIGHTS).choose(questions), 0)).toEqual([10, 10, 10, 10]);
  });

  it("takes the better set of two that are as even", async () => {
    const sets = [1, 0].map((cost) => ({ scores: () => scoresOf(0, 3), cost }));
    expect(await new Selection(WEIGHTS).choose([{ parts: ["form"], fold: 0, sets }])).toEqual([1]);
  });

  it("leaves less to rules that are fitted on the other folds than evening out alone does", async () => {
    // Both rules have the truth first or second, so that evening out cannot be had: what is left tells together.
    const draw = seededIntegers(1);
    const sets = () => Array.from({ length: 2 }, (): [number, number] => [draw(0, 1), draw(0, 1)]);
    const questions = Array.from({ length: 200 }, (_, i) => question(i, sets()));
    const found = async (groups: readonly (readonly number[])[]) => {
      const chosen = await new Selection({ ...WEIGHTS, groups }).choose(questions);
      const seen = questions.map(({ sets, fold }, i) => {
        const scores = sets[chosen[i] ?? 0]?.scores() ?? [];
        const values = Float32Array.from([0, 1, 2, 3].flatMap((option) => scores.map((own) => own[option] ?? 0)));
        return { fold, seen: { values, options: 4 } };
      });
      return new FittedRules(seen, WEIGHTS.groups, 5).found(seen);
    };
    expect(await found(WEIGHTS.groups)).toBeLessThan(await found([]));
  });

  it("goes on from blocks that were chosen before as if it had not stopped", async () => {
    const draw = seededIntegers(3);
    const blocks = [0, 1].map(() =>
      Array.from({ length: 60 }, (_, i) =>
        question(
          i,
          Array.from({ length: 5 }, (): [number, number] => [draw(0, 3), draw(0, 3)]),
        ),
      ),
    );
    const whole = new Selection(WEIGHTS);
    const chosen = [await whole.choose(blocks[0] ?? []), await whole.choose(blocks[1] ?? [])];
    const resumed = new Selection(WEIGHTS);
    for (const [i, { parts, sets }] of (blocks[0] ?? []).entries()) {
      resumed.enter({ parts }, sets[chosen[0]?.[i] ?? 0]?.scores() ?? []);
    }
    expect(await resumed.choose(blocks[1] ?? [])).toEqual(chosen[1]);
    expect(await new Selection(WEIGHTS).choose(blocks[1] ?? [])).not.toEqual(chosen[1]);
  });

  it("lets a stop through between two questions, and has entered nothing then", async () => {
    const questions = Array.from({ length: 3 }, (_, i) => question(i, [[0, 0]]));
    const stop = new AbortController();
    const scored: number[] = [];
    const watched = questions.map((own, i) => {
      const scores = () => {
        scored.push(i);
        // As a signal of the system does: behind what runs now.
        setImmediate(() => stop.abort());
        return scoresOf(0, 0);
      };
      return { ...own, sets: [{ scores, cost: 0 }] };
    });
    const selection = new Selection(WEIGHTS);
    await expect(selection.choose(watched, stop.signal)).rejects.toThrow(/abort/);
    expect(scored).not.toContain(2);
    expect(await selection.choose(questions)).toEqual([0, 0, 0]);
  });
});
