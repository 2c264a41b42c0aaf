import { distance } from "fastest-levenshtein";
import type { Language } from "../../../base/language.js";
import { partsOf } from "../../../question/floors/solution-rules.js";
import type { Token } from "../../solution/introduced-tokens.js";
import type { NearMiss } from "../near-miss.js";
import { isGiven, type Revision } from "../revision.js";

/** Words that take each other's place in names, texts and code; each line a family. */
const FAMILIES = `
min max|first last|start end|begin end|add remove|enable disable|enabled disabled|before after|left right|up down|old new
open close|read write|input output|source target|source destination|from to|prev next|previous next|row column
width height|key value|request response|client server|inner outer|int float|NotImplementedError NotImplemented|show hide|lock unlock|push pop|increment decrement
success failure|include exclude|head tail|parent child|lower upper|lowercase uppercase|top bottom|rows columns
any all|public private protected|true false|True False|TRUE FALSE|break continue|some every|log debug info warn error
trace debug|warn warning|and or|load store|create delete|encode decode|serialize deserialize|starts ends|keys values
floor ceil|shift unshift|empty present|visible hidden|valid invalid|local global|local remote|expected actual
attach detach|connect disconnect|register unregister|subscribe unsubscribe|allow deny|accept reject|internal external
static dynamic|sync async|const let|required optional|front back|horizontal vertical|inbound outbound|incoming outgoing
enter exit|forward backward|ascending descending|asc desc|positive negative|even odd|more less|greater less|get set
getter setter|acquire release|suspend resume|pause resume|start stop|started stopped|import export|upload download
send receive|sender receiver|sent received|save restore|pack unpack|compress decompress|day month|hour minute
minutes seconds|seconds millis|if unless|int long|float double|unsigned signed|short long|Error Warning
major minor|index count|size index|name id
default custom|username password|user group|file directory
NonNull Nullable|nonnull nullable
Exception RuntimeException|ValueError TypeError KeyError RuntimeError|info warning error|assertEqual assertNotEqual|assertTrue assertFalse
`;

const OPPOSITES = new Map<string, string[]>();
for (const family of FAMILIES.split(/[|\n]/)) {
  const words = family.trim().split(" ");
  for (const word of words) {
    const others = words.filter((other) => other !== word);
    OPPOSITES.set(word, [...new Set([...(OPPOSITES.get(word) ?? []), ...others])]);
  }
}

/** Words that could stand for a word by mistake, in its letter case; none for most words. */
export function oppositesOf(word: string): string[] {
  const exact = OPPOSITES.get(word);
  if (exact !== undefined) return exact;
  return (OPPOSITES.get(word.toLowerCase()) ?? []).map((other) => inCaseOf(word, other));
}

/** `word` in the letter case of `model`: `LIMIT`, `Limit` or `limit`. */
export function inCaseOf(model: string, word: string): string {
  if (/^\p{Lu}{2,}$/u.test(model)) return word.toUpperCase();
  const small = word.toLowerCase();
  return /^\p{Lu}/u.test(model) ? small.slice(0, 1).toUpperCase() + small.slice(1) : small;
}

/** The words that a name is made of, as they stand in it: `readNextLine` has `read`, `Next` and `Line`. */
export function partsOfName(name: string): { readonly text: string; readonly start: number }[] {
  const parts = name.matchAll(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+/gu);
  return Array.from(parts, ({ 0: text, index }) => ({ text, start: index }));
}

/** A near miss of a token, without the token's relation to the change. */
export type Found = Omit<NearMiss, "isAsked">;

/** Forms of a new name: a word of it in the other number; where the review gives it, other letters, or a word left out. */
export function formsOf(token: Token, revision: Revision): Found[] {
  const parts = partsOfName(token.text);
  const isThere = hasName(revision, token.text);
  const numbers = parts.flatMap(({ text, start }) =>
    inflectionsOf(text, revision).flatMap((to) => {
      const made = token.text.slice(0, start) + to + token.text.slice(start + text.length);
      return isThere && !revision.known.has(made) ? [] : changed(token, "made_name", start, text.length, to, 0.6);
    }),
  );
  if (parts.length < 2 || isThere || !isGiven(token, revision)) return numbers;
  return [...numbers, ...misspelt(token, revision), ...shortened(token, revision)];
}

function changed(token: Token, kind: NearMiss["kind"], at: number, length: number, to: string, cost: number): Found[] {
  const start = token.start + at;
  return [{ kind, edits: [{ start, end: start + length, to }], cost }];
}

function hasName({ before }: Revision, name: string): boolean {
  return before.some(({ text }) => text === name);
}

const SNAKE = /^\p{Ll}+(?:_\p{Ll}+)+$/u;
const CAMEL = /^\p{L}\p{Ll}+(?:\p{Lu}\p{Ll}+)+$/u;

/** Languages in which names of one sort begin with either case, and the cost of the other one. */
const FIRST_LETTER: Partial<Record<Language, number>> = { go: 1.4, csharp: 1.6, cpp: 1.6, c: 1.6 };

/** The first letter in the other case; or the words joined as in other names of the code. */
function misspelt(token: Token, revision: Revision): Found[] {
  const { text } = token;
  const words = partsOfName(text).map((part) => part.text.toLowerCase());
  const [first = "", isSnake] = [text[0], SNAKE.test(text)];
  if (!isSnake && !CAMEL.test(text)) return [];
  const other = first === first.toLowerCase() ? first.toUpperCase() : first.toLowerCase();
  const styled = isSnake ? words.map((word, i) => (i === 0 ? word : inCaseOf("Aa", word))).join("") : words.join("_");
  const hasStyle = revision.before.some((name) => name.sort === "name" && (isSnake ? CAMEL : SNAKE).test(name.text));
  const cost = FIRST_LETTER[revision.language];
  const isOther = isSnake || cost === undefined || hasName(revision, other + text.slice(1));
  return [
    ...(isOther ? [] : changed(token, "spelling", 0, 1, other, cost)),
    ...(hasName(revision, styled) || !hasStyle ? [] : changed(token, "spelling", 0, text.length, styled, 1.6)),
  ];
}

/** One of the words of a name left out; of two, the other stands alone. */
function shortened(token: Token, revision: Revision): Found[] {
  const parts = partsOfName(token.text);
  const [first, second] = parts;
  if (first === undefined || second === undefined) return [];
  if (parts.length === 2) {
    const isConstant = /^[\p{Lu}_]+$/u.test(token.text);
    const rest = [first.text, isConstant ? second.text : inCaseOf(first.text, second.text)].filter(
      (name) => name.length > 2,
    );
    return rest
      .filter((name) => !hasName(revision, name) && !revision.syntax.isFixed(name))
      .flatMap((name) => changed(token, "made_name", 0, token.text.length, name, 0.9));
  }
  return parts.slice(1).flatMap(({ start, text }) => {
    const from = token.text[start - 1] === "_" ? start - 1 : start;
    const made = token.text.slice(0, from) + token.text.slice(start + text.length);
    return hasName(revision, made) ? [] : changed(token, "made_name", from, start + text.length - from, "", 0.8);
  });
}

/** Most letters in which two spellings of a word differ. */
const MOST_WRONG = 2;

/** A word that the revision spells right where it was wrong: a doubled letter once, two letters in the other order, one left out. */
export function typosOf(token: Token, { before, after, introduced }: Revision): Found[] {
  const { text } = token;
  if (!introduced.has(token) || !/^\p{L}{5,}$/u.test(text)) return [];
  const spelt = new Set(after.map((other) => other.text));
  const isMended = before.some((old) => {
    const wrong = distance(old.text.toLowerCase(), text.toLowerCase());
    return old.sort === token.sort && wrong > 0 && wrong <= MOST_WRONG && !spelt.has(old.text);
  });
  if (!isMended || inflected(text, before)) return [];
  const slips = [
    { pattern: /(?<=\p{L})(\p{L})\1/gu, to: (letters: string) => letters.slice(1) },
    { pattern: /(?<=\p{L})(?:ie|ei|ea|er|ou|io)(?=\p{L})/gu, to: (letters: string) => [...letters].reverse().join("") },
    { pattern: /(?<=\p{L}{2}[^aeiou])[aeiou](?=[^aeiou\P{L}]\p{L})/gu, to: () => "" },
  ];
  return slips.flatMap(({ pattern, to }) =>
    [...text.matchAll(pattern)]
      .slice(0, 2)
      .flatMap(({ 0: letters, index }) => changed(token, "spelling", index, letters.length, to(letters), 1.4)),
  );
}

/** Tells whether a word is another that only ends otherwise: no spelling was wrong. */
function inflected(word: string, before: readonly Token[]): boolean {
  const stem = word.replace(/(?:s|es|ed|ing|er|ly)$/, "");
  return before.some(({ text }) => text !== word && text.replace(/(?:s|es|ed|ing|er|ly)$/, "") === stem);
}

/** The singular of a plural that the review gives; or a plural that code or review have. */
export function inflectionsOf(word: string, { asked, old }: Revision): string[] {
  const small = word.toLowerCase();
  if (word.length < 4 || !asked.has(small)) return [];
  if (/[^sui]s$/.test(small)) return [word.slice(0, -1)];
  const plural = `${small}s`;
  return asked.has(plural) || partsOf(old).includes(plural) ? [word + inCaseOf(word.slice(-1), "s")] : [];
}
