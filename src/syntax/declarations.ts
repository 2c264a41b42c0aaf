import type { TextRange } from "../base/text.js";

/** A node of a syntax tree, as far as declarations are read: the types of `web-tree-sitter` name ones that are nowhere. */
interface Node {
  readonly startIndex: number;
  readonly endIndex: number;
  readonly type: string;
  readonly text: string;
  readonly namedChildren: readonly Node[];
  readonly firstNamedChild: Node | null;
  childForFieldName(name: string): Node | null;
}

/** A class or a function of a piece of code, with all that belongs to it: decorators, templates, its whole body. */
export interface Declaration extends TextRange {
  /** `type`: a class, or what a language has in its place. */
  readonly kind: "type" | "function";
  readonly name: string;
  /** Names of the types that it is of, the outermost first; where it stands beside its type, that type alone. */
  readonly within: readonly string[];
}

const TYPES = new Set([
  "class",
  "class_definition",
  "class_declaration",
  "class_specifier",
  "struct_specifier",
  "union_specifier",
  "enum_specifier",
  "struct_declaration",
  "record_struct_declaration",
  "interface_declaration",
  "record_declaration",
  "enum_declaration",
  "trait_declaration",
  "module",
  "type_spec",
]);

const FUNCTIONS = new Set([
  "function_definition",
  "function_declaration",
  "generator_function_declaration",
  "local_function_statement",
  "method_definition",
  "method_declaration",
  "method",
  "singleton_method",
  "property_declaration",
  "constructor_declaration",
  "compact_constructor_declaration",
  "destructor_declaration",
]);

/** Nodes by which JavaScript binds a function or class to a name, and the field that holds the name. */
const BINDINGS: ReadonlyMap<string, string> = new Map([
  ["variable_declarator", "name"],
  ["field_definition", "property"],
  ["pair", "key"],
  ["assignment_expression", "left"],
]);
const BOUND = new Map<string, Declaration["kind"]>([
  ["arrow_function", "function"],
  ["function_expression", "function"],
  ["generator_function", "function"],
  ["class", "type"],
  ["object", "type"],
]);

/** Nodes that a declaration stands in, and that are its own. */
const WRAPPERS = new Set(["decorated_definition", "template_declaration", "export_statement"]);

/** Deepest nodes that are read: whoever nests deeper wants those who look at what is around a node to never end. */
export const MOST_DEPTH = 1_000;

/** A node, and what is around it: a node looks for its parent from the root. */
interface Place {
  readonly node: Node;
  readonly parent: Node | null;
  readonly within: readonly string[];
  readonly depth: number;
}

/** All declarations under a node, in the order of the text; none of those nested deeper than 1,000. */
export function declarationsIn(root: Node): Declaration[] {
  const found: Declaration[] = [];
  const open: Place[] = [{ node: root, parent: null, within: [], depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node: parent, within, depth } = next;
    const declared = declarationOf(next);
    if (declared !== null) found.push(declared);
    const inner = declared?.kind === "type" ? [...declared.within, declared.name] : within;
    if (depth === MOST_DEPTH) continue;
    for (const node of parent.namedChildren.toReversed()) open.push({ node, parent, within: inner, depth: depth + 1 });
  }
  return found;
}

function declarationOf({ node, parent, within }: Place): Declaration | null {
  const named = namedType(node) ?? namedFunction(node) ?? namedBinding(node);
  if (named === null) return null;
  const { kind, path } = named;
  const name = path.at(-1);
  if (name === undefined) return null;
  const whole = parent !== null && WRAPPERS.has(parent.type) ? parent : node;
  return { kind, name, within: [...within, ...path.slice(0, -1)], start: whole.startIndex, end: whole.endIndex };
}

interface Named {
  readonly kind: Declaration["kind"];
  /** The name, behind those of the types that it names with it. */
  readonly path: readonly string[];
}

function namedType(node: Node): Named | null {
  const name = TYPES.has(node.type) ? node.childForFieldName("name") : null;
  // `struct s x;` uses a type, and declares none.
  const isUse = node.type.endsWith("_specifier") && node.childForFieldName("body") === null;
  return name === null || isUse ? null : { kind: "type", path: pathOf(name.text) };
}

function namedFunction(node: Node): Named | null {
  if (!FUNCTIONS.has(node.type)) return null;
  const name = node.childForFieldName("name") ?? declaredName(node);
  if (name === null) return null;
  const receiver = receiverOf(node);
  return { kind: "function", path: [...(receiver === null ? [] : [receiver]), ...pathOf(name.text)] };
}

/** The name of a C or C++ function: within pointers, brackets and parameters. */
function declaredName(node: Node): Node | null {
  let inner = node.childForFieldName("declarator");
  for (let next = inner; next !== null; next = innerOf(next)) inner = next;
  return inner;
}

function innerOf(node: Node): Node | null {
  const isBracket = node.type === "parenthesized_declarator" || node.type === "reference_declarator";
  return node.childForFieldName("declarator") ?? (isBracket ? node.firstNamedChild : null);
}

/** The type of a Go method, which stands beside it. */
function receiverOf(node: Node): string | null {
  const parameter = node.childForFieldName("receiver")?.firstNamedChild;
  const type = parameter?.childForFieldName("type")?.text;
  return type === undefined ? null : (/[\p{L}_][\p{L}\p{N}_]*/u.exec(type)?.[0] ?? null);
}

function namedBinding(node: Node): Named | null {
  const field = BINDINGS.get(node.type);
  if (field === undefined) return null;
  const value = node.childForFieldName(field === "left" ? "right" : "value");
  const kind = value === null ? undefined : BOUND.get(value.type);
  const name = node.childForFieldName(field)?.text;
  if (kind === undefined || name === undefined) return null;
  return { kind, path: pathOf(name.replace(".prototype.", ".").replace(/^(module\.)?exports\./, "")) };
}

/** The parts of `Outer::Inner`, `Outer.inner`; an operator or a quoted name is one part. */
export function pathOf(name: string): string[] {
  if (/^operator\b|^["'`[]/.test(name)) return [name];
  return name.split(/::|\./).filter((part) => part !== "");
}
