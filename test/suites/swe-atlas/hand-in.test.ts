import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  betweenTags,
  changesOf,
  handedIn,
  newFilePatch,
  patchSections,
} from "../../../src/suites/swe-atlas/hand-in.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";

const folder = useFreshFolder();
const PUBLISHED = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../fixtures/suites/swe-atlas/published.json"), "utf8"),
).qa;

describe("what is handed in", () => {
  it.each(PUBLISHED.answer_cases as { case: string; answer: string | null; graded_text: string | null }[])(
    "is an answer as released: $case",
    async ({ answer, graded_text }) => {
      const tree = folder.path("tree");
      mkdirSync(join(tree, "logs/agent"), { recursive: true });
      if (answer !== null) writeFileSync(join(tree, "logs/agent/answer.txt"), answer);
      expect(await handedIn(tree, "answer.txt")).toBe(graded_text);
    },
  );

  it("is nothing where a link leads elsewhere", async () => {
    const tree = folder.path("tree");
    mkdirSync(join(tree, "logs/agent"), { recursive: true });
    writeFileSync(folder.path("secret"), "a secret");
    symlinkSync(folder.path("secret"), join(tree, "logs/agent/manifest.txt"));
    expect(await handedIn(tree, "manifest.txt")).toBeNull();
  });

  it("is what stands between the last two tags", () => {
    expect(betweenTags("<<T>>first<<T>> then <<T>> second <<T>>", "<<T>>")).toBe("second");
  });

  it("is no part of the changes that a judge reads", () => {
    const change = newFilePatch("src/a.js", "a\n");
    expect(changesOf(`${newFilePatch("logs/agent/answer.txt", "yes\n")}${change}`)).toBe(change);
  });
});

describe("a patch", () => {
  it("tells its files, also those that it deletes or whose names are quoted", () => {
    const deleted =
      "diff --git a/old.js b/old.js\ndeleted file mode 100644\n--- a/old.js\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n";
    const quoted =
      'diff --git "a/\\303\\244.js" "b/\\303\\244.js"\n--- "a/\\303\\244.js"\n+++ "b/\\303\\244.js"\n@@ -1 +1 @@\n-a\n+b\n';
    expect(patchSections(deleted + quoted).map(({ path }) => path)).toEqual(["old.js", "ä.js"]);
    expect(patchSections(deleted + quoted).map(({ text }) => text)).toEqual([deleted, quoted]);
  });
});
