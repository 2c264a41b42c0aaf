import type { TextRange } from "../../../base/text.js";
import type { Declaration } from "../../../syntax/declarations.js";
import { type Call, type CalledFunction, calledFunctions } from "./calls.js";
import {
  type Candidate,
  type Code,
  type CodeFile,
  type CodeNode,
  childrenOf,
  type Edit,
  editsBy,
  functionAround,
  indentAt,
  nodesWithin,
  parentOf,
  textAt,
  variable,
  wholeLines,
  withComments,
} from "./code-file.js";

const LEAST_LINES = 2;
/** Words whose meaning another function changes, and texts of several lines. */
const BOUND =
  /\b(?:await|yield|arguments|super|nonlocal|global|new\.target|func_get_args|compact|extract|static \$|include|require)\b|`|"""|'''|<<<|\$\$/;

/** Deeply inlined methods: functions that are called once, written out where they are called. */
export function inlinedFunctions(code: Code): Candidate[] {
  return calledFunctions(code).flatMap((called) => {
    const [call, ...others] = called.calls;
    return call === undefined || others.length > 0 || call.file !== called.file ? [] : (inlined(called, call) ?? []);
  });
}

function inlined(called: CalledFunction, call: Call): Candidate | null {
  const { file, node, name } = called;
  const around = functionAround(file, call.node);
  if (around === null || (around.start <= node.start && around.end >= node.end)) return null;
  const pasted = pastedBody(called, call, around);
  if (pasted === null) return null;
  const parent = parentOf(file, node);
  const whole = parent?.kind === "export_statement" ? parent : node;
  const owner = around.within.at(-1) ?? null;
  const of = owner === null ? "" : ` of \`${owner}\``;
  return {
    key: `${file.path}:${name}`,
    edits: editsBy([
      [file, pasted],
      [file, { ...wholeLines(file.text, withComments(file, whole)), replacement: "" }],
    ]),
    place: [file.path, owner, around.name],
    guided: `In ${file.path} the steps of a function are written out in its body.`,
    targeted: `In ${file.path} \`${around.name}\`${of} has a step written out that could be a function of its own.`,
  };
}

/** The statement of a call, with the body in its place; `null`: it would not do the same. */
function pastedBody(called: CalledFunction, call: Call, around: Declaration): Edit | null {
  const { file, owner, body, parameters } = called;
  const statement = statementOf(file, call.node);
  const statements = childrenOf(file, body).filter((each, i) => i > 0 || !isDocumentation(file, each));
  const [first, last] = [statements[0], statements.at(-1)];
  if (statement === null || first === undefined || last === undefined || !isOfSame(called, call)) return null;
  const inner = { start: first.start, end: last.end };
  const text = textAt(file, inner);
  if (BOUND.test(text) || (owner === null && /\bthis\b/.test(text)) || text.split("\n").length < LEAST_LINES)
    return null;
  const arguments_ = parameters.map(({ name, node }, i) => ({
    name: variable(file, name),
    node,
    said: textAt(file, call.arguments[i] ?? inner),
  }));
  const passed = arguments_.filter(({ name, said }) => said === name);
  const given = arguments_.filter(({ name, said }) => said !== name);
  const names = { passed: ["self", "$this", ...passed.map(({ name }) => name)], given: given.map(({ name }) => name) };
  if (!keepsNames(file, inner, around, names)) return null;
  const end = endOf(file, { statement, call: call.node, inner, last });
  if (end === null) return null;
  const bound = boundNames(file, inner);
  const values = given.map(({ name, node, said }) => {
    if (file.language === "python") return `${name} = ${said}`;
    if (file.language === "php") return `${name} = ${said};`;
    const head = file.language === "java" ? textAt(file, node) : `${bound.has(name) ? "let" : "const"} ${name}`;
    return `${head} = ${said};`;
  });
  const from = indentAt(file.text, first.start);
  const to = indentAt(file.text, statement.start);
  const lines = `${file.text.slice(first.start, last.start)}${end}`.split("\n");
  const moved = lines.map((line, i) => (i > 0 && line.startsWith(from) ? `${to}${line.slice(from.length)}` : line));
  const [start, ...rest] = [...values, moved.join("\n")];
  return { ...rangeOf(statement), replacement: [start ?? "", ...rest.map((line) => `${to}${line}`)].join("\n") };
}

function rangeOf({ start, end }: TextRange): TextRange {
  return { start, end };
}

/** Statement of a block that a node stands in; `null`: it is of no block. */
function statementOf(file: CodeFile, node: CodeNode): CodeNode | null {
  for (let each: CodeNode | null = node; each !== null; each = parentOf(file, each))
    if (/^(statement_block|block|constructor_body|compound_statement)$/.test(parentOf(file, each)?.kind ?? ""))
      return each;
  return null;
}

function isDocumentation(file: CodeFile, node: CodeNode): boolean {
  return file.language === "python" && node.kind === "expression_statement" && /^["']/.test(textAt(file, node));
}

/** Tests if a call is on the same object: of a plain function on none. */
function isOfSame({ file, owner }: CalledFunction, { receiver }: Call): boolean {
  if (owner === null) return receiver === null;
  return (
    receiver === "this" ||
    receiver === "$this" ||
    receiver === "self" ||
    (receiver === null && file.language === "java")
  );
}

interface Ending {
  readonly statement: CodeNode;
  readonly call: CodeNode;
  readonly inner: TextRange;
  readonly last: CodeNode;
}

/** Last statement of a body in the place of a call: returned, bound to a name, or alone; `null`: the call is used otherwise. */
function endOf(file: CodeFile, { statement, call, inner, last }: Ending): string | null {
  const before = file.text.slice(statement.start, call.start);
  const behind = file.text.slice(call.end, statement.end);
  if (!/^;?$/.test(behind)) return null;
  const returns = nodesWithin(file, inner).filter(({ kind }) => kind === "return_statement");
  const own = textAt(file, last);
  if (before === "return ") return /^(return|throw|raise)_statement$/.test(last.kind) ? own : null;
  if (before === "") return returns.length === 0 ? own : null;
  const [value] = last.kind === "return_statement" ? childrenOf(file, last) : [];
  const isBound = /^[\w$<>[\], ]+ = $/.test(before) && returns.length === 1 && value !== undefined;
  return isBound ? `${before}${textAt(file, value)}${behind}` : null;
}

/** Parameters by what a call hands to them: a variable of the same name, or something else. */
interface Handed {
  readonly passed: readonly string[];
  readonly given: readonly string[];
}

/** Tests if every name means in the function around what it means in the body. */
function keepsNames(file: CodeFile, inner: TextRange, around: Declaration, { passed, given }: Handed): boolean {
  const own = new Set([...boundNames(file, inner), ...given]);
  const [used, outer, outerUsed] = [namesIn(file, inner), boundNames(file, around), namesIn(file, around)];
  // In PHP a function's variables are its own, be they bound there or by what it calls.
  const isOuter = (name: string) => outer.has(name) || (name.startsWith("$") && outerUsed.has(name));
  const isCaught = (name: string) => isOuter(name) && !own.has(name) && !passed.includes(name);
  return ![...own].some((name) => outerUsed.has(name) || passed.includes(name)) && ![...used].some(isCaught);
}

const NAMES = /^(identifier|shorthand_property_identifier|shorthand_property_identifier_pattern|variable_name)$/;
const MEMBER = /^(property|attribute|field)$/;
const BINDS = /parameter|pattern|declarator|catch|lambda|update_expression|function_de|class_de/;
/** What binds variables in PHP besides. */
const BINDS_VARIABLES = /list_literal|pair|foreach|unset|reference|use_clause/;

/** Names of variables and functions within a range, without those of members. */
function namesIn(file: CodeFile, range: TextRange): ReadonlySet<string> {
  const names = nodesWithin(file, range).filter(
    (node) =>
      NAMES.test(node.kind) && !MEMBER.test(node.field ?? "") && parentOf(file, node)?.kind !== "method_invocation",
  );
  return new Set(names.map((node) => textAt(file, node)));
}

/** Names that a range binds, or sets; one too many at most. */
function boundNames(file: CodeFile, range: TextRange): ReadonlySet<string> {
  const names = nodesWithin(file, range).filter((node) => {
    const kind = parentOf(file, node)?.kind ?? "";
    const isSet = node.field === "left" && /assignment|for/.test(kind);
    const isVariable = node.kind === "variable_name" && BINDS_VARIABLES.test(kind);
    return (
      NAMES.test(node.kind) &&
      (isSet ||
        isVariable ||
        (BINDS.test(kind) && node.field !== "value") ||
        (/^for|named/.test(kind) && node.field === "name"))
    );
  });
  return new Set(names.map((node) => textAt(file, node)));
}
