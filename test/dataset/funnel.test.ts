import { describe, expect, it } from "vitest";
import { FunnelCounter, totalOf } from "../../src/dataset/funnel.js";

describe("FunnelCounter", () => {
  it("counts what was read, dropped and kept by language; read is the sum of the others", () => {
    const counter = new FunnelCounter();
    counter.keep("ruby");
    counter.drop("go", "no change");
    counter.drop("other", "language not supported: perl");
    counter.keep("go");
    counter.drop("go", "no change");
    expect(counter.funnel()).toEqual({
      read: { go: 3, ruby: 1, other: 1 },
      drops: [
        { reason: "no change", counts: { go: 2 } },
        { reason: "language not supported: perl", counts: { other: 1 } },
      ],
      kept: { go: 1, ruby: 1 },
    });
  });

  it("is empty before anything is counted", () => {
    expect(new FunnelCounter().funnel()).toEqual({ read: {}, drops: [], kept: {} });
  });
});

describe("totalOf", () => {
  it("sums over the languages", () => {
    expect(totalOf({ go: 3, ruby: 1 })).toBe(4);
    expect(totalOf({})).toBe(0);
  });
});
