/** How one text differs from another by lines: one run of lines stands for another. */
interface LineEdit {
  /** Lines of the first text that are replaced: from this one (counted from 0) … */
  readonly from: number;
  /** … up to, but without, this one. */
  readonly to: number;
  /** What the second text has in their place. */
  readonly lines: readonly string[];
}

/** The shortest edit of one run of lines that makes `before` into `after`: what both begin and end with is left out. */
export function lineEdit(before: string, after: string): { from: number; to: number; lines: string[] } {
  const [old, fresh] = [before.split("\n"), after.split("\n")];
  const shorter = Math.min(old.length, fresh.length);
  let from = 0;
  while (from < shorter && old[from] === fresh[from]) from++;
  let same = 0;
  while (same < shorter - from && old[old.length - 1 - same] === fresh[fresh.length - 1 - same]) same++;
  return { from, to: old.length - same, lines: fresh.slice(from, fresh.length - same) };
}

/**
 * The text that an edit makes of another: the inverse of `lineEdit`.
 * @throws Error where the text does not have the lines
 */
export function applyLineEdit(before: string, { from, to, lines }: LineEdit): string {
  const old = before.split("\n");
  if (from > to || to > old.length) {
    throw new Error(`expected an edit within ${old.length} lines, found one from ${from} to ${to}`);
  }
  return [...old.slice(0, from), ...lines, ...old.slice(to)].join("\n");
}
