import { barY } from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { figure, intervalChart, letterChart, nameLines } from "../../src/report/chart.js";
import { type IntervalPoint, shortLabels } from "../../src/report/chart-data.js";
import { binCounts, highestBar, marginChart } from "../../src/report/html.js";

const HOSTILE = `</title></svg><script>alert(1)</script>"'`;
const SERIES = { label: "", color: "var(--c1)", symbol: "circle" as const };
const point = (row: string, value: number | null): IntervalPoint => ({
  row,
  series: SERIES,
  value,
  low: value,
  high: value,
  floor: null,
});

describe("a chart", () => {
  const { document } = parseHTML(
    figure(
      { title: HOSTILE, description: HOSTILE },
      { marks: [barY([{ x: HOSTILE, y: 1 }], { x: "x", y: "y", title: "x", fill: "var(--c1)" })] },
    ).text,
  );

  it("is a picture with a title and a description", () => {
    const svg = document.querySelector("svg");
    expect(svg?.getAttribute("role")).toBe("img");
    expect(svg?.querySelector("title")?.textContent).toBe(HOSTILE);
    expect(svg?.querySelector("desc")?.textContent).toBe(HOSTILE);
    expect(document.querySelector("figcaption")?.textContent).toBe(HOSTILE);
  });

  it("holds no script, whatever its labels say", () => {
    expect(document.querySelectorAll("script")).toHaveLength(0);
    expect([...document.querySelectorAll("text")].map((text) => text.textContent)).toContain(HOSTILE);
  });

  it("needs no style that the page's policy would stop", () => {
    expect(document.querySelectorAll("style, [style]")).toHaveLength(0);
  });

  it("says its numbers in words, and none where there is none", () => {
    const { text } = intervalChart("Score", [point("CTR", 0.25), point("CL", null)]);
    expect(text).toContain("<desc>CTR: 25.0 % (25.0 % to 25.0 %)</desc>");
  });

  it("shows the mean over the orders beside the score", () => {
    const { text } = intervalChart("Score", [{ ...point("CL", 0.25), mean: 0.5 }]);
    expect(text).toContain("<desc>CL: 25.0 % (25.0 % to 25.0 %), mean over orders 50.0 %</desc>");
    expect(parseHTML(text).document.querySelectorAll("[r]")).toHaveLength(1);
  });
});

describe("labels of models", () => {
  it("leave provider and folder out where names stay apart", () => {
    expect(shortLabels(["tiny", "scripted:oracle", "openai:org/small"])).toEqual(["tiny", "oracle", "small"]);
    const both = ["openai:a/small", "huggingface:a/small"];
    expect(shortLabels(both)).toEqual(both);
  });

  it("are whole, and never the same", () => {
    expect(shortLabels(["Qwen2.5-Coder-1.5B-Instruct"])).toEqual(["Qwen2.5-Coder-1.5B-Instruct"]);
    expect(shortLabels(["a:x", "a:x", "a:x"])).toEqual(["a:x", "a:x 2", "a:x 3"]);
  });

  it("stand in lines of 15 characters, broken behind a sign that joins their parts", () => {
    // `Qwen2.5-Coder-` has 14, with `1.` 16; `1.5B-Instruct` has 13.
    expect(nameLines("Qwen2.5-Coder-1.5B-Instruct")).toEqual(["Qwen2.5-Coder-", "1.5B-Instruct"]);
    expect(nameLines("tiny")).toEqual(["tiny"]);
    expect(nameLines("x".repeat(20))).toEqual(["x".repeat(15), "xxxxx"]);
  });

  it("have room in a chart of letters, however long they are", () => {
    const names = ["a", "b"].map((name) => name + "x".repeat(15 * 7 - 1));
    const shares = names.flatMap((label) =>
      ["A", "B", "C"].map((letter) => ({ series: { ...SERIES, label }, letter, share: 1 / 3 })),
    );
    const { document } = parseHTML(letterChart("Letters", shares, 1 / 3).text);
    // Seven lines of 13 pixels and 4 between the names are more than three bars of 15 and 10; 34 for the axis.
    expect(document.querySelector("svg")?.getAttribute("viewBox")).toBe("0 0 340 224");
  });
});

describe("the histogram of margins", () => {
  it("counts every margin, what is above the end in the last bar", () => {
    // 24 bins of 1: 0 and 0.9 in the first, 1 in the second, 24 and 1000 in the last.
    const counts = binCounts(Float64Array.of(0, 0.9, 1, 24, 1000), 24);
    expect(counts).toEqual([2, 1, ...Array(21).fill(0), 2]);
  });

  it("is of shares, so that charts of different counts have one axis", () => {
    // 24 bins of 1: two of four in the first.
    expect(highestBar({ right: Float64Array.of(0, 0.5, 3), wrong: Float64Array.of(9) }, 24)).toBe(0.5);
  });

  it("is drawn of any number of answers", () => {
    expect(highestBar({ right: new Float64Array(1_000_000), wrong: new Float64Array() }, 24)).toBe(1);
  });

  it("says medians in words", () => {
    const set = { right: Float64Array.of(1, 2, 4), wrong: new Float64Array() };
    const { text } = marginChart("CTR", set, { end: 5, top: 1 });
    expect(text).toContain("<desc>3 right answers, median 2.00 nats; 0 wrong answers</desc>");
  });
});
