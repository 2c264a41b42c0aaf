import type { Syntax } from "../../syntax/load.js";
import {
  around,
  type CodeNode,
  chainOf,
  codeTree,
  type Edit,
  type Expectation,
  type ImportedName,
  importedNames,
  isModule,
  namedParts,
  nodesIn,
  partOf,
  sightingOf,
} from "./expectation.js";
import { isTurnable, type TurnableLiteral, turnableNumber, turnableText, turnableTruth } from "./turned-literals.js";

/** Functions of `node:assert`, and those that say the contrary. */
const CONTRARY: ReadonlyMap<string, string> = new Map(
  [
    ["equal", "notEqual"],
    ["strictEqual", "notStrictEqual"],
    ["deepEqual", "notDeepEqual"],
    ["deepStrictEqual", "notDeepStrictEqual"],
    ["match", "doesNotMatch"],
    ["throws", "doesNotThrow"],
    ["rejects", "doesNotReject"],
  ].flatMap(([one = "", other = ""]) => [
    [one, other],
    [other, one],
  ]),
);

/** Assertions whose literals are looked for: of the others every value passes that is not the one. */
const ASSERTS_EQUAL = /^(equal|strictEqual|deepEqual|deepStrictEqual|match|throws|rejects)$/;
/** Matchers that hold for one value, or for what holds one text; of the others nothing but the contrary is asked. */
const MATCHES_ONE =
  /^(toBe|toEqual|toStrictEqual|toHaveLength|toHave(Been)?(Last|Nth)?(Called|Returned)(Times|With)|to(Have)?BeenCalledTimes|toMatchObject|toContain|toContainEqual|toMatch|toThrow|toThrowError|toHaveProperty|toBeCloseTo|toHave(TextContent|Value|DisplayValue|Attribute|Class|FormValues|Style)|equal|equals|eql|eq|include|members|lengthOf|property)$/;
/** Matchers for which every value is a sensible one to compare with. */
const COMPARES = /^(toBe|toEqual|toStrictEqual|equal|strictEqual|deepEqual|deepStrictEqual)$/;
const SNAPSHOT = /Snapshot$/;
/** Tried until it holds: it fails, and is to fail, on the way there. */
const TRIED_AGAIN = /(^|\.)(waitFor\w*|poll|eventually|retry)$/;
const COUNTS_ITSELF = /\.(assertions|hasAssertions)\b/;
const TESTS = /^(it|test|bench|specify)(\.|$)/;
const ASSERT = /^(?:node:)?assert(?:\/strict)?$/;
const QUERY = /^(get|query)(All)?By[A-Z]/;
const GETTER = /^get(All)?By[A-Z]/;

/** Expectations of tests with `expect`, or with `node:assert`. */
export function javascriptExpectations(syntax: Syntax, code: string): Expectation[] {
  const all = codeTree(syntax, code);
  const nodes = all.filter(({ kind }) => kind === "call_expression");
  const names = new TestNames(importedNames(all));
  const found = COUNTS_ITSELF.test(code) ? [] : nodes.flatMap((node) => expectationAt(node, names) ?? []);
  return [...found, ...nodes.flatMap((node) => sightingIn(node, found, names) ?? [])].toSorted(
    (a, b) => a.place.start - b.place.start,
  );
}

/** What a file calls the functions that test: by the names that they have, or that it gives them where it imports them. */
class TestNames {
  readonly #imported: ReadonlyMap<string, ImportedName>;

  constructor(imported: ReadonlyMap<string, ImportedName>) {
    this.#imported = imported;
  }

  isTest(callee: string): boolean {
    return TESTS.test(callee) || TESTS.test(this.#plain(callee));
  }

  isExpect(callee: string): boolean {
    return callee === "expect" || this.#plain(callee) === "expect";
  }

  isAssert(callee: string): boolean {
    const found = this.#imported.get(callee.replace(/(?:\.default)?(?:\.strict)?$/, ""));
    const isWhole = found !== undefined && ASSERT.test(found.from) && isModule(found);
    return isWhole || found?.name === "assert" || /(^|\.)assert(\.strict)?$/.test(callee);
  }

  /** Function of `node:assert` that has a name of its own. */
  assertion(callee: string): ImportedName | null {
    const found = this.#imported.get(callee);
    return found !== undefined && ASSERT.test(found.from) ? found : null;
  }

  /** Such as `it.each` for `spec.each` where `it` is imported as `spec`; `test` for the default of `node:test`. */
  #plain(callee: string): string {
    const [own = ""] = /^[\w$]+/.exec(callee) ?? [];
    const rest = callee.slice(own.length);
    const { name = "", from = "" } = this.#imported.get(own) ?? {};
    if (name !== "*" && name !== "default") return name + rest;
    return from !== "node:test" || TESTS.test(rest.slice(1)) ? rest.slice(1) : `test${rest}`;
  }
}

function expectationAt(node: CodeNode, names: TestNames): Expectation | null {
  const callee = partOf(node, "function");
  const test = testAround(node, names);
  if (callee === null || test === null || !standsAlone(node)) return null;
  const found = expectCall(node, callee, names) ?? assertCall(node, callee, names);
  if (found === null) return null;
  const { name, triedAgain } = test;
  if (triedAgain === null) return { ...found, test: name, place: node, code: node };
  const end = endBehind(triedAgain, node);
  if (end === null || found.isAwaited) return null;
  return { ...found, test: name, place: { start: end, end }, code: node, isLater: true };
}

/**
 * End of a statement that tries an expectation again and again, `await waitFor(() => expectation)`; `null`: it is another, or
 * what the expectation names is not known behind it.
 */
function endBehind(call: CodeNode, node: CodeNode): number | null {
  const [callback] = argumentsOf(call);
  const body = callback === undefined ? null : partOf(callback, "body");
  const own = body?.kind === "statement_block" ? namedParts(body) : [];
  const isPlain = own.every(({ kind }) => kind === "expression_statement");
  const isDirect = node === body || own.some((each) => each === node.parent);
  const holder = call.parent?.kind === "await_expression" ? call.parent.parent : null;
  const isStatement = holder?.kind === "expression_statement" && holder.parent?.kind === "statement_block";
  const takesNothing = callback !== undefined && /^(?:async\s*)?\(\s*\)\s*=>/.test(callback.text);
  return isPlain && isDirect && isStatement && takesNothing ? holder.end : null;
}

/** End of a test in whose body nothing is asked. */
function sightingIn(node: CodeNode, found: readonly Expectation[], names: TestNames): Expectation | null {
  if (!names.isTest(partOf(node, "function")?.text ?? "")) return null;
  const [name, ...rest] = argumentsOf(node);
  const body = rest.map((each) => partOf(each, "body")).find((each) => each?.kind === "statement_block");
  if (name === undefined || body === undefined || body === null) return null;
  const isAsked = found.some(({ place, isLater }) => !isLater && place.start >= body.start && place.end <= body.end);
  if (isAsked) return null;
  return sightingOf(nameOf(name), body.end - 1, [";", ";"]);
}

function nameOf({ text }: CodeNode): string {
  return text.replace(/^(["'`])(.*)\1$/s, "$2");
}

/** Nobody takes its value, and no other expectation is around it. */
function standsAlone(node: CodeNode): boolean {
  const { parent } = node;
  const holder = parent?.kind === "await_expression" ? parent.parent : parent;
  const isStatement = holder?.kind === "expression_statement" || holder?.kind === "return_statement";
  return isStatement || (holder?.kind === "arrow_function" && node.field === "body");
}

/** The test around a node, and the call in it that tries it again and again, if one does; `null`: no test is, or many do. */
function testAround(
  node: CodeNode,
  names: TestNames,
): { readonly name: string; readonly triedAgain: CodeNode | null } | null {
  let triedAgain: CodeNode | null = null;
  for (const each of around(node)) {
    if (each.kind !== "call_expression") continue;
    const callee = partOf(each, "function");
    if (callee === null) continue;
    if (TRIED_AGAIN.test(callee.text)) {
      if (triedAgain !== null) return null;
      triedAgain = each;
    }
    if (!names.isTest(callee.text)) continue;
    const [name] = argumentsOf(each);
    return { name: name === undefined ? "" : nameOf(name), triedAgain };
  }
  return null;
}

type Found = Omit<Expectation, "test" | "place" | "code">;

/** Such as `expect(a).not.toBe(b)`. */
function expectCall(node: CodeNode, callee: CodeNode, names: TestNames): Found | null {
  const chain = chainOf(callee);
  if (chain === null || !names.isExpect(partOf(chain.root, "function")?.text ?? "")) return null;
  const { root, links } = chain;
  const subject = argumentsOf(root)[0];
  const matcher = links.at(-1);
  if (subject === undefined || matcher === undefined || SNAPSHOT.test(matcher.text)) return null;
  const negation = links.find(({ text }) => text === "not");
  const contrary: Edit =
    negation === undefined
      ? { start: matcher.start, end: matcher.start, text: "not." }
      : { start: negation.start - 1, end: negation.end, text: "" };
  const isAwaited = links.some(({ text }) => text === "resolves" || text === "rejects");
  const isOne = negation === undefined && MATCHES_ONE.test(matcher.text);
  const expected = isOne ? expectedOf(argumentsOf(node), matcher.text) : [];
  const common = { contrary: [contrary], isAwaited, compared: comparedOf(matcher.text, argumentsOf(node)[0]) };
  if (expected === null) return { ...common, subject, literals: [], most: 2, compared: null };
  const isQuery = negation === undefined && isGetter(subject);
  return {
    subject: isQuery ? null : subject,
    literals: isQuery ? [...literalsIn([subject]), ...expected] : expected,
    most: isQuery ? 2 : 8,
    ...common,
  };
}

function comparedOf(name: string, expected: CodeNode | undefined): CodeNode | null {
  return expected !== undefined && COMPARES.test(name) ? expected : null;
}

/** A query of a page that throws where nothing is found: asking it once more changes nothing. */
function isGetter(subject: CodeNode): boolean {
  const calls = [...nodesIn(subject)].filter(({ kind }) => /^(call|await|new)_expression$/.test(kind));
  const named = calls.map((call) => partOf(call, "function")?.text.split(".").at(-1) ?? "");
  return named.some((name) => GETTER.test(name)) && named.every((name) => QUERY.test(name) || name === "within");
}

/** Such as `assert.equal(a, b)`, `assert(a)`, or `equal(a, b)` where that is imported. */
function assertCall(node: CodeNode, callee: CodeNode, names: TestNames): Found | null {
  const [subject, expected] = argumentsOf(node);
  const named = assertName(callee, names);
  if (subject === undefined || named === null) return null;
  const { name, at, from } = named;
  const isAwaited = name === "rejects" || name === "doesNotReject";
  const common = { subject, most: 8, isAwaited, compared: comparedOf(name, expected) };
  if (name === "ok") {
    const before = { start: subject.start, end: subject.start, text: "!(" };
    const behind = { start: subject.end, end: subject.end, text: ")" };
    return { ...common, literals: [], contrary: [before, behind] };
  }
  const other = CONTRARY.get(name);
  if (other === undefined) return null;
  const isOne = ASSERTS_EQUAL.test(name) && expected !== undefined;
  const literals = isOne ? (expectedOf([expected], name) ?? []) : [];
  return { ...common, literals, contrary: [{ start: at.start, end: at.end, text: from + other }] };
}

/** Function of `node:assert` that is called, the place of its name, and what the name of another is to follow there. */
function assertName(
  callee: CodeNode,
  names: TestNames,
): { readonly name: string; readonly at: CodeNode; readonly from: string } | null {
  if (callee.kind === "identifier" && names.isAssert(callee.text)) return { name: "ok", at: callee, from: "" };
  const property = callee.kind === "member_expression" ? partOf(callee, "property") : null;
  const owner = property === null ? null : partOf(callee, "object");
  if (property !== null && owner !== null)
    return names.isAssert(owner.text) ? { name: property.text, at: property, from: "" } : null;
  const found = names.assertion(callee.text);
  // The file need not have imported the contrary.
  return found && { name: found.name, at: callee, from: `process.getBuiltinModule(${JSON.stringify(found.from)}).` };
}

/** Literals of what is expected; `null`: it can be evaluated but once. */
function expectedOf(given: readonly CodeNode[], matcher: string): TurnableLiteral[] | null {
  const counted = matcher === "toBeCloseTo" ? given.slice(0, 1) : given;
  const isOnce = given.some((each) =>
    [...nodesIn(each)].some(({ kind }) => kind === "await_expression" || kind === "yield_expression"),
  );
  return isOnce ? null : literalsIn(counted);
}

/** Not those within a text that is put together: its own letters are turned. */
function literalsIn(nodes: readonly CodeNode[]): TurnableLiteral[] {
  return nodes.flatMap((node) => literalOf(node) ?? literalsIn(node.children));
}

function literalOf(node: CodeNode): TurnableLiteral | null {
  const { kind, text } = node;
  if (kind === "number") return turnableNumber(text, node);
  if (kind === "true") return turnableTruth(text, "false", node);
  if (kind === "false") return turnableTruth(text, "true", node);
  if (kind === "string" || kind === "template_string") {
    const holes = node.children.filter((child) => /^(escape_sequence|template_substitution)$/.test(child.kind));
    return turnableText(text, turnablePlaces(node, holes), text.length - 1, node);
  }
  return kind === "regex" ? patternOf(node) : null;
}

function turnablePlaces(node: CodeNode, holes: readonly CodeNode[]): number[] {
  const inside = Array.from({ length: node.text.length - 2 }, (_, i) => i + 1);
  return inside.filter((place) => {
    const isFree = !holes.some(({ start, end }) => node.start + place >= start && node.start + place < end);
    return isFree && isTurnable(node.text.charAt(place));
  });
}

/** A pattern in which a letter of a plain word is another. */
function patternOf(node: CodeNode): TurnableLiteral | null {
  const words = [...node.text.matchAll(/\[(?:\\.|[^\]\\])*\]|\{[^{}]*\}|\(\?<?[!=:]?|\\.|[A-Za-z]{2,}/gs)];
  const end = node.text.lastIndexOf("/");
  const places = words.flatMap(({ 0: word, index }) =>
    /^[A-Za-z]/.test(word) && index < end ? [...word].map((_, i) => index + i) : [],
  );
  return places.length === 0 ? null : turnableText(node.text, places, end, node);
}

function argumentsOf(call: CodeNode): CodeNode[] {
  const list = partOf(call, "arguments");
  const given = list?.kind === "arguments" ? namedParts(list) : [];
  return given.some(({ kind }) => kind === "spread_element") ? [] : given;
}
