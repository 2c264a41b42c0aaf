import type { Language } from "../../base/language.js";
import type { Edit } from "./near-miss.js";
import type { Revision } from "./revision.js";

/** Lines of a text and where they stand in it. */
export class RevisionLines {
  readonly texts: readonly string[];
  readonly #starts: readonly number[];
  readonly #length: number;

  readonly #isNew: readonly boolean[];

  /** Numbers of the lines that hold more than prose. */
  readonly #ofCode: ReadonlySet<number>;
  readonly #hasCode: boolean;

  constructor({ text, isNew, after, before, diff }: Revision) {
    this.#isNew = isNew;
    this.#ofCode = new Set(after.flatMap(({ line, inProse }) => (inProse ? [] : line)));
    const isGone = diff.old.split("\n").map((line) => line.startsWith("-"));
    this.#hasCode =
      isNew.some((own, line) => own && this.#ofCode.has(line)) ||
      before.some(({ line, inProse }) => !inProse && isGone[line] === true);
    this.texts = text.split("\n");
    let next = 0;
    this.#starts = this.texts.map((line) => {
      const start = next;
      next += line.length + 1;
      return start;
    });
    this.#length = text.length;
  }

  /** Tells whether a line holds more than prose. */
  isOfCode(line: number): boolean {
    return this.#ofCode.has(line);
  }

  /** Tells whether a line is what the change is about: no comment where code is changed. */
  isPoint(line: string): boolean {
    return !this.#hasCode || !/^\s*(?:\/\/|#(?!\s*\w+\s*[<"(])|\*|\/\*)/.test(line);
  }

  isNew(line: number): boolean {
    return this.#isNew[line] === true;
  }

  /** Tells whether a comment goes on above or below. */
  isBesideNote(line: number): boolean {
    return [line - 1, line + 1].some((other) => /^\s*(?:\/\/|#|\*|\/\*)/.test(this.texts[other] ?? ""));
  }

  /** Tells whether a line gives something a value that another line names. */
  isNeeded(line: number): boolean {
    const names = /^\s*(?:[\w<>[\],.*&?]+\s+)?([$\w, ]+?)\s*(?::=|=(?![=>~]))/.exec(this.texts[line] ?? "")?.[1];
    const others = this.texts.filter((_, other) => other !== line).join("\n");
    return (names?.match(/\$?[A-Za-z_]\w*/g) ?? []).some((name) => new Set(others.match(/\$?\w+/g)).has(name));
  }

  /** Tells whether a line is all that a block holds. */
  isAlone(line: number): boolean {
    const [above = "", own = "", below = ""] = [line - 1, line, line + 1].map((each) => this.texts[each] ?? "");
    const depth = (text: string) => text.length - text.trimStart().length;
    return /[{:]\s*$|\b(?:then|do|else)\s*$/.test(above) && depth(own) > depth(above) && depth(below) < depth(own);
  }

  start(line: number): number {
    return this.#starts[line] ?? this.#length;
  }

  /** Replaces a line. */
  replaced(line: number, to: string): Edit {
    return { start: this.start(line), end: this.start(line) + (this.texts[line]?.length ?? 0), to };
  }

  /** Leaves lines out, with the break behind them, or before them at the end. */
  without(line: number): Edit {
    const isLast = line === this.texts.length - 1;
    if (isLast) return { start: Math.max(0, this.start(line) - 1), end: this.#length, to: "" };
    return { start: this.start(line), end: this.start(line + 1), to: "" };
  }

  /** Puts lines from one to before another before a third: nothing, or one list of edits. */
  moved(from: number, to: number, target: number): Edit[][] {
    const text = this.texts.slice(from, to).join("\n");
    const isFit = this.texts.slice(from, to).every((line) => isStatement(line) || line.trim() === "");
    if (to >= this.texts.length || !isFit) return [];
    const out = { start: this.start(from), end: this.start(to), to: "" };
    const into = target > 0 && target < from ? this.behind(target - 1, text) : this.before(target, text);
    return [[out, into].sort((a, b) => a.start - b.start)];
  }

  /** Puts a line behind another. */
  behind(line: number, text: string): Edit {
    const end = this.start(line) + (this.texts[line]?.length ?? 0);
    return { start: end, end, to: `\n${text}` };
  }

  /** Puts a line before another. */
  before(line: number, text: string): Edit {
    const start = this.start(line);
    return line >= this.texts.length ? { start, end: start, to: `\n${text}` } : { start, end: start, to: `${text}\n` };
  }
}

/** Tells whether a line says something: no blank one, no lone brackets. */
export function isTelling(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}

/** First words of lines that begin, end or go on with something that takes more lines. */
const OF_BLOCKS =
  /^(?:end|else|elif|elsif|except|finally|rescue|ensure|catch|case|when|then|def|class|module|if|unless|for|foreach|while|until|switch|with|using|lock|try|func|function|namespace|struct|enum|interface)\b/u;

/** Lines whose order says nothing: imports, members, declarations of constants. */
export const ANYWHERE =
  /^\s*(?:import|from|#\s*include|using|use|require|include|package|private|public|protected|const|@|\w*\s*["'][^"']*["'][;,]?\s*$)/u;

/** A call or an assignment. */
const DOES = /^\s*(?!return\b|raise\b|throw\b)[\w$][\w$.[\]>: -]*(?:[+-]?=[^=>]|\().*[;)\w\]"']\s*$/u;
const WITHOUT_SEMICOLON: ReadonlySet<Language> = new Set(["go", "python", "ruby"]);

/** Tells whether a line does something by itself. */
export function isDone(line: string, language: Language): boolean {
  return DOES.test(line) && (WITHOUT_SEMICOLON.has(language) || line.trimEnd().endsWith(";"));
}

/** Tells whether a line is one of a list: it ends with a comma, with nothing left open. */
export function isEntry(line: string): boolean {
  return /^\s*[\w"'`$.:{&(@-].*[\w"'`)\]}],\s*$/.test(line) && isStatement(line.trimEnd().slice(0, -1));
}

/** A comment of one line that says something. */
export const NOTE =
  /^\s*(?:\/\/+|#)(?!!|\s*(?:include|define|undef|if|ifdef|ifndef|else|elif|endif|pragma|region|nullable)\b)\s*\p{L}{2,}\S*\s+\S+/u;

/** Tells whether a line is a statement by itself. */
export function isStatement(line: string): boolean {
  const text = line.trim();
  if (!isTelling(text) || OF_BLOCKS.test(text)) return false;
  if (/^[)\]}.,?:&|<+*/=-]|[([{,:?&|+=\\]$|\b(?:do|begin)$|[=-]>$/.test(text)) return false;
  return ["()", "[]", "{}"].every(([open = "", close = ""]) => text.split(open).length === text.split(close).length);
}
