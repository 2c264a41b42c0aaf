import type { ChangeType } from "../../dataset/example.js";
import type { Rule } from "./rule.js";

/** What the rules of CTR see. */
export interface ChangeTypeView {
  /** The options; 0 is the right one. */
  readonly changeTypes: readonly ChangeType[];
  readonly review: string;
}

/** "Remove", "unused", "no need": asks for less. */
const LESS =
  /\b(?:remov(?:e|es|ed|ing)|delet(?:e|es|ed|ing)|drop(?:s|ped|ping)?|unused|unnecessary|redundant|obsolete|leftover|not needed|no longer needed|(?:don't|do not|no) need|get rid of)\b/iu;
/** "Add", "missing", "also": asks for more. */
const MORE = /\b(?:add(?:s|ed|ing)?|missing|miss|also|include|insert|append|lacks?|should have|(?:a|another) test)\b/iu;

/**
 * The rules of change type recognition (spec §7), but for `majority`: it is a rule of the benchmark, not of one question
 * (`floors.ts`).
 */
export const CHANGE_TYPE_RULES: readonly Rule<ChangeTypeView>[] = [
  /**
   * Words of the review alone: `delete` where one asks for less, else `add` where one asks for more, else `modify`. Score:
   * 1 for that type, 0 for the others.
   */
  {
    name: "keywords",
    sees: "lexical",
    score: ({ changeTypes, review }) => changeTypes.map((type) => Number(type === typeByKeywords(review))),
  },
];

function typeByKeywords(review: string): ChangeType {
  if (LESS.test(review)) return "delete";
  return MORE.test(review) ? "add" : "modify";
}
