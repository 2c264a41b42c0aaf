import { diffArrays } from "diff";

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

/** Where the lines stand that are kept; ascending in both versions. */
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
