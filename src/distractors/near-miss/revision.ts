import type { Language } from "../../base/language.js";
import type { HunkDiff } from "../../dataset/hunk-diff.js";
import type { Triple } from "../../dataset/triple.js";
import { partsOf, wordsOf } from "../../question/floors/solution-rules.js";
import { loadSyntax, type ParsedCode, type Syntax, type SyntaxNode } from "../../syntax/load.js";
import { type IntroducedToken, introducedTokens, type Token, tokensOf } from "../solution/introduced-tokens.js";
import { revisedCode } from "../solution/masked-leaf.js";

/** A revision as near misses are looked for in it. */
export interface Revision {
  readonly language: Language;
  readonly syntax: Syntax;
  readonly diff: HunkDiff;
  /** Post-review code. */
  readonly text: string;
  readonly parsed: ParsedCode;
  readonly nodes: readonly SyntaxNode[];
  /** Pre-review code. */
  readonly old: string;
  readonly before: readonly Token[];
  readonly after: readonly Token[];
  /** By line from 0 of the post-review code: true where it was added or replaced. */
  readonly isNew: readonly boolean[];
  readonly introduced: ReadonlyMap<Token, IntroducedToken["introduction"]>;
  readonly review: string;
  /** Words of the pre-review code, and of the review. */
  readonly known: ReadonlySet<string>;
  /** Parts of names in the review, in small letters. */
  readonly asked: ReadonlySet<string>;
}

export async function readRevision(triple: Triple, diff: HunkDiff): Promise<Revision> {
  const { language, review, preReviewLines } = triple;
  const syntax = await loadSyntax(language);
  const { text, isNew } = revisedCode(diff.new);
  const old = preReviewLines.join("\n");
  const parsed = syntax.parse(text);
  const [before, after] = [tokensOf(old, syntax.parse(old)), tokensOf(text, parsed)];
  return {
    language,
    syntax,
    diff,
    text,
    parsed,
    nodes: syntax.nodes(text),
    old,
    before,
    after,
    isNew,
    introduced: new Map(introducedTokens(diff, before, after).map((each) => [each.token, each.introduction])),
    review,
    known: new Set(wordsOf(`${old}\n${review}`)),
    asked: new Set(partsOf(review)),
  };
}
