import type { TextRange } from "../../base/text.js";
import { childrenOf } from "./left-out.js";
import type { NearMiss, NearMissKind } from "./near-miss.js";
import { isSound, type Revision } from "./revision.js";
import { SLIP_PATTERNS, type SlipPattern } from "./slip-patterns.js";

/** Cost of a slip at a place that the revision does not introduce, and of one that few would make there besides. */
const TOUCHED = 1;
const ODD = 0.7;

/** Slips on changed lines: conditions turned or half, loops one too short, signs and modifiers left out, errors not returned. */
export function slipMisses(revision: Revision): NearMiss[] {
  return [
    ...negations(revision),
    ...guards(revision),
    ...shorter(revision),
    ...SLIP_PATTERNS.flatMap((slip) => madeBy(slip, revision)),
  ];
}

function madeBy(
  { kind, cost, languages, pattern, to, isInText, isAnywhere, needs }: SlipPattern,
  revision: Revision,
): NearMiss[] {
  const { language, text, old, after } = revision;
  if (languages?.includes(language) === false || (needs !== undefined && !needs.test(`${old}\n${text}`))) return [];
  return [...text.matchAll(pattern)].flatMap(({ indices, groups }): NearMiss[] => {
    const [start, end] = indices?.groups?.["at"] ?? [0, 0];
    const isText = after.some((token) => token.inProse && token.start < end + 1 && token.end > start);
    if (isText !== (isInText === true) || !isOnNew(revision, { start })) return [];
    const made = slip(kind, { start, end }, typeof to === "string" ? to : to(groups?.["at"] ?? ""), cost, revision);
    return [made.isAsked || isAnywhere === true ? made : { ...made, cost: made.cost + ODD }];
  });
}

function slip(kind: NearMissKind, range: TextRange, to: string, cost: number, revision: Revision): NearMiss {
  const isAsked = isIntroduced(revision, range);
  return { kind, edits: [{ ...range, to }], isAsked, cost: cost + (isAsked ? 0 : TOUCHED) };
}

export function isOnNew({ text, isNew }: Revision, { start }: Pick<TextRange, "start">): boolean {
  return isNew[text.slice(0, start).split("\n").length - 1] === true;
}

export function isIntroduced({ introduced }: Revision, { start, end }: TextRange): boolean {
  return [...introduced.keys()].some((token) => token.start < Math.max(end, start + 1) && token.end > start);
}

const JUNCTION = /^\s*(?:&&|\|\||and|or)\s*$/;

/** The operands of a conjunction or disjunction on changed lines, with the place of each. */
function operandsIn(revision: Revision) {
  const { nodes, text } = revision;
  return nodes.flatMap(({ kind, isLeaf }, at) => {
    if (isLeaf || !/^binary|boolean_operator/.test(kind)) return [];
    const [first, second, ...more] = childrenOf(nodes, at);
    if (first === undefined || second === undefined || more.length > 0 || !isOnNew(revision, first)) return [];
    if (!JUNCTION.test(text.slice(first.end, second.start)) || !isSound(revision, nodes[at] ?? first)) return [];
    return [{ first, second }];
  });
}

/** One operand of a condition left out. */
function guards(revision: Revision): NearMiss[] {
  return operandsIn(revision).flatMap(({ first, second }) =>
    [
      { start: first.start, end: second.start },
      { start: first.end, end: second.end },
    ].flatMap((range) =>
      revision.text.slice(range.start, range.end).includes("\n") ? [] : slip("guard", range, "", 0.3, revision),
    ),
  );
}

/** The last of several arguments left out, or the first, on one line. */
function shorter(revision: Revision): NearMiss[] {
  const { nodes, text } = revision;
  return nodes.flatMap((node, at): NearMiss[] => {
    if (node.isLeaf || !/^argument|(?<!type_)arguments$/.test(node.kind) || !isSound(revision, node)) return [];
    const own = childrenOf(nodes, at);
    const [first, second, before, last] = [own[0], own[1], own.at(-2), own.at(-1)];
    if (first === undefined || second === undefined || before === undefined || last === undefined) return [];
    const isLine = ({ start, end }: TextRange) =>
      !text.slice(start, end).includes("\n") && isOnNew(revision, { start });
    const [end, start] = [
      { start: before.end, end: last.end },
      { start: first.start, end: second.start },
    ];
    const isNamed = /^\s*[\w'"]+\s*(?::|=(?!=))/.test(text.slice(second.start, second.end));
    return [
      ...(isLine(end) ? [slip("shorter", end, "", 0.8, revision)] : []),
      ...(isLine(start) && !isNamed ? [slip("shorter", start, "", 0.9, revision)] : []),
    ];
  });
}

/** A condition turned, or an operand of it: a negation left out, or one before what is simple. */
function negations(revision: Revision): NearMiss[] {
  const { text, nodes, language } = revision;
  const conditions = nodes.filter(
    (node) => node.field === "condition" && isOnNew(revision, node) && isSound(revision, node),
  );
  const all = [...conditions, ...operandsIn(revision).flatMap(({ first, second }) => [first, second])];
  return all.flatMap((node): NearMiss[] => {
    const inner = /^\(?\s*/.exec(text.slice(node.start, node.end))?.[0].length ?? 0;
    const start = node.start + inner;
    const condition = text.slice(start, node.end);
    const isAsked = isIntroduced(revision, { start, end: node.end });
    const sign = /^(?:!(?!=)|not\s+)/.exec(condition)?.[0];
    if (sign !== undefined) {
      return [{ kind: "negation", edits: [{ start, end: start + sign.length, to: "" }], isAsked, cost: 0.2 }];
    }
    if (node.field !== "condition" || !/^[\w.$>-]+(?:\([^()]*\))?\)?$/.test(condition)) return [];
    const to = language === "python" ? "not " : "!";
    return [{ kind: "negation", edits: [{ start, end: start, to }], isAsked, cost: 0.4 }];
  });
}
