import { describe, expect, it } from "vitest";
import type { Language } from "../../../src/base/language.js";
import { type Gap, replacementFrom, withReplacement } from "../../../src/distractors/solution/infilled-candidates.js";
import { loadSyntax } from "../../../src/syntax/load.js";

/** A gap in place of the first leaf with this text. */
async function gapAt(language: Language, text: string, leafText: string): Promise<Gap> {
  const syntax = await loadSyntax(language);
  const parsed = syntax.parse(text);
  const leaf = parsed.leaves.find(({ start, end }) => text.slice(start, end) === leafText);
  if (leaf === undefined) throw new Error(`no leaf ${leafText}`);
  return { syntax, text, parsed, leaf };
}

describe("replacementFrom", () => {
  it.each([
    ["a name for a name", "items", "prices", "prices"],
    ["cut where its first leaf ends", "items", "prices[0] + x", "prices"],
    ["blanks before it dropped", "items", "  prices ", "prices"],
    ["cut at a line end", "items", "prices\nreturn", "prices"],
    ["a number for a number", "2", "17", "17"],
  ])("takes of an infill %s", async (_name, leaf, infill, expected) => {
    const gap = await gapAt("python", "total = items[2]", leaf);
    expect(replacementFrom(gap, infill)).toBe(expected);
  });

  it.each([
    ["the leaf itself", "items", "items"],
    ["the leaf with other blanks around it", "items", " items "],
    ["nothing", "items", ""],
    ["blanks", "items", " \n"],
    ["a bracket", "items", "("],
    ["a number for a name", "items", "12"],
    ["a name for a number", "2", "two"],
    ["a keyword", "items", "return"],
    ["half a character", "items", "\ud83d"],
  ])("takes nothing from %s", async (_name, leaf, infill) => {
    const gap = await gapAt("python", "total = items[2]", leaf);
    expect(replacementFrom(gap, infill)).toBeNull();
  });

  it("lets one constant stand for another", async () => {
    const gap = await gapAt("java", "boolean done = true;", "true");
    expect(replacementFrom(gap, "false;")).toBe("false");
    expect(replacementFrom(gap, "maybe")).toBeNull();
  });

  it("keeps a string inside its quotes", async () => {
    const gap = await gapAt("javascript", 'log("saved");', "saved");
    expect(replacementFrom(gap, 'lost it"); x')).toBe("lost it");
  });

  it("works in code that does not parse, as long as it gets no worse", async () => {
    const text = "} else {\n  total = sum(first);";
    const gap = await gapAt("java", text, "first");
    expect(gap.parsed.errors).toBeGreaterThan(0);
    expect(replacementFrom(gap, "second")).toBe("second");
  });
});

describe("withReplacement", () => {
  it("changes nothing but the leaf", async () => {
    const gap = await gapAt("python", "a = b + b", "b");
    expect(withReplacement(gap, "longer")).toBe("a = longer + b");
  });
});
