import { countBy } from "../../../base/grouping.js";
import { wordsOf } from "../../../question/floors/solution-rules.js";
import { isOwnName } from "../../../syntax/own-names.js";
import type { Token } from "../../solution/introduced-tokens.js";
import type { NearMiss } from "../near-miss.js";
import { isDeclared, isFree, isGiven, isOnLine, type Revision } from "../revision.js";
import { isContentWord, nearNumbers } from "./content-words.js";
import { isValue, names, SAME_ROLE, whole } from "./name-misses.js";
import { type Found, formsOf, inCaseOf, inflectionsOf, oppositesOf, partsOfName, typosOf } from "./word-forms.js";

/** A line of a comment whose beginning the hunk lacks: it is taken for code. */
const STARRED = /^\s*\*\s/;
/** Cost of a place that the revision does not introduce: damage beside what the review asks for. */
const TOUCHED = 1;
/** Cost, besides, of what few would write. */
const ODD = 0.8;
/** Near misses that somebody makes at such a place. */
const SLIPS: ReadonlySet<NearMiss["kind"]> = new Set(["opposite", "operator", "number"]);
/** Cost of one beside what the revision leaves out. */
const BESIDE = 0.3;

/** Near misses at single tokens of the changed lines: names, constants, operators, numbers, words. */
export function tokenMisses(revision: Revision): NearMiss[] {
  const { after, isNew, introduced } = revision;
  const lines = revision.text.split("\n");
  const added = after.filter(
    ({ line, inProse }) => isNew[line] === true && (inProse || !STARRED.test(lines[line] ?? "")),
  );
  const counts = countBy(added.map(({ text }) => text));
  const seen = new Set<string>();
  return added.flatMap((token, at) => {
    const how = introduced.get(token);
    const further = how === undefined ? TOUCHED : how === "beside" ? BESIDE : 0;
    const isRepeated = (counts.get(token.text) ?? 0) > 1;
    const found =
      isRepeated && token.sort === "name"
        ? everywhere(added, token, seen, revision)
        : [...missesAt(token, revision), ...shorterTexts(added, at, revision)];
    return found.flatMap(({ cost, ...miss }): NearMiss[] => {
      const isSlip = SLIPS.has(miss.kind) || (miss.kind === "name" && cost <= SAME_ROLE && isValue(token, revision));
      const isFit = how !== undefined || isSlip;
      // Beside what is asked for, few take another name or number.
      const odd = how === undefined && (miss.kind === "name" || miss.kind === "number") ? ODD : 0;
      return isFit ? [{ ...miss, isAsked: how !== undefined, cost: cost + further + odd }] : [];
    });
  });
}

/** A name that the revision introduces, has more than once and the review gives: another in all its places. */
function everywhere(added: readonly Token[], token: Token, seen: Set<string>, revision: Revision): Found[] {
  if (seen.has(token.text) || !revision.introduced.has(token)) return [];
  seen.add(token.text);
  const places = added.filter(({ text, sort }) => text === token.text && sort === "name");
  const isOneThing = places.every(
    (place) =>
      place.leaf.kind === token.leaf.kind && isDeclared(place, revision.text) === isDeclared(token, revision.text),
  );
  if (!isOneThing || !wordsOf(revision.review).includes(token.text)) return [];
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

/** Tokens, at most, of which one is the next word. */
const MOST_BETWEEN = 4;

/** Words of a text that the review gives, two that follow each other: one of them left out. */
function shorterTexts(added: readonly Token[], at: number, { asked, text }: Revision): Found[] {
  const first = added[at];
  if (first?.sort !== "word") return [];
  const second = added.slice(at + 1, at + 1 + MOST_BETWEEN).find(({ sort }) => sort === "word");
  if (second === undefined || first.leaf !== second.leaf) return [];
  const between = text.slice(first.end, second.start);
  const isGiven = [first, second].every((word) => isContentWord(word.text) && asked.has(word.text.toLowerCase()));
  if (!isGiven || !/^[\s\-_./:]{1,2}$/u.test(between)) return [];
  return [
    { kind: "word", edits: [{ start: first.start, end: second.start, to: "" }], cost: 0.8 },
    { kind: "word", edits: [{ start: first.end, end: second.end, to: "" }], cost: 0.8 },
  ];
}

function missesAt(token: Token, revision: Revision): Found[] {
  switch (token.sort) {
    case "operator":
      return operators(token, revision);
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

/** One sign without space beside it is a bracket, a hyphen, or part of a name as often as an operator. */
function operators(token: Token, { text }: Revision): Found[] {
  if (token.inProse) return [];
  const isApart = token.text.length > 1 || /^\s.*\s$/s.test(text.slice(token.start - 1, token.end + 1));
  // Texts are joined by it, too: nobody takes one from another.
  const isSum = COUNTED_BEFORE.test(text.slice(0, token.start)) || COUNTED_BEHIND.test(text.slice(token.end));
  if (/^[+]=?$/.test(token.text) && !isSum) return [];
  return isApart ? whole(token, "operator", OPERATORS.get(token.text) ?? [], 0.3) : [];
}

const COUNTED =
  "\\d|(?:count|size|len|length|index|idx|num|offset|pos|position|width|height|total|max|min|begin|time|duration)(?:\\(\\))?|\\b[ijknxy]";
/** What is counted, before and behind a sign. */
const COUNTED_BEFORE = new RegExp(`(?:${COUNTED})[)\\]]?\\s*$`, "i");
const COUNTED_BEHIND = new RegExp(`^\\s*\\(?[\\w.]*(?:${COUNTED})(?![\\w.])`, "i");

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
function fixed(token: Token, revision: Revision): Found[] {
  const { syntax, language } = revision;
  if (/^(?:begin|end)$/.test(token.text)) return [];
  const isTruth = /^(?:true|false)$/i.test(token.text);
  const others = oppositesOf(token.text).filter(
    (other) =>
      !isOnLine(revision, other, token.line) && (isTruth || syntax.isFixed(other) || isOwnName(language, other)),
  );
  return whole(token, "opposite", others, 0.2);
}

/** Longest number whose neighbours are near misses, unless the review gives it: what is longer is a date or an address. */
const MAX_DIGITS = 4;

function numbers(token: Token, { review }: Revision): Found[] {
  const isGiven = new RegExp(`(?<![\\w./-])(?:\\d+\\.)*${token.text}(?:\\.\\d+)*(?![\\w/-])`).test(review);
  if (!isGiven && (token.text.length > MAX_DIGITS || token.inProse)) return [];
  return whole(token, "number", nearNumbers(token.text).slice(0, token.text === "0" ? 1 : 2), isGiven ? 1.2 : 0.5);
}

/** Words that have an opposite in code alone. */
const OF_CODE =
  /^(?:log|info|error|warn|debug|trace|get|set|name|index|count|size|user|group|file|directory|exception)$/i;

/** Tells whether a review is about letter case. */
const OF_CASE = /capital|(?:upper|lower|camel|title)[ -]?case|\bcas(?:e|ing)\b/i;

/**
 * Words of comments and texts: one that is spelt right now, otherwise wrong; of those that the review gives their
 * opposite, singular or plural, and another letter case where that is what it is about, or in what is no sentence.
 */
function words(token: Token, revision: Revision): Found[] {
  const { asked, review, text } = revision;
  const isName = partsOfName(token.text).length > 1 && isGiven(token, revision);
  const wrong = [...typosOf(token, revision), ...(isName ? formsOf(token, revision) : [])];
  if (!isContentWord(token.text) || !asked.has(token.text.toLowerCase())) return wrong;
  const opposites = OF_CODE.test(token.text) ? [] : whole(token, "opposite", oppositesOf(token.text), 1.4);
  const inflected = whole(token, "word", inflectionsOf(token.text, revision), 0.5);
  const isSentence = /\s/.test(text.slice(token.leaf.start, token.leaf.end).trim());
  const isOfCase = OF_CASE.test(review) || (!isSentence && wordsOf(review).includes(token.text));
  const spelt = !token.inComment && isOfCase ? whole(token, "spelling", [otherCase(token.text)], 1.6) : [];
  return [...wrong, ...opposites, ...inflected, ...spelt];
}

/** A word of capitals with one, one with a capital without, a small one with one. */
function otherCase(word: string): string {
  const small = word.toLowerCase();
  return word === small || word === word.toUpperCase() ? inCaseOf("Aa", word) : small;
}
