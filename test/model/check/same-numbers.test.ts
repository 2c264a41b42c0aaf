import { describe, expect, it } from "vitest";
import { sameNumbers } from "../../../src/model/check/ability-checks.js";
import type { ReportedPosition } from "../../../src/model/wire/reported-tokens.js";
import { position, token } from "../../fixtures/reported-tokens.js";

function replies(...positions: (ReportedPosition | null)[]): { position: ReportedPosition | null }[] {
  return positions.map((each) => ({ position: each }));
}

const BASE = replies(position({ A: 0.5, B: 0.3 }), position({ C: 0.9 }));

describe("sameNumbers", () => {
  it("holds for numbers that are alike", () => {
    expect(sameNumbers(BASE, BASE)).toBe(true);
  });

  it("holds within a quarter of a nat", () => {
    // ln(0.5 / 0.4) = 0.223; ln(0.5 / 0.38) = 0.274
    expect(sameNumbers(BASE, replies(position({ A: 0.4, B: 0.3 }), position({ C: 0.9 })))).toBe(true);
    expect(sameNumbers(BASE, replies(position({ A: 0.38, B: 0.3 }), position({ C: 0.9 })))).toBe(false);
  });

  it("holds when the most probable token is second on the other server by a little", () => {
    expect(sameNumbers(replies(position({ A: 0.41, B: 0.4 })), replies(position({ B: 0.41, A: 0.4 })))).toBe(true);
  });

  it("does not hold where one prompt of several differs, or was not answered", () => {
    expect(sameNumbers(BASE, replies(position({ A: 0.5, B: 0.3 }), position({ D: 0.9 })))).toBe(false);
    expect(sameNumbers(BASE, replies(position({ A: 0.5 }), null))).toBe(false);
    expect(sameNumbers(BASE, replies(position({ A: 0.5 })))).toBe(false);
    expect(sameNumbers(replies(null), replies(null))).toBe(false);
  });

  it("compares bytes, and the best of tokens that decode alike", () => {
    const twice = { sampled: null, top: [token("A", 0.5), token([65], 0.001)] };
    expect(sameNumbers(replies(twice), replies(twice))).toBe(true);
    expect(sameNumbers(replies(position({ A: 0.5 })), replies(position({ " A": 0.5 })))).toBe(false);
  });
});
