import type { JudgementState } from "../verdict/verdict.js";
import type { Tone } from "./block.js";

interface StateWords {
  readonly text: string;
  readonly tone: Tone;
  /** What tables sort by; `null`: at the end. */
  readonly order: number | null;
}

/** What a score is worth, in a word or two, and how it looks. */
export const STATE_WORDS: Readonly<Record<JudgementState, StateWords>> = {
  unreadable: { text: "unreadable", tone: "bad", order: 0 },
  barely: { text: "barely", tone: "warning", order: 1 },
  at_floor: { text: "at floor", tone: "warning", order: 2 },
  above_floor: { text: "above floor", tone: "good", order: 3 },
  unknown: { text: "unknown", tone: "plain", order: null },
};
