import type { Syntax } from "../../syntax/load.js";
import {
  around,
  type CodeNode,
  codeTree,
  type Expectation,
  namedParts,
  nodesIn,
  partOf,
  sightingOf,
} from "./expectation.js";
import { isTurnable, type TurnableLiteral, turnableNumber, turnableText, turnableTruth } from "./turned-literals.js";

/** Methods of `unittest`, and those that say the contrary. */
const CONTRARY: ReadonlyMap<string, string> = new Map([
  ["assertEqual", "assertNotEqual"],
  ["assertNotEqual", "assertEqual"],
  ["assertTrue", "assertFalse"],
  ["assertFalse", "assertTrue"],
  ["assertIn", "assertNotIn"],
  ["assertNotIn", "assertIn"],
  ["assertIsNone", "assertIsNotNone"],
  ["assertIsNotNone", "assertIsNone"],
]);

/** Expectations of tests with `assert`, or with `unittest`. */
export function pythonExpectations(syntax: Syntax, code: string): Expectation[] {
  const nodes = codeTree(syntax, code);
  const found = nodes.flatMap((node): Expectation[] => {
    const test = testAround(node);
    const own = test === null ? null : (assertStatement(node) ?? assertMethod(node));
    return test === null || own === null ? [] : [{ ...own, test, isAwaited: false }];
  });
  return [...found, ...nodes.flatMap((node) => sightingIn(node, code, found) ?? [])].toSorted(
    (a, b) => a.place.start - b.place.start,
  );
}

/** End of a test in which nothing is asked. */
function sightingIn(node: CodeNode, code: string, found: readonly Expectation[]): Expectation | null {
  const name = node.kind === "function_definition" ? partOf(node, "name")?.text : undefined;
  const body = partOf(node, "body");
  const first = body === null ? undefined : namedParts(body)[0];
  if (name?.startsWith("test") !== true || body === null || first === undefined) return null;
  if (found.some(({ place }) => place.start >= body.start && place.end <= body.end)) return null;
  const indent = code.slice(code.lastIndexOf("\n", first.start) + 1, first.start);
  return /^\s+$/.test(indent) ? sightingOf(name, body.end, [`\n${indent}`, ""]) : null;
}

function testAround(node: CodeNode): string | null {
  for (const each of around(node)) {
    const name = each.kind === "function_definition" ? partOf(each, "name")?.text : undefined;
    if (name?.startsWith("test") === true) return name;
  }
  return null;
}

type Found = Omit<Expectation, "test" | "isAwaited">;

/** Such as `assert a == b`. */
function assertStatement(node: CodeNode): Found | null {
  if (node.kind !== "assert_statement") return null;
  const [condition] = namedParts(node);
  if (condition === undefined) return null;
  const equal = equality(condition);
  const common = { place: node, code: condition, contrary: contraryOf(condition) };
  if (equal !== null) return { ...common, ...equal, most: 8 };
  return { ...common, subject: condition, literals: [], compared: null, most: 2 };
}

function contraryOf({ start, end }: CodeNode): Expectation["contrary"] {
  return [
    { start, end: start, text: "not (" },
    { start: end, end, text: ")" },
  ];
}

/** Side of `a == b` that is looked at, and the literals of the other. */
function equality(condition: CodeNode): Pick<Found, "subject" | "literals" | "compared"> | null {
  if (condition.kind !== "comparison_operator") return null;
  const [left, right, more] = namedParts(condition);
  const isEqual = condition.children.some(({ text }) => text === "==");
  if (left === undefined || right === undefined || more !== undefined || !isEqual) return null;
  const isSwapped = literalsIn(right).length === 0 && literalsIn(left).length > 0 && !has(left, /^call$/);
  const [subject, expected] = isSwapped ? [right, left] : [left, right];
  if (has(expected, /^(await|yield|named_expression)$/)) return null;
  return { subject, literals: literalsIn(expected), compared: expected };
}

function has(node: CodeNode, kinds: RegExp): boolean {
  return [...nodesIn(node)].some(({ kind }) => kinds.test(kind));
}

/** Such as `self.assertEqual(a, b)`. */
function assertMethod(node: CodeNode): Found | null {
  if (node.kind !== "call" || node.parent?.kind !== "expression_statement") return null;
  const name = /^self\.(assert\w+)$/.exec(partOf(node, "function")?.text ?? "")?.[1] ?? "";
  const method = [...nodesIn(node)].find(({ kind, text }) => kind === "identifier" && text === name);
  const list = partOf(node, "arguments");
  const other = CONTRARY.get(name);
  const [subject, expected] = list === null ? [] : namedParts(list);
  if (other === undefined || method === undefined || subject === undefined || subject.kind === "keyword_argument")
    return null;
  const literals = name === "assertEqual" && expected !== undefined ? literalsIn(expected) : [];
  const contrary = [{ start: method.start, end: method.end, text: other }];
  const compared = name === "assertEqual" ? (expected ?? null) : null;
  return { place: node, code: node, subject, literals, most: 8, compared, contrary };
}

function literalsIn(node: CodeNode): TurnableLiteral[] {
  const own = literalOf(node);
  return own === null ? node.children.flatMap(literalsIn) : [own];
}

function literalOf(node: CodeNode): TurnableLiteral | null {
  const { kind, text } = node;
  if (kind === "integer" || kind === "float") return turnableNumber(text, node);
  if (kind === "true") return turnableTruth(text, "False", node);
  if (kind === "false") return turnableTruth(text, "True", node);
  return kind === "string" ? stringOf(node) : null;
}

function stringOf(node: CodeNode): TurnableLiteral | null {
  const opening = node.children.find(({ kind }) => kind === "string_start");
  const closing = node.children.find(({ kind }) => kind === "string_end");
  if (opening === undefined || closing === undefined) return null;
  const holes = [...nodesIn(node)].filter(({ kind }) => kind === "escape_sequence" || kind === "interpolation");
  const places: number[] = [];
  for (let place = opening.end; place < closing.start; place++) {
    const isFree = !holes.some(({ start, end }) => place >= start && place < end);
    if (isFree && isTurnable(node.text.charAt(place - node.start))) places.push(place - node.start);
  }
  return turnableText(node.text, places, closing.start - node.start, node);
}
