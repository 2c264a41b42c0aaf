/** The text of tokens `start` to `end` (the last excluded); a character cut by either border decodes as U+FFFD. */
type TextOfTokens = (start: number, end: number) => string;

type TokenEnds =
  | { readonly status: "aligned"; readonly ends: readonly number[] }
  /** The tokens spell another text; `at`: where, in UTF-16 units, the first of them that does begins. */
  | { readonly status: "differs"; readonly at: number };

const REPLACEMENT = "\uFFFD";
/** A character of UTF-8 that lacks a byte shows as at most three of these. */
const CUT_CHARACTER = /\uFFFD{1,3}$/;

/**
 * Where each of `count` tokens ends in the text that they spell, in UTF-16 units: ascending, the last is the text's
 * length. Tokens that share a character all end where it ends: its first token has its place, the others have none, and
 * all lie within (start, end] of it. A lone surrogate in the text counts as U+FFFD, which is what a tokenizer reads.
 */
export function tokenEnds(text: string, count: number, textOf: TextOfTokens): TokenEnds {
  const expected = text.toWellFormed();
  const ends: number[] = [];
  let at = 0;
  while (ends.length < count) {
    const group = nextGroup(expected, at, { first: ends.length, count, textOf });
    if (group === null) return { status: "differs", at };
    at += group.text.length;
    for (let i = 0; i < group.size; i++) ends.push(at);
  }
  return at === expected.length ? { status: "aligned", ends } : { status: "differs", at };
}

interface Tokens {
  readonly first: number;
  readonly count: number;
  readonly textOf: TextOfTokens;
}

/** The fewest tokens from `first` on that spell whole characters of the text at `at`; `null` when there are none. */
function nextGroup(text: string, at: number, tokens: Tokens): { readonly size: number; readonly text: string } | null {
  const { first, count, textOf } = tokens;
  for (let end = first + 1; end <= count; end++) {
    const spelled = textOf(first, end);
    if (text.startsWith(spelled, at)) {
      if (isWhole(spelled, end, tokens)) return { size: end - first, text: spelled };
    } else if (!CUT_CHARACTER.test(spelled) || !text.startsWith(spelled.replace(CUT_CHARACTER, ""), at)) {
      return null;
    }
  }
  return null;
}

/** `true` where a final U+FFFD is that character of the text, and not the first bytes of one: those join the next token. */
function isWhole(spelled: string, end: number, { first, count, textOf }: Tokens): boolean {
  if (!spelled.endsWith(REPLACEMENT) || end === count) return true;
  return textOf(first, end + 1) === spelled + textOf(end, end + 1);
}
