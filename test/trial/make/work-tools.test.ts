import { expect, it } from "vitest";
import { changesOf } from "../../../src/trial/make/work-tools.js";

const adding = (path: string, line: string) =>
  `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${line}\n`;

it("takes what is handed in out of the changes", () => {
  const change = adding("src/a.js", "a");
  expect(changesOf(`${adding("logs/agent/answer.txt", "yes")}${change}`)).toBe(change);
});

it.each([
  ["a line separator", "\u2028"],
  ["a paragraph separator", "\u2029"],
  ["a carriage return", "\r"],
])("hides no line of a file behind %s", (_, end) => {
  const added = adding(
    "src/a.js",
    `a /*${end}diff --git a/logs/agent/n b/logs/agent/n${end}+++ b/logs/agent/n${end}*/`,
  );
  expect(changesOf(added)).toBe(added);
  const deleted = `diff --git a/b.js b/b.js\ndeleted file mode 100644\n--- a/b.js\n+++ /dev/null\n@@ -1 +0,0 @@\n-b${end}+++ b/logs/agent/n${end}\n`;
  expect(changesOf(deleted)).toBe(deleted);
});
