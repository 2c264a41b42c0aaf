import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import type { Block } from "../../src/report/block.js";
import { renderHtml } from "../../src/report/html.js";
import { EMPTY, MISSING, notice, numberCell, sentence, tableOf, textCell } from "../../src/report/make-block.js";

const HOSTILE = `</td><script>alert(1)</script><img src=x onerror="a">\u001b[2J`;
const SHOWN = HOSTILE.replace("\u001b", "\\u001b");

const documentOf = (...blocks: Block[]) => parseHTML(`<main>${renderHtml(blocks).text}</main>`).document;

describe("HTML", () => {
  it("makes text of all that blocks say, wherever they say it", () => {
    const table = tableOf<string>(
      HOSTILE,
      [
        { id: "a", label: HOSTILE, align: "left", importance: 1, cell: (text) => textCell(text) },
        { id: "b", label: "b", align: "left", importance: 1, cell: (text) => textCell([text, text], "bad") },
        {
          id: "c",
          label: "c",
          align: "right",
          importance: 1,
          cell: (name) => numberCell(1, "count", { name, note: [name] }),
        },
      ],
      [HOSTILE],
    );
    const blocks: Block[] = [
      { kind: "heading", level: 2, text: HOSTILE, badge: { text: HOSTILE, tone: "bad" } },
      sentence(HOSTILE, { kind: "strong", text: HOSTILE }, { kind: "code", text: HOSTILE }),
      table,
      { kind: "list", items: [[HOSTILE]] },
      { kind: "facts", facts: [{ name: HOSTILE, parts: [HOSTILE] }] },
      { kind: "code", text: HOSTILE },
      { kind: "details", summary: HOSTILE, blocks: [] },
    ];
    const document = documentOf(...blocks);
    expect(document.querySelectorAll("script, img")).toHaveLength(0);
    expect(document.querySelector("caption")?.textContent).toBe(SHOWN);
    expect(document.querySelector("tbody th")?.textContent).toBe(SHOWN);
    expect(document.querySelector("pre")?.textContent).toBe(SHOWN);
    expect(renderHtml(blocks).text).not.toContain("\u001b");
  });

  it("says what a cell is sorted by, which is best, and nothing of what is absent", () => {
    const cells = [
      textCell("x"),
      numberCell(0.25, "fraction", { interval: { low: 0, high: 1 }, isBest: true }),
      MISSING,
      EMPTY,
      { kind: "text", text: "NO", tone: "bad", sort: 0 } as const,
    ];
    const columns = cells.map((_, i) => ({ id: `${i}`, label: `${i}`, align: "right", importance: 1 }) as const);
    const document = documentOf({ kind: "table", caption: "t", columns, rows: [cells] });
    const [number, missing, empty, word] = [...document.querySelectorAll("td")];
    expect(number?.textContent).toBe("25.0 % (0.0–100.0), best");
    expect(number?.dataset["sort"]).toBe("0.25");
    expect(number?.className).toBe("best");
    expect([missing?.textContent, missing?.dataset["sort"]]).toEqual(["–", undefined]);
    expect(empty?.textContent).toBe("");
    expect(word?.dataset["sort"]).toBe("0");
    expect(word?.querySelector(".badge.bad")?.textContent).toBe("NO");
  });

  it("makes a notice of what is no good news", () => {
    const document = documentOf(notice("warning", "Mind this."), sentence("Fine."));
    expect([...document.querySelectorAll("p")].map(({ className }) => className)).toEqual(["notice", ""]);
  });
});
