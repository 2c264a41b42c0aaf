import type { Language } from "../../../base/language.js";
import type { ChangeType, Difficulty } from "../../../dataset/example.js";
import type { GenerationStatus } from "../answer/generation.js";

/** A multiple-choice question about an example, as it went under all its orders. */
export interface ProbeOutcome {
  readonly task: string;
  readonly difficulty: Difficulty | null;
  /** Right under all N! orders. */
  readonly right: boolean;
  /** Not right, though no order was answered wrongly: lost to failed or undecided orders. */
  readonly lost: boolean;
}

/** An example that a model was asked to revise and was probed about. */
export interface ExampleOutcome {
  readonly exampleId: string;
  readonly language: Language;
  readonly changeType: ChangeType;
  /** Whether the generated revision is the post-review code. A failed generation is not. */
  readonly match: boolean;
  readonly status: GenerationStatus;
  /** Those it could be asked: none of SI for a deletion, none of CL for a hunk with too few lines. */
  readonly probes: readonly ProbeOutcome[];
}
