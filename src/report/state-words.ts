import type { Judgement, JudgementState } from "../verdict/verdict.js";
import type { Inline, NumberCell, Tone } from "./block.js";

interface StateWords {
  readonly text: string;
  readonly tone: Tone;
  /** Behind a number. */
  readonly sign: string;
  /** Likewise in LaTeX, where letters of all alphabets cannot be taken for granted. */
  readonly latex: string;
  /** What tables sort by; `null`: at the end. */
  readonly order: number | null;
}

/** What a score is worth, in a word or two, and how it looks. */
export const STATE_WORDS: Readonly<Record<JudgementState, StateWords>> = {
  unreadable: { text: "unreadable", tone: "bad", sign: "✗", latex: "\\times", order: 0 },
  barely: { text: "barely", tone: "warning", sign: "~", latex: "\\sim", order: 1 },
  at_floor: { text: "at floor", tone: "warning", sign: "=", latex: "=", order: 2 },
  above_floor: { text: "above floor", tone: "good", sign: "✓", latex: "\\ast", order: 3 },
  unknown: { text: "unknown", tone: "plain", sign: "?", latex: "?", order: null },
};

/** What a score is worth, as its cell shows it: the sign behind it, and a mark before it. */
export function worthOf({ state, mark }: Pick<Judgement, "state" | "mark">): Pick<NumberCell, "verdict" | "badge"> {
  return { verdict: state, ...(mark && { badge: mark }) };
}

/** What a score is worth in a sentence, whose first words say how to look at it. */
export function judgementParts({ state, text }: Pick<Judgement, "state" | "text">): Inline[] {
  const end = text.indexOf(":");
  const word = end === -1 ? text : text.slice(0, end);
  return [{ kind: "toned", text: word, tone: STATE_WORDS[state].tone }, text.slice(word.length)];
}
