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
  /** Edits that make a statement an expression, in every copy. */
  readonly wording?: readonly Edit[];
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

/** A node and all that is in it, in the order of the text; without recursion, as code may be nested deeply. */
export function* nodesIn(node: CodeNode): Generator<CodeNode> {
  const left = [node];
  for (let each = left.pop(); each !== undefined; each = left.pop()) {
    yield each;
    for (const child of each.children.toReversed()) left.push(child);
  }
}

/** The calls and properties that a callee is made of: `root` is the call that it begins with. */
export function chainOf(callee: CodeNode): { readonly root: CodeNode; readonly links: readonly CodeNode[] } | null {
  const links: CodeNode[] = [];
  let each: CodeNode | null = callee;
  while (each?.kind === "member_expression") {
    const property = partOf(each, "property");
    if (property === null) return null;
    links.unshift(property);
    each = partOf(each, "object");
  }
  return each?.kind === "call_expression" ? { root: each, links } : null;
}

/** The nodes around one, from the inside. */
export function* around(node: CodeNode): Generator<CodeNode> {
  for (let each = node.parent; each !== null; each = each.parent) yield each;
}

/** A name that a file of JavaScript has from a module. */
export interface ImportedName {
  /** Its name in the module; `default`; `*`: the whole module. */
  readonly name: string;
  readonly from: string;
}

/** Tests if it stands for the whole module: `node:assert` has itself once more as `strict`. */
export function isModule({ name }: ImportedName): boolean {
  return name === "*" || name === "default" || name === "strict";
}

/** Names that a file of JavaScript imports or requires, or takes out of what it does, by its own names for them. */
export function importedNames(nodes: readonly CodeNode[]): ReadonlyMap<string, ImportedName> {
  const found = new Map<string, ImportedName>();
  for (const node of nodes) {
    const source = partOf(node, node.kind === "import_statement" ? "source" : "value");
    if (source === null || !/^(import_statement|variable_declarator)$/.test(node.kind)) continue;
    const module = node.kind === "import_statement" ? source.text.slice(1, -1) : moduleOf(source, found);
    if (module !== null) for (const { own, name } of boundBy(node)) found.set(own, { name, from: module });
  }
  return found;
}

/**
 * Module that a value is: `require("x")`, `await import("x")`, a name of either; and such as `require("x").strict`. Any function
 * that is given a name may load it: `createRequire(url)("x")`, `process.getBuiltinModule("x")`.
 */
function moduleOf(value: CodeNode, known: ReadonlyMap<string, ImportedName>): string | null {
  if (value.kind === "identifier") {
    const named = known.get(value.text);
    return named !== undefined && isModule(named) ? named.from : null;
  }
  if (value.kind === "call_expression") {
    const list = partOf(value, "arguments");
    const [given, ...more] = list === null ? [] : namedParts(list);
    return given?.kind === "string" && more.length === 0 ? given.text.slice(1, -1) : null;
  }
  const inner = value.kind === "await_expression" ? namedParts(value)[0] : partOf(value, "object");
  return inner === undefined || inner === null ? null : moduleOf(inner, known);
}

/** What an import or a declaration binds: its own names, and those in the module. */
function boundBy(node: CodeNode): { readonly own: string; readonly name: string }[] {
  const [names, value] = [partOf(node, "name"), partOf(node, "value")];
  if (names?.kind === "identifier") {
    return [{ own: names.text, name: (value === null ? null : partOf(value, "property")?.text) ?? "*" }];
  }
  return [...nodesIn(names ?? node)].flatMap((each) => {
    const [name, own] = [partOf(each, "name") ?? partOf(each, "key"), partOf(each, "alias") ?? partOf(each, "value")];
    if (/^(import_specifier|pair_pattern)$/.test(each.kind) && name !== null)
      return { own: own?.text ?? name.text, name: name.text };
    if (each.kind === "shorthand_property_identifier_pattern") return { own: each.text, name: each.text };
    if (each.kind !== "identifier") return [];
    if (each.parent?.kind === "import_clause") return { own: each.text, name: "default" };
    return each.parent?.kind === "namespace_import" ? { own: each.text, name: "*" } : [];
  });
}
