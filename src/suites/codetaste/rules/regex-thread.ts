import { Worker } from "node:worker_threads";

/** An expression of a rule, by the rule's id. */
export interface ThreadRule {
  readonly id: string;
  readonly expressions: readonly { readonly source: string; readonly flags: string }[];
}

/**
 * Result of a rule in a text: lines of its matches from 1, equal neighbours once, or the reason why it was not run to
 * its end.
 */
export type ThreadResult =
  | { readonly status: "matched"; readonly rule: string; readonly lines: readonly (readonly [number, number])[] }
  | { readonly status: "failed"; readonly rule: string; readonly why: string };

const LIMIT_MEGABYTES = 512;

/** Tells when it starts with a text, and of every rule once it is done with it: who waits knows which one does not end. */
const WORKER = `
const { parentPort } = require("node:worker_threads");
const compiled = new Map();
const expressionOf = ({ source, flags }) => {
  const key = flags + " " + source;
  if (!compiled.has(key)) compiled.set(key, new RegExp(source, flags));
  return compiled.get(key);
};
const linesIn = (text) => {
  const starts = [0];
  for (let at = text.indexOf("\\n"); at !== -1; at = text.indexOf("\\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle] <= offset) low = middle; else high = middle - 1;
    }
    return low + 1;
  };
};
parentPort.on("message", ({ text, rules }) => {
  parentPort.postMessage(null);
  const lineAt = linesIn(text);
  for (const { expressions } of rules) {
    const lines = [];
    for (const expression of expressions) {
      for (const match of text.matchAll(expressionOf(expression))) {
        const end = match.index + Math.max(1, match[0].length) - 1;
        const [first, last] = [lineAt(match.index), lineAt(Math.min(end, text.length))];
        const before = lines.at(-1);
        if (before === undefined || before[0] !== first || before[1] !== last) lines.push([first, last]);
      }
    }
    parentPort.postMessage(lines);
  }
});
`;

/**
 * Runs regular expressions beside this thread: one may need more time than anybody has, and nothing but the end of its
 * thread ends it. One text after the other.
 */
export class RegexThread {
  readonly #limitMs: number;
  #worker: Worker | null = null;

  /** @param limitMs that a rule may take in a text */
  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /**
   * Every rule on a text, in their order.
   * @throws the reason of the signal when it is aborted
   */
  async run(text: string, rules: readonly ThreadRule[], signal: AbortSignal): Promise<ThreadResult[]> {
    const results: ThreadResult[] = [];
    while (results.length < rules.length) {
      signal.throwIfAborted();
      results.push(...(await this.#someOf(text, rules.slice(results.length), signal)));
    }
    return results;
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = null;
  }

  /** Rules up to the first that does not end, or all. */
  async #someOf(text: string, rules: readonly ThreadRule[], signal: AbortSignal): Promise<ThreadResult[]> {
    this.#worker ??= new Worker(WORKER, { eval: true, resourceLimits: { maxOldGenerationSizeMb: LIMIT_MEGABYTES } });
    const results: ThreadResult[] = [];
    const fault = await this.#hear(this.#worker, { text, rules }, signal, (lines) => {
      results.push({ status: "matched", rule: rules[results.length]?.id ?? "", lines });
      return results.length === rules.length;
    });
    if (fault === null) return results;
    await this.close();
    signal.throwIfAborted();
    const rule = rules[results.length]?.id ?? "";
    return [...results, { status: "failed", rule, why: fault }];
  }

  /**
   * Listens until all is said, or nothing comes for too long.
   * @param take what is said of the next rule; whether it was the last
   * @returns what is wrong; `null`: nothing
   */
  #hear(
    worker: Worker,
    message: { readonly text: string; readonly rules: readonly ThreadRule[] },
    signal: AbortSignal,
    take: (lines: readonly (readonly [number, number])[]) => boolean,
  ): Promise<string | null> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | null = null;
      const end = (fault: string | null) => {
        if (timer !== null) clearTimeout(timer);
        signal.removeEventListener("abort", stop);
        worker.off("message", hear).off("error", fail).off("exit", leave);
        resolve(fault);
      };
      const stop = () => end("the scan was stopped");
      const fail = (error: Error) => end(error.message);
      const leave = () => end("its thread ended");
      const hear = (said: readonly (readonly [number, number])[] | null) => {
        if (timer !== null) clearTimeout(timer);
        if (said !== null && take(said)) return end(null);
        timer = setTimeout(() => end(`it was not done after ${this.#limitMs / 1000} s`), this.#limitMs);
      };
      signal.addEventListener("abort", stop, { once: true });
      worker.on("message", hear).on("error", fail).on("exit", leave);
      worker.postMessage(message);
    });
  }
}

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
