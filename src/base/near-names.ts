import { distance } from "fastest-levenshtein";

/** Names that differ from a word by a third of its letters at most, or by two: slips of the keyboard, the nearest first. */
export function nearNames(word: string, names: readonly string[]): string[] {
  const most = Math.max(2, word.length / 3);
  return names
    .map((name) => ({ name, far: distance(name, word) }))
    .filter(({ far }) => far <= most)
    .sort((a, b) => a.far - b.far)
    .map(({ name }) => name);
}

/** A question such as ` Did you mean this or that?`, behind a sentence; nothing where there are none. */
export function didYouMean(names: readonly string[]): string {
  return names.length === 0 ? "" : ` Did you mean ${names.join(" or ")}?`;
}
