import { diffArrays } from "diff";
import type { TextRange } from "../../base/text.js";
import type { HunkDiff } from "../../dataset/hunk-diff.js";
import { isComment, type Leaf, type ParsedCode } from "../../syntax/load.js";

/**
 * Relation of a token of an added line to the removed lines of the same replaced block. `new`: it stands on
 * none of them. `moved`: it does, in another order. `beside`: it is kept, next to what was left out.
 */
export type Introduction = "new" | "moved" | "beside";

export interface IntroducedToken {
  readonly token: Token;
  readonly introduction: Introduction;
}

/** Tokens of both versions of a hunk, by its blocks of changed lines. */
export interface Block {
  readonly removed: readonly Token[];
  readonly added: readonly Token[];
}

/**
 * The tokens of the added lines that a revision introduces. A token that also stands on a removed line of its block is
 * printed in every option, so that it tells nothing: hence the difference in tokens, not in lines.
 * @param before tokens of the pre-review code
 * @param after tokens of the post-review code
 */
export function introducedTokens(
  diff: Pick<HunkDiff, "old" | "new">,
  before: readonly Token[],
  after: readonly Token[],
): IntroducedToken[] {
  return blocksOf(diff, before, after).flatMap(introducedIn);
}

function introducedIn({ removed, added }: Block): IntroducedToken[] {
  const known = new Set(textsOf(removed));
  const parts = diffArrays(textsOf(removed), textsOf(added));
  const found = new Map<Token, Introduction>();
  const keptBeside: Token[] = [];
  let place = 0;
  parts.forEach((part, i) => {
    if (isLeftOut(parts, i)) keptBeside.push(...added.slice(Math.max(0, place - 1), place + 1));
    if (part.removed) return;
    for (const token of part.added ? added.slice(place, place + part.value.length) : []) {
      found.set(token, known.has(token.text) ? "moved" : "new");
    }
    place += part.value.length;
  });
  for (const token of keptBeside) found.set(token, found.get(token) ?? "beside");
  return Array.from(found, ([token, introduction]) => ({ token, introduction }));
}

type Part = ReturnType<typeof diffArrays<string>>[number];

/** Tells whether a part is removed and nothing stands in its place. */
function isLeftOut(parts: readonly Part[], i: number): boolean {
  const neighbours = [parts[i - 1], parts[i + 1]];
  return parts[i]?.removed === true && !neighbours.some((part) => part?.added === true);
}

function textsOf(tokens: readonly Token[]): string[] {
  return tokens.map(({ text }) => text);
}

/** A run of changed lines, `-` in the old version and `+` in the new one at the same place. */
export function blocksOf(
  diff: Pick<HunkDiff, "old" | "new">,
  before: readonly Token[],
  after: readonly Token[],
): Block[] {
  const [old, fresh] = [diff.old.split("\n"), diff.new.split("\n")];
  const [removedByLine, addedByLine] = [byLine(before), byLine(after)];
  const blocks: Block[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    const removed: Token[] = [];
    const added: Token[] = [];
    while (old[i]?.startsWith("-") === true) removed.push(...(removedByLine.get(i++) ?? []));
    while (fresh[j]?.startsWith("+") === true) added.push(...(addedByLine.get(j++) ?? []));
    if (added.length > 0) blocks.push({ removed, added });
    i++;
    j++;
  }
  return blocks;
}

function byLine(tokens: readonly Token[]): Map<number, Token[]> {
  const lines = new Map<number, Token[]>();
  for (const token of tokens) lines.set(token.line, [...(lines.get(token.line) ?? []), token]);
  return lines;
}

/**
 * Sort of a token to a reader. `name`: an identifier of any kind. `word`: one of a comment or a text literal, which are
 * prose. `operator`: one that others could stand for. `other`: brackets, keywords, what no other token could replace.
 */
type TokenSort = "name" | "number" | "operator" | "word" | "other";

/** A leaf of the syntax tree, or a word of a leaf that holds prose. */
export interface Token extends TextRange {
  readonly text: string;
  readonly sort: TokenSort;
  /** Tells whether it stands in a comment. */
  readonly inComment: boolean;
  /** The leaf that it is, or is part of. */
  readonly leaf: Leaf;
  /** From 0. */
  readonly line: number;
  /** Tells whether it is one piece of a leaf that holds prose. */
  readonly inProse: boolean;
  /** Use, as far as its neighbours tell: called or not, a member of something or not, capital or not. */
  readonly role: string;
}

const NAME = /^[@$]{0,2}[\p{L}_][\p{L}\p{N}_]*[?!]?$/u;
const PIECES = /[\p{L}_][\p{L}\p{N}_]*(?:['’]\p{L}+)?|0[xX][\da-fA-F]+|\p{N}+|[^\s\p{L}\p{N}_]+/gu;
/** Without the plain assignment: an operation in its place is nonsense at sight. */
const OPERATOR_FAMILIES: readonly (readonly string[])[] = [
  ["==", "!=", "===", "!==", "<", ">", "<=", ">=", "&&", "||"],
  ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"],
  ["+=", "-=", "*=", "/=", "|=", "&=", "^=", "%="],
];

/** Operators that can stand where this one stands, itself left out; none for what is no operator. */
export function relatedOperators(operator: string): string[] {
  const related = OPERATOR_FAMILIES.filter((family) => family.includes(operator)).flat();
  return [...new Set(related)].filter((other) => other !== operator);
}

/** The tokens of a piece of code in the order of the text, comments and text literals word by word. */
export function tokensOf(text: string, { leaves }: ParsedCode): Token[] {
  const lineAt = lineCounter(text);
  return leaves.flatMap((leaf) => {
    const content = text.slice(leaf.start, leaf.end);
    const inComment = isComment(leaf.kind);
    const isWhole = !inComment && !isProse(leaf, content);
    const pieces = isWhole ? [{ 0: content, index: 0 }] : content.matchAll(PIECES);
    return Array.from(pieces, ({ 0: piece, index }): Token => {
      const range = { start: leaf.start + index, end: leaf.start + index + piece.length };
      const sort = isWhole ? sortOf(leaf, piece) : sortInProse(piece);
      const place = { inComment, inProse: !isWhole, leaf, line: lineAt(range.start), role: roleAt(text, range) };
      return { ...range, text: piece, sort, ...place };
    });
  });
}

/** Part of the role of a name that stands before an opening bracket. */
export const CALLED = "called";

function roleAt(text: string, { start, end }: TextRange): string {
  const isCalled = /^\s*\(/.test(text.slice(end, end + 20));
  const isMember = /(?:\.|->|::)\s*$/.test(text.slice(Math.max(0, start - 20), start));
  return [isCalled && CALLED, isMember && "member", /^\p{Lu}/u.test(text.slice(start, end)) && "capital"]
    .filter(Boolean)
    .join(" ");
}

/** The contents of a text literal; some grammars have its quotes in the same leaf. */
function isProse(leaf: Leaf, content: string): boolean {
  return leaf.isNamed && !NAME.test(content) && !/^[\p{N}.]/u.test(content) && /\p{L}/u.test(content);
}

function sortOf(leaf: Leaf, content: string): TokenSort {
  if (/^\.?\p{N}/u.test(content)) return "number";
  if (relatedOperators(content).length > 0) return "operator";
  if (!leaf.isNamed || !NAME.test(content) || leaf.kind === content) return "other";
  return /string|char|heredoc|regex|text/.test(leaf.kind) ? "word" : "name";
}

function sortInProse(piece: string): TokenSort {
  if (/^\p{N}/u.test(piece)) return "number";
  return /^\p{L}/u.test(piece) ? "word" : "other";
}

/** Lines of ascending places, counted on. */
function lineCounter(text: string): (place: number) => number {
  let [line, seen] = [0, 0];
  return (place) => {
    for (; seen < place; seen++) if (text[seen] === "\n") line++;
    return line;
  };
}
