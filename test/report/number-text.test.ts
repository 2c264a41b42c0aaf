import { describe, expect, it } from "vitest";
import { numberText, quantityText } from "../../src/report/number-text.js";

describe("a number", () => {
  it.each([
    [1234567, "count", "1,234,567"],
    [0.1235, "fraction", "12.3 %"],
    [0.0004, "fraction", "0.0 %"],
    [1, "fraction", "100.0 %"],
    [0.25, "change", "+25.0 pp"],
    [-0.25, "change", "−25.0 pp"],
    [-0.0001, "change", "0.0 pp"],
    [0.25, "size", "25.0 pp"],
    [0.6125, "coefficient", "0.613"],
    [-0.25, "coefficient_change", "−0.250"],
    [0.6581, "points", "65.8"],
    [-0.2061, "points_change", "−20.6"],
    [0, "points_change", "0.0"],
    [0.00001, "pvalue", "<0.0001"],
    [0.0703125, "pvalue", "0.0703"],
    [123456, "perplexity", "1.23e+5"],
    [1.005, "ratio", "1.00"],
    [0, "nats", "0"],
    [0.00012, "nats", "1.2e-4"],
    [0.25, "nats", "0.2500"],
    [4, "short", "4"],
    [-4.26, "short", "−4.3"],
  ] as const)("%d as %s is %s", (value, format, text) => {
    expect(numberText(value, format)).toBe(text);
  });

  it("that there is none of is a dash, without its interval", () => {
    expect(quantityText({ value: null, format: "fraction", interval: { low: 0, high: 1 } })).toBe("–");
  });

  it("has its bounds beside it, with words between them where one may be negative", () => {
    const interval = { low: 0.1, high: 0.4 };
    expect(quantityText({ value: 0.25, format: "fraction", interval })).toBe("25.0 % (10.0–40.0)");
    expect(quantityText({ value: 0.25, format: "change", interval })).toBe("+25.0 pp (+10.0 to +40.0)");
    expect(quantityText({ value: 0.1, format: "fraction", interval: { low: -0.2, high: 0.4 } })).toBe(
      "10.0 % (−20.0 to 40.0)",
    );
  });
});
