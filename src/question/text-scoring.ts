/** What a written answer comes to. */
export interface TextScore {
  /** Exactly the right answer. */
  readonly em: boolean;
  /** How near it is, 0–1: the probe's own measure. */
  readonly graded: number;
}

/** A way to answer without comprehension. */
export interface TextRule {
  /** Such as `middle_line`; its metric is `floor_` and this. */
  readonly name: string;
  /** What it does, for notes. */
  readonly text: string;
  /**
   * What it writes, by the code alone.
   * @param references the right answers of all questions it is measured on: for rules that know what is commonest
   */
  writer(references: readonly string[]): (preReview: string) => string;
}

/** How a probe scores what a model wrote, when that is no code. Everything else about such a probe follows from it. */
export interface TextScoring {
  /** The measure beside exact match: its metric and column in the tables, its title, and what it is. */
  readonly graded: { readonly name: string; readonly title: string; readonly note: string };
  /** What exact match means here, for notes. */
  readonly exact: string;
  /** `null`: the text is no answer at all; that counts as no match, and is counted. */
  score(text: string, reference: string): TextScore | null;
  /** At least one: the best of them is the floor. */
  readonly rules: readonly TextRule[];
}
