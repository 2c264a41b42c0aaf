import { groupBy } from "../../base/grouping.js";
import type { Language } from "../../base/language.js";
import type { TextRange } from "../../base/text.js";
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
  /** Texts of its tokens, by line. */
  readonly lines: ReadonlyMap<number, ReadonlySet<string>>;
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
    lines: new Map(
      [...groupBy(after, ({ line }) => line)].map(([line, own]) => [line, new Set(own.map(({ text }) => text))]),
    ),
    isNew,
    introduced: introducedIn(diff, before, after),
    review,
    known: new Set(wordsOf(`${old}\n${review}`)),
    asked: new Set(partsOf(review)),
  };
}

/** Share of the tokens of a line that a revision introduces from which on the others are part of it, too. */
const MOSTLY = 0.5;

function introducedIn(diff: HunkDiff, before: readonly Token[], after: readonly Token[]): Revision["introduced"] {
  const found = new Map(introducedTokens(diff, before, after).map((each) => [each.token, each.introduction]));
  for (const own of groupBy(after, ({ line }) => line).values()) {
    if (own.filter((token) => found.has(token)).length < MOSTLY * own.length) continue;
    for (const token of own) if (!found.has(token)) found.set(token, "beside");
  }
  const carried = carriedLines(diff);
  for (const token of found.keys()) if (carried.has(token.line)) found.delete(token);
  return found;
}

/** Added lines that are removed ones at another place or depth: they stand in the revision, and are not what it is about. */
function carriedLines({ old, new: fresh }: HunkDiff): ReadonlySet<number> {
  const bare = (line: string) => line.slice(1).replace(/\s+/g, "");
  const removed = new Set(old.split("\n").flatMap((line) => (line.startsWith("-") ? bare(line) : [])));
  return new Set(fresh.split("\n").flatMap((line, i) => (line.startsWith("+") && removed.has(bare(line)) ? i : [])));
}

/** Tells whether a text is a token of a line of the revision. */
export function isOnLine({ lines }: Revision, text: string, line: number): boolean {
  return lines.get(line)?.has(text) === true;
}

/** Tells whether another name would be wrong: where a name is given to something any would do, unless the review says which. */
export function isFree(token: Token, revision: Revision): boolean {
  return !isDeclared(token, revision.text) || isGiven(token, revision);
}

/** Tells whether the review has the name, or says each part of a name that the replaced lines do not have, and one at least. */
export function isGiven(token: Token, { asked, diff, review }: Revision): boolean {
  if (partsOf(token.text).length > 1 && wordsOf(review).includes(token.text)) return true;
  const removed = new Set(
    partsOf(
      diff.old
        .split("\n")
        .flatMap((line) => (line.startsWith("-") ? line : []))
        .join("\n"),
    ),
  );
  const fresh = partsOf(token.text).filter((part) => !removed.has(part));
  return fresh.length > 0 && fresh.every((part) => asked.has(part));
}

/** Tells whether the grammar makes sense of all of a range. */
export function isSound({ nodes }: Revision, { start, end }: TextRange): boolean {
  return !nodes.some((node) => node.kind === "ERROR" && node.start < end && node.end > start && node.start >= start);
}

/** Tells whether a name stands where it is given to something. */
export function isDeclared({ start, end, leaf }: Token, text: string): boolean {
  const after = text.slice(end).trimStart();
  if (/^(?::=|=(?![=>~]))/.test(after)) return true;
  const isDefinition = /declarat|definition|parameter/.test(leaf.parentKind ?? "");
  // A type stands behind it, as in Go.
  if (isDefinition && !/type/.test(leaf.kind) && /^[\w*[]/.test(after)) return true;
  return isDefinition && /^[,;:()={]/.test(after) && !/=\s*$/.test(text.slice(0, start));
}
