import { parseAst } from "vite";

const MOCKERS = new Set(["vi", "vitest", "jest"]);
const METHODS = new Set(["mock", "doMock"]);

const ORIGINALS = new Set(["importActual", "requireActual"]);

/**
 * What a test mocks with a factory, by the specifiers that it writes, and those of them whose factories take what they mock
 * and change a part of it.
 */
export function mocksOf(code, file) {
  const mocked = new Set();
  const asked = new Set();
  visit(parseAst(code, { lang: /\.[mc]?tsx?$/.test(file) ? "tsx" : "jsx" }, file), (node) => {
    if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return;
    const { object, property } = node.callee;
    const [specifier, factory] = node.arguments;
    if (!MOCKERS.has(object.name) || typeof specifier?.value !== "string") return;
    if (ORIGINALS.has(property.name)) asked.add(specifier.value);
    if (!METHODS.has(property.name) || !isFactory(factory)) return;
    mocked.add(specifier.value);
    // The parameter of a factory brings the original.
    if (factory.params?.length > 0) asked.add(specifier.value);
  });
  return { mocked: [...mocked], partly: [...mocked].filter((specifier) => asked.has(specifier)) };
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
