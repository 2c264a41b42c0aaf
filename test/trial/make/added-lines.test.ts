import { expect, it } from "vitest";
import { addedJaccard, addedLines, codeLines } from "../../../src/trial/make/gold-book.js";

const patch = (path: string, lines: readonly string[]) =>
  `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n` +
  `@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join("")}`;

it("is as like another patch as the lines that both add", () => {
  // a, b and c against b and d: one of four; blanks and empty lines do not count.
  expect(addedJaccard(patch("x", ["a", "  b", "", "c"]), patch("y", ["b", "d"]))).toBe(1 / 4);
  expect(addedJaccard("", "")).toBeNull();
  expect(addedJaccard(patch("x", ["a"]), "")).toBe(0);
});

it("takes lines without blanks around them, each once", () => {
  expect([...codeLines(["a ", "\ta", "", " "])]).toEqual(["a"]);
  expect([...addedLines(`${patch("x", ["a"])}--- a/y\n+++ b/y\n@@ -1 +1 @@\n-gone\n+b\n`)]).toEqual(["a", "b"]);
});
