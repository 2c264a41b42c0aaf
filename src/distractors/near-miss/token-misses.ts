import { countBy } from "../../base/grouping.js";
import { wordsOf } from "../../question/floors/solution-rules.js";
import { isOwnName, KEYWORDS } from "../../syntax/own-names.js";
import { CALLED, type Token } from "../solution/introduced-tokens.js";
import { isContentWord, nearNumbers } from "./content-words.js";
import type { NearMiss } from "./near-miss.js";
import { inCaseOf, oppositesOf, partsOfName } from "./opposites.js";
import type { Revision } from "./revision.js";

/** Cost of a place that the revision does not introduce: damage beside what the review asks for. */
const TOUCHED = 1;
/** Near misses that somebody makes at such a place. */
const SLIPS: ReadonlySet<NearMiss["kind"]> = new Set(["opposite", "operator", "number"]);
/** Cost of one beside what the revision leaves out. */
const BESIDE = 0.3;

/** Near misses at single tokens of the changed lines: names, constants, operators, numbers, words. */
export function tokenMisses(revision: Revision): NearMiss[] {
  const { after, isNew, introduced } = revision;
  const added = after.filter(({ line }) => isNew[line] === true);
  const counts = countBy(added.map(({ text }) => text));
  const seen = new Set<string>();
  return added.flatMap((token, at) => {
    const how = introduced.get(token);
    const further = how === undefined ? TOUCHED : how === "beside" ? BESIDE : 0;
    const isRepeated = (counts.get(token.text) ?? 0) > 1;
    const found =
      isRepeated && token.sort === "name"
        ? everywhere(added, token, seen, revision)
        : [...missesAt(token, revision), ...orders(added, at, revision)];
    return found.flatMap(({ cost, ...miss }): NearMiss[] => {
      const isFit = how !== undefined || SLIPS.has(miss.kind);
      return isFit ? [{ ...miss, isAsked: how !== undefined, cost: cost + further }] : [];
    });
  });
}

/** A name that the revision introduces, has more than once and the review gives: another in all its places. */
function everywhere(added: readonly Token[], token: Token, seen: Set<string>, revision: Revision): Found[] {
  if (seen.has(token.text) || !revision.introduced.has(token)) return [];
  seen.add(token.text);
  const places = added.filter(({ text, sort }) => text === token.text && sort === "name");
  if (!wordsOf(revision.review).includes(token.text)) return [];
  return names(token, revision).map((miss) => ({
    ...miss,
    edits: places.flatMap(({ start }) =>
      miss.edits.map((edit) => ({
        ...edit,
        start: edit.start - token.start + start,
        end: edit.end - token.start + start,
      })),
    ),
  }));
}

/** Words of a text that the review gives: two that follow each other in the other order, or one of them left out. */
function orders(added: readonly Token[], at: number, { asked, text }: Revision): Found[] {
  const [first, second] = [added[at], added.slice(at + 1).find(({ sort }) => sort === "word")];
  if (first?.sort !== "word" || second === undefined || first.leaf !== second.leaf) return [];
  const between = text.slice(first.end, second.start);
  const isGiven = [first, second].every((word) => isContentWord(word.text) && asked.has(word.text.toLowerCase()));
  if (!isGiven || !/^[\s\-_./:]{1,2}$/u.test(between)) return [];
  const swapped = [
    { start: first.start, end: first.end, to: second.text },
    { start: second.start, end: second.end, to: first.text },
  ];
  const isName = between.trim() !== "";
  return [
    ...(isName ? [{ kind: "word" as const, edits: swapped, cost: 0.6 }] : []),
    { kind: "word", edits: [{ start: first.start, end: second.start, to: "" }], cost: 0.8 },
    { kind: "word", edits: [{ start: first.end, end: second.end, to: "" }], cost: 0.8 },
  ];
}

type Found = Omit<NearMiss, "isAsked">;

function missesAt(token: Token, revision: Revision): Found[] {
  switch (token.sort) {
    case "operator":
      return whole(token, "operator", OPERATORS.get(token.text) ?? [], 0.3);
    case "number":
      return numbers(token, revision);
    case "name":
      return isFree(token, revision) ? names(token, revision) : [];
    case "word":
      return words(token, revision);
    case "other":
      return token.inProse ? [] : fixed(token, revision);
  }
}

function whole(token: Token, kind: NearMiss["kind"], texts: readonly string[], cost: number): Found[] {
  const { start, end, text: from } = token;
  return texts.filter((to) => to !== from).map((to) => ({ kind, edits: [{ start, end, to }], cost }));
}

/** Operators that somebody writes for one another. */
const OPERATORS = new Map<string, string[]>([
  ["==", ["!="]],
  ["!=", ["=="]],
  ["===", ["!=="]],
  ["!==", ["==="]],
  ["<", ["<=", ">"]],
  ["<=", ["<", ">="]],
  [">", [">=", "<"]],
  [">=", [">", "<="]],
  ["&&", ["||"]],
  ["||", ["&&"]],
  ["+", ["-"]],
  ["-", ["+"]],
  ["+=", ["-="]],
  ["-=", ["+="]],
]);

/** Keywords and constants; another of the language. */
function fixed(token: Token, { after, syntax, language }: Revision): Found[] {
  const onLine = new Set(after.filter(({ line }) => line === token.line).map(({ text }) => text));
  const others = oppositesOf(token.text).filter(
    (other) => !onLine.has(other) && (syntax.isFixed(other) || isOwnName(language, other)),
  );
  return whole(token, "opposite", others, 0.2);
}

/** Longest number whose neighbours are near misses: what is longer is a version, a date or an address. */
const MAX_DIGITS = 4;

function numbers(token: Token, { review }: Revision): Found[] {
  const isGiven = new RegExp(`(?<![\\w./-])${token.text}(?![\\w/-])`).test(review);
  if (token.text.length > MAX_DIGITS || (token.inProse && !isGiven)) return [];
  return whole(token, "number", nearNumbers(token.text).slice(0, 3), isGiven ? 0.2 : 0.5);
}

function names(token: Token, revision: Revision): Found[] {
  if (isOwnName(revision.language, token.text) && oppositesOf(token.text).length === 0) return [];
  const made = revision.introduced.has(token) ? madeNames(token, revision) : [];
  return [...oppositeNames(token, revision), ...otherNames(token, revision), ...made];
}

/** A word of the name for its opposite; a name that the language has, for another that it has. */
function oppositeNames(token: Token, { language, syntax }: Revision): Found[] {
  const isOwn = isOwnName(language, token.text) || syntax.isFixed(token.text);
  const isFit = (name: string) => !isOwn || isOwnName(language, name) || syntax.isFixed(name);
  return partsOfName(token.text).flatMap((part) =>
    oppositesOf(part.text).flatMap((to): Found[] => {
      const end = part.start + part.text.length;
      if (!isFit(token.text.slice(0, part.start) + to + token.text.slice(end))) return [];
      const edit = { start: token.start + part.start, end: token.start + end, to };
      return [{ kind: "opposite", edits: [edit], cost: 0 }];
    }),
  );
}

/** Cost of a name that the prompt has where it has not the right one. */
const NOVELTY = 0.6;

/** Names of the same role; best those that the prompt has as it has this one. */
function otherNames(token: Token, { before, after, known, language }: Revision): Found[] {
  const onLine = new Set(after.filter(({ line }) => line === token.line).map(({ text }) => text));
  const isKnown = known.has(token.text);
  const found = new Map<string, number>();
  for (const other of [...before, ...after]) {
    if (other.sort !== "name" || other.text === token.text || onLine.has(other.text) || other.text.length < 2) continue;
    if (KEYWORDS.has(other.text) || isOwnName(language, other.text)) continue;
    const role = costOfName(other, token);
    if (role === null) continue;
    const cost = role + (known.has(other.text) === isKnown ? 0 : NOVELTY);
    found.set(other.text, Math.min(cost, found.get(other.text) ?? cost));
  }
  return [...found].flatMap(([text, cost]) => whole(token, "name", [text], cost));
}

/** @returns `null` for a name of another role, which is seen to be wrong */
function costOfName(other: Token, token: Token): number | null {
  if (isConstantCase(other.text) !== isConstantCase(token.text)) return null;
  if (other.leaf.kind !== token.leaf.kind || other.role.includes(CALLED) !== token.role.includes(CALLED)) return null;
  if (other.role !== token.role) return other.role.includes("capital") === token.role.includes("capital") ? 1.1 : null;
  return other.leaf.parentKind === token.leaf.parentKind ? 0.4 : 0.7;
}

function isConstantCase(name: string): boolean {
  return /^[\p{Lu}\d_]+$/u.test(name);
}

/** A word of the name for one that stands at the same end of a name of the same role, or that the review has. */
function madeNames(token: Token, revision: Revision): Found[] {
  const parts = partsOfName(token.text);
  if (parts.length < 2) return [];
  const own = new Set(parts.map(({ text }) => text.toLowerCase()));
  return parts.flatMap((part, i) => {
    if (part.text.length < 3) return [];
    const place = i === 0 ? "first" : i === parts.length - 1 ? "last" : "middle";
    const candidates = new Set(wordsAt(place, token, revision).map((word) => inCaseOf(part.text, word)));
    const start = token.start + part.start;
    return [...candidates].flatMap((to): Found[] => {
      const made = token.text.slice(0, part.start) + to + token.text.slice(part.start + part.text.length);
      const isFit =
        !own.has(to.toLowerCase()) && to.length >= 3 && revision.known.has(made) === revision.known.has(token.text);
      return isFit ? [{ kind: "made_name", edits: [{ start, end: start + part.text.length, to }], cost: 1 }] : [];
    });
  });
}

/** Words at one end of other names of the same role: a verb of what is called, a noun of what is held. */
function wordsAt(place: "first" | "last" | "middle", token: Token, { before, after }: Revision): string[] {
  return [...before, ...after].flatMap((other) => {
    if (
      other.sort !== "name" ||
      other.text === token.text ||
      other.role.includes(CALLED) !== token.role.includes(CALLED)
    )
      return [];
    const parts = partsOfName(other.text).map(({ text }) => text);
    if (parts.length < 2 || (place === "middle" && parts.length < 3)) return [];
    const word = place === "first" ? parts[0] : place === "last" ? parts.at(-1) : parts[1];
    return word === undefined || KEYWORDS.has(word.toLowerCase()) ? [] : [word];
  });
}

/** Words of comments and texts that the review gives: for others that it or the replaced lines have. */
function words(token: Token, { asked, review, before, diff }: Revision): Found[] {
  if (!isContentWord(token.text) || !asked.has(token.text.toLowerCase())) return [];
  const opposites = whole(token, "opposite", oppositesOf(token.text), 0.3);
  const removed = new Set(diff.old.split("\n").flatMap((line, at) => (line.startsWith("-") ? [at] : [])));
  const onRemoved = before.filter(({ sort, line, inProse }) => sort === "word" && inProse && removed.has(line));
  const others = [...onRemoved.map(({ text }) => text), ...(review.match(/\p{L}+/gu) ?? [])].filter(
    (word) => isContentWord(word) && word.toLowerCase() !== token.text.toLowerCase(),
  );
  const likeIt = new Set(others.map((word) => inCaseOf(token.text, word)));
  return [...opposites, ...whole(token, "word", [...likeIt], 1.4)];
}

/** Tells whether another name would be wrong: where a name is given to something any would do, unless the review says which. */
function isFree(token: Token, { text, review }: Revision): boolean {
  return !isDeclared(token, text) || wordsOf(review).includes(token.text);
}

/** Tells whether a name stands where it is given to something. */
function isDeclared({ start, end, leaf }: Token, text: string): boolean {
  const after = text.slice(end).trimStart();
  if (/^(?::=|=(?![=>~]))/.test(after)) return true;
  const isDefinition = /declarat|definition|parameter/.test(leaf.parentKind ?? "");
  return isDefinition && /^[,;:()={]/.test(after) && !/=\s*$/.test(text.slice(0, start));
}
