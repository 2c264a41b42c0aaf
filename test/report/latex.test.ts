import { expect, it } from "vitest";
import { renderLatex } from "../../src/report/latex.js";
import { numberCell, tableOf } from "../../src/report/make-block.js";

it("has a mark before a number, with a verdict behind it and without", () => {
  const badge = { text: "judge?", tone: "warning" } as const;
  const column = (id: string, more: object) => ({
    ...({ id, label: id, align: "right", importance: 1 } as const),
    cell: () => numberCell(0.5, "fraction", { badge, ...more }),
  });
  const table = tableOf(null, [column("a", { judgement: "at_floor" }), column("b", {})], [null]);
  const tables = [{ name: "marks", block: table }];
  expect(renderLatex({ name: "marks", tables, notes: [], width: "column" })).toContain(
    "judge? 50.0 \\%$^{=}$ & judge? 50.0 \\% \\\\",
  );
});
