import type { Language } from "../../base/language.js";
import type { TextRange } from "../../base/text.js";
import { childrenOf } from "./left-out.js";
import type { NearMiss, NearMissKind } from "./near-miss.js";
import { isSound, type Revision } from "./revision.js";

/** Cost of a slip at a place that the revision does not introduce. */
const TOUCHED = 1;

/** Slips on changed lines: conditions turned or half, loops one too short, signs and modifiers left out, errors not returned. */
export function slipMisses(revision: Revision): NearMiss[] {
  return [
    ...negations(revision),
    ...guards(revision),
    ...shorter(revision),
    ...inLines(revision, "bound", BOUNDS, 0.5),
    ...inLines(revision, "shorter", [MEMBER], 0.7),
    ...inLines(revision, "negation", [...NEGATED, ...(NEGATED_IN[revision.language] ?? [])], 0.3),
    ...inLines(revision, "marker", [MODIFIER, ...(MARKERS[revision.language] ?? [])], 0.5),
    ...inLines(revision, "returned", RETURNED[revision.language] ?? [], 0.4),
  ];
}

/** A pattern, of which the group `at` (or all) is replaced. */
type Slip = readonly [pattern: RegExp, to: string];

const BOUNDS: readonly Slip[] = [
  [/\bfor\b[^;\n]*[^=!<>]=\s*(?!0\b)[\w.]+(?<at>)\s*;/dg, " + 1"],
  [/\bfor\b[^;\n]*;[^;\n]*[<>]=?\s*[\w.]+(?:\(\))?(?<at>)\s*;/dg, " - 1"],
  [/\brange\([^()\n]*(?:\([^()\n]*\))?(?<at>)\)/dg, " - 1"],
];

/** The last of the members of a value, which is not called, given or asked for more. */
const MEMBER: Slip = [
  /(?<!^\s*(?:import|from|using|package|use|#)\b[^\n]*)\b[A-Za-z_]\w*(?:(?:\.|->)[A-Za-z_]\w*)+(?<at>(?:\.|->)[a-z_]\w*)(?![\w(.[]|->|\s*(?:=(?!=)|[({:<]))/dgm,
  "",
];

const NEGATED: readonly Slip[] = [
  [/\bis (?<at>not )(?:None|null)\b/dg, ""],
  [/\bis (?<at>)(?:None|null)\b/dg, "not "],
];
const NEGATED_IN: Partial<Record<Language, readonly Slip[]>> = {
  python: [
    [/\b(?<at>not )in\b/dg, ""],
    [/\bif\b[^:\n]*[\w)'"\]] (?<at>)in\b/dg, "not "],
  ],
};

const MODIFIER: Slip = [
  /(?<=^|\s)(?<at>(?:final|const|static|readonly|synchronized|override|virtual|volatile|async|await|constexpr|inline)\s+)[\w$]/dg,
  "",
];
const POINTERS: readonly Slip[] = [[/(?<=[\s(,=\]!])(?<at>[*&])[A-Za-z_(]/dg, ""]];
const MARKERS: Partial<Record<Language, readonly Slip[]>> = {
  c: POINTERS,
  cpp: POINTERS,
  go: POINTERS,
  csharp: [[/\w(?<at>\?)(?:\s+\w+\s*[,)=;]|\.)/dg, ""]],
  javascript: [[/[\w)](?<at>\?)\.\w/dg, ""]],
  php: [[/[(,:]\s*(?<at>\?)\w/dg, ""]],
  ruby: [[/\w(?<at>&)\.\w/dg, ""]],
};

const RETURNED: Partial<Record<Language, readonly Slip[]>> = {
  go: [[/\breturn (?:[^\n]*, )?(?<at>err)\s*$/dgm, "nil"]],
};

function inLines(revision: Revision, kind: NearMissKind, slips: readonly Slip[], cost: number): NearMiss[] {
  return slips.flatMap(([pattern, to]) =>
    [...revision.text.matchAll(pattern)].flatMap(({ indices }): NearMiss[] => {
      const [start, end] = indices?.groups?.["at"] ?? [0, 0];
      const isCode = !revision.after.some((token) => token.inProse && token.start < end + 1 && token.end > start);
      return isCode && isOnNew(revision, { start }) ? [slip(kind, { start, end }, to, cost, revision)] : [];
    }),
  );
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
    if (!/^[\w.$>-]+(?:\([^()]*\))?\)?$/.test(condition)) return [];
    const to = language === "python" ? "not " : "!";
    return [{ kind: "negation", edits: [{ start, end: start, to }], isAsked, cost: 0.4 }];
  });
}
