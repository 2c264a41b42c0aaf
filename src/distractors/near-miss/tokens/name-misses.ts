import { partsOf, wordsOf } from "../../../question/floors/solution-rules.js";
import { isOwnName, KEYWORDS } from "../../../syntax/own-names.js";
import { CALLED, type Token } from "../../solution/introduced-tokens.js";
import type { NearMiss } from "../near-miss.js";
import { isGiven, isOnLine, type Revision } from "../revision.js";
import { type Found, formsOf, inCaseOf, oppositesOf, partsOfName } from "./word-forms.js";

/** Other texts for a whole token. */
export function whole(token: Token, kind: NearMiss["kind"], texts: readonly string[], cost: number): Found[] {
  const { start, end, text: from } = token;
  return texts.filter((to) => to !== from).map((to) => ({ kind, edits: [{ start, end, to }], cost }));
}

/** Cost of another name that is used as this one is. */
export const SAME_ROLE = 0.4;
/** Cost, besides, of what few would write: a name that is not alike, another one of those that are known. */
const ODD = 1;

/** Other names for one: opposite words, names of the same role, made ones. */
export function names(token: Token, revision: Revision): Found[] {
  if (isOwnName(revision.language, token.text)) return oppositeNames(token, revision);
  const made = revision.introduced.has(token) ? [...madeNames(token, revision), ...formsOf(token, revision)] : [];
  // A name that the review spells is copied, as what a library calls a function is known.
  const isKnown = wordsOf(revision.review).includes(token.text) || token.role.includes(CALLED);
  const dear = made.map((miss) => ({ ...miss, cost: miss.cost + (isKnown ? ODD : 0) }));
  return [...oppositeNames(token, revision), ...otherNames(token, revision), ...dear];
}

/** A word of the name for its opposite; a name that the language has, for another that it has. */
function oppositeNames(token: Token, { language, syntax, text, known, introduced }: Revision): Found[] {
  if (/^(?:\p{Ll}+|\p{Lu}+)$/u.test(token.text) && isReceiver(token, text)) return [];
  const isOwn = isOwnName(language, token.text) || syntax.isFixed(token.text);
  const isVariable = /^\p{Ll}+$/u.test(token.text) && token.role === "" && !token.inProse;
  const isFit = (name: string) =>
    isOwn ? isOwnName(language, name) || syntax.isFixed(name) : !isVariable || known.has(name);
  const isOfKnown = isType(token, text);
  const parts = partsOfName(token.text).filter(
    (part, i, all) => hasOpposite(part.text, all.length) && !/^(?:non|not|no|un)$/i.test(all[i - 1]?.text ?? ""),
  );
  return parts.flatMap((part) =>
    oppositesOf(part.text).flatMap((to): Found[] => {
      const end = part.start + part.text.length;
      const name = token.text.slice(0, part.start) + to + token.text.slice(end);
      const isOther = OF_VALUES.test(part.text) || isUsed(token, text) || introduced.get(token) !== "new";
      if (!isFit(name) || (isOfKnown && !isOwn && !known.has(name))) return [];
      if (isOther && !isOwn && !OF_ANY.test(part.text) && !known.has(name)) return [];
      const edit = { start: token.start + part.start, end: token.start + end, to };
      return [
        {
          kind: "opposite",
          edits: [edit],
          cost: isOwn || token.inProse || known.has(name) ? 0 : UNKNOWN,
        },
      ];
    }),
  );
}

/** Cost of a name that is made and stands nowhere: who reads it looks for what it names. */
const UNKNOWN = 1.6;

/** Words whose opposite is another kind of thing: only where the code or the review has it, too. */
const OF_VALUES =
  /^(?:get|set|getter|setter|create|delete|add|remove|encode|decode|rows?|columns?|name|id|user|group|size|desc|asc)$/i;

/** Words that stand for each other in any name. */
const OF_ANY =
  /^(?:min|max|first|last|start|end|begin|left|right|width|height|true|false|input|output|source|target|lower|upper)$/i;

/** Tells whether something is done with what a call returns. */
function isUsed({ role, start }: Token, text: string): boolean {
  return (
    role.includes(CALLED) &&
    /(?:=|\(|,|\breturn)[^;\n]*$/.test(text.slice(text.lastIndexOf("\n", start - 1) + 1, start))
  );
}

/** Words that have an opposite by themselves alone, levels and modifiers; and one that has none by itself. */
const ALONE =
  /^(?:log|info|error|warn|trace|exception|int|long|short|float|double|signed|static|virtual|async|final|abstract|volatile|if|unless|store|load|file|directory|count|index|save|restore)$/i;

function hasOpposite(word: string, words: number): boolean {
  return words === 1 ? !/^new$/i.test(word) : !ALONE.test(word);
}

/** Cost of a name that the prompt has where it has not the right one. */
const NOVELTY = 0.6;

const SQL =
  /^(?:SELECT|FROM|WHERE|JOIN|INNER|LEFT|USING|AND|OR|NOT|ORDER|BY|GROUP|INSERT|INTO|VALUES|UPDATE|SET|DELETE)$/;

/** Names of the same role; best those that are alike, and that the prompt has as it has this one. */
function otherNames(token: Token, revision: Revision): Found[] {
  const { before, after, known, text, old } = revision;
  const isKnown = known.has(token.text);
  const found = new Map<string, number>();
  const isCounted = isOperand(token, text);
  const counted = [
    ...before.filter((other) => isOperand(other, old)),
    ...after.filter((other) => isOperand(other, text)),
  ].map((other) => other.text);
  for (const other of [...before, ...after]) {
    if ((isCounted && !counted.includes(other.text)) || !isOther(other, token, revision)) continue;
    const role = costOfName(other, token, text);
    if (role === null) continue;
    const odd = areAlike(token, other) && !isReceiver(token, text) ? 0 : ODD;
    const cost = role + odd + (known.has(other.text) === isKnown ? 0 : NOVELTY);
    found.set(other.text, Math.min(cost, found.get(other.text) ?? cost));
  }
  return [...found].flatMap(([text, cost]) => whole(token, "name", [text], cost));
}

/** Tells whether it is another name, which neither the language has nor the line. */
function isOther(other: Token, token: Token, revision: Revision): boolean {
  if (other.sort !== "name" || other.text === token.text || other.text.length < 2) return false;
  if (KEYWORDS.has(other.text) || isOwnName(revision.language, other.text) || SQL.test(other.text)) return false;
  return !isOnLine(revision, other.text, token.line);
}

/** Tells whether a name is counted with: beside a sign of arithmetic, or of more and less. */
function isOperand({ start, end }: Token, text: string): boolean {
  const before = text.slice(Math.max(0, start - 6), start);
  return (
    /(?:[+*/%]|(?<!-)-|<|(?<![-=])>)=?\s*\$?$/.test(before) || /^\s*(?:[+*/%<]|-(?!>)|>)/.test(text.slice(end, end + 4))
  );
}

/** Types that take each other's place. */
const TYPE_FAMILIES = [
  /^(?:(?:Array|Linked)?List|(?:Hash|Tree)?Set|Collection|Iterable|Queue|Deque|Vector|I?(?:List|Collection|Enumerable))$/,
  /^(?:(?:Hash|Tree|LinkedHash|Concurrent)?Map|I?Dictionary|Hashtable)$/,
  /^(?:[ui]?int(?:8|16|32|64)?|u?long|u?short|byte|float(?:32|64)?|double|decimal|size_t|Integer|Long|Short|Float|Double)$/,
];

/** Tells whether a name is that of a type, as far as its letters and place say. */
function isType({ leaf, role, text, start }: Token, code: string): boolean {
  const line = code.slice(code.lastIndexOf("\n", start - 1) + 1, start);
  const isImported = /^\s*(?:import|using|from|use|require|#\s*include)\b/.test(line);
  return (
    isImported ||
    /type/.test(leaf.kind) ||
    (role === "capital" && /\p{Ll}/u.test(text) && !/^(?:True|False)$/.test(text))
  );
}

/** Verbs that many names begin with: they make no two alike. */
const OF_CALLS = /^(?:get|set|has|new|create|make|add|with|from|for|the|and|instance)$/;

/** @returns `null` for a name of another role, which is seen to be wrong */
function costOfName(other: Token, token: Token, text: string): number | null {
  if (isConstantCase(other.text) !== isConstantCase(token.text)) return null;
  if (other.leaf.kind !== token.leaf.kind || other.role.includes(CALLED) !== token.role.includes(CALLED)) return null;
  const isOfTypes = isType(token, text);
  const isKin = isOfTypes && TYPE_FAMILIES.some((family) => family.test(token.text) && family.test(other.text));
  if (isKin) return SAME_ROLE;
  // Where the grammar makes no sense of the code, two places are not alike because both are an error.
  const isParsed = token.leaf.parentKind !== "ERROR" && !isOfTypes;
  const isSame = isParsed && other.role === token.role && other.leaf.parentKind === token.leaf.parentKind;
  if (isSame && !isReceiver(token, text) && !token.role.includes(CALLED)) return SAME_ROLE;
  // Used otherwise: only a name that is alike is taken for it.
  const parts = new Set(partsOf(other.text));
  if (!partsOf(token.text).some((part) => part.length > 2 && !OF_CALLS.test(part) && parts.has(part))) return null;
  if (other.role === token.role) return 0.7;
  if (other.role.includes("member") !== token.role.includes("member")) return null;
  return other.role.includes("capital") === token.role.includes("capital") ? 1.1 : null;
}

/** Tells whether two names begin, or end, with the same word. */
function areAlike(a: Token, b: Token): boolean {
  const [own, other] = [partsOf(a.text), partsOf(b.text)];
  return [0, -1].some((place) => {
    const word = own.at(place) ?? "";
    return word.length > 2 && !OF_CALLS.test(word) && word === other.at(place);
  });
}

/** Tells whether something is asked of a name, such as a package, a class or an object. */
function isReceiver({ end }: Token, text: string): boolean {
  return /^\s*(?:\.|->|::)/.test(text.slice(end, end + 20));
}

/** Tells whether a name stands for a value: neither called, nor asked for something, nor the name of an argument. */
export function isValue(token: Token, { text }: Revision): boolean {
  const { role, end, inProse } = token;
  return !inProse && !role.includes(CALLED) && !isReceiver(token, text) && !/^\s*[:=([<]/.test(text.slice(end));
}

function isConstantCase(name: string): boolean {
  return /^[\p{Lu}\d_]+$/u.test(name);
}

/** A word of the name for one that stands at the same end of a name of the same role, or that the review has. */
function madeNames(token: Token, revision: Revision): Found[] {
  const parts = partsOfName(token.text);
  if (parts.length < 2 || (isType(token, revision.text) && !isGiven(token, revision))) return [];
  const own = new Set(parts.map(({ text }) => text.toLowerCase()));
  return parts.flatMap((part, i) => {
    if (part.text.length < 3) return [];
    const place = i === 0 ? "first" : i === parts.length - 1 ? "last" : "middle";
    const isAsked = revision.asked.has(part.text.toLowerCase());
    const candidates = new Set(wordsAt(place, token, isAsked, revision).map((word) => inCaseOf(part.text, word)));
    const start = token.start + part.start;
    return [...candidates].flatMap((to): Found[] => {
      const made = token.text.slice(0, part.start) + to + token.text.slice(part.start + part.text.length);
      const isFit =
        !own.has(to.toLowerCase()) && to.length >= 3 && revision.known.has(made) === revision.known.has(token.text);
      return isFit ? [{ kind: "made_name", edits: [{ start, end: start + part.text.length, to }], cost: 1 }] : [];
    });
  });
}

/**
 * Words at one end of other names of the same role, a verb of what is called, a noun of what is held: of names that have a
 * word of this one, or words that the review has as it has this one.
 */
function wordsAt(
  place: "first" | "last" | "middle",
  token: Token,
  isAsked: boolean,
  { before, after, asked }: Revision,
) {
  const own = new Set(partsOf(token.text));
  const isCalled = ({ role }: Token) => role.includes(CALLED);
  const others = [...before, ...after].filter(
    (other) => other.sort === "name" && other.text !== token.text && isCalled(other) === isCalled(token),
  );
  const at = { first: 0, last: -1, middle: 1 }[place];
  return others.flatMap((other) => {
    const parts = partsOfName(other.text).map(({ text }) => text);
    if (parts.length < (place === "middle" ? 3 : 2)) return [];
    const word = parts.at(at);
    if (word === undefined || KEYWORDS.has(word.toLowerCase())) return [];
    const isRelated = parts.some((part) => part !== word && own.has(part.toLowerCase()));
    return isRelated || (isAsked && asked.has(word.toLowerCase())) ? [word] : [];
  });
}
