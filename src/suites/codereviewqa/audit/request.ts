import type { Selection } from "../../../dataset/dataset-file.js";
import type { Difficulty } from "../../../dataset/example.js";
import type { ConnectionOptions } from "../../../model/model.js";
import type { ResolvedModel } from "../../../model/resolved-model.js";
import type { StartMode } from "../metric/contamination/starting-points.js";

/** What a user asks of `probe audit`, checked and complete. */
export interface AuditRequest {
  readonly model: ResolvedModel;
  readonly connection: ConnectionOptions;
  /** Path of the data, `starter` or `hf:owner/name`. */
  readonly dataset: string;
  /** What it is held against. */
  readonly against: readonly string[];
  /** CTR, CL, SI, ACR; none: all. ACR is what the others are compared with. */
  readonly tasks: readonly string[];
  /** None: both. */
  readonly difficulties: readonly Difficulty[];
  /** Applied to each dataset; its seed is the seed of all that is drawn. */
  readonly selection: Selection;
  readonly starts: StartMode;
  /** Whether the renamed-code reference is scored. */
  readonly renamed: boolean;
  readonly skipInvalid: boolean;
}
