import type { Token } from "../solution/introduced-tokens.js";
import type { Edit, NearMiss } from "./near-miss.js";
import type { Revision } from "./revision.js";

/** Words that say who may see or change something: code does the same with another, or without. */
const MODIFIERS =
  /^(?:private|public|protected|internal|static|final|readonly|const|let|var|override|inline|volatile|constexpr|virtual)$/;
/** Types of numbers that hold what each other holds. */
const NUMBERS = /^(?:byte|short|int|long|float|double|decimal|Short|Integer|Long|Float|Double)$/;

/** Signs of more and less, which differ where both sides are equal. */
const BOUND = /^[<>]=?$/;
/** Words of reviews that are about where something ends. */
const OF_BOUNDS =
  /\b(?:least|most|inclusive|exclusive|equals?|off[ -]by|bounds?|boundary|limit|edge|empty|zero|last|exact(?:ly)?|less|greater|more)\b/i;

/** A value that is given or handed over by itself: no index, sum or comparison. */
const GIVEN_BEFORE = /(?:[(,]|\w\s*(?:[:+*/-]?=)|:)\s*$/;
const GIVEN_BEHIND = /^\s*(?:[),;}\]]|$)/m;
const DIGITS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

/** Near misses without those that do no harm. */
export function harmful(misses: readonly NearMiss[], revision: Revision): NearMiss[] {
  const aside = besideThePoint(revision);
  return misses.filter((miss) => !isHarmless(miss, revision, aside));
}

/**
 * Tests if a near miss does no harm: who reads would take it for as right as the revision. Another modifier or type of
 * number, another number where nothing tells which, `>=` for `>` where nothing is about bounds,
 * another comment where the change is one of code.
 */
function isHarmless({ edits }: NearMiss, revision: Revision, aside: readonly Token[]): boolean {
  return edits.every(
    (edit) =>
      isOtherModifier(edit, revision) ||
      isOtherBound(edit, revision) ||
      isOtherNumber(edit, revision) ||
      isWithin(aside, edit, revision),
  );
}

/** Words of reviews that are about what is told, not done. */
const OF_WORDS =
  /comment|doc(?:s|umentation|string)?\b|todo|typo|spell|word|grammar|explain|descri|licen[cs]e|copyright/i;

/** Tokens of comments, where the revision is about code. */
function besideThePoint({ after, introduced, review }: Revision): Token[] {
  if (OF_WORDS.test(review) || ![...introduced.keys()].some(({ inComment }) => !inComment)) return [];
  return after.filter(({ inComment }) => inComment);
}

/** Tells whether an edit changes tokens of comments, and no others. */
function isWithin(comments: readonly Token[], { start, end }: Edit, { after }: Revision): boolean {
  const isChanged = (token: Token) => token.start < Math.max(end, start + 1) && token.end > start;
  return comments.some(isChanged) && after.every((token) => token.inComment || !isChanged(token));
}

function isOtherModifier({ start, end, to }: Edit, { text, asked }: Revision): boolean {
  const [from, into] = [text.slice(start, end), to].map((words) => words.split(/\s+/).filter((word) => word !== ""));
  const changed = [
    ...(from ?? []).filter((word) => !into?.includes(word)),
    ...(into ?? []).filter((word) => !from?.includes(word)),
  ];
  const isKin = changed.every((word) => MODIFIERS.test(word)) || changed.every((word) => NUMBERS.test(word));
  return changed.length > 0 && isKin && !changed.some((word) => asked.has(word.toLowerCase()));
}

function isOtherBound({ start, end, to }: Edit, { text, review }: Revision): boolean {
  const from = text.slice(start, end);
  if (!BOUND.test(from) || !BOUND.test(to) || from[0] !== to[0]) return false;
  const line = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  return !/\b(?:for|while)\b/.test(line) && !OF_BOUNDS.test(review);
}

function isOtherNumber({ start, end, to }: Edit, { text, old, asked }: Revision): boolean {
  const from = text.slice(start, end);
  if (!/^\d+$/.test(from) || !/^\d+$/.test(to)) return false;
  const isUnit = /^10{2,}$/.test(from) && /^10+$/.test(to);
  const isKnown =
    [from, DIGITS[Number(from)] ?? from].some((word) => asked.has(word)) || new RegExp(`\\b${from}\\b`).test(old);
  return !isUnit && !isKnown && GIVEN_BEFORE.test(text.slice(0, start)) && GIVEN_BEHIND.test(text.slice(end));
}
