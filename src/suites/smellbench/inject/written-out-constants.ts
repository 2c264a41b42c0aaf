import { posix } from "node:path";
import {
  type Candidate,
  type Code,
  type CodeFile,
  type CodeNode,
  childBy,
  childrenOf,
  type Edit,
  editsBy,
  functionAround,
  isNamedElsewhere,
  ownsLines,
  parentOf,
  textAt,
  wholeLines,
  withComments,
} from "./code-file.js";

/** Constant of a file with a literal for its value. */
interface Constant {
  readonly file: CodeFile;
  /** Its name where it is declared. */
  readonly name: CodeNode;
  readonly value: CodeNode;
  /** Statement that declares it. */
  readonly statement: CodeNode;
}

/** Nodes that bind a value to a name, and the fields of both. */
const BINDING: Readonly<Record<string, readonly [name: string, value: string]>> = {
  variable_declarator: ["name", "value"],
  assignment: ["left", "right"],
  const_spec: ["name", "value"],
};
const LITERAL =
  /^(number|string|integer|float|(decimal|hex)_integer_literal|decimal_floating_point_literal|string_literal|int_literal|float_literal|interpreted_string_literal|expression_list)$/;
/** Statements that declare for a whole file, by their texts. */
const CONSTANT =
  /^(?:(?:(?:export|public|protected|private|final) )*const\s|(?:\w+ )*static (?:\w+ )*final |(?:\w+ )*final (?:\w+ )*static |[A-Z_][A-Z0-9_]* =)/;
const MOST_LENGTH = 60;

/** Shotgun surgery: constants that several files use, their values written out in each. */
export function writtenOutConstants(code: Code): Candidate[] {
  return code.files.flatMap((file) => constantsIn(file).flatMap((constant) => writtenOut(code, constant) ?? []));
}

function constantsIn(file: CodeFile): Constant[] {
  return file.nodes.flatMap((node): Constant[] => {
    const fields = BINDING[node.kind];
    const parts = node.kind === "const_element" ? childrenOf(file, node) : [];
    const [name, value] = fields?.map((field) => childBy(file, node, field)) ?? parts;
    const statement = statementOf(file, node);
    if (name == null || value == null || statement === null || !CONSTANT.test(textAt(file, statement))) return [];
    const literal = textAt(file, value);
    const isLiteral = LITERAL.test(value.kind) && /^["'\d.][^\n]*$/.test(literal) && literal.length <= MOST_LENGTH;
    const tellsNothing = /^(?:[01]|""|''|" "|' ')$/.test(literal);
    return isLiteral && !tellsNothing && textAt(file, name).length > 2 ? [{ file, name, value, statement }] : [];
  });
}

/** Statement that declares one name alone, for a whole file or class; `null`: none. */
function statementOf(file: CodeFile, binding: CodeNode): CodeNode | null {
  const declaring = parentOf(file, binding);
  if (declaring === null) return null;
  const bound = childrenOf(file, declaring).filter(({ kind }) => kind === binding.kind);
  const around = parentOf(file, declaring);
  const statement = around?.kind === "export_statement" ? around : declaring;
  const outer = parentOf(file, statement)?.kind ?? "";
  // In PHP a constant of a class: another one is known by its name space as well.
  const tops =
    binding.kind === "const_element" ? ["declaration_list"] : ["program", "module", "class_body", "source_file"];
  const isTop = tops.includes(outer);
  return bound.length === 1 && isTop && ownsLines(file.text, statement) ? statement : null;
}

/** Meaning of a place that names a constant; `null`: another one, which nothing is known of. */
type Mention =
  | { readonly kind: "declared" | "exported" }
  | { readonly kind: "imported"; readonly edit: Edit }
  | { readonly kind: "used"; readonly edit: Edit; readonly node: CodeNode }
  | null;

function writtenOut(code: Code, constant: Constant): Candidate | null {
  const name = textAt(constant.file, constant.name);
  const literal = textAt(constant.file, constant.value);
  const mentions = code.files.flatMap((file) =>
    (file.leaves.get(name) ?? []).map((node) => ({ file, mention: mentionOf(file, node, constant) })),
  );
  if (mentions.some(({ mention }) => mention === null)) return null;
  const used = mentions.flatMap(({ file, mention }) => (mention?.kind === "used" ? [{ file, ...mention }] : []));
  const files = new Set(used.map(({ file }) => file.path));
  const [main, place = null] = used
    .map((each) => [each, functionAround(each.file, each.node)] as const)
    .find(([, around]) => around !== null) ?? [used[0]];
  if (main === undefined || files.size < 2) return null;
  const isKept = mentions.some(({ mention }) => mention?.kind === "exported") || isNamedElsewhere(code, name);
  const { path } = main.file;
  const gone: Edit = {
    ...wholeLines(constant.file.text, withComments(constant.file, constant.statement)),
    replacement: "",
  };
  return {
    key: `${constant.file.path}:${name}`,
    edits: editsBy([
      ...mentions.flatMap(({ file, mention }) =>
        mention !== null && "edit" in mention ? [[file, mention.edit] as const] : [],
      ),
      ...(isKept ? [] : [[constant.file, gone] as const]),
    ]),
    place: [path, place?.within.at(-1) ?? null, place?.name ?? null],
    guided: `A value that ${path} writes out is written out in other files too, and all have to be changed together.`,
    targeted: `${place === null ? path : `In ${path} \`${place.name}\``} writes out ${literal}, as ${files.size - 1} other ${files.size === 2 ? "file does" : "files do"}: all have to be changed together.`,
  };
}

/** Fields of nodes whose names are bound or called there, and are no uses of another's. */
const NO_USE = new Set([
  "name",
  "left",
  "alias",
  "parameter",
  "property",
  "attribute",
  "field",
  "label",
  "key",
  "type",
]);
const NO_PLACE = /parameter|pattern|import|export|declarator|package|global_statement|argument_name/;

function mentionOf(file: CodeFile, node: CodeNode, constant: Constant): Mention {
  if (file === constant.file && node.at === constant.name.at) return { kind: "declared" };
  const parent = parentOf(file, node);
  if (parent === null || /comment|string/.test(node.kind)) return null;
  const listed = listedImport(file, node, parent);
  if (listed !== null) return { kind: "imported", edit: { ...listed, replacement: "" } };
  if (isExported(file, node, parent)) return { kind: "exported" };
  const use = qualifiedUse(file, node, parent, constant) ?? bareUse(file, node, parent, constant);
  if (use === null || use.field === "left") return null;
  const literal = textAt(constant.file, constant.value);
  // The member of a number is no number.
  const whole = use.field === "object" && /^\d/.test(literal) ? `(${literal})` : literal;
  const replacement = use.kind === "shorthand_property_identifier" ? `${textAt(file, use)}: ${whole}` : whole;
  return { kind: "used", edit: { start: use.start, end: use.end, replacement }, node };
}

function isExported(file: CodeFile, node: CodeNode, parent: CodeNode): boolean {
  const isListed = node.kind === "shorthand_property_identifier";
  const isModule = /^module\.exports\b/.test(textAt(file, parentOf(file, parent) ?? parent));
  return parent.kind === "export_specifier" || (isListed && isModule);
}

/** A name alone, in a file that declares or imports it; `null`: another thing of that name. */
function bareUse(file: CodeFile, node: CodeNode, parent: CodeNode, constant: Constant): CodeNode | null {
  const isKnown = file === constant.file || importsOf(file, textAt(file, node));
  const isBare = node.kind === "identifier" && !NO_USE.has(node.field ?? "") && !NO_PLACE.test(parent.kind);
  return isKnown && (isBare || node.kind === "shorthand_property_identifier") ? node : null;
}

/** `Rates.VAT` by the class that declares it, `rates.VAT` by its module. */
function qualifiedUse(file: CodeFile, node: CodeNode, parent: CodeNode, constant: Constant): CodeNode | null {
  if (parent.kind === "class_constant_access_expression") {
    const owner = ownerOf(constant);
    const scope = textAt(file, { start: parent.start, end: node.start });
    const isWithin = file === constant.file && owner !== null && node.start > owner.start && node.end < owner.end;
    return (isWithin && scope === "self::") || scope === `${owner?.name}::` ? parent : null;
  }
  if (!/^(field_access|attribute)$/.test(parent.kind) || (node.field !== "field" && node.field !== "attribute"))
    return null;
  const object = childBy(file, parent, "object");
  const owner = posix.basename(constant.file.path).replace(/\.\w+$/, "");
  return object?.isLeaf === true && textAt(file, object) === owner ? parent : null;
}

/** Class that a constant of PHP is declared in; `null`: none that has a name. */
function ownerOf({ file, statement }: Constant) {
  const body = parentOf(file, statement);
  const owner = body === null ? null : parentOf(file, body);
  const name = owner === null ? null : childBy(file, owner, "name");
  return owner === null || name === null ? null : { start: owner.start, end: owner.end, name: textAt(file, name) };
}

function importsOf(file: CodeFile, name: string): boolean {
  return (file.leaves.get(name) ?? []).some((node) => {
    const parent = parentOf(file, node);
    return parent !== null && listedImport(file, node, parent) !== null;
  });
}

/** Range of a name in a list of imports with its comma; of one that is alone, of the whole statement. `null`: it is none. */
function listedImport(file: CodeFile, node: CodeNode, parent: CodeNode): { start: number; end: number } | null {
  const isPattern = node.kind === "shorthand_property_identifier_pattern" && parent.kind === "object_pattern";
  const item = isPattern ? node : parent;
  const list = isPattern ? parent : parentOf(file, parent);
  if (list === null) return null;
  const isNamed = item.kind === "import_specifier" && childrenOf(file, item).length === 1;
  const isFrom = list.kind === "import_from_statement" && item.field === "name";
  if (!isNamed && !isFrom && !(isPattern && isRequired(file, list))) return null;
  const items = childrenOf(file, list).filter(({ kind, field }) => kind === item.kind && field === item.field);
  const at = items.findIndex(({ start }) => start === item.start);
  const [before, behind] = [items[at - 1], items[at + 1]];
  if (behind !== undefined) return { start: item.start, end: behind.start };
  if (before !== undefined) return { start: before.end, end: item.end };
  let statement: CodeNode = list;
  for (
    let next: CodeNode | null = list;
    next !== null && !/^(program|module)$/.test(next.kind);
    next = parentOf(file, next)
  )
    statement = next;
  return wholeLines(file.text, statement);
}

function isRequired(file: CodeFile, pattern: CodeNode): boolean {
  const declarator = parentOf(file, pattern);
  const value = declarator === null ? null : childBy(file, declarator, "value");
  return value !== null && /^require\(/.test(textAt(file, value));
}
