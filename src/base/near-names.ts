import { distance } from "fastest-levenshtein";

const MOST_NAMES = 3;

/**
 * Names that a mistyped word may mean, the nearest first, at most three: those that begin with it or it with them, are a
 * part of it between dashes or it of them, have its letters in another order, or become it by changes to at most a third
 * of its letters. The same word but for case and for what stands between its parts is meant alone.
 */
export function nearNames(word: string, names: readonly string[]): string[] {
  const typed = word.toLowerCase();
  const same = names.find((name) => plain(name) === plain(word));
  if (same !== undefined) return [same];
  const most = Math.max(1, Math.floor(typed.length / 3));
  return [...new Set(names)]
    .map((name) => ({ name, far: farness(typed, name.toLowerCase()) }))
    .filter(({ far }) => far <= most)
    .sort((a, b) => a.far - b.far)
    .slice(0, MOST_NAMES)
    .map(({ name }) => name);
}

/** A question such as ` Did you mean this or that?`, behind a sentence; nothing where there are none. */
export function didYouMean(lines: readonly string[]): string {
  return lines.length === 0 ? "" : ` Did you mean ${lines.join(" or ")}?`;
}

/** The same of the names that a word is near. */
export function nearHint(word: string, names: readonly string[], shown = (name: string) => name): string {
  return didYouMean(nearNames(word, names).map(shown));
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, "-");
}

/** Fewer letters than this begin too many names. */
const LEAST_PREFIX = 3;

function farness(typed: string, name: string): number {
  if (isPrefix(typed, name)) return 0;
  const isAlmost = isPrefix(name, typed) || isPart(typed, name) || isPart(name, typed);
  return isAlmost || lettersOf(typed) === lettersOf(name) ? 1 : distance(name, typed);
}

function isPrefix(short: string, long: string): boolean {
  return short.length >= LEAST_PREFIX && long.startsWith(short);
}

function isPart(short: string, long: string): boolean {
  return short.length >= LEAST_PREFIX && long.split(/[-_ ]/).includes(short);
}

function lettersOf(word: string): string {
  return [...word].sort().join("");
}
