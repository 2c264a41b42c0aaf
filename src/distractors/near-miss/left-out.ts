import { groupBy } from "../../base/grouping.js";
import type { TextRange } from "../../base/text.js";
import { isComment, type SyntaxNode } from "../../syntax/load.js";
import { blocksOf } from "../solution/introduced-tokens.js";
import { changedPieces, spacedAs, textOf } from "./changed-pieces.js";
import type { NearMiss } from "./near-miss.js";
import type { Revision } from "./revision.js";

/** Another piece left out than the one that the revision leaves out: which of several is to go. */
export function leftOutMisses(revision: Revision): NearMiss[] {
  const items = otherLeftOut(revision);
  return items.length > 0 ? items : otherPieceLeftOut(revision);
}

/** Words before a declaration, a call of a chain: what stands on a line and can go alone. */
const ALONE =
  /\b(?:private|public|protected|internal|static|final|readonly|const|async|await|volatile|virtual|override|abstract|inline|constexpr|explicit)\s+|\.\w+\([^()\n]*\)(?=[.;,)\s])/gu;

/** The piece that alone was left out put back, and another argument, operand, modifier or call of its line left out. */
function otherPieceLeftOut(revision: Revision): NearMiss[] {
  const { text, old, diff, before, after, nodes } = revision;
  const pieces = blocksOf(diff, before, after).flatMap(({ removed, added }) => changedPieces(removed, added));
  const [piece] = pieces;
  if (pieces.length !== 1 || piece?.at == null || piece.added.length > 0) return [];
  const out = textOf(old, piece.removed);
  if (out === null || out.text.includes("\n")) return [];
  const back = { start: piece.at, end: piece.at, to: spacedAs(old, out, text.slice(0, piece.at)) };
  const line = lineAround(text, piece.at);
  const words = [...text.slice(line.start, line.end).matchAll(ALONE)].map(({ 0: own, index }) => ({
    start: line.start + index,
    end: line.start + index + own.length,
  }));
  const isNear = ({ start, end }: TextRange) =>
    start >= line.start && end <= line.end && (end < back.start || start > back.start);
  return [...words, ...itemsIn(nodes)].filter(isNear).map((range) => ({
    kind: "other_left_out",
    edits: [back, { ...range, to: "" }].sort((a, b) => a.start - b.start),
    isAsked: true,
    cost: 1.2,
  }));
}

/** The line of a place, without its break. */
export function lineAround(text: string, place: number): TextRange {
  const end = text.indexOf("\n", place);
  return { start: text.lastIndexOf("\n", place - 1) + 1, end: end < 0 ? text.length : end };
}

const LISTS = /argument_list|arguments$|parameter_list|parameters$|binary_expression|boolean_operator/;

/** Arguments with the comma beside them, and operands of a conjunction with the operator. */
function itemsIn(nodes: readonly SyntaxNode[]): TextRange[] {
  return nodes.flatMap(({ kind, isLeaf }, at): TextRange[] => {
    if (isLeaf || !LISTS.test(kind)) return [];
    const own = childrenOf(nodes, at);
    return own.slice(1).flatMap((second, i): TextRange[] => {
      const first = own[i];
      if (first === undefined) return [];
      return [
        { start: first.end, end: second.end },
        { start: first.start, end: second.start },
      ];
    });
  });
}

/** Children of each node that the grammar names, by its place; those of one tree are found once. */
const CHILDREN = new WeakMap<readonly SyntaxNode[], ReadonlyMap<number | null, readonly SyntaxNode[]>>();

export function childrenOf(nodes: readonly SyntaxNode[], at: number): readonly SyntaxNode[] {
  const known = CHILDREN.get(nodes);
  const children =
    known ??
    groupBy(
      nodes.filter(({ isNamed, kind }) => isNamed && !isComment(kind)),
      ({ parent }) => parent,
    );
  if (known === undefined) CHILDREN.set(nodes, children);
  return children.get(at) ?? [];
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
