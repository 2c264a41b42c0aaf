import { describe, expect, it } from "vitest";
import type { Language } from "../../../src/base/language.js";
import { diffHunk } from "../../../src/dataset/hunk-diff.js";
import { introducedTokens, tokensOf } from "../../../src/distractors/solution/introduced-tokens.js";
import { placesIn } from "../../../src/distractors/solution/matched-solutions.js";
import { loadSyntax } from "../../../src/syntax/load.js";

/** Places by tier, each with its text. */
async function tiers(language: Language, before: string, after: string, review = ""): Promise<Record<string, number>> {
  const syntax = await loadSyntax(language);
  const diff = diffHunk(before.split("\n"), after.split("\n"));
  if (diff === null) throw new Error("no change");
  const tokens = (text: string) => tokensOf(text, syntax.parse(text));
  const introduced = introducedTokens(diff, tokens(before), tokens(after));
  return Object.fromEntries(
    placesIn(introduced, { text: after, review, language }).map(({ token, tier }) => [token.text, tier]),
  );
}

describe("placesIn", () => {
  it("puts a name that the revision brings along first, and brackets nowhere", async () => {
    expect(await tiers("python", "x = read(path)", "x = parse(path)")).toEqual({ parse: 0 });
  });

  it("puts a name behind it that is declared, or stands there twice: it could have any other name", async () => {
    // limit is given a value and used again; cap is used once.
    const found = await tiers("python", "a = 1", "a = 1\nlimit = cap.size\nuse(limit)");
    expect(found).toMatchObject({ limit: 2, cap: 0, size: 0 });
  });

  it("takes a declared name for a telling one where the review asks for it", async () => {
    expect(await tiers("python", "a = 1", "limit = 1", "Call it limit, please.")).toMatchObject({ limit: 0 });
    expect(await tiers("python", "a = 1", "limit = 1")).toMatchObject({ limit: 2 });
  });

  it("puts names of the language and names of two letters behind others", async () => {
    expect(await tiers("python", "a = 1", "a = 1\nraise ValueError(nl, reason)")).toMatchObject({
      ValueError: 2,
      nl: 2,
      reason: 0,
    });
  });

  it("puts words of comments and operators in the second tier, and leaves out words that mean nothing alone", async () => {
    expect(await tiers("python", "# drops the name\na = b", "# drops their path\na = b")).toEqual({ path: 1 });
    expect(await tiers("python", "ok = a < b", "ok = a <= b")).toEqual({ "<=": 1 });
  });

  it("puts what only stands beside a deletion last", async () => {
    expect(await tiers("python", "x = f(alpha, b)", "x = f(alpha)")).toEqual({ alpha: 6 });
  });
});
