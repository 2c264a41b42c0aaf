import { describe, expect, it } from "vitest";
import { changedLines, isIgnored } from "../../../../src/suites/codetaste/score/changed-lines.js";

const diff = (path: string, body: string) => `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n${body}`;

describe("the lines that a patch changes", () => {
  it("stand where they are before and after it", () => {
    // Old lines 3–6, new lines 3–7: 4 goes, 4 and 5 come, and 6 becomes 7 with no newline behind it.
    const patch = diff("a.js", "@@ -3,4 +3,5 @@\n x\n-y\n+Y\n+Z\n x\n-last\n\\ No newline at end of file\n+end\n");
    expect(changedLines(patch)).toEqual({
      added: [4, 5, 7].map((line) => ({ path: "a.js", line })),
      removed: [4, 6].map((line) => ({ path: "a.js", line })),
    });
  });

  it("may look like the head of a file", () => {
    const patch = diff("a.sql", "@@ -1,2 +1,2 @@\n--- old\n+++ new\n x\n");
    expect(changedLines(patch)).toEqual({ added: [{ path: "a.sql", line: 1 }], removed: [{ path: "a.sql", line: 1 }] });
  });

  it("are those of made and deleted files too, and none of binary or renamed ones", () => {
    const made = "diff --git a/n.js b/n.js\nnew file mode 100644\n--- /dev/null\n+++ b/n.js\n@@ -0,0 +1 @@\n+x\n";
    const gone = "diff --git a/o.js b/o.js\ndeleted file mode 100644\n--- a/o.js\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n";
    const binary = "diff --git a/b.png b/b.png\nindex 1..2\nGIT binary patch\nliteral 3\nKcmZ\n\nliteral 0\nHc$@\n\n";
    const renamed = "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n";
    expect(changedLines(`${renamed}${binary}${made}${gone}`)).toEqual({
      added: [{ path: "n.js", line: 1 }],
      removed: [{ path: "o.js", line: 1 }],
    });
  });

  it("do not count in files that machines make", () => {
    const patch = ["vendor/a.js", "x/build/a.js", "package-lock.json", "src/a.js"]
      .map((path) => diff(path, "@@ -1 +1 @@\n-x\n+y\n"))
      .join("");
    expect(changedLines(patch)?.added).toEqual([{ path: "src/a.js", line: 1 }]);
    expect([isIgnored("builder/a.js"), isIgnored("a/coverage/b")]).toEqual([false, true]);
  });

  it("are not known of what is no patch, and none of an empty one", () => {
    expect(changedLines("@@ -1 +1 @@\n-a\n")).toBeNull();
    expect(changedLines("")).toEqual({ added: [], removed: [] });
  });
});
