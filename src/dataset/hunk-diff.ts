import { diffArrays } from "diff";
import type { ChangeType, Location } from "./example.js";

/** Changes between two versions of a hunk, in the forms an official record needs (spec §2.1, §3). */
export interface HunkDiff {
  readonly changeType: ChangeType;
  /** Deleted or replaced lines; for `add`, the lines after which code is added (0 = before the first). Ascending. */
  readonly location: Location;
  /** The hunk before, every line with its marker column. */
  readonly old: string;
  /** The hunk after, likewise. */
  readonly new: string;
  /** Changed lines only, `N - …` and `N + …`, N in the respective version; a replaced block pair by pair. */
  readonly solution: string;
}

interface Block {
  readonly deleted: string[];
  readonly added: string[];
}

/**
 * The line diff of two versions (see `diffLines`: minimal for any hunk of usual length; a moved line is a deletion and an
 * addition).
 * @returns `null` when nothing changed
 */
export function diffHunk(before: readonly string[], after: readonly string[]): HunkDiff | null {
  const old: string[] = [];
  const fresh: string[] = [];
  const deletedAt: number[] = [];
  const addedAfter = new Set<number>();
  const blocks: string[][] = [];
  let block: Block = { deleted: [], added: [] };
  for (const { kind, lines } of diffLines(before, after)) {
    for (const line of lines) {
      if (kind === "deleted") {
        old.push(`-${line}`);
        deletedAt.push(old.length);
        block.deleted.push(`${old.length} - ${line}`);
      } else if (kind === "added") {
        addedAfter.add(old.length);
        fresh.push(`+${line}`);
        block.added.push(`${fresh.length} + ${line}`);
      } else {
        blocks.push(inPairs(block));
        block = { deleted: [], added: [] };
        old.push(` ${line}`);
        fresh.push(` ${line}`);
      }
    }
  }
  blocks.push(inPairs(block));
  const solution = blocks.flat();
  if (solution.length === 0) return null;
  const changeType = deletedAt.length === 0 ? "add" : addedAfter.size === 0 ? "delete" : "modify";
  return {
    changeType,
    location: changeType === "add" ? [...addedAfter] : deletedAt,
    old: old.join("\n"),
    new: fresh.join("\n"),
    solution: solution.join("\n"),
  };
}

/** 5 -, 5 +, 6 -, 6 + … as in the paper's Figure 3; what is left over follows. */
function inPairs({ deleted, added }: Block): string[] {
  const length = Math.max(deleted.length, added.length);
  return Array.from({ length }, (_, i) => [deleted[i], added[i]]).flatMap((pair) =>
    pair.filter((line) => line !== undefined),
  );
}

/** Lines that stay, go or come, in the order of both versions. */
export interface LineChange {
  readonly kind: "kept" | "deleted" | "added";
  readonly lines: readonly string[];
}

/** Lines of both versions together, up to which the diff is minimal: what that takes grows with their square. */
const MINIMAL_LINES = 1000;

/**
 * The line diff of two versions: the minimal one (Myers) of up to 1,000 lines in all. Of more, one by anchors, as in
 * "patience" diffs: the lines that stand once in both versions and in the same order are kept, what lies between two of
 * them is diffed minimally, or replaced whole where it is longer than that. Time: n log n.
 */
export function diffLines(before: readonly string[], after: readonly string[]): LineChange[] {
  if (before.length + after.length <= MINIMAL_LINES) return minimalDiff(before, after);
  const changes: LineChange[] = [];
  let [left, right] = [0, 0];
  for (const [nextLeft, nextRight] of [...anchorsOf(before, after), [before.length, after.length] as const]) {
    changes.push(...diffBetween(before.slice(left, nextLeft), after.slice(right, nextRight)));
    changes.push({ kind: "kept", lines: before.slice(nextLeft, nextLeft + 1) });
    [left, right] = [nextLeft + 1, nextRight + 1];
  }
  return changes;
}

function diffBetween(before: readonly string[], after: readonly string[]): LineChange[] {
  if (before.length + after.length <= MINIMAL_LINES / 2) return minimalDiff(before, after);
  return [
    { kind: "deleted", lines: before },
    { kind: "added", lines: after },
  ];
}

function minimalDiff(before: readonly string[], after: readonly string[]): LineChange[] {
  return diffArrays([...before], [...after]).map(({ added, removed, value }) => ({
    kind: removed ? "deleted" : added ? "added" : "kept",
    lines: value,
  }));
}

/** Places of lines that are kept; ascending in both versions. */
type Anchor = readonly [before: number, after: number];

/** The most lines that stand once in each version and are in the same order in both; and the lines that both begin with. */
function anchorsOf(before: readonly string[], after: readonly string[]): Anchor[] {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  const head = Array.from({ length: start }, (_, i): Anchor => [i, i]);
  const [left, right] = [placesOnce(before, start), placesOnce(after, start)];
  const pairs = [...left].flatMap(([line, at]): Anchor[] => {
    const other = right.get(line);
    return other === undefined ? [] : [[at, other]];
  });
  return [...head, ...longestAscending(pairs)];
}

/** The lines from `start` on that stand there once, and where; ascending. */
function placesOnce(lines: readonly string[], start: number): Map<string, number> {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  for (let at = start; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (places.has(line)) repeated.add(line);
    else places.set(line, at);
  }
  for (const line of repeated) places.delete(line);
  return places;
}

/** The longest run of pairs whose second numbers ascend as their first do (patience sorting). */
function longestAscending(pairs: readonly Anchor[]): Anchor[] {
  interface Card {
    readonly pair: Anchor;
    readonly below: Card | null;
  }
  const piles: Card[] = [];
  for (const pair of pairs) {
    let [low, high] = [0, piles.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((piles[middle]?.pair[1] ?? 0) < pair[1]) low = middle + 1;
      else high = middle;
    }
    piles[low] = { pair, below: piles[low - 1] ?? null };
  }
  const run: Anchor[] = [];
  for (let card = piles.at(-1) ?? null; card !== null; card = card.below) run.push(card.pair);
  return run.reverse();
}
