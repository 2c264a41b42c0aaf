import { describe, expect, it } from "vitest";
import { changedLines } from "../../../../src/suites/codetaste/score/changed-lines.js";
import { codeLines, textsOfPatch } from "../../../../src/suites/codetaste/score/measure-tree.js";

const placed = (path: string, ...lines: readonly number[]) => lines.map((line) => ({ path, line }));
const inText = (text: string) => async () => text;

describe("lines of code of a patch", () => {
  it("are those that hold more than comments and blanks", async () => {
    const text = ["let a = 1; // one", "// two", "", "/* three", "   four */", "/* five */ let b;", '"// six"'].join(
      "\n",
    );
    const { added, removed } = await codeLines(
      { added: placed("a.js", 1, 2, 3, 4, 5, 6, 7), removed: placed("a.ts", 2, 6) },
      inText(text),
    );
    // 2 to 5 are comment or blank; behind or before a comment is code, and in a string no comment.
    expect(added.map(({ line }) => line)).toEqual([1, 6, 7]);
    expect(removed.map(({ line }) => line)).toEqual([6]);
  });

  it("are none in documents and configuration, and all where there is no text, or no grammar but for blanks", async () => {
    const paths = ["README.md", "docs/a.js", "src/docs/b.py", "package.json", "ci.yml", "Cargo.lock", "a/b.XML"];
    const none = await codeLines({ added: paths.flatMap((path) => placed(path, 1)), removed: [] }, inText("x"));
    expect(none.added).toEqual([]);
    const rust = await codeLines({ added: placed("a.rs", 1, 2), removed: placed("mydocs.c", 1) }, inText("// a\n \nx"));
    expect(rust).toEqual({ added: placed("a.rs", 1), removed: [] });
    const unknown = await codeLines({ added: placed("a.js", 1), removed: [] }, async () => null);
    expect(unknown.added).toHaveLength(1);
  });

  it("are told by the hunks of a patch where no tree is there", async () => {
    const patch = [
      "diff --git a/a.py b/a.py",
      "--- a/a.py",
      "+++ b/a.py",
      "@@ -10,3 +20,4 @@",
      " def f():",
      "-    # old",
      "+    # new",
      "+",
      "     return 1",
      "@@ -30 +40 @@",
      "-x = 1",
      "+x = 2  # two",
      "",
    ].join("\n");
    const lines = changedLines(patch);
    expect(lines?.added).toHaveLength(3);
    expect(await codeLines(lines ?? { added: [], removed: [] }, textsOfPatch(patch))).toEqual({
      added: placed("a.py", 40),
      removed: placed("a.py", 30),
    });
  });

  it("are counted of a file of any length", async () => {
    const lines = Array.from({ length: 1_000_000 }, (_, i) => i + 1);
    const code = await codeLines(
      { added: lines.flatMap((line) => placed("a.rs", line)), removed: [] },
      async () => null,
    );
    expect(code.added).toHaveLength(1_000_000);
  });

  it("take no memory for a line that a patch names and does not have", async () => {
    const patch = "--- a/a.py\n+++ b/a.py\n@@ -1 +4000000000 @@\n-x = 1\n+x = 2\n";
    const lines = changedLines(patch);
    expect(lines?.added).toEqual(placed("a.py", 4000000000));
    const code = await codeLines(lines ?? { added: [], removed: [] }, textsOfPatch(patch));
    expect(code).toEqual({ added: [], removed: placed("a.py", 1) });
  });
});
