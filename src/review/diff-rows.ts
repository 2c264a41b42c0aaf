import { diffHunk } from "../dataset/hunk-diff.js";

/** One line of a unified diff. Line numbers from 1; `null` in the version that does not have the line. */
export interface DiffRow {
  readonly kind: "same" | "deleted" | "added";
  readonly before: number | null;
  readonly after: number | null;
  readonly text: string;
  /** Difference of a replaced line from the line that replaces it: start and end, in UTF-16 units. */
  readonly emphasis: readonly [number, number] | null;
}

/** Two versions of a hunk as one unified diff, nothing left out: a block's deleted lines before its added ones. */
export function diffRows(before: readonly string[], after: readonly string[]): DiffRow[] {
  const diff = diffHunk(before, after);
  if (diff === null) {
    return before.map((text, i) => ({ kind: "same", before: i + 1, after: i + 1, text, emphasis: null }));
  }
  const old = markedLines(diff.old);
  const fresh = markedLines(diff.new);
  const rows: DiffRow[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    const deleted = changedFrom(old, i);
    const added = changedFrom(fresh, j);
    deleted.forEach((text, k) => {
      const [emphasis] = emphasise(text, added[k]);
      rows.push({ kind: "deleted", before: i + k + 1, after: null, text, emphasis });
    });
    added.forEach((text, k) => {
      const [, emphasis] = emphasise(deleted[k], text);
      rows.push({ kind: "added", before: null, after: j + k + 1, text, emphasis });
    });
    i += deleted.length;
    j += added.length;
    const same = old[i];
    if (same !== undefined) rows.push({ kind: "same", before: ++i, after: ++j, text: same.text, emphasis: null });
  }
  return rows;
}

interface MarkedLine {
  readonly isChanged: boolean;
  readonly text: string;
}

function markedLines(hunk: string): MarkedLine[] {
  if (hunk === "") return [];
  return hunk.split("\n").map((line) => ({ isChanged: !line.startsWith(" "), text: line.slice(1) }));
}

/** The changed lines from `start` on, up to the next that is the same. */
function changedFrom(lines: readonly MarkedLine[], start: number): string[] {
  const changed: string[] = [];
  for (let i = start; lines[i]?.isChanged === true; i++) changed.push(lines[i]?.text ?? "");
  return changed;
}

export type Span = readonly [number, number] | null;

/** Share of the longer line that both must have in common, at their ends, for the rest to be worth pointing out. */
const LEAST_COMMON = 0.3;

/** Words, white space, and every other character by itself; surrogates in pairs. */
const UNIT = /[\p{L}\p{N}_]+|\s+|./gsu;

/** The middle in which two lines differ, in whole words, in each; none where they have too little in common. */
export function emphasise(before: string | undefined, after: string | undefined): readonly [Span, Span] {
  if (before === undefined || after === undefined) return [null, null];
  const a = before.match(UNIT) ?? [];
  const b = after.match(UNIT) ?? [];
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const from = a.slice(0, start).join("").length;
  const common = from + a.slice(a.length - end).join("").length;
  if (common < LEAST_COMMON * Math.max(before.length, after.length)) return [null, null];
  return [before, after].map((line): Span => {
    const to = line.length - (common - from);
    return from < to ? [from, to] : null;
  }) as [Span, Span];
}
