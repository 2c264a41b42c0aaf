import { parseHTML } from "linkedom";
import { expect, it } from "vitest";
import { curveChart } from "../../src/report/curve-chart.js";

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
