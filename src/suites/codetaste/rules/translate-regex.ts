/** A regular expression of JavaScript, or why there is none for what was written. */
type Translated =
  | { readonly kind: "expression"; readonly source: string; readonly flags: string }
  | { readonly kind: "none"; readonly why: string };

/** Escapes by a letter that mean the same in both. */
const SAME_ESCAPES = /^(?:[dDwWsSbBnrtf]|x[0-9A-Fa-f]{2}|c[A-Za-z]|k<\w+>)/;
const GROUP = /^\(\?(?:[:=!]|<[=!]|<\w+>)/;
const NAMED = /^\(\?P<(\w+)>/;
const BACK = /^\(\?P=(\w+)\)/;

/**
 * A regular expression as rule files write it (PCRE, `^` and `$` at every line) as one of JavaScript that matches the
 * same. Syntax without an equal in JavaScript is named and left alone: an expression that means almost the same would
 * be a guess.
 */
export function translated(written: string): Translated {
  try {
    const { flags, rest } = leadingFlags(written);
    const source = new Translation(rest, flags.includes("s")).source();
    const all = `gm${flags.includes("i") ? "i" : ""}`;
    // Throws for what JavaScript has none of, such as possessive quantifiers.
    new RegExp(source, all);
    return { kind: "expression", source, flags: all };
  } catch (error) {
    const why = error instanceof Foreign ? `JavaScript has no ${error.message}` : "JavaScript cannot read it";
    return { kind: "none", why };
  }
}

/** Syntax without an equal in JavaScript. */
class Foreign extends Error {}

/** `(?i)` at the beginning, as often as it is there. */
function leadingFlags(written: string): { readonly flags: string; readonly rest: string } {
  let [flags, rest] = ["", written];
  for (;;) {
    const found = /^\(\?([A-Za-z]+)\)/.exec(rest);
    if (found === null) return { flags, rest };
    const [whole, letters = ""] = found;
    if (!/^[ims]+$/.test(letters)) throw new Foreign(`flags (?${letters})`);
    flags += letters;
    rest = rest.slice(whole.length);
  }
}

/** Goes through an expression once, from left to right. */
class Translation {
  readonly #text: string;
  /** Characters that a dot matches. */
  readonly #any: string;
  #at = 0;

  constructor(text: string, isDotAll: boolean) {
    this.#text = text;
    this.#any = isDotAll ? "[\\s\\S]" : "[^\\n]";
  }

  source(): string {
    let source = "";
    while (this.#at < this.#text.length) source += this.#next();
    return source;
  }

  #next(): string {
    const character = this.#text[this.#at] ?? "";
    if (character === "\\") return this.#escape();
    if (character === "[") return this.#set();
    if (character === "(") return this.#group();
    this.#at++;
    // JavaScript ends lines at other characters too.
    if (character === ".") return this.#any;
    // Not behind the newline that ends the text.
    if (character === "^") return "(?:(?<![\\s\\S])|(?<=\\n)(?=[\\s\\S]))";
    return character === "$" ? "(?![^\\n])" : character;
  }

  /** Takes characters that mean the same in both. */
  #take(length: number): string {
    const taken = this.#text.slice(this.#at, this.#at + length);
    this.#at += length;
    return taken;
  }

  #escape(): string {
    const rest = this.#text.slice(this.#at + 1);
    if (!/^[A-Za-z]/.test(rest)) return this.#take(2);
    const same = SAME_ESCAPES.exec(rest);
    if (same === null) throw new Foreign(`\\${rest[0]}`);
    return this.#take(1 + same[0].length);
  }

  /** A set in brackets; one that begins with `]` has it as a member. */
  #set(): string {
    let source = this.#take(this.#text.startsWith("[^", this.#at) ? 2 : 1);
    if (this.#text[this.#at] === "]") source += `\\${this.#take(1)}`;
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at] ?? "";
      if (/^\[[:.=]/.test(this.#text.slice(this.#at))) throw new Foreign("a class such as [:alpha:]");
      source += character === "\\" ? this.#escape() : this.#take(1);
      if (character === "]") return source;
    }
    throw new Foreign("a set without an end");
  }

  #group(): string {
    const rest = this.#text.slice(this.#at);
    if (rest.startsWith("(*")) throw new Foreign(rest.slice(0, 4));
    if (!rest.startsWith("(?")) return this.#take(1);
    const named = NAMED.exec(rest);
    if (named !== null) return this.#replace(named[0], `(?<${named[1]}>`);
    const back = BACK.exec(rest);
    if (back !== null) return this.#replace(back[0], `\\k<${back[1]}>`);
    const same = GROUP.exec(rest);
    if (same === null) throw new Foreign(rest.slice(0, 4));
    return this.#take(same[0].length);
  }

  #replace(written: string, by: string): string {
    this.#at += written.length;
    return by;
  }
}
