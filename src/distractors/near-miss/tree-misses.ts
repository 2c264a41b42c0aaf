import { diffArrays } from "diff";
import type { SyntaxNode } from "../../syntax/load.js";
import { blocksOf, type Token } from "../solution/introduced-tokens.js";
import type { NearMiss } from "./near-miss.js";
import type { Revision } from "./revision.js";

/** Near misses of more than one token: pieces put back or changed elsewhere, arguments, conditions, lists. */
export function treeMisses(revision: Revision): NearMiss[] {
  return [...pieceMisses(revision), ...swappedArguments(revision), ...negations(revision), ...otherLeftOut(revision)];
}

/** Replaced pieces that are put back, where there are others; or replaced at another place where they stand. */
function pieceMisses(revision: Revision): NearMiss[] {
  const { text, old, diff, before, after } = revision;
  const pieces = blocksOf(diff, before, after).flatMap(({ removed, added }) => replacedPieces(removed, added));
  const isSeveral = pieces.length > 1;
  return pieces.flatMap(({ removed, added }): NearMiss[] => {
    const [here, was] = [textOf(text, added), textOf(old, removed)];
    if (here === null || was === null || !isWhole(here.text) || !isWhole(was.text)) return [];
    const back = { start: here.start, end: here.end, to: was.text };
    const others = after.filter(
      (token) =>
        token.text === was.text && removed.length === 1 && (token.end <= here.start || token.start >= here.end),
    );
    return [
      ...(isSeveral ? [{ kind: "put_back", edits: [back], isAsked: true, cost: 0 } as const] : []),
      ...others.slice(0, 4).flatMap(({ start, end }): NearMiss[] => {
        const there = { start, end, to: here.text };
        const edits = [back, there].sort((a, b) => a.start - b.start);
        return [
          { kind: "elsewhere", edits, isAsked: true, cost: 0.4 },
          { kind: "everywhere", edits: [there], isAsked: true, cost: 0.3 },
        ];
      }),
    ];
  });
}

/** Tells whether a piece is one that somebody thinks of: it has a word, brackets in pairs, and no break. */
function isWhole(piece: string): boolean {
  if (piece.includes("\n") || !/[\p{L}\p{N}]/u.test(piece) || /^[,;.)\]}]|[,;([{]$/u.test(piece)) return false;
  return ["()", "[]", "{}"].every(([open = "", close = ""]) => piece.split(open).length === piece.split(close).length);
}

interface Piece {
  readonly removed: readonly Token[];
  readonly added: readonly Token[];
}

/** Runs of tokens that took the place of others. */
function replacedPieces(removed: readonly Token[], added: readonly Token[]): Piece[] {
  const parts = diffArrays(
    removed.map(({ text }) => text),
    added.map(({ text }) => text),
  );
  const pieces: Piece[] = [];
  let [i, j] = [0, 0];
  for (const [at, part] of parts.entries()) {
    const { length } = part.value;
    const next = parts[at + 1];
    if (part.removed && next?.added) {
      pieces.push({ removed: removed.slice(i, i + length), added: added.slice(j, j + next.value.length) });
    }
    if (!part.added) i += length;
    if (!part.removed) j += length;
  }
  return pieces;
}

function textOf(code: string, tokens: readonly Token[]) {
  const [first, last] = [tokens[0], tokens.at(-1)];
  if (first === undefined || last === undefined) return null;
  return { start: first.start, end: last.end, text: code.slice(first.start, last.end) };
}

/** Longest argument that is put in another's place, in characters. */
const MAX_ARGUMENT = 60;

/** Two arguments that follow each other, in each other's place. */
function swappedArguments(revision: Revision): NearMiss[] {
  const { text, nodes } = revision;
  return nodes.flatMap((node, at): NearMiss[] => {
    if (!/argument/.test(node.kind) || node.isLeaf) return [];
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
          cost: 0.7,
        },
      ];
    });
  });
}

function childrenOf(nodes: readonly SyntaxNode[], at: number): SyntaxNode[] {
  return nodes.filter(({ parent, isNamed, kind }) => parent === at && isNamed && !/comment/.test(kind));
}

function isOnNew({ text, isNew }: Revision, { start }: Pick<SyntaxNode, "start">): boolean {
  return isNew[text.slice(0, start).split("\n").length - 1] === true;
}

function isIntroduced({ introduced }: Revision, { start, end }: { start: number; end: number }): boolean {
  return [...introduced.keys()].some((token) => token.start < end && token.end > start);
}

/** A condition turned: a negation left out, or one before a simple condition. */
function negations(revision: Revision): NearMiss[] {
  const { text, nodes, language } = revision;
  return nodes.flatMap((node): NearMiss[] => {
    if (node.field !== "condition" || !isOnNew(revision, node)) return [];
    const inner = /^\(?\s*/.exec(text.slice(node.start, node.end))?.[0].length ?? 0;
    const start = node.start + inner;
    const condition = text.slice(start, node.end);
    const isAsked = isIntroduced(revision, { start, end: node.end });
    const sign = /^(?:!(?!=)|not\s+)/.exec(condition)?.[0];
    if (sign !== undefined) {
      return [{ kind: "negation", edits: [{ start, end: start + sign.length, to: "" }], isAsked, cost: 0.2 }];
    }
    if (!/^[\w.$>-]+(?:\([^()]*\))?\)?$/.test(condition)) return [];
    const to = language === "python" ? "not " : "!";
    return [{ kind: "negation", edits: [{ start, end: start, to }], isAsked, cost: 0.4 }];
  });
}

/** Another item of a list left out than the one that the revision leaves out, on one line. */
function otherLeftOut({ text, old, syntax, diff }: Revision): NearMiss[] {
  const [before, after] = [diff.old.split("\n"), diff.new.split("\n")];
  const [from, to] = [
    before.findIndex((line) => line.startsWith("-")),
    after.findIndex((line) => line.startsWith("+")),
  ];
  const isOne = [before, after].every((own, i) => own.filter((line) => line.startsWith("-+"[i] ?? "")).length === 1);
  if (!isOne) return [];
  const [oldLine, newLine] = [before[from]?.slice(1) ?? "", after[to]?.slice(1) ?? ""];
  const start = old.split("\n").slice(0, from).join("\n").length + (from > 0 ? 1 : 0);
  const nodes = syntax.nodes(old);
  const without = (own: readonly SyntaxNode[], i: number) => {
    const [item, next, previous] = [own[i], own[i + 1], own[i - 1]];
    if (item === undefined) return oldLine;
    const range = next === undefined ? [previous?.end ?? item.start, item.end] : [item.start, next.start];
    return oldLine.slice(0, (range[0] ?? 0) - start) + oldLine.slice((range[1] ?? 0) - start);
  };
  const place = text.split("\n").slice(0, to).join("\n").length + (to > 0 ? 1 : 0);
  return nodes.flatMap((_, at): NearMiss[] => {
    const own = childrenOf(nodes, at).filter((item) => item.start >= start && item.end <= start + oldLine.length);
    const isList = own.every(
      ({ end }, i) => own[i + 1] === undefined || /^\s*,\s*$/.test(old.slice(end, own[i + 1]?.start)),
    );
    if (own.length < 2 || !isList || !own.some((_item, i) => without(own, i) === newLine)) return [];
    return own.flatMap((_item, i): NearMiss[] => {
      const line = without(own, i);
      const edit = { start: place, end: place + newLine.length, to: line };
      return line === newLine ? [] : [{ kind: "other_left_out", edits: [edit], isAsked: true, cost: 0.2 }];
    });
  });
}
