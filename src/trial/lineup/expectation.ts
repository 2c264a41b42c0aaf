import type { TextRange } from "../../base/text.js";
import type { Syntax, SyntaxNode } from "../../syntax/load.js";
import type { TurnableLiteral } from "./turned-literals.js";

/** A range of a text, and what stands there instead; an empty range: what is put in. */
export interface Edit extends TextRange {
  readonly text: string;
}

/** Expectation of a test at one place of its code. */
export interface Expectation {
  /** The name of its test, as its code has it. */
  readonly test: string;
  /** Text that a question replaces. */
  readonly place: TextRange;
  /** The condition, or the call that throws where it does not hold. */
  readonly code: TextRange;
  /** The part that is looked at: evaluated once, before all copies. `null`: it may be evaluated with each. */
  readonly subject: TextRange | null;
  readonly literals: readonly TurnableLiteral[];
  /** Copies at most. */
  readonly most: number;
  /** Value it is compared with, where that may be any; `null`: it may not. */
  readonly compared: TextRange | null;
  /** Edits that make it say the contrary. */
  readonly contrary: readonly Edit[];
  /** Set where a test has nothing that can be asked: put in at its end, it tells that the test came there. */
  readonly sighting?: { readonly before: string; readonly behind: string };
  /** Set where it is tried until it holds: asked once more behind that, and failing there is no failure of the test. */
  readonly isLater?: true;
  /** True if the code gives a promise that fails where it does not hold. */
  readonly isAwaited: boolean;
}

/** Those that are in no other: their places do not overlap. */
export function outermost(expectations: readonly Expectation[]): Expectation[] {
  let end = 0;
  return expectations.filter(({ place }) => {
    const isFree = place.start >= end;
    if (isFree) end = place.end;
    return isFree;
  });
}

/**
 * Expectation of a test of which nothing else can be asked: that its end is reached.
 * @param at place of its end, and what is to stand before and behind the question there
 */
export function sightingOf(test: string, at: number, [before, behind]: readonly [string, string]): Expectation {
  const place = { start: at, end: at };
  return {
    test,
    place,
    code: place,
    subject: null,
    literals: [],
    most: 1,
    compared: null,
    contrary: [],
    isAwaited: false,
    sighting: { before, behind },
  };
}

/** The text of a range with some parts of it replaced. */
export function edited(text: string, { start, end }: TextRange, edits: readonly Edit[]): string {
  const inside = edits.filter((edit) => edit.start >= start && edit.end <= end);
  const sorted = inside.toSorted((a, b) => a.start - b.start || a.end - b.end);
  let at = start;
  let result = "";
  for (const edit of sorted) {
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at, end);
}

/** A node of code, with what is around and in it. */
export interface CodeNode extends Omit<SyntaxNode, "parent"> {
  readonly text: string;
  readonly parent: CodeNode | null;
  readonly children: readonly CodeNode[];
}

/** All nodes of a file, in the order of the text, parents first. */
export function codeTree(syntax: Syntax, code: string): CodeNode[] {
  const nodes: (CodeNode & { children: CodeNode[] })[] = [];
  for (const { parent, ...node } of syntax.nodes(code)) {
    const around = parent === null ? null : (nodes[parent] ?? null);
    const made = { ...node, text: code.slice(node.start, node.end), parent: around, children: [] };
    nodes.push(made);
    around?.children.push(made);
  }
  return nodes;
}

/** The part of a node that has a role in it. */
export function partOf(node: CodeNode, field: string): CodeNode | null {
  return node.children.find((child) => child.field === field) ?? null;
}

/** Parts with names of their own: no brackets, no commas, no comments. */
export function namedParts(node: CodeNode): CodeNode[] {
  return node.children.filter(({ isNamed, kind }) => isNamed && kind !== "comment");
}

/** A node and all that is in it. */
export function* nodesIn(node: CodeNode): Generator<CodeNode> {
  yield node;
  for (const child of node.children) yield* nodesIn(child);
}

/** The nodes around one, from the inside. */
export function* around(node: CodeNode): Generator<CodeNode> {
  for (let each = node.parent; each !== null; each = each.parent) yield each;
}
