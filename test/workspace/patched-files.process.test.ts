import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { binaryBytes, patchedFiles, patchSections } from "../../src/workspace/patched-files.js";
import { Workspace } from "../../src/workspace/workspace.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();

describe("binaryBytes", () => {
  const binary = (...sizes: string[]) => `diff --git a/x b/x\nGIT binary patch\n${sizes.join("\n\n")}\n\n`;
  const cases: readonly [string, number][] = [
    [binary("literal 300", "literal 0") + binary("literal 50", "delta 7"), 357],
    ["literal 300\n", 0],
    // As git reads it: blanks and a sign may stand before a number, and one below zero is the largest.
    [binary("literal   +12x"), 12],
    [binary("literal -1"), Number.POSITIVE_INFINITY],
  ];
  it.each(cases)("sums what %j says of itself", (patch, bytes) => {
    expect(binaryBytes(Buffer.from(patch))).toBe(bytes);
  });
});

describe("patchedFiles", () => {
  it("numbers lines on both sides, hunk by hunk", () => {
    // Before: 1 a, 2 b, 3 c, …, 10 j. Line 2 becomes two; behind line 9 one comes; line 10 goes.
    const patch = [
      "diff --git a/x.js b/x.js",
      "index 1..2 100644",
      "--- a/x.js",
      "+++ b/x.js",
      "@@ -1,3 +1,4 @@ function of(it)",
      " a",
      "-b",
      "+B",
      "+BB",
      " c",
      "@@ -9,2 +10,2 @@",
      " i",
      "+--- not a header",
      "-j",
      "\\ No newline at end of file",
      "",
    ].join("\n");
    expect(patchedFiles(patch)).toEqual([
      { before: "x.js", after: "x.js", removed: [2, 10], added: [2, 3, 11], addedBehind: [2, 2, 9] },
    ]);
  });

  it("reads a hunk without context where only lines come, or only lines go", () => {
    const file = "diff --git a/x b/x\n--- a/x\n+++ b/x\n";
    // `-5,0`: behind line 5. `-2,2 +1,0`: lines 2 and 3 go.
    expect(patchedFiles(`${file}@@ -5,0 +6,1 @@\n+new\n`)).toMatchObject([
      { added: [6], addedBehind: [5], removed: [] },
    ]);
    expect(patchedFiles(`${file}@@ -2,2 +1,0 @@\n-b\n-c\n`)).toMatchObject([{ added: [], removed: [2, 3] }]);
  });

  it("takes a line of the file that looks like a header for a line", () => {
    const patch =
      "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,1 @@\n--- a/other\n-diff --git a/o b/o\n+++ b/other\n";
    expect(patchedFiles(patch)).toMatchObject([{ before: "x", after: "x", removed: [1, 2], added: [1] }]);
  });

  it("knows files that are made, deleted, renamed, binary, or have letters of any alphabet", async () => {
    const tree = join(folder, "source");
    mkdirSync(join(tree, "in a"), { recursive: true });
    for (const name of ["gone.js", "empty", "in a/b c.js", "größe\t.js"])
      writeFileSync(join(tree, name), name === "empty" ? "" : "1\n2\n");
    const workspace = await Workspace.create(join(folder, "work"), { kind: "folder", path: tree });
    const at = (name: string) => join(workspace.tree, name);
    rmSync(at("gone.js"));
    rmSync(at("empty"));
    writeFileSync(at("in a/b c.js"), "1\n3\n");
    writeFileSync(at("größe\t.js"), "0\n1\n2\n");
    writeFileSync(at("new.js"), "1\n");
    writeFileSync(at("picture.bin"), Buffer.from([0, 1, 2, 0]));
    const patch = await workspace.patch();
    if (patch.status !== "made") throw new Error(patch.detail);
    const files = patchedFiles(patch.bytes.toString("utf8"));
    const by = new Map(files.map((file) => [file.before ?? file.after, file]));
    expect(by.get("gone.js")).toMatchObject({ after: null, removed: [1, 2], added: [] });
    expect(by.get("empty")).toMatchObject({ before: "empty", after: null, removed: [] });
    expect(by.get("in a/b c.js")).toMatchObject({ after: "in a/b c.js", removed: [2], added: [2], addedBehind: [2] });
    expect(by.get("größe\t.js")).toMatchObject({ removed: [], added: [1], addedBehind: [0] });
    expect(by.get("new.js")).toMatchObject({ before: null, after: "new.js", added: [1] });
    expect(by.get("picture.bin")).toMatchObject({ before: null, removed: [], added: [] });
    const renamed =
      "diff --git a/old.js b/new/name.js\nsimilarity index 100%\nrename from old.js\nrename to new/name.js\n";
    expect(patchedFiles(renamed)).toMatchObject([{ before: "old.js", after: "new/name.js", removed: [] }]);
  });
});

it("gives the text of each file, also of those that are deleted or whose names are quoted", () => {
  const deleted =
    "diff --git a/old.js b/old.js\ndeleted file mode 100644\n--- a/old.js\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n";
  const quoted =
    'diff --git "a/\\303\\244.js" "b/\\303\\244.js"\n--- "a/\\303\\244.js"\n+++ "b/\\303\\244.js"\n@@ -1 +1 @@\n-a\n+b\n';
  expect(patchSections(`From somebody\n${deleted}${quoted}`).map(({ path }) => path)).toEqual(["old.js", "ä.js"]);
  expect(patchSections(deleted + quoted).map(({ text }) => text)).toEqual([deleted, quoted]);
});
