import { type Distribution, distributionOf } from "../../stats/distribution.js";
import { CHANGE_TYPES, type ChangeType } from "../example.js";
import type { Measures } from "./measure.js";

/** One row of the paper's Table 5. */
export interface Statistic extends Distribution {
  readonly statistic: StatisticName;
  /** `null`: over all change types. */
  readonly changeType: ChangeType | null;
}

/** What is counted of a review. */
export type StatisticName =
  | "comment_length"
  | "code_edit_distance"
  | "change_locations"
  | "code_element_ratio"
  | "specification_ratio";

/** Collects the measures of examples, one number each, and describes them. */
export class StatisticsCollector {
  readonly #commentLength: number[] = [];
  readonly #codeEditDistance: number[] = [];
  readonly #changeLocations: Readonly<Record<ChangeType, number[]>> = { add: [], delete: [], modify: [] };
  readonly #codeElementRatio: number[] = [];
  readonly #specificationRatio: number[] = [];

  add(measures: Measures): void {
    this.#commentLength.push(measures.commentLength);
    if (measures.codeEditDistance !== null) this.#codeEditDistance.push(measures.codeEditDistance);
    this.#changeLocations[measures.changeType].push(measures.changeLocations);
    if (measures.codeElementRatio !== null) this.#codeElementRatio.push(measures.codeElementRatio);
    if (measures.specificationRatio !== null) this.#specificationRatio.push(measures.specificationRatio);
  }

  /** The rows of Table 5, in its order. */
  statistics(): Statistic[] {
    const row = (statistic: StatisticName, numbers: readonly number[], changeType: ChangeType | null = null) => ({
      statistic,
      changeType,
      ...distributionOf(numbers),
    });
    return [
      row("comment_length", this.#commentLength),
      row("code_edit_distance", this.#codeEditDistance),
      ...CHANGE_TYPES.map((type) => row("change_locations", this.#changeLocations[type], type)),
      row("code_element_ratio", this.#codeElementRatio),
      row("specification_ratio", this.#specificationRatio),
    ];
  }
}
