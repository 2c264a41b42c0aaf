import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { curveChart, frontChart } from "../../src/report/line-charts.js";

const of = (cost: number, score: number) => ({ cost, score });

describe("scores against costs", () => {
  it("is drawn, and said in words", () => {
    const series = (label: string) => ({ label, color: "var(--c1)", symbol: "circle" as const });
    const points = [
      { series: series("cheap"), ...of(0.1, 0.25) },
      { series: series("dear"), ...of(1234.5, 0.25) },
    ];
    const { text } = frontChart("Cost", { points, costLabel: "USD" });
    const { document } = parseHTML(text);
    expect(document.querySelector("desc")?.textContent).toBe(
      "cheap: 25.0 %, 0.1; dear: 25.0 %, 1,230. On the front: cheap.",
    );
    expect(text).not.toContain("NaN");
  });

  it("has room for one model alone", () => {
    const point = { series: { label: "a", color: "red", symbol: "circle" as const }, ...of(2, 1) };
    expect(frontChart("Cost", { points: [point], costLabel: "USD" }).text).not.toMatch(/NaN|Infinity/);
  });
});

it("a curve has its numbers in words, and a dot a part, the last behind all", () => {
  const series = { label: "tiny", color: "var(--c1)", symbol: "circle" as const };
  const { text } = curveChart("Right", { curves: [{ series, values: [0.25, 0.5] }], label: "part" });
  const { document } = parseHTML(text);
  expect(document.querySelector("desc")?.textContent).toBe("tiny: 25.0 %, 50.0 %");
  expect([...document.querySelectorAll("path title")].map((title) => title.textContent)).toEqual([
    "tiny, after 50 %: 25.0 %",
    "tiny, after 100 %: 50.0 %",
  ]);
});
