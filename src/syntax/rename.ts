import { type DrawInteger, seededIntegers } from "../base/random.js";
import { isComment, type Leaf, type ParsedCode, type Syntax } from "./load.js";
import { isOwnName, KEYWORDS } from "./own-names.js";

/** The texts of a code review. */
export interface ReviewTexts {
  readonly preReviewCode: string;
  readonly review: string;
  readonly postReviewCode: string;
}

export interface RenamedReview extends ReviewTexts {
  /** Old name to new name; not empty. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * The same code review with its identifiers renamed: the reference that tells predictable code from memorised code (the
 * paper has none). The names are the syntax tree's: variables, functions, fields, types, labels; not keywords, not what the
 * language itself brings (`isOwnName`), not the contents of strings.
 *
 * Renamed is word by word: `load_tile`, `TileCache` and `TILE_BYTES` become, say, `fope_rizu`, `RizuKamot` and
 * `RIZU_LEPOK`. So every name keeps its length and its style, names that share words still do, different names stay
 * different, and the code keeps its lines, its columns and its syntax tree. Words of one letter stay.
 * Comments and the review have a name replaced where it is meant as one: see `isNameInProse`.
 * @returns `null` when there is nothing to rename
 */
export function renameIdentifiers(syntax: Syntax, texts: ReviewTexts, seed: number): RenamedReview | null {
  const codes = [texts.preReviewCode, texts.postReviewCode];
  const parsed = codes.map((code) => ({ code, before: syntax.parse(code) }));
  const found = new Set(parsed.flatMap(({ code, before }) => identifiersIn(syntax, code, before)));
  const names = soundNames(syntax, parsed, newNames([...found], Object.values(texts), seed));
  if (names.size === 0) return null;
  const [preReviewCode, postReviewCode] = parsed.map((each) => withNames(each, names));
  if (preReviewCode === undefined || postReviewCode === undefined) throw new Error("Expected two pieces of code.");
  return { preReviewCode, postReviewCode, review: proseWithNames(texts.review, bareNames(names)), names };
}

interface ParsedText {
  readonly code: string;
  readonly before: ParsedCode;
}

type Names = ReadonlyMap<string, string>;

const IDENTIFIER_KINDS =
  /^(name|constant|label_name|simple_symbol|hash_key_symbol|(instance|class|global)_variable|shorthand_property_identifier_pattern)$|(^|_)identifier$/;

function isIdentifier({ kind, isNamed }: Leaf): boolean {
  return isNamed && kind !== "blank_identifier" && IDENTIFIER_KINDS.test(kind);
}

function identifiersIn(syntax: Syntax, code: string, { leaves }: ParsedCode): string[] {
  return leaves
    .filter((leaf) => isIdentifier(leaf))
    .map((leaf) => ({ leaf, name: code.slice(leaf.start, leaf.end) }))
    .filter(({ leaf, name }) => !isOwnName(syntax.language, name) && !isHtmlTag(leaf, name))
    .map(({ name }) => name);
}

function isHtmlTag({ parentKind }: Leaf, name: string): boolean {
  return parentKind?.startsWith("jsx_") === true && /^[a-z]/.test(name);
}

/** The words of a name: `HTTPServer_v2` has HTTP, Server and v. */
const WORDS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+/gu;

function newNames(names: readonly string[], texts: readonly string[], seed: number): Names {
  const taken = texts.flatMap((text) => text.match(WORDS) ?? []).map((word) => word.toLowerCase());
  const words = new MadeUpWords([...taken, ...KEYWORDS], seededIntegers(seed));
  const madeUp = new Map<string, string>();
  const replaced = (word: string): string => {
    if (word.length === 1) return word;
    const plain = word.toLowerCase();
    const made = madeUp.get(plain) ?? words.next(word.length);
    if (made === null) return word;
    madeUp.set(plain, made);
    return inCaseOf(word, made);
  };
  const renamed = names.map((name): [string, string] => [name, name.replace(WORDS, replaced)]);
  return new Map(renamed.filter(([name, other]) => name !== other));
}

/** Capital where the old word has a capital. Both have the same length. */
function inCaseOf(word: string, made: string): string {
  return [...made].map((letter, i) => (/\p{Lu}/u.test(word[i] ?? "") ? letter.toUpperCase() : letter)).join("");
}

/** All names, if the code then parses as before; else those that leave it so, one after the other. */
function soundNames(syntax: Syntax, texts: readonly ParsedText[], names: Names): Names {
  const isSound = (candidate: Names) =>
    texts.every((text) => hasSameTree(text.before, syntax.parse(withNames(text, candidate))));
  if (isSound(names)) return names;
  const sound = new Map<string, string>();
  for (const [name, other] of names) {
    sound.set(name, other);
    if (!isSound(sound)) sound.delete(name);
  }
  return sound;
}

function hasSameTree(before: ParsedCode, after: ParsedCode): boolean {
  if (after.errors > before.errors || after.leaves.length !== before.leaves.length) return false;
  return before.leaves.every((leaf, i) => {
    const other = after.leaves[i];
    return other?.kind === leaf.kind && other.start === leaf.start && other.end === leaf.end;
  });
}

/** Names keep their length, so every leaf keeps its place. */
function withNames({ code, before }: ParsedText, names: Names): string {
  const bare = bareNames(names);
  let [text, at] = ["", 0];
  for (const leaf of before.leaves) {
    text += code.slice(at, leaf.start) + renamedLeaf(leaf, code.slice(leaf.start, leaf.end), { names, bare });
    at = leaf.end;
  }
  return text + code.slice(at);
}

function renamedLeaf(
  leaf: Leaf,
  text: string,
  { names, bare }: { readonly names: Names; readonly bare: Names },
): string {
  if (isComment(leaf.kind)) return proseWithNames(text, bare);
  // The body of a macro is one leaf.
  if (leaf.kind === "preproc_arg") return replaceNames(text, bare, () => true);
  return isIdentifier(leaf) ? (names.get(text) ?? text) : text;
}

/** Line by line: all names between lines of three backticks, elsewhere those that are meant. */
function proseWithNames(prose: string, bare: Names): string {
  let isInFence = false;
  const renamed = prose.split("\n").map((line) => {
    const own = replaceNames(line, bare, (name, offset) => isInFence || isNameInProse(name, line, offset));
    if (/^\s*```/.test(line)) isInFence = !isInFence;
    return own;
  });
  return renamed.join("\n");
}

/** Replaces names wherever they stand as a whole, with or without `$`, `@` or `:` before and `?` or `!` behind them. */
function replaceNames(text: string, bare: Names, isMeant: (name: string, offset: number) => boolean): string {
  return text.replace(/[\p{L}_][\p{L}\p{N}_]*/gu, (name, offset: number) => {
    const other = bare.get(name);
    return other !== undefined && isMeant(name, offset) ? other : name;
  });
}

function bareNames(names: Names): Names {
  return new Map([...names].map(([name, other]) => [bareName(name), bareName(other)]));
}

function bareName(name: string): string {
  return name.replace(/^[^\p{L}_]+|[?!=]$/gu, "");
}

const CONSONANTS = "bdfgklmnprstvz";
const VOWELS = "aeiou";
const TRIES = 100;

/**
 * Makes up words that can be pronounced, none twice and none that is taken.
 * @param taken in lower case
 */
class MadeUpWords {
  readonly #taken: Set<string>;
  readonly #draw: DrawInteger;

  constructor(taken: Iterable<string>, draw: DrawInteger) {
    this.#taken = new Set(taken);
    this.#draw = draw;
  }

  /** A new word in lower case; `null` when none of this length was found. */
  next(length: number): string | null {
    for (let i = 0; i < TRIES; i++) {
      const word = this.#spell(length);
      if (this.#taken.has(word)) continue;
      this.#taken.add(word);
      return word;
    }
    return null;
  }

  /** Consonants and vowels in turn. */
  #spell(length: number): string {
    const offset = this.#draw(0, 1);
    return Array.from({ length }, (_, i) => this.#letterOf((i + offset) % 2 === 0 ? CONSONANTS : VOWELS)).join("");
  }

  #letterOf(alphabet: string): string {
    return alphabet[this.#draw(0, alphabet.length - 1)] ?? "";
  }
}

/** Spellings that prose has no use for: an underscore, a digit or a capital inside. */
const CODE_SPELLING = /[\p{L}\p{N}]_|_[\p{L}\p{N}]|\p{L}\p{N}|\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u;
const LEAST_CHARACTERS = 3;

/**
 * Tells whether a word of a comment or a review that is spelled like a name of the code means that name: between backticks, with
 * `$` or `@` before it, as a call, or spelled as only code is. `key` in "the missing key" is an English word.
 * @param offset where the name begins in the line of prose
 */
function isNameInProse(name: string, line: string, offset: number): boolean {
  if (isBetweenBackticks(line, offset)) return true;
  if (name.length < LEAST_CHARACTERS) return false;
  return CODE_SPELLING.test(name) || /[@$]/.test(line[offset - 1] ?? "") || line[offset + name.length] === "(";
}

/** The number of backticks before it is odd, and one follows. */
function isBetweenBackticks(line: string, offset: number): boolean {
  return line.slice(0, offset).split("`").length % 2 === 0 && line.includes("`", offset);
}
