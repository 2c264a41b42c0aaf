import { describe, expect, it } from "vitest";
import { diffHunk } from "../../../src/dataset/hunk-diff.js";
import { introducedTokens, tokensOf } from "../../../src/distractors/solution/introduced-tokens.js";
import { loadSyntax } from "../../../src/syntax/load.js";

/** Text and introduction of each introduced token. */
async function introduced(before: string, after: string): Promise<string[]> {
  const syntax = await loadSyntax("python");
  const diff = diffHunk(before.split("\n"), after.split("\n"));
  if (diff === null) throw new Error("no change");
  const tokens = (text: string) => tokensOf(text, syntax.parse(text));
  return introducedTokens(diff, tokens(before), tokens(after)).map(
    ({ token, introduction }) => `${token.text} ${introduction}`,
  );
}

describe("introducedTokens", () => {
  it("are those of the added line that its removed line has not", async () => {
    // total = sum ( items ) → total = count ( items )
    expect(await introduced("total = sum(items)", "total = count(items)")).toEqual(["count new"]);
  });

  it("are all tokens of a line that replaces none", async () => {
    expect(await introduced("a = 1\nb = 2", "a = 1\nx = y\nb = 2")).toEqual(["x new", "= new", "y new"]);
  });

  it("are judged against the removed lines of the same block only", async () => {
    // `old` stands on a removed line, but of the other block: it is new where it was not.
    const before = "old = 1\nkept = 0\nb = f(x)";
    const after = "fresh = 1\nkept = 0\nb = f(old)";
    expect(await introduced(before, after)).toEqual(["fresh new", "old new"]);
  });

  it("say when a token only moved", async () => {
    // f ( a , b ) → f ( b , a ): the first a and comma are gone, and come again behind b. What they stood between is kept.
    expect(await introduced("f(a, b)", "f(b, a)")).toEqual([", moved", "a moved", "( beside", "b beside"]);
  });

  it("are the tokens beside what was left out where nothing is new", async () => {
    // `, b` is gone between `a` and the bracket.
    expect(await introduced("x = f(a, b)", "x = f(a)")).toEqual(["a beside", ") beside"]);
  });

  it("are the words of a comment one by one", async () => {
    expect(await introduced("# sorts the names\na = 1", "# sorts the paths\na = 1")).toEqual(["paths new"]);
  });

  it("are the words of a text literal one by one", async () => {
    expect(await introduced('log("file is lost")', 'log("file is empty")')).toEqual(["empty new"]);
  });
});
