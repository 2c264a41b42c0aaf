import { describe, expect, it } from "vitest";
import type { Language } from "../../../src/base/language.js";
import { diffHunk } from "../../../src/dataset/hunk-diff.js";
import { withMisses } from "../../../src/distractors/near-miss/near-miss.js";
import { readRevision } from "../../../src/distractors/near-miss/revision.js";
import { slipMisses } from "../../../src/distractors/near-miss/slips.js";

/** Revisions of a line with one slip each, as they are made in a language where nothing stood before. */
async function slips(language: Language, line: string, beside = "x"): Promise<string[]> {
  const [preReviewLines, postReviewLines] = [[beside], [beside, line]];
  const diff = diffHunk(preReviewLines, postReviewLines);
  if (diff === null) throw new Error("no change");
  const revision = await readRevision(
    { id: "t", language, review: "Not there.", preReviewLines, postReviewLines },
    diff,
  );
  return slipMisses(revision).map((miss) => withMisses(revision.text, [miss]).split("\n").slice(1).join("\n"));
}

describe("slips by their texts", () => {
  it.each<[Language, string, string]>([
    ["java", "for (int i = 0; i < n; i++) {", "for (int i = 0; i < n - 1; i++) {"],
    ["python", "for i in range(n):", "for i in range(n - 1):"],
    ["c", "x = a[i];", "x = a[i + 1];"],
    ["javascript", "x = a.data.items;", "x = a.data;"],
    ["python", "if a is not None:", "if a is None:"],
    ["python", "if a is None:", "if a is not None:"],
    ["python", "if a not in b:", "if a in b:"],
    ["javascript", "const a = await f(b);", "const a = f(b);"],
    ["go", "x := f(*a)", "x := f(a)"],
    ["csharp", "x = a?.b;", "x = a.b;"],
    ["javascript", "x = a?.b;", "x = a.b;"],
    ["ruby", "x = a&.b", "x = a.b"],
    ["javascript", "x = new Box(a);", "x = Box(a);"],
    ["csharp", 'x = $"{a} of {b}";', 'x = "{a} of {b}";'],
    ["python", "x = self.size", "x = size"],
    ["javascript", "x = this.size;", "x = size;"],
    ["php", "$x = $this->size;", "$x = $size;"],
    ["ruby", "x = @size", "x = size"],
    ["python", "x = a.items()", "x = a.items"],
    ["java", "x = a.length();", "x = a.length;"],
    ["javascript", "x = null;", "x = undefined;"],
    ["python", "x = None", "x = False"],
    ["go", 'log("%d of", n)', 'log("%s of", n)'],
    ["c", 'printf("done\\n");', 'printf("done");'],
    ["java", "if (a.equals(b)) {", "if (a == b) {"],
    ["c", "if (a == b) {", "if (a = b) {"],
    ["go", "return a, err", "return a, nil"],
    ["python", "return f(a)", "f(a)"],
  ])("in %s: %s", async (language, line, made) => {
    expect(await slips(language, line)).toContain(made);
  });

  it.each<[Language, string, RegExp]>([
    // What is done, or made, is called.
    ["java", "x = a.refresh();", /refresh;/],
    ["javascript", "x = new a.Box();", /Box;/],
    ["python", "# see a.items()", /items$/],
    // Nothing is awaited where nothing is.
    ["javascript", "const a = f(b);", /await/],
    ["python", "x = %d", /%s/],
  ])("not in %s: %s", async (language, line, odd) => {
    expect((await slips(language, line)).filter((made) => odd.test(made))).toEqual([]);
  });

  it("await a call where something is awaited, and leave what was there before alone", async () => {
    expect(await slips("javascript", "const a = f(b);", "const c = await g();")).toContain("const a = await f(b);");
    expect((await slips("python", "x = b", "y = self.size")).filter((made) => /size/.test(made))).toEqual([]);
  });
});
