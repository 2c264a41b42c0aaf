import { describe, expect, it } from "vitest";
import { markedPatch } from "../../../src/suites/codetaste/patch-section.js";
import { changedLines } from "../../../src/suites/codetaste/score/changed-lines.js";

const PATCH = `diff --git a/a.js b/a.js
--- a/a.js
+++ b/a.js
@@ -3,3 +3,4 @@
 x
-old
+new
+--- more
 y
@@ -20 +21 @@
-end
\\ No newline at end of file
+END
diff --git a/b.js b/b.js
deleted file mode 100644
--- a/b.js
+++ /dev/null
@@ -1 +0,0 @@
-gone
`;

describe("a patch on a page", () => {
  it("has a mark before every line that a rule wanted, and before no other", () => {
    const wanted = {
      // Lines 4 and 5 come ("new" and "--- more"); 21 too, which no rule wanted.
      added: [5].map((line) => ({ path: "a.js", line })),
      removed: [
        { path: "a.js", line: 4 },
        { path: "b.js", line: 1 },
      ],
    };
    const marked = markedPatch(PATCH, wanted).split("\n");
    expect(marked.filter((line) => line.startsWith("* "))).toEqual(["* -old", "* +--- more", "* -gone"]);
    expect(marked.map((line) => line.slice(2)).join("\n")).toBe(PATCH.trimEnd());
  });

  it("counts lines as the scores do", () => {
    const all = changedLines(PATCH)!;
    const marked = markedPatch(PATCH, all).split("\n");
    expect(marked.filter((line) => line.startsWith("* "))).toHaveLength(all.added.length + all.removed.length);
  });
});
