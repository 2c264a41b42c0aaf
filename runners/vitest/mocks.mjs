import { parseAst } from "vite";

const MOCKERS = new Set(["vi", "vitest", "jest"]);
const METHODS = new Set(["mock", "doMock"]);

/** What a test mocks with a factory, by the specifiers that it writes. */
export function mockedSpecifiers(code, file) {
  const found = new Set();
  visit(parseAst(code, { lang: /\.[mc]?tsx?$/.test(file) ? "tsx" : "jsx" }, file), (node) => {
    if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return;
    const { object, property } = node.callee;
    const [specifier, factory] = node.arguments;
    const isMock = MOCKERS.has(object.name) && METHODS.has(property.name);
    if (isMock && typeof specifier?.value === "string" && isFactory(factory)) found.add(specifier.value);
  });
  return [...found];
}

/** Not an object of options, which stands in the same place. */
function isFactory(node) {
  return node !== undefined && node.type !== "ObjectExpression";
}

function visit(node, onNode) {
  if (Array.isArray(node)) {
    for (const part of node) visit(part, onNode);
  } else if (node !== null && typeof node === "object") {
    if (typeof node.type === "string") onNode(node);
    for (const part of Object.values(node)) if (part !== null && typeof part === "object") visit(part, onNode);
  }
}
