import { patchedFiles } from "../../workspace/patched-files.js";
import type { TrialFacts } from "../trial-records.js";

/** Longest patches whose texts are compared character by character: of longer ones that takes minutes. */
const MOST_COMPARED = 40_000;
/** Steps of a comparison, some ten of a microsecond: of few characters that were chosen for it, it takes hours. */
const MOST_STEPS = 1e9;

/** Size of a patch, and how much of what the right solution touches it touches. @param gold `null`: there is none */
export function patchFacts(patch: string, gold: string | null): TrialFacts {
  const own = sizeOf(patch);
  const facts = { edited_files: own.files.size, added_lines: own.added, removed_lines: own.removed };
  if (gold === null) return facts;
  const right = sizeOf(gold);
  const both = [...right.files].filter((path) => own.files.has(path)).length;
  const isShort = patch.length <= MOST_COMPARED && gold.length <= MOST_COMPARED;
  return {
    ...facts,
    gold_files: right.files.size,
    gold_lines: right.added + right.removed,
    all_gold_files_edited: Number(both === right.files.size),
    file_recall: right.files.size === 0 ? null : both / right.files.size,
    file_precision: own.files.size === 0 ? null : both / own.files.size,
    gold_text_ratio: isShort ? textRatio(patch, gold) : null,
  };
}

function sizeOf(patch: string) {
  const files = patchedFiles(patch);
  const sum = (of: "added" | "removed") => files.reduce((all, file) => all + file[of].length, 0);
  return {
    files: new Set(files.flatMap(({ before, after }) => [before, after].filter((path) => path !== null))),
    added: sum("added"),
    removed: sum("removed"),
  };
}

/** Length from which characters that are frequent are left out. */
const LONG = 200;

/**
 * Similarity of two texts as Python's `difflib.SequenceMatcher(None, a, b).ratio()` gives it: twice the characters in matching
 * blocks, of all characters of both, 0–1; of texts of 200 characters and more, blocks begin at rare characters alone. 1 where
 * both are empty.
 * @returns `null`: it takes more steps than it may
 */
export function textRatio(first: string, second: string, most = MOST_STEPS): number | null {
  const [a, b] = [[...first], [...second]];
  const places = rarePlaces(b);
  const steps = { left: most };
  let matched = 0;
  const open = [{ a0: 0, a1: a.length, b0: 0, b1: b.length }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { a0, a1, b0, b1 } = next;
    const { at, to, size } = longestMatch(a, b, places, next, steps);
    if (steps.left < 0) return null;
    if (size === 0) continue;
    matched += size;
    open.push({ a0, a1: at, b0, b1: to }, { a0: at + size, a1, b0: to + size, b1 });
  }
  const all = a.length + b.length;
  return all === 0 ? 1 : (2 * matched) / all;
}

type Places = ReadonlyMap<string, readonly number[]>;

/** Places of each character; of a long text, without those that are more than one of a hundred. */
function rarePlaces(text: readonly string[]): Places {
  const places = new Map<string, number[]>();
  for (const [at, character] of text.entries()) {
    const known = places.get(character);
    if (known === undefined) places.set(character, [at]);
    else known.push(at);
  }
  if (text.length < LONG) return places;
  const most = Math.floor(text.length / 100) + 1;
  return new Map([...places].filter(([, own]) => own.length <= most));
}

interface Range {
  readonly a0: number;
  readonly a1: number;
  readonly b0: number;
  readonly b1: number;
}

interface Block {
  readonly at: number;
  readonly to: number;
  readonly size: number;
}

/** The longest block that both have in a range, of several the first; grown at its ends by characters of any kind. */
function longestMatch(
  a: readonly string[],
  b: readonly string[],
  places: Places,
  range: Range,
  steps: { left: number },
): Block {
  const { a0, a1, b0, b1 } = range;
  let found: Block = { at: a0, to: b0, size: 0 };
  let lengths = new Map<number, number>();
  for (let i = a0; i < a1 && steps.left >= 0; i++) {
    const longer = new Map<number, number>();
    const own = places.get(a[i] ?? "") ?? [];
    steps.left -= own.length + 1;
    for (const j of own) {
      if (j < b0 || j >= b1) continue;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      longer.set(j, size);
      if (size > found.size) found = { at: i - size + 1, to: j - size + 1, size };
    }
    lengths = longer;
  }
  return grown(a, b, found, range);
}

function grown(a: readonly string[], b: readonly string[], block: Block, { a0, a1, b0, b1 }: Range): Block {
  let { at, to, size } = block;
  while (at > a0 && to > b0 && a[at - 1] === b[to - 1]) [at, to, size] = [at - 1, to - 1, size + 1];
  while (at + size < a1 && to + size < b1 && a[at + size] === b[to + size]) size++;
  return { at, to, size };
}
