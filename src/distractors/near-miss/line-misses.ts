import { distance } from "fastest-levenshtein";
import type { Language } from "../../base/language.js";
import type { Edit, NearMiss, NearMissKind } from "./near-miss.js";
import type { Revision } from "./revision.js";

/** A run of changed lines. */
interface LineBlock {
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** Line of the post-review code at which the added ones begin, from 0. */
  readonly at: number;
}

/** Near misses that are whole lines: put back, left out, left standing, gone too, elsewhere. */
export function lineMisses(revision: Revision): NearMiss[] {
  const lines = new LinesOf(revision);
  const blocks = blocksOf(revision);
  const changed = blocks.reduce((sum, { removed, added }) => sum + Math.max(removed.length, added.length), 0);
  return blocks.flatMap((block) => [
    ...(changed > 1 ? [...putBack(block, lines), ...dropped(block, lines, changed)] : []),
    ...kept(block, lines),
    ...removedToo(block, lines, revision),
    ...otherPlaces(block, lines, revision),
  ]);
}

/** Lines of a text and where they stand in it. */
class LinesOf {
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

function blocksOf({ diff }: Revision): LineBlock[] {
  const [old, fresh] = [diff.old.split("\n"), diff.new.split("\n")];
  const blocks: LineBlock[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    const [from, at] = [i, j];
    while (old[i]?.startsWith("-") === true) i++;
    while (fresh[j]?.startsWith("+") === true) j++;
    const [removed, added] = [old.slice(from, i), fresh.slice(at, j)].map((own) => own.map((line) => line.slice(1)));
    if (i > from || j > at) blocks.push({ removed: removed ?? [], added: added ?? [], at });
    else [i, j] = [i + 1, j + 1];
  }
  return blocks;
}

function miss(kind: NearMissKind, edits: readonly Edit[], cost: number, isAsked = true): NearMiss {
  return { kind, edits, isAsked, cost };
}

/** Least likeness of a removed and an added line that are two versions of one. */
const MIN_LIKENESS = 0.5;

function putBack({ removed, added, at }: LineBlock, lines: LinesOf): NearMiss[] {
  return added.flatMap((line, i) => {
    const old = removed[i];
    return old !== undefined && isTelling(line) && likeness(old, line) >= leastLikeness(line) && areAsOpen(old, line)
      ? [miss("put_back", [lines.replaced(at + i, old)], 0.1)]
      : [];
  });
}

/** Of a comment that was written anew nobody keeps a line. */
function leastLikeness(line: string): number {
  return /^\s*(?:\/\/|#|\*)/.test(line) ? 0.75 : MIN_LIKENESS;
}

/** Tells whether two lines leave as many brackets open. */
function areAsOpen(a: string, b: string): boolean {
  const open = (line: string, pair: string) => line.split(pair[0] ?? "").length - line.split(pair[1] ?? "").length;
  return ["()", "[]", "{}"].every((pair) => open(a, pair) === open(b, pair));
}

function likeness(a: string, b: string): number {
  return 1 - distance(a.trim(), b.trim()) / Math.max(1, a.trim().length, b.trim().length);
}

/** A line of a comment that says one thing: a parameter, what is returned. */
const TAGGED = /^\s*(?:\*|\/\/+|#|)\s*[@:]\w+:?\s+\S+/u;

/** An added line left out; a comment costs little less than a statement. */
function dropped({ removed, added, at }: LineBlock, lines: LinesOf, changed: number): NearMiss[] {
  if (added.length < 2 && changed < 2) return [];
  return added.flatMap((line, i) =>
    (isStatement(line) || TAGGED.test(line) || isSentence(line, lines.texts[at + i - 1])) && removed[i] === undefined
      ? [miss("dropped", [lines.without(at + i)], 0.4, lines.isPoint(line))]
      : [],
  );
}

/** Tells whether a line of a comment is a sentence by itself. */
function isSentence(line: string, before: string | undefined): boolean {
  const isOpen = /^\s*(?:\*|\/\/+|#)\s*\S.*[^.!:\s]\s*$/u.test(before ?? "");
  return !isOpen && /^\s*(?:\*|\/\/+|#)\s*\p{Lu}.* .*[.!]\s*$/u.test(line);
}

/** A call alone. */
const CALL = /^\s*[\w$.:>-]+\(.*\)\s*;?\s*$/;

/** A removed statement left standing behind the added ones, where more were removed than added; or a call or comment beside another. */
function kept({ removed, added, at }: LineBlock, lines: LinesOf): NearMiss[] {
  const spare = removed.slice(added.length);
  const [old, line] = [removed[0], added[0]];
  if (removed.length < 2) {
    if (old === undefined || line === undefined || added.length > 1) return [];
    const isNote = [old, line].every((own) => NOTE.test(own)) && !lines.isBesideNote(at);
    const isCall = [old, line].every((own) => CALL.test(own) && isStatement(own));
    const isOther = old.split("(", 1)[0] !== line.split("(", 1)[0];
    return isCall || isNote ? [miss("kept", [lines.before(at, old)], 1, isNote || isOther)] : [];
  }
  const isNew = (line: string) => !added.some((own) => likeness(own, line) >= MIN_LIKENESS);
  const ends = [spare[0], spare.at(-1)].flatMap((line) => line ?? []);
  const others = removed.filter((line) => !ends.includes(line) && isNew(line));
  return [...new Set([...ends, ...others])].flatMap((line) =>
    isStatement(line)
      ? [miss("kept", [lines.before(at + added.length, line)], ends.includes(line) ? 0.5 : 0.8, lines.isPoint(line))]
      : [],
  );
}

/** Lines from the changed ones within which another is left out by mistake, where no more were removed than added. */
const NEAR = 3;

/** Cost of one that is taken where there is nothing else. */
const UNLIKE = 1.8;

/** A statement beside the changed lines gone as well, or a comment. */
function removedToo({ removed, added, at }: LineBlock, lines: LinesOf, { language }: Revision): NearMiss[] {
  if (removed.length === 0) return [];
  const isLess = removed.length > added.length;
  const isFit = (line: number) => {
    const text = lines.texts[line] ?? "";
    const isFirst = /[([{]\s*$/.test(lines.texts[line - 1] ?? "");
    if (/^\W*No newline at end of file/.test(text)) return false;
    const isWhole = isStatement(text) ? isLess || isDone(text, language) : isEntry(text) && !isFirst;
    return (isWhole && lines.isOfCode(line)) || (NOTE.test(text) && !lines.isBesideNote(line));
  };
  // Where something else was put, few take a line out that is not like it.
  const isLike = (text: string) => added.length === 0 || removed.some((own) => likeness(own, text) >= MIN_LIKENESS);
  const costOf = (text: string) => (isLike(text) ? (isLess ? 0.7 : 1.2) : UNLIKE);
  const steps = Array.from({ length: isLess ? 1 : NEAR }, (_, i) => i);
  const sides = [steps.map((step) => at - 1 - step), steps.map((step) => at + added.length + step)];
  return sides.flatMap((own) => {
    const line = own.find(isFit);
    const isNoted = line === at + added.length && NOTE.test(added.at(-1) ?? "");
    return line === undefined || lines.isNew(line) || lines.isNeeded(line) || isNoted
      ? []
      : [miss("removed_too", [lines.without(line)], costOf(lines.texts[line] ?? ""), added.length === 0)];
  });
}

/**
 * Added lines one line of code further up or down, where nothing was removed: the lines between change their place, so that
 * the added ones can hold another near miss.
 */
function otherPlaces({ removed, added, at }: LineBlock, lines: LinesOf, { diff }: Revision): NearMiss[] {
  const isNote = added.some((line) => NOTE.test(line));
  const isFit = added.every(
    (line) => (isStatement(line) && !ANYWHERE.test(line)) || NOTE.test(line) || line.trim() === "",
  );
  if (removed.length > 0 || diff.changeType !== "add" || !isFit) return [];
  const after = at + added.length;
  const up = lastIndex(lines.texts.slice(0, at), isTelling);
  const down = lines.texts.findIndex((line, i) => i >= after && isTelling(line));
  const isOf = (line: number) => {
    const text = lines.texts[line] ?? "";
    return line >= 0 && (isNote ? !ANYWHERE.test(text) : LEAVES.test(text) || haveCommonName(text, added.join("\n")));
  };
  return [...(isOf(up) ? lines.moved(up, at, after) : []), ...(isOf(down) ? lines.moved(after, down + 1, at) : [])].map(
    (edits) => miss("place", edits, isNote ? 1 : 0.8),
  );
}

/** A line behind which nothing goes on, or a block does not. */
const LEAVES = /\b(?:return|throw|raise|break|continue|goto|exit|yield)\b|^\s*(?:[})]|end\b)|[{:]\s*$/;

/** Tells whether two pieces of code name one thing: their order may say something. */
function haveCommonName(a: string, b: string): boolean {
  const names = new Set(a.match(/[A-Za-z_]\w+/g));
  return (b.match(/[A-Za-z_]\w+/g) ?? []).some((name) => names.has(name));
}

function lastIndex(lines: readonly string[], holds: (line: string) => boolean): number {
  for (let i = lines.length - 1; i >= 0; i--) if (holds(lines[i] ?? "")) return i;
  return -1;
}

/** Tells whether a line says something: no blank one, no lone brackets. */
function isTelling(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}

/** First words of lines that begin, end or go on with something that takes more lines. */
const OF_BLOCKS =
  /^(?:end|else|elif|elsif|except|finally|rescue|ensure|catch|case|when|then|def|class|module|if|unless|for|foreach|while|until|switch|with|using|lock|try|func|function|namespace|struct|enum|interface)\b/u;

/** Lines whose order says nothing: imports, members, declarations of constants. */
const ANYWHERE =
  /^\s*(?:import|from|#\s*include|using|use|require|include|package|private|public|protected|const|@|\w*\s*["'][^"']*["'][;,]?\s*$)/u;

/** A call or an assignment. */
const DOES = /^\s*(?!return\b|raise\b|throw\b)[\w$][\w$.[\]>: -]*(?:[+-]?=[^=>]|\().*[;)\w\]"']\s*$/u;
const WITHOUT_SEMICOLON: ReadonlySet<Language> = new Set(["go", "python", "ruby"]);

/** Tells whether a line does something by itself. */
function isDone(line: string, language: Language): boolean {
  return DOES.test(line) && (WITHOUT_SEMICOLON.has(language) || line.trimEnd().endsWith(";"));
}

/** Tells whether a line is one of a list: it ends with a comma, with nothing left open. */
function isEntry(line: string): boolean {
  return /^\s*[\w"'`$.:{&(@-].*[\w"'`)\]}],\s*$/.test(line) && isStatement(line.trimEnd().slice(0, -1));
}

/** A comment of one line that says something. */
const NOTE =
  /^\s*(?:\/\/+|#)(?!!|\s*(?:include|define|undef|if|ifdef|ifndef|else|elif|endif|pragma|region|nullable)\b)\s*\p{L}{2,}\S*\s+\S+/u;

/** Tells whether a line is a statement by itself. */
function isStatement(line: string): boolean {
  const text = line.trim();
  if (!isTelling(text) || OF_BLOCKS.test(text)) return false;
  if (/^[)\]}.,?:&|<+*/=-]|[([{,:?&|+=\\]$|\b(?:do|begin)$|[=-]>$/.test(text)) return false;
  return ["()", "[]", "{}"].every(([open = "", close = ""]) => text.split(open).length === text.split(close).length);
}
