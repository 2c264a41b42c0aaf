import { distance } from "fastest-levenshtein";

/** Its time grows with the product of the lengths: about a second at this limit, 65,536 characters each. */
const MOST_WORK = 2 ** 32;

/**
 * Levenshtein distance between two texts: the fewest characters to insert, delete or replace. A character is a Unicode
 * code point. Range: 0 (equal) to the length of the longer text; `null` where what differs is too long to be measured.
 */
export function editDistance(before: string, after: string): number | null {
  const [left, right] = withoutCommonEnds([...before], [...after]);
  if (left.length * right.length > MOST_WORK) return null;
  const units = new Map<string, string>();
  return distance(asSingleUnits(left, units), asSingleUnits(right, units));
}

/** What both begin or end with costs no edit; without it a small change to a large text is measured quickly. */
function withoutCommonEnds(left: readonly string[], right: readonly string[]): [readonly string[], readonly string[]] {
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start++;
  let end = 0;
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end++;
  return [left.slice(start, left.length - end), right.slice(start, right.length - end)];
}

/** One UTF-16 unit a character, the same for the same: the library counts units, and an emoji has two. */
function asSingleUnits(characters: readonly string[], units: Map<string, string>): string {
  return characters
    .map((character) => {
      const unit = units.get(character) ?? String.fromCharCode(units.size);
      units.set(character, unit);
      return unit;
    })
    .join("");
}
