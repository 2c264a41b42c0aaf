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
  ...[
    ["assertEqual", "assertNotEqual"],
    ["assertAlmostEqual", "assertNotAlmostEqual"],
    ["assertTrue", "assertFalse"],
    ["assertIn", "assertNotIn"],
    ["assertIs", "assertIsNot"],
    ["assertIsNone", "assertIsNotNone"],
    ["assertIsInstance", "assertNotIsInstance"],
    ["assertGreater", "assertLessEqual"],
    ["assertLess", "assertGreaterEqual"],
    ["assertRegex", "assertNotRegex"],
  ].flatMap(([one = "", other = ""]) => [[one, other] as const, [other, one] as const]),
  // Of these any is the contrary that finds the two unequal.
  ...["List", "Tuple", "Dict", "Set", "MultiLine"].map((type) => [`assert${type}Equal`, "assertNotEqual"] as const),
]);

/** Methods whose literals are looked for; of the last two nothing else is asked: what they hold equal may be unequal to `==`. */
const ASSERTS_EQUAL = /^assert(|Almost|List|Tuple|Dict|Set|MultiLine|Sequence|Count)Equal$/;
/** Methods for which every value is a sensible one to compare with. */
const COMPARES = /^assert(|List|Tuple|Dict|Set|MultiLine)Equal$/;
const RAISES = /^(assertRaises(Regex)?|raises)$/;
/** Arguments that are no values by themselves. */
const NAMED_OR_SPREAD = /^(keyword_argument|list_splat|dictionary_splat)$/;
/** What cannot be moved into a function. */
const BOUND = /^(await|yield|named_expression)$/;
/** Expressions that raise; not those that bind a name. */
const RAISING = /^(call|attribute|subscript|(binary|unary|comparison|not|boolean)_operator)$/;
/** Exception that no test expects. */
const UNEXPECTED = "StopAsyncIteration";

/** Expectations of tests with `assert`, or with `unittest`. */
export function pythonExpectations(syntax: Syntax, code: string): Expectation[] {
  const nodes = codeTree(syntax, code);
  const found = nodes.flatMap((node): Expectation[] => {
    const own = assertStatement(node) ?? assertMethod(node) ?? raisesBlock(node);
    const test = own === null ? null : testAround(node);
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

/** Sides of `a == b`. */
function equality(condition: CodeNode): Sides | null {
  if (condition.kind !== "comparison_operator") return null;
  const [left, right, more] = namedParts(condition);
  const isEqual = condition.children.some(({ text }) => text === "==");
  if (left === undefined || right === undefined || more !== undefined || !isEqual) return null;
  return sidesOf(left, right);
}

/** The side of two equal ones that is looked at, and the literals of the other. */
type Sides = Pick<Found, "subject" | "literals" | "compared">;

function sidesOf(left: CodeNode, right: CodeNode): Sides | null {
  const isSwapped = literalsIn(right).length === 0 && literalsIn(left).length > 0 && !has(left, /^call$/);
  const [subject, expected] = isSwapped ? [right, left] : [left, right];
  if (has(expected, BOUND)) return null;
  return { subject, literals: literalsIn(expected), compared: expected };
}

function has(node: CodeNode, kinds: RegExp): boolean {
  return [...nodesIn(node)].some(({ kind }) => kinds.test(kind));
}

/** Such as `self.assertEqual(a, b)`. */
function assertMethod(node: CodeNode): Found | null {
  if (node.kind !== "call" || node.parent?.kind !== "expression_statement") return null;
  const called = methodOf(node);
  const [subject, ...rest] = called?.given ?? [];
  if (called === null || subject === undefined || NAMED_OR_SPREAD.test(subject.kind)) return null;
  if (rest.some((each) => has(each, BOUND))) return null;
  const common = { place: node, code: node, most: 8 };
  if (RAISES.test(called.name)) return rest.length === 0 ? null : { ...common, ...raising(subject) };
  const other = CONTRARY.get(called.name);
  const sides = sidesIn(called.name, subject, rest);
  if (other === undefined && sides.literals.length === 0) return null;
  const { start, end } = called.at;
  return { ...common, ...sides, contrary: other === undefined ? [] : [{ start, end, text: other }] };
}

/** What a method looks at, and the literals that it holds equal. */
function sidesIn(name: string, subject: CodeNode, [expected, ...rest]: readonly CodeNode[]): Sides {
  const isEqual = expected !== undefined && ASSERTS_EQUAL.test(name) && !NAMED_OR_SPREAD.test(expected.kind);
  const sides = isEqual ? sidesOf(subject, expected) : null;
  if (sides === null) return { subject, literals: [], compared: null };
  // How near is near enough may be told behind: then turned numbers may be near enough too.
  const literals = name === "assertAlmostEqual" && rest.length > 0 ? [] : sides.literals;
  return { ...sides, literals, compared: COMPARES.test(name) ? sides.compared : null };
}

/** A method of `self`, or `pytest.raises`, that is called, and what it is given. */
function methodOf(call: CodeNode): { name: string; at: CodeNode; given: readonly CodeNode[] } | null {
  const callee = partOf(call, "function");
  const at = callee === null ? null : partOf(callee, "attribute");
  const list = partOf(call, "arguments");
  const isAssertion = /^(self\.assert\w+|pytest\.raises)$/.test(callee?.text ?? "");
  if (at === null || list?.kind !== "argument_list" || !isAssertion) return null;
  return { name: at.text, at, given: namedParts(list) };
}

/** An exception in the place of another says the contrary; what raises it is run with each copy. */
function raising({ start, end }: CodeNode): Pick<Found, "subject" | "literals" | "compared" | "contrary"> {
  return { subject: null, literals: [], compared: null, contrary: [{ start, end, text: UNEXPECTED }] };
}

/** A block of one expression that is to raise, such as `with self.assertRaises(E): f()`, asked as a call with a function. */
function raisesBlock(node: CodeNode): Found | null {
  if (node.kind !== "with_statement" || node.children[0]?.text !== "with") return null;
  const items = node.children.flatMap((child) => (child.kind === "with_clause" ? namedParts(child) : []));
  const call = onlyOf(items.map((item) => partOf(item, "value")));
  const called = call?.kind === "call" ? methodOf(call) : null;
  const inner = raisingIn(partOf(node, "body"));
  const [exception] = called?.given ?? [];
  const last = called?.given.at(-1);
  if (!call || !called || !inner || !exception || !last || !RAISES.test(called.name)) return null;
  if (called.given.some(({ kind }) => NAMED_OR_SPREAD.test(kind))) return null;
  const wording = [
    { start: node.start, end: call.start, text: "" },
    { start: last.end, end: inner.start, text: ", lambda: (" },
    { start: inner.end, end: node.end, text: "))" },
  ];
  return { place: node, code: node, most: 2, ...raising(exception), wording };
}

/** The only expression of a block. */
function raisingIn(body: CodeNode | null): CodeNode | null {
  const statement = body === null ? null : onlyOf(namedParts(body));
  const inner = statement?.kind === "expression_statement" ? onlyOf(namedParts(statement)) : null;
  return inner !== null && RAISING.test(inner.kind) && !has(inner, BOUND) ? inner : null;
}

function onlyOf<T>(all: readonly T[]): T | null {
  return all.length === 1 ? (all[0] ?? null) : null;
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
