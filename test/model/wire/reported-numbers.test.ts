import { describe, expect, it } from "vitest";
import { asLogprob, isLogprob, isLogSum } from "../../../src/base/symbol.js";
import { faultOfNumbers } from "../../../src/model/wire/reported-tokens.js";
import { token } from "../../fixtures/reported-tokens.js";

describe("isLogprob", () => {
  it.each([0, -1e-12, -800, 1e-6])("takes %d", (value) => expect(isLogprob(value)).toBe(true));
  it.each([2e-6, 5.5, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])("refuses %d", (value) =>
    expect(isLogprob(value)).toBe(false),
  );
});

describe("isLogSum", () => {
  it("allows several roundings", () => {
    expect([isLogSum(1e-3), isLogSum(2e-3), isLogSum(Number.NaN)]).toEqual([true, false, false]);
  });
});

describe("asLogprob", () => {
  it("takes a rounding above 0 for 0, and leaves the rest", () => {
    expect([asLogprob(1e-7), asLogprob(-0.5)]).toEqual([0, -0.5]);
  });
});

describe("faultOfNumbers", () => {
  it("judges the chosen token too", () => {
    const sampled = { ...token("A", 0.5), logprob: 0.5 };
    expect(faultOfNumbers({ sampled, top: [token("A", 0.5)] })).toContain("above 0 (0.5)");
  });

  it("does not add the chosen token, which is listed as a rule, to the sum", () => {
    expect(faultOfNumbers({ sampled: token("A", 0.9), top: [token("A", 0.9), token("B", 0.1)] })).toBeNull();
  });

  it("allows a sum of 1.0009, and not of 1.002", () => {
    expect(faultOfNumbers({ sampled: null, top: [token("A", 0.9), token("B", 0.1009)] })).toBeNull();
    expect(faultOfNumbers({ sampled: null, top: [token("A", 0.9), token("B", 0.102)] })).toContain("sum to 1.002");
  });
});
