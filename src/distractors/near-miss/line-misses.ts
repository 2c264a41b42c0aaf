import { unitDistance } from "../../question/floors/solution-rules.js";
import type { Edit, NearMiss, NearMissKind } from "./near-miss.js";
import type { Revision } from "./revision.js";
import { ANYWHERE, isDone, isEntry, isStatement, isTelling, NOTE, RevisionLines } from "./revision-lines.js";

/** A run of changed lines. */
interface LineBlock {
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** Line of the post-review code at which the added ones begin, from 0. */
  readonly at: number;
}

/** Near misses that are whole lines: put back, left out, left standing, gone too, elsewhere. */
export function lineMisses(revision: Revision): NearMiss[] {
  const lines = new RevisionLines(revision);
  const blocks = blocksOf(revision);
  const changed = blocks.reduce((sum, { removed, added }) => sum + Math.max(removed.length, added.length), 0);
  return blocks.flatMap((block) => [
    ...(changed > 1 ? [...putBack(block, lines), ...dropped(block, lines, changed)] : []),
    ...kept(block, lines),
    ...removedToo(block, lines, revision),
    ...otherPlaces(block, lines, revision),
  ]);
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

function putBack({ removed, added, at }: LineBlock, lines: RevisionLines): NearMiss[] {
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
  return 1 - unitDistance(a.trim(), b.trim()) / Math.max(1, a.trim().length, b.trim().length);
}

/** A line of a comment that says one thing: a parameter, what is returned. */
const TAGGED = /^\s*(?:\*|\/\/+|#|)\s*[@:]\w+:?\s+\S+/u;

/** An added line left out; a comment costs little less than a statement. */
function dropped({ removed, added, at }: LineBlock, lines: RevisionLines, changed: number): NearMiss[] {
  if (added.length < 2 && changed < 2) return [];
  return added.flatMap((line, i) =>
    ((isStatement(line) && lines.isOfCode(at + i)) || TAGGED.test(line) || isSentence(line, lines.texts[at + i - 1])) &&
    removed[i] === undefined &&
    !lines.isAlone(at + i)
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

/** Lines of which an old one can stand beside the new: imports, entries of lists, values given to names. */
const BESIDE_ANOTHER = [
  /^\s*(?:import|from|using|use|require|include|#\s*include)\b.*$/,
  /^\s*["'\w$.:&{(@-].*[\w"'`)\]}],\s*$/,
  /^\s*[\w$.>@[\]-]+\s*=\s*[^=][^{]*$/,
];

/** A removed statement left standing behind the added ones, where more were removed than added; or a call or comment beside another. */
function kept({ removed, added, at }: LineBlock, lines: RevisionLines): NearMiss[] {
  const spare = removed.slice(added.length);
  const [old, line] = [removed[0], added[0]];
  if (removed.length < 2) {
    if (old === undefined || line === undefined || added.length > 1) return [];
    const isNote = [old, line].every((own) => NOTE.test(own)) && !lines.isBesideNote(at);
    const both = [old, line];
    const isWhole = both.every((own) => isStatement(own) || isEntry(own));
    const isOther = old.split(/[(=:]/, 1)[0] !== line.split(/[(=:]/, 1)[0];
    const isPair = isWhole && isOther && BESIDE_ANOTHER.some((kind) => both.every((own) => kind.test(own)));
    const isAgain = isWhole && both.every((own) => CALL.test(own));
    return isAgain || isNote || isPair ? [miss("kept", [lines.before(at, old)], isOther ? 0.8 : 1)] : [];
  }
  const isNew = (line: string) => !added.some((own) => likeness(own, line) >= MIN_LIKENESS);
  const least = Math.min(...removed.filter(isTelling).map(depthOf));
  const ends = [spare[0], spare.at(-1)].flatMap((line) => line ?? []);
  const others = removed.filter((line) => !ends.includes(line) && isNew(line));
  return [...new Set([...ends, ...others])].flatMap((line) =>
    isStatement(line) && depthOf(line) === least
      ? [miss("kept", [lines.before(at + added.length, line)], ends.includes(line) ? 0.5 : 0.8, lines.isPoint(line))]
      : [],
  );
}

/** Columns before a line begins; what is deeper than the rest is part of a block that is gone. */
function depthOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Lines from the changed ones within which another is left out by mistake, where no more were removed than added. */
const NEAR = 3;

/** Cost of one that is taken where there is nothing else. */
const UNLIKE = 1.8;

/** A statement beside the changed lines gone as well, or a comment. */
function removedToo({ removed, added, at }: LineBlock, lines: RevisionLines, { language }: Revision): NearMiss[] {
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
function otherPlaces({ removed, added, at }: LineBlock, lines: RevisionLines, { diff }: Revision): NearMiss[] {
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
