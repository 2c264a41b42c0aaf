import type { Language } from "../../../../../base/language.js";
import { isOwnName } from "../../../../../syntax/own-names.js";
import type { IntroducedToken, Introduction } from "./introduced.js";
import type { Token } from "./tokens.js";
import { isContentWord, namesInProse } from "./words.js";

/** A token that could be masked. */
export interface Place extends IntroducedToken {
  readonly start: number;
  readonly end: number;
  /** 0: what the revision is most likely about. */
  readonly tier: number;
}

/**
 * The tokens that a question can turn on, in tiers. First names and numbers that the revision brings along; then words and
 * numbers of prose, and operators; then names that are declared there, or stand there more than once: another name for a thing that is new
 * is no wrong revision, and what every program in the language has is told from it at sight. Last what the removed lines have as well: the smallest expression that changed.
 */
export function placesIn(
  introduced: readonly IntroducedToken[],
  { text, review, language }: { readonly text: string; readonly review: string; readonly language: Language },
): Place[] {
  const counts = new Map<string, number>();
  for (const { token } of introduced) counts.set(token.text, (counts.get(token.text) ?? 0) + 1);
  const asked = new Set([...namesInProse(review), ...(review.match(/[\p{L}\p{N}_]+/gu) ?? [])]);
  return introduced
    .filter(({ token }) => isMaskable(token))
    .map((each) => {
      const { token, introduction } = each;
      const isBound = counts.get(token.text) === 1 && !isDeclared(token, text);
      const isTelling = token.text.length > 2 && !isOwnName(language, token.text);
      const tier = tierOfSort(token, isTelling && (isBound || asked.has(token.text)));
      return { ...each, start: token.start, end: token.end, tier: TIER_OF_INTRODUCTION[introduction] + tier };
    });
}

const TIER_OF_INTRODUCTION: Readonly<Record<Introduction, number>> = { new: 0, moved: 3, beside: 6 };

function tierOfSort({ sort, inProse }: Token, isTelling: boolean): number {
  if (inProse || sort === "word" || sort === "operator") return 1;
  return sort === "name" && !isTelling ? 2 : 0;
}

function isMaskable({ sort, text }: Token): boolean {
  return sort === "word" ? isContentWord(text) : sort !== "other";
}

/** Whether a name stands where it is given to something. */
function isDeclared({ start, end, leaf }: Token, text: string): boolean {
  const after = text.slice(end).trimStart();
  if (/^(?::=|=(?![=>~]))/.test(after)) return true;
  const isDefinition = /declarat|definition|parameter/.test(leaf.parentKind ?? "");
  return isDefinition && /^[,;:()={]/.test(after) && !/=\s*$/.test(text.slice(0, start));
}
