/** Lines that a patch adds, without blanks around them; empty ones are none. */
export function addedLines(patch: string): ReadonlySet<string> {
  const lines = patch.split("\n").filter((line) => line.startsWith("+") && !line.startsWith("+++ "));
  return codeLines(lines.map((line) => line.slice(1)));
}

/** Lines without blanks around them, each once; empty ones are none. */
export function codeLines(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.map((line) => line.trim()).filter((line) => line !== ""));
}

/** Jaccard similarity |A ∩ B| / |A ∪ B| of two sets of lines, 0–1; `null` where neither has any. */
export function jaccard(mine: ReadonlySet<string>, theirs: ReadonlySet<string>): number | null {
  let shared = 0;
  for (const line of mine) if (theirs.has(line)) shared++;
  const all = mine.size + theirs.size - shared;
  return all === 0 ? null : shared / all;
}

/** The similarity of the lines that two patches add; `null` where neither adds any. */
export function addedJaccard(first: string, second: string): number | null {
  return jaccard(addedLines(first), addedLines(second));
}
