import { type CalledFunction, calledFunctions } from "./calls.js";
import {
  type Candidate,
  type Code,
  type CodeFile,
  type CodeNode,
  childBy,
  childrenOf,
  type Edit,
  editsBy,
  nodesWithin,
  parentOf,
  textAt,
  variable,
} from "./code-file.js";

const LEAST = 2;
const MOST = 6;

/** Data clumps: objects that functions are given, their members passed one by one in their place. */
export function unfoldedObjects(code: Code): Candidate[] {
  return calledFunctions(code).flatMap((called) =>
    called.parameters.flatMap((_, i) => unfolded(code, called, i) ?? []),
  );
}

function unfolded(
  code: Code,
  { file, node, name, owner, parameters, calls }: CalledFunction,
  place: number,
): Candidate | null {
  const parameter = parameters[place];
  if (parameter === undefined) return null;
  const reads = readsOf(file, node, parameter);
  if (reads === null) return null;
  const members = [...new Set(reads.map(({ member }) => member))];
  if (members.length < LEAST || members.length > MOST) return null;
  const nameOf = (member: string) => joined(file, parameter.name, member.replace("()", ""));
  if (members.some((member) => file.leaves.has(nameOf(member)))) return null;
  const types = members.map((member) => (file.language === "java" ? typeOf(code, file, parameter.node, member) : ""));
  if (types.some((type) => type === null)) return null;
  const said = (member: string) => variable(file, nameOf(member));
  const declared = members.map((member, i) => `${types[i] ?? ""}${types[i] === "" ? "" : " "}${said(member)}`);
  const edits: (readonly [CodeFile, Edit])[] = [
    [file, { start: parameter.node.start, end: parameter.node.end, replacement: declared.join(", ") }],
    ...reads.map(({ at, member }) => [file, { start: at.start, end: at.end, replacement: said(member) }] as const),
  ];
  for (const call of calls) {
    const argument = call.arguments[place];
    const given = argument === undefined ? "" : textAt(call.file, argument);
    if (argument === undefined || !/^[A-Za-z_$](?:[\w$.]|->)*$/.test(given)) return null;
    const all = members.map((member) => `${given}${arrow(file)}${member}`).join(", ");
    edits.push([call.file, { start: argument.start, end: argument.end, replacement: all }]);
  }
  const whole = editsBy(edits);
  return {
    key: `${file.path}:${name}:${parameter.name}`,
    edits: whole,
    place: [file.path, owner, name],
    guided: `In ${file.path} values that belong together are passed one by one.`,
    targeted: `In ${file.path} \`${name}\`${owner === null ? "" : ` of \`${owner}\``} takes ${members.map((member) => `\`${said(member)}\``).join(", ")} one by one.`,
  };
}

/** Name of a member's parameter, in the style of its language. */
function joined({ language }: CodeFile, name: string, member: string): string {
  if (language === "python") return `${name}_${member}`;
  return `${name}${member.charAt(0).toUpperCase()}${member.slice(1)}`;
}

/** Sign between an object and its member. */
function arrow({ language }: CodeFile): string {
  return language === "php" ? "->" : ".";
}

/** Read of a member of a parameter. */
interface Read {
  readonly at: CodeNode;
  /** Member's name, with brackets behind it where it is asked for by a call. */
  readonly member: string;
}

/** All reads of a parameter's members; `null`: the parameter is used otherwise, or a member set or called. */
function readsOf(
  file: CodeFile,
  declared: CodeNode,
  { node, name }: CalledFunction["parameters"][number],
): Read[] | null {
  const reads: Read[] = [];
  for (const leaf of file.leaves.get(name) ?? []) {
    const isWithin = leaf.start >= declared.start && leaf.end <= declared.end;
    const isDeclared = leaf.start >= node.start && leaf.end <= node.end;
    const at = file.language === "php" ? parentOf(file, leaf) : leaf;
    const isVariable = at !== null && /^(identifier|variable_name)$/.test(at.kind) && at.field !== "attribute";
    if (!isWithin || isDeclared || !isVariable) continue;
    const read = readAt(file, at);
    if (read === null) return null;
    reads.push(read);
  }
  return reads;
}

const MEMBER = /^(member_expression|attribute|field_access|member_access_expression)$/;
/** Nodes that set, or take away, what stands on their left. */
const SETS = /assignment|update|delete|unset/;

function readAt(file: CodeFile, object: CodeNode): Read | null {
  const at = object.field === "object" ? parentOf(file, object) : null;
  const around = at === null ? null : parentOf(file, at);
  if (at === null || around === null || !file.text.startsWith(arrow(file), object.end)) return null;
  const member = file.text.slice(object.end + arrow(file).length, at.end);
  const isAsked = /^(method_invocation|member_call_expression)$/.test(at.kind) && /^[\w$]+\(\)$/.test(member);
  const isRead = MEMBER.test(at.kind) && /^[A-Za-z_$][\w$]*$/.test(member);
  // An array of PHP is a value: set in a copy, it is not set in the object.
  const isInSet = file.language === "php" && around.kind === "subscript_expression" && around.field === "left";
  const isSet = isInSet || (SETS.test(around.kind) && at.field !== "right");
  return (isAsked || isRead) && at.field !== "function" && !isSet ? { at, member } : null;
}

/** Type of a member of a parameter's type in Java, by the field, record or method that declares it; `null`: not known. */
function typeOf(code: Code, file: CodeFile, parameter: CodeNode, member: string): string | null {
  const type = childBy(file, parameter, "type");
  if (type === null) return null;
  const name = textAt(file, type);
  const found = code.files.flatMap((each) =>
    each.nodes
      .filter(({ kind }) => /^(class|record|interface)_declaration$/.test(kind))
      .filter((node) => textOf(each, node, "name") === name)
      .flatMap((node) => memberTypes(each, node, member)),
  );
  return new Set(found).size === 1 ? (found[0] ?? null) : null;
}

function memberTypes(file: CodeFile, type: CodeNode, member: string): string[] {
  const isNamed = (node: CodeNode) => textOf(file, node, "name") === member.replace("()", "");
  return nodesWithin(file, type).flatMap((node) => {
    const isField = node.kind === "field_declaration" && childrenOf(file, node).some(isNamed);
    const isPart = node.kind === "formal_parameter" && isNamed(node) && isOfRecord(file, node);
    const isMethod = node.kind === "method_declaration" && isNamed(node) && member.endsWith("()");
    return isField || isPart || isMethod ? (textOf(file, node, "type") ?? []) : [];
  });
}

function isOfRecord(file: CodeFile, node: CodeNode): boolean {
  const list = parentOf(file, node);
  return list !== null && parentOf(file, list)?.kind === "record_declaration";
}

function textOf(file: CodeFile, node: CodeNode, field: string): string | null {
  const child = childBy(file, node, field);
  return child === null ? null : textAt(file, child);
}
