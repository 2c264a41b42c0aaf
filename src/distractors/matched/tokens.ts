import type { TextRange } from "../../base/text.js";
import { isComment, type Leaf, type ParsedCode } from "../../syntax/load.js";

/**
 * What a token is to a reader. `name`: an identifier of any kind. `word`: one of a comment or a text literal, which are
 * prose. `operator`: one that others could stand for. `other`: brackets, keywords, what no other token could replace.
 */
export type TokenSort = "name" | "number" | "operator" | "word" | "other";

/** A leaf of the syntax tree, or a word of a leaf that holds prose. */
export interface Token extends TextRange {
  readonly text: string;
  readonly sort: TokenSort;
  /** Whether it stands in a comment. */
  readonly inComment: boolean;
  /** The leaf that it is, or is part of. */
  readonly leaf: Leaf;
  /** From 0. */
  readonly line: number;
  /** Whether it is one piece of a leaf that holds prose. */
  readonly inProse: boolean;
  /** How it is used, as far as its neighbours tell: called or not, a member of something or not, capital or not. */
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

/** In the role of a name that stands before an opening bracket. */
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
