import type { Language } from "../base/language.js";
import type { ChangeType, Difficulty, Example } from "../dataset/example.js";
import type { Rule } from "./floors/rule.js";
import type { Withheld } from "./form.js";

/** Values for the placeholders of a prompt template, but for the options. */
export type StemValues = Readonly<Record<string, string>>;

/** A multiple-choice question; option 0 is the right one. */
export interface Question {
  /** Position in the run, from 0; orders every table. */
  readonly index: number;
  readonly task: string;
  readonly difficulty: Difficulty | null;
  /** The part that is withheld from the stem; absent: none. */
  readonly ablation?: Withheld | undefined;
  readonly exampleId: string;
  readonly language: Language;
  readonly changeType: ChangeType;
  readonly stem: StemValues;
  /** Texts as the prompt shows them, after the symbol; distinct. */
  readonly options: readonly string[];
}

/** A question that is answered with a text, not by a choice. */
export interface OpenQuestion {
  /** Position among the run's open questions, from 0. */
  readonly index: number;
  readonly task: string;
  readonly exampleId: string;
  readonly language: Language;
  readonly changeType: ChangeType;
  readonly stem: StemValues;
  /** The right text. */
  readonly reference: string;
  /** The text that is to be revised: what an answer that changes nothing gives. */
  readonly preReview: string;
  /** Texts that end the answer; not part of it. */
  readonly stop: readonly string[];
  /** The most tokens the answer may have. */
  readonly maxTokens: number;
}

/** Names and stem of every probe. */
interface ProbeNames {
  /** Name on the command line and in the tables, such as `CL`. */
  readonly task: string;
  readonly title: string;
  /** Place among the probes, in tables and by default in a run: those that the paper builds on come first. */
  readonly order: number;
  /** The folder of `prompts/` that its template is in; `paper` unless told otherwise. */
  readonly promptSet?: string | undefined;
  /** Tells whether the example can be asked about at all. */
  isEligible(example: Example): boolean;
  /** Values for the places of the template. */
  stem(example: Example): StemValues;
}

/** View of a rule of a probe of one's own. */
export interface OptionsView {
  /** Texts as the prompt shows them; 0 is the right one. */
  readonly options: readonly string[];
  readonly example: Example;
}

/** A probe that asks multiple-choice questions. */
export interface ChoiceProbe extends ProbeNames {
  readonly kind: "choice";
  /** Difficulties it is asked in; empty for a probe that has just one form. */
  readonly difficulties: readonly Difficulty[];
  readonly optionCount: number;
  /** The right option first. Called for eligible examples only. */
  options(example: Example, difficulty: Difficulty | null): readonly string[];
  /** Answer class whose commonest value makes the majority floor; `null` where the options have no classes. */
  answerClass(example: { readonly changeType: ChangeType }): string | null;
  /**
   * Ways to pick an option without comprehension, for the floors of a probe of one's own; besides `longest`, `shortest`
   * and `medoid_tokens`, which every such probe has.
   */
  readonly rules?: readonly Rule<OptionsView>[];
}

/** A probe that has the model write. It has one form. */
export interface GenerationProbe extends ProbeNames {
  readonly kind: "generation";
  /** The right text; code as lines joined with `\n`. */
  reference(example: Example): string;
  /** The pre-review code, likewise. */
  preReview(example: Example): string;
  /** Texts that end the generation; not part of it. */
  stop(example: Example): readonly string[];
  /** The most tokens a generation may have. */
  readonly maxTokens: number;
  /** Scoring of the written text; absent: as code, against the pre-review code repeated (paper §2). */
  readonly scoring?: TextScoring | undefined;
}

/** Definition of a probe: its questions about an example. One file a probe in `probes/`. */
export type ProbeDefinition = ChoiceProbe | GenerationProbe;

/** Score of a written answer. */
export interface TextScore {
  /** Exactly the right answer. */
  readonly em: boolean;
  /** Nearness to the right answer, 0–1: the probe's own measure. */
  readonly graded: number;
}

/** A way to answer without comprehension. */
export interface TextRule {
  /** Such as `middle_line`; its metric is `floor_` and this. */
  readonly name: string;
  /** Short description, for notes. */
  readonly text: string;
  /**
   * Writes an answer by the code alone.
   * @param references the right answers of all questions it is measured on: for rules that know what is commonest
   */
  writer(references: readonly string[]): (preReview: string) => string;
}

/** Scoring of a text that is no code. Everything else about such a probe follows from it. */
export interface TextScoring {
  /** The measure beside exact match: its metric and column in the tables, its title, and what it is. */
  readonly graded: { readonly name: string; readonly title: string; readonly note: string };
  /** Meaning of exact match here, for notes. */
  readonly exact: string;
  /** `null`: the text is no answer at all; that counts as no match, and is counted. */
  score(text: string, reference: string): TextScore | null;
  /** At least one: the best of them is the floor. */
  readonly rules: readonly TextRule[];
}
