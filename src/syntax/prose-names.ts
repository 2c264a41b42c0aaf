/** What prose has no use for: an underscore, a digit or a capital inside. */
const CODE_SPELLING = /[\p{L}\p{N}]_|_[\p{L}\p{N}]|\p{L}\p{N}|\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u;
const LEAST_CHARACTERS = 3;

/**
 * Whether a word of a comment or a review that is spelled like a name of the code means that name: between backticks, with
 * `$` or `@` before it, as a call, or spelled as only code is. `key` in "the missing key" is an English word.
 * @param offset where the name begins in the prose
 */
export function isNameInProse(name: string, prose: string, offset: number): boolean {
  if (isBetweenBackticks(prose, offset)) return true;
  if (name.length < LEAST_CHARACTERS) return false;
  return CODE_SPELLING.test(name) || /[@$]/.test(prose[offset - 1] ?? "") || prose[offset + name.length] === "(";
}

/** On its line, the number of backticks before it is odd, and one follows. */
function isBetweenBackticks(prose: string, offset: number): boolean {
  const start = prose.lastIndexOf("\n", offset - 1) + 1;
  const before = prose.slice(start, offset).split("`").length - 1;
  const line = prose.slice(offset).split("\n", 1)[0] ?? "";
  return (before % 2 === 1 && line.includes("`")) || isInFence(prose.slice(0, start));
}

/** Between lines of three backticks. */
function isInFence(before: string): boolean {
  return (before.match(/^\s*```/gm) ?? []).length % 2 === 1;
}
