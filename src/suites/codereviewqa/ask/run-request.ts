import type { Shard } from "../../../base/shard.js";
import type { Selection } from "../../../dataset/dataset-file.js";
import type { Difficulty } from "../../../dataset/example.js";
import type { ConnectionOptions, PromptMode } from "../../../model/model.js";
import type { Price } from "../../../model/prices.js";
import type { Think } from "../../../model/requests.js";
import type { ResolvedModel } from "../../../model/resolved-model.js";
import type { Withheld } from "../../../question/form.js";
import type { ProbeFile } from "../../../question/own-probe.js";
import type { RunDesign } from "../record/run-file.js";

/** Request for `probe run`, checked and complete. */
export interface RunRequest {
  readonly model: ResolvedModel;
  /** Tasks in the order in which they were named; none: those with options to choose from. */
  readonly tasks: readonly string[];
  readonly difficulties: readonly Difficulty[];
  /** Parts withheld when the multiple-choice questions are asked once more; absent: they are not. */
  readonly ablate?: readonly Withheld[];
  /** Path of the data, or `starter`. */
  readonly dataset: string;
  readonly selection: Selection;
  /** The share of the examples that is asked about; `null` or absent: all. */
  readonly shard?: Shard | null;
  readonly promptMode: PromptMode;
  readonly mode: "fast" | "exact";
  readonly connection: ConnectionOptions;
  /** `null` when it is not known. */
  readonly price: Price | null;
  readonly earlyStop: boolean;
  /** The order that is asked first, where questions stop early; absent: that of the options' indices. */
  readonly firstOrder?: "random";
  /** Absent: every order once. */
  readonly design?: RunDesign;
  /** Absent: nothing is said of thoughts. */
  readonly think?: Think;
  /** Parts of the thoughts after each of which the letter is read; absent: none. */
  readonly trace?: number;
  /** `decided`: a form is asked until its verdict cannot be chance; absent: all of it. */
  readonly until?: "decided";
  /** The most that the run may cost, in the currency of the price; absent: anything. */
  readonly maxCost?: number;
  /** Set where it is asked in batches. */
  readonly batch?: true;
  /** Minutes after which batches under way are left; absent: they are waited for. */
  readonly batchWait?: number;
  readonly skipInvalid: boolean;
  /** Modules with probes of one's own. */
  readonly probes: readonly ProbeFile[];
  /** Count of these, the first ones, that are asked when no task is named; none: the shipped probes are. */
  readonly namedProbes: number;
}
