import { describe, expect, it } from "vitest";
import { studentPoint } from "../../src/stats/interval.js";

describe("the 97.5 % point of Student's t", () => {
  it.each([
    // The tables of every textbook, two-sided 5 %.
    [1, 12.706],
    [2, 4.303],
    [3, 3.182],
    [4, 2.776],
    [5, 2.571],
    [6, 2.447],
    [7, 2.365],
    [8, 2.306],
    [9, 2.262],
    [10, 2.228],
    [11, 2.201],
    [15, 2.131],
    [19, 2.093],
    [20, 2.086],
    [29, 2.045],
    [30, 2.042],
    [40, 2.021],
    [60, 2.0],
    [99, 1.984],
    [120, 1.98],
    [1000, 1.962],
  ])("at %i degrees of freedom is %f", (df, point) => {
    expect(studentPoint(df).toFixed(3)).toBe(point.toFixed(3));
  });

  it("at one and two degrees of freedom is what their laws give in closed form", () => {
    // df 1 (Cauchy): tan(0.475 π). df 2: P(|T| <= t) = t / √(2 + t²), so t = 0.95 √(2 / (1 − 0.95²)).
    expect(studentPoint(1)).toBeCloseTo(Math.tan(0.475 * Math.PI), 10);
    expect(studentPoint(2)).toBeCloseTo(0.95 * Math.sqrt(2 / (1 - 0.95 ** 2)), 10);
  });

  it("falls towards the normal one and never below it", () => {
    const points = Array.from({ length: 300 }, (_, i) => studentPoint(i + 1));
    for (let i = 1; i < points.length; i++) expect(points[i]).toBeLessThan(points[i - 1]!);
    expect(studentPoint(100_001)).toBeGreaterThan(1.959963984540054);
    expect(studentPoint(100_001)).toBeCloseTo(1.959963984540054, 4);
  });
});
