import { diffArrays } from "diff";
import type { HunkDiff } from "../../dataset/hunk-diff.js";
import type { Token } from "./tokens.js";

/**
 * What the revision does with a token of an added line, against the removed lines of the same replaced block. `new`: it stands on
 * none of them. `moved`: it does, in another order. `beside`: it is kept, next to what was left out.
 */
export type Introduction = "new" | "moved" | "beside";

export interface IntroducedToken {
  readonly token: Token;
  readonly introduction: Introduction;
}

/** Tokens of both versions of a hunk, by its blocks of changed lines. */
interface Block {
  readonly removed: readonly Token[];
  readonly added: readonly Token[];
}

/**
 * The tokens of the added lines that a revision introduces. A token that also stands on a removed line of its block is
 * printed in every option, so that it tells nothing: hence the difference in tokens, not in lines.
 * @param before tokens of the pre-review code
 * @param after tokens of the post-review code
 */
export function introducedTokens(
  diff: Pick<HunkDiff, "old" | "new">,
  before: readonly Token[],
  after: readonly Token[],
): IntroducedToken[] {
  return blocksOf(diff, before, after).flatMap(introducedIn);
}

function introducedIn({ removed, added }: Block): IntroducedToken[] {
  const known = new Set(textsOf(removed));
  const parts = diffArrays(textsOf(removed), textsOf(added));
  const found = new Map<Token, Introduction>();
  const keptBeside: Token[] = [];
  let place = 0;
  parts.forEach((part, i) => {
    if (isLeftOut(parts, i)) keptBeside.push(...added.slice(Math.max(0, place - 1), place + 1));
    if (part.removed) return;
    for (const token of part.added ? added.slice(place, place + part.value.length) : []) {
      found.set(token, known.has(token.text) ? "moved" : "new");
    }
    place += part.value.length;
  });
  for (const token of keptBeside) found.set(token, found.get(token) ?? "beside");
  return Array.from(found, ([token, introduction]) => ({ token, introduction }));
}

type Part = ReturnType<typeof diffArrays<string>>[number];

/** Whether a part is removed and nothing stands in its place. */
function isLeftOut(parts: readonly Part[], i: number): boolean {
  const neighbours = [parts[i - 1], parts[i + 1]];
  return parts[i]?.removed === true && !neighbours.some((part) => part?.added === true);
}

function textsOf(tokens: readonly Token[]): string[] {
  return tokens.map(({ text }) => text);
}

/** A run of changed lines, `-` in the old version and `+` in the new one at the same place. */
function blocksOf(diff: Pick<HunkDiff, "old" | "new">, before: readonly Token[], after: readonly Token[]): Block[] {
  const [old, fresh] = [diff.old.split("\n"), diff.new.split("\n")];
  const [removedByLine, addedByLine] = [byLine(before), byLine(after)];
  const blocks: Block[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    const removed: Token[] = [];
    const added: Token[] = [];
    while (old[i]?.startsWith("-") === true) removed.push(...(removedByLine.get(i++) ?? []));
    while (fresh[j]?.startsWith("+") === true) added.push(...(addedByLine.get(j++) ?? []));
    if (added.length > 0) blocks.push({ removed, added });
    i++;
    j++;
  }
  return blocks;
}

function byLine(tokens: readonly Token[]): Map<number, Token[]> {
  const lines = new Map<number, Token[]>();
  for (const token of tokens) lines.set(token.line, [...(lines.get(token.line) ?? []), token]);
  return lines;
}
