import { describe, expect, it } from "vitest";
import { durationText, money, numberText, quantityText } from "../../src/report/number-text.js";

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

it.each([
  [0, "0 s"],
  [1, "1 s"],
  [59_000, "59 s"],
  [59_001, "1 min"],
  [185_000, "3 min 5 s"],
  // 2 h 9 min 1 s: rounded up.
  [7_741_000, "2 h 10 min"],
  // 2 h 59 min 30 s.
  [10_770_000, "3 h"],
  // 27 h.
  [97_200_000, "1 d 3 h"],
])("%i ms are %s", (durationMs, text) => {
  expect(durationText(durationMs)).toBe(text);
});

it("shows cents, and two digits of less than one", () => {
  expect(money(12.345, "USD")).toBe("12.35 USD");
  expect(money(0, "USD")).toBe("0.00 USD");
  expect(money(0.00041385, "USD")).toBe("0.00041 USD");
});
