import {
  type Code,
  type CodeFile,
  type CodeNode,
  childBy,
  childrenOf,
  functionAround,
  isNamedElsewhere,
  parentOf,
  textAt,
} from "./code-file.js";

/** Function or method, all of whose calls are known. */
export interface CalledFunction {
  readonly file: CodeFile;
  readonly node: CodeNode;
  readonly name: string;
  /** Class that it is a method of; `null`: none. */
  readonly owner: string | null;
  readonly body: CodeNode;
  /** Parameters, without the object that a method is of. */
  readonly parameters: readonly Parameter[];
  readonly calls: readonly Call[];
}

interface Parameter {
  readonly node: CodeNode;
  readonly name: string;
}

export interface Call {
  readonly file: CodeFile;
  readonly node: CodeNode;
  /** Text of what it is called on; `null`: nothing. */
  readonly receiver: string | null;
  readonly arguments: readonly CodeNode[];
}

const FUNCTIONS = /^(function_declaration|method_definition|function_definition|method_declaration)$/;
const CALLS = /^(call_expression|call|method_invocation|function_call_expression|member_call_expression)$/;
/** Calls that have their object beside them, not before their name. */
const CALLS_ON = /^(method_invocation|member_call_expression)$/;
const MEMBERS = /^(member_expression|attribute)$/;
const WRITTEN_ARGUMENT = /spread|splat|keyword|comment|generator|variadic|^argument$/;
const HEAD_WITHOUT = /^(?:async|get|set|static async|\*)\b|@|\bsynchronized\b|\babstract\b/;

/** Functions of one name in all code, that nothing names but their calls and imports, and no test. */
export function calledFunctions(code: Code): CalledFunction[] {
  return code.files.flatMap((file) =>
    file.nodes.flatMap((node) => {
      const declared = declaredFunction(file, node);
      if (declared === null || isNamedElsewhere(code, declared.name)) return [];
      const calls = callsOf(code, declared);
      const isMet = calls?.every(({ arguments: given }) => given.length === declared.parameters.length) === true;
      return calls !== null && isMet && calls.length > 0 ? [{ ...declared, calls }] : [];
    }),
  );
}

function declaredFunction(file: CodeFile, node: CodeNode): Omit<CalledFunction, "calls"> | null {
  if (!FUNCTIONS.test(node.kind)) return null;
  const [name, list, body] = ["name", "parameters", "body"].map((field) => childBy(file, node, field));
  const parent = parentOf(file, node);
  if (name == null || list == null || body == null || parent?.kind === "decorated_definition") return null;
  if (HEAD_WITHOUT.test(file.text.slice(node.start, name.start))) return null;
  const declaration = functionAround(file, body);
  const owner = declaration?.within.at(-1) ?? null;
  const parameters = childrenOf(file, list).map((each) => parameterOf(file, each));
  if (parameters.some((each) => each === null)) return null;
  const known = parameters.flatMap((each) => each ?? []);
  const isBound = file.language === "python" && owner !== null;
  if (isBound && known[0]?.name !== "self") return null;
  return { file, node, name: textAt(file, name), owner, body, parameters: isBound ? known.slice(1) : known };
}

/** Parameter with a plain name and no default; `null`: another one. */
function parameterOf(file: CodeFile, node: CodeNode): Parameter | null {
  const name = nameOfParameter(file, node);
  return name === null || !/^(identifier|name)$/.test(name.kind) ? null : { node, name: textAt(file, name) };
}

function nameOfParameter(file: CodeFile, node: CodeNode): CodeNode | null {
  if (node.isLeaf) return node;
  switch (node.kind) {
    case "typed_parameter":
      return childrenOf(file, node)[0] ?? null;
    case "formal_parameter":
      return childBy(file, node, "name");
    case "simple_parameter": {
      const variable = childBy(file, node, "name");
      const isPlain = childrenOf(file, node).every(({ field }) => field === "name" || field === "type");
      return isPlain && variable !== null ? (childrenOf(file, variable)[0] ?? null) : null;
    }
    default:
      return null;
  }
}

/** All calls of a function; `null`: something else names it, or it could be another of that name. */
function callsOf(code: Code, declared: Omit<CalledFunction, "calls">): Call[] | null {
  const all = code.files.flatMap((file) =>
    (file.leaves.get(declared.name) ?? []).flatMap((node) => {
      const parent = parentOf(file, node);
      const isOwn = file === declared.file && parent?.at === declared.node.at;
      return parent === null || isOwn || isNoMention(file, node, parent) ? [] : [callAt(file, node, parent)];
    }),
  );
  const calls = all.flatMap((call) => call ?? []);
  return calls.length === all.length ? calls : null;
}

/** Tests for words of comments and texts, for names in lists of imports and exports, and for variables with a sigil. */
function isNoMention(file: CodeFile, node: CodeNode, parent: CodeNode): boolean {
  // PHP calls functions by texts.
  const isText = /string/.test(node.kind) && file.language !== "php";
  return (
    isText ||
    /comment/.test(node.kind) ||
    parent.kind === "variable_name" ||
    /import|export/.test(parent.kind) ||
    /import/.test(parentOf(file, parent)?.kind ?? "")
  );
}

function callAt(file: CodeFile, node: CodeNode, parent: CodeNode): Call | null {
  const isMember = MEMBERS.test(parent.kind) && (node.field === "property" || node.field === "attribute");
  const called = isMember ? parent : node;
  const call = parentOf(file, called);
  const isCalled = CALLS_ON.test(call?.kind ?? "") ? node.field === "name" : called.field === "function";
  if (call === null || !CALLS.test(call.kind) || !isCalled) return null;
  const list = childBy(file, call, "arguments");
  const given = list === null ? [] : childrenOf(file, list).map((each) => argumentOf(file, each));
  if (list === null || given.some(({ kind }) => WRITTEN_ARGUMENT.test(kind))) return null;
  const on = childBy(file, isMember ? parent : call, "object");
  return { file, node: call, receiver: on === null ? null : textAt(file, on), arguments: given };
}

/** What an argument hands over, where the grammar has a node around it. */
function argumentOf(file: CodeFile, node: CodeNode): CodeNode {
  const [value, ...others] = node.kind === "argument" ? childrenOf(file, node) : [];
  return value === undefined || others.length > 0 ? node : value;
}
