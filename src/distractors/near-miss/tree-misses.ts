import type { SyntaxNode } from "../../syntax/load.js";
import { blocksOf } from "../solution/introduced-tokens.js";
import { changedPieces, halves, isWhole, textOf, undoneAlone } from "./changed-pieces.js";
import { childrenOf, leftOutMisses } from "./left-out.js";
import type { NearMiss } from "./near-miss.js";
import type { Revision } from "./revision.js";

/** Near misses of more than one token: pieces put back or changed elsewhere, arguments, conditions, lists. */
export function treeMisses(revision: Revision): NearMiss[] {
  return [...pieceMisses(revision), ...swappedArguments(revision), ...negations(revision), ...leftOutMisses(revision)];
}

/** Replaced pieces that are put back, where there are others; or replaced at another place where they stand. */
function pieceMisses(revision: Revision): NearMiss[] {
  const { text, old, diff, before, after } = revision;
  const pieces = blocksOf(diff, before, after).flatMap(({ removed, added }) => changedPieces(removed, added));
  const isSeveral = pieces.length > 1;
  const undone = pieces.flatMap((piece) => [
    ...(isSeveral ? undoneAlone(piece, revision) : []),
    ...halves(piece, revision),
  ]);
  const replaced = pieces.flatMap(({ removed, added }): NearMiss[] => {
    const [here, was] = [textOf(text, added), textOf(old, removed)];
    if (here === null || was === null || !isWhole(here.text) || !isWhole(was.text)) return [];
    const back = { start: here.start, end: here.end, to: was.text };
    const isOne = removed.length === 1 && removed.every(({ inProse }) => !inProse) && !/[\s,]/.test(here.text);
    const others = after.filter(
      ({ text: own, start, end }) => isOne && own === was.text && (end <= here.start || start >= here.end),
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
  return [...undone, ...replaced];
}

/** Longest argument that is put in another's place, in characters. */
const MAX_ARGUMENT = 60;

/** Names of functions whose arguments may change places. */
const SYMMETRIC = /(?:eq|equals?|close|same|min|max|union|intersect|distance|compare)\w*\s*$/i;

/** Two arguments that follow each other, in each other's place. */
function swappedArguments(revision: Revision): NearMiss[] {
  const { text, nodes } = revision;
  return nodes.flatMap((node, at): NearMiss[] => {
    if (!/argument/.test(node.kind) || node.isLeaf || SYMMETRIC.test(text.slice(0, node.start))) return [];
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
