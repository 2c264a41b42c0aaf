import type { TextRange } from "../../base/text.js";
import { unitDistance } from "../../question/floors/solution-rules.js";
import { type Block, blocksOf, type Token } from "../solution/introduced-tokens.js";
import { changedPieces, halves, isWhole, type Piece, textOf, undoneAlone } from "./changed-pieces.js";
import { childrenOf, leftOutMisses } from "./left-out.js";
import type { NearMiss } from "./near-miss.js";
import { isSound, type Revision } from "./revision.js";
import { isIntroduced, isOnNew, slipMisses } from "./slips.js";

/** Near misses of more than one token: pieces put back or changed elsewhere, arguments, conditions, lists. */
export function treeMisses(revision: Revision): NearMiss[] {
  return [...pieceMisses(revision), ...swappedArguments(revision), ...slipMisses(revision), ...leftOutMisses(revision)];
}

/** Replaced pieces that are put back, where there are others; or replaced at another place where they stand. */
function pieceMisses(revision: Revision): NearMiss[] {
  const { text, old, diff, before, after } = revision;
  const blocks = blocksOf(diff, before, after).map((block) => ({
    ...block,
    pieces: changedPieces(block.removed, block.added),
  }));
  const pieces = blocks.flatMap((block) => block.pieces);
  const likeIt = new Set(blocks.flatMap((block) => (areAlike(block) ? block.pieces.filter(isNoRewording) : [])));
  const isOne = pieces.length === 1;
  const undone = pieces.flatMap((piece) => [
    ...(likeIt.has(piece) && !isOne ? undoneAlone(piece, revision) : []),
    ...halves(piece, revision),
  ]);
  const replaced = pieces.flatMap((piece): NearMiss[] => {
    const { removed, added } = piece;
    const [here, was] = [textOf(text, added), textOf(old, removed)];
    if (here === null || was === null || !isWhole(here.text) || !isWhole(was.text)) return [];
    if (OF_BLOCKS.test(was.text) && !OF_BLOCKS.test(here.text)) return [];
    const back = { start: here.start, end: here.end, to: was.text };
    const others = placesLike(removed, was.text, revision).filter(
      ({ start, end }) => end <= here.start || start >= here.end,
    );
    const both = besideWhatWas(revision, here, was.text);
    return [
      ...(likeIt.has(piece) && !isOne ? [{ kind: "put_back", edits: [back], isAsked: true, cost: 0 } as const] : []),
      ...(likeIt.has(piece) && both !== null
        ? [{ kind: "both", edits: [{ start: here.start, end: here.end, to: both }], isAsked: true, cost: 0.5 } as const]
        : []),
      ...others.slice(0, 4).flatMap(({ start, end }): NearMiss[] => {
        const there = { start, end, to: here.text };
        const edits = [back, there].sort((a, b) => a.start - b.start);
        return [
          { kind: "elsewhere", edits, isAsked: true, cost: 1.2 },
          { kind: "everywhere", edits: [there], isAsked: true, cost: 1 },
        ];
      }),
    ];
  });
  return [...undone, ...replaced];
}

/**
 * An argument, a condition or a call without arguments with what it took the place of left standing before it; `null`: it is
 * none of these.
 */
function besideWhatWas({ text, language, after }: Revision, { start, end }: TextRange, was: string): string | null {
  const [here, before, behind] = [text.slice(start, end), text.slice(0, start), text.slice(end)];
  if (after.some((token) => token.inProse && token.start < end && token.end > start)) return null;
  if (/\.\s*$/.test(before)) return /^\(\)/.test(behind) && /^\w+$/.test(here + was) ? `${was}().${here}` : null;
  const isCondition = /\b(?:if|while|elif|unless)\s*\(?\s*!?$|(?:&&|\|\||\band|\bor)\s*$/.test(before);
  const and = language === "python" ? "and" : "&&";
  if (isCondition) return /^\s*(?:\)|:|\{|&&|\|\||and\b|or\b|$)/m.test(behind) ? `${was} ${and} ${here}` : null;
  const isArgument = /[\w$>](?:\(|\([^()\n]*,\s*)$/.test(before) && /^\s*[,)]/.test(behind);
  return isArgument && !/\b(?:if|while|for|switch|catch)\s*\($/.test(before) ? `${was}, ${here}` : null;
}

/** Words that begin a block: nothing else takes their place. */
const OF_BLOCKS = /^(?:if|for|foreach|while|switch|else|elif|unless|catch|try|with)$/;

/** Most pieces of prose on a line, each of which says something by itself. */
const MOST_REWORDED = 2;

/** Tells whether a piece is one of code, or one of few of a line of prose: of a sentence written anew nobody keeps a piece. */
function isNoRewording({ added, removed }: Piece, _at: number, all: readonly Piece[]): boolean {
  const [own] = [...added, ...removed];
  if (own?.inProse !== true) return true;
  const isBeside = (token: Token | undefined) => token?.inProse === true && token.line === own.line;
  return all.filter((other) => isBeside([...other.added, ...other.removed][0])).length <= MOST_REWORDED;
}

/** Likeness of two versions from which on their pieces correspond. */
const MIN_LIKENESS = 0.5;

/** Tells whether added lines are removed ones with other pieces, no new ones that share brackets with them. */
function areAlike({ removed, added }: Block): boolean {
  const [was, is] = [removed, added].map((tokens) => tokens.map(({ text }) => text).join(" "));
  if (was === undefined || is === undefined) return false;
  return 1 - unitDistance(was, is) / Math.max(1, was.length, is.length) >= MIN_LIKENESS;
}

/** Other places of a piece of code or text, used there as it was here. */
function placesLike([first]: readonly Token[], piece: string, { after, text }: Revision): TextRange[] {
  if (first === undefined || (first.inProse && piece.length < 4)) return [];
  const { sort, inProse, role, leaf } = first;
  return after.flatMap((token): TextRange[] => {
    const end = token.start + piece.length;
    const isWord = /[\p{L}\p{N}_]/u.test(text.slice(end - 1, end)) && /[\p{L}\p{N}_]/u.test(text.slice(end, end + 1));
    if (!text.startsWith(piece, token.start) || isWord) return [];
    const isLike = token.sort === sort && token.inProse === inProse && token.leaf.parentKind === leaf.parentKind;
    return isLike && (inProse || token.role === role) ? [{ start: token.start, end }] : [];
  });
}

/** Longest argument that is put in another's place, in characters. */
const MAX_ARGUMENT = 60;

/** Names of functions whose arguments may change places, or are told one after the other. */
const SYMMETRIC =
  /(?:eq|equals?|close|same|min|max|union|intersect|distance|compare|log|trace|debug|info|warn|error)\w*\s*$/i;

/** A value that says by itself where it belongs. */
const LITERAL = /^(?:[\d"'`&[{]|(?:true|false|null|nil|None)$)/i;

/** Two arguments that follow each other, in each other's place. */
function swappedArguments(revision: Revision): NearMiss[] {
  const { text, nodes } = revision;
  return nodes.flatMap((node, at): NearMiss[] => {
    if (
      !/argument/.test(node.kind) ||
      node.isLeaf ||
      !isSound(revision, node) ||
      SYMMETRIC.test(text.slice(0, node.start))
    )
      return [];
    const own = childrenOf(nodes, at);
    return own.slice(1).flatMap((second, i): NearMiss[] => {
      const first = own[i];
      if (first === undefined || !isOnNew(revision, first)) return [];
      const [a, b] = [text.slice(first.start, first.end), text.slice(second.start, second.end)];
      const range = { start: first.start, end: second.end };
      const between = text.slice(first.end, second.start);
      const isFit = a !== b && Math.max(a.length, b.length) <= MAX_ARGUMENT && !/[=:\n]|^["'`]/.test(a + between + b);
      if (!isFit) return [];
      return [
        {
          kind: "arguments",
          edits: [{ ...range, to: b + between + a }],
          isAsked: isIntroduced(revision, range),
          cost: [a, b].some((argument) => LITERAL.test(argument)) ? 1.4 : 0.7,
        },
      ];
    });
  });
}
