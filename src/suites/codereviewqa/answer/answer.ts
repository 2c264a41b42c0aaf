import type { Language } from "../../../base/language.js";
import type { ChoiceSymbol, Logprob, OptionIndex } from "../../../base/symbol.js";
import type { ChangeType, Difficulty } from "../../../dataset/example.js";
import type { Withheld } from "../../../question/form.js";

/** Which question, under which order, an answer belongs to. */
export interface AnswerPlace {
  /** Position of the question in the run, from 0. */
  readonly questionIndex: number;
  readonly task: string;
  readonly difficulty: Difficulty | null;
  /** What was withheld; absent: nothing. */
  readonly ablation?: Withheld | undefined;
  readonly exampleId: string;
  readonly language: Language;
  readonly changeType: ChangeType;
  /** Position among the N! orders, from 0. */
  readonly permutationIndex: number;
  /** Option index at A, B, C and so on, such as `2013`; from 11 options on with `-` between them. */
  readonly permutation: string;
  readonly correctSymbol: ChoiceSymbol;
}

/** What the model answered, or why it did not. Missing is never a letter and never a number. */
export type AnswerOutcome =
  | {
      readonly status: "chosen";
      readonly chosenSymbol: ChoiceSymbol;
      readonly chosenOption: OptionIndex;
      readonly correct: boolean;
      /** Best minus second best, nats; `null` without log probabilities. */
      readonly margin: number | null;
    }
  /** A tie, or a symbol whose log probability is unknown and could be the highest. */
  | { readonly status: "undecided"; readonly reason: "tie" | "unknown_symbol" }
  | { readonly status: "failed"; readonly failure: string; readonly detail: string };

export interface Answer extends AnswerPlace {
  readonly outcome: AnswerOutcome;
  /** Of every symbol, in order; `null` where unknown. Empty when the model gave no log probabilities. */
  readonly logprobs: readonly { readonly symbol: ChoiceSymbol; readonly logprob: Logprob | null }[];
  /** Sum of the symbols' probabilities, 0–1; `null` unless all are known. */
  readonly symbolMass: number | null;
  readonly extraction: string | null;
  readonly promptTokens: number | null;
  readonly cachedTokens: number | null;
  readonly durationMs: number;
  readonly promptSha256: string;
}
