import type { Syntax, SyntaxNode } from "../../syntax/load.js";

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
