import {
  type Candidate,
  type Code,
  type CodeFile,
  type CodeNode,
  childBy,
  childrenOf,
  type Edit,
  editsBy,
  indentAt,
  ownsLines,
  textAt,
} from "./code-file.js";

/** Class or interface of a file. */
interface Type {
  readonly file: CodeFile;
  readonly node: CodeNode;
  readonly name: string;
  readonly body: CodeNode;
  /** Names of the types that it extends or implements. */
  readonly bases: readonly string[];
  readonly methods: readonly Method[];
}

interface Method {
  readonly node: CodeNode;
  readonly name: string;
  /** Text before its body. */
  readonly head: string;
  readonly hasBody: boolean;
}

const TYPES = /^(class|class_declaration|class_definition|interface_declaration)$/;
const METHODS = /^(method_definition|function_definition|method_declaration)$/;
const BASES =
  /^(class_heritage|argument_list|superclass|super_interfaces|extends_interfaces|type_list|base_clause|class_interface_clause)$/;
/** Methods that are of a class alone, or that a language calls itself. */
const OWN = /^(constructor|__\w+|toString|equals|hashCode|compareTo|close|toJSON)$/;
const NO_METHOD = /^(?:@|static\b|get\b|set\b|#|private\b|async\b|\*)|\bstatic\b|\bprivate\b|\bfinal\b[^(]*\(/;
const MOST_METHODS = 3;

/** Interfaces too wide: methods of one class made those of its base, for which the other classes get stubs. */
export function widenedTypes(code: Code): Candidate[] {
  const types = code.files.flatMap(typesIn);
  return types.flatMap((base) => {
    const named = types.filter(({ name }) => name === base.name);
    const classes = types.filter(({ bases }) => bases.includes(base.name));
    if (named.length > 1 || classes.length < 2 || classes.some(({ file }) => file.language !== base.file.language))
      return [];
    return classes.flatMap((owner) => widened(types, { base, owner, classes }) ?? []);
  });
}

function typesIn(file: CodeFile): Type[] {
  return file.nodes.flatMap((node): Type[] => {
    if (!TYPES.test(node.kind) || !node.isNamed) return [];
    const [name, body] = [childBy(file, node, "name"), childBy(file, node, "body")];
    if (name === null || body === null) return [];
    const methods = childrenOf(file, body).flatMap((each) => methodOf(file, each) ?? []);
    return [{ file, node, name: textAt(file, name), body, bases: basesOf(file, node), methods }];
  });
}

function basesOf(file: CodeFile, node: CodeNode): string[] {
  return childrenOf(file, node)
    .filter(({ kind }) => BASES.test(kind))
    .flatMap((list) =>
      list.isLeaf ? [] : [...childrenOf(file, list).map((each) => textAt(file, each)), ...basesOf(file, list)],
    );
}

function methodOf(file: CodeFile, node: CodeNode): Method | null {
  const name = METHODS.test(node.kind) ? childBy(file, node, "name") : null;
  if (name === null) return null;
  const body = childBy(file, node, "body");
  const head = file.text
    .slice(node.start, body?.start ?? node.end)
    .trimEnd()
    .replace(/;$/, "");
  return { node, name: textAt(file, name), head, hasBody: body !== null };
}

interface Widening {
  readonly base: Type;
  readonly owner: Type;
  readonly classes: readonly Type[];
}

function widened(types: readonly Type[], { base, owner, classes }: Widening): Candidate | null {
  const isDeclaredOnce = (name: string) =>
    types.flatMap(({ methods }) => methods).filter((each) => each.name === name).length === 1;
  const isInterface = base.node.kind === "interface_declaration";
  const moved = owner.methods
    .filter(
      ({ name, head, hasBody }) =>
        hasBody &&
        !OWN.test(name) &&
        isDeclaredOnce(name) &&
        !head.includes("\n") &&
        !NO_METHOD.test(head) &&
        !name.startsWith("_"),
    )
    .filter(({ head }) => !isInterface || /\bpublic\b/.test(head))
    .slice(0, MOST_METHODS);
  const stubbed = [base, ...classes.filter(({ name }) => name !== owner.name)];
  if (moved.length === 0) return null;
  const edits = stubbed.map((type) => [type.file, stubsIn(type, moved, isInterface && type === base)] as const);
  if (edits.some(([, edit]) => edit === null)) return null;
  const names = moved.map(({ name }) => `\`${name}\``).join(", ");
  const { path } = base.file;
  return {
    key: `${path}:${base.name}:${owner.name}`,
    edits: editsBy(edits.flatMap(([file, edit]) => (edit === null ? [] : [[file, edit] as const]))),
    place: [path, base.name, null],
    guided: `In ${path} a base asks more of its classes than each of them has a use for.`,
    targeted: `In ${path} \`${base.name}\` asks for ${names}, which \`${owner.name}\` alone has a use for.`,
  };
}

/** Stubs at the end of a type's body; `null`: it has no lines for them. */
function stubsIn({ file, body, methods, node }: Type, moved: readonly Method[], isBare: boolean): Edit | null {
  const last = childrenOf(file, body).at(-1);
  const indent = last === undefined || !ownsLines(file.text, last) ? null : indentAt(file.text, last.start);
  if (last === undefined || indent === null || (methods.length === 0 && node.kind === "class")) return null;
  const stubs = moved.map(({ head }) => `\n\n${indent}${stubOf(file, head, indent, isBare)}`).join("");
  return { start: last.end, end: last.end, replacement: stubs };
}

function stubOf({ language }: CodeFile, head: string, indent: string, isBare: boolean): string {
  const step = indent === "" ? "  " : indent;
  if (language === "python") return `${head}\n${indent}${step}raise NotImplementedError`;
  if (language === "php") {
    const stub = `${head}\n${indent}{\n${indent}${step}throw new \\LogicException('not supported');\n${indent}}`;
    return isBare ? `${head};` : stub;
  }
  if (isBare) return `${head.replace(/\bpublic /, "")};`;
  const thrown = language === "java" ? "UnsupportedOperationException()" : 'Error("not supported")';
  return `${head} {\n${indent}${step}throw new ${thrown};\n${indent}}`;
}
