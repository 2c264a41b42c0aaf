import type { Language } from "../../base/language.js";
import { type Distribution, distributionOf } from "../../stats/distribution.js";
import { CHANGE_TYPES, type ChangeType } from "../example.js";
import type { TripleLine } from "../triple.js";
import { type Measures, measure } from "./review-measures.js";

/** One row of the paper's Table 5. */
export interface Statistic extends Distribution {
  readonly statistic: StatisticName;
  /** `null`: over all change types. */
  readonly changeType: ChangeType | null;
}

/** Measure of a review. */
export type StatisticName =
  | "comment_length"
  | "code_edit_distance"
  | "change_locations"
  | "code_element_ratio"
  | "specification_ratio";

/** Collects the measures of examples, one number each, and describes them. */
class StatisticsCollector {
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

/** Reason why a line is not in the statistics. */
type LeftOut = "unchanged" | "other_language" | "unsupported_language" | "invalid";

/** A file of code reviews in numbers. */
export interface ReviewDescription {
  /** Examples that the statistics are taken over. */
  readonly examples: number;
  readonly leftOut: Readonly<Record<LeftOut, number>>;
  readonly statistics: readonly Statistic[];
}

/**
 * Describes code reviews as the paper's Table 5 does. Streams: holds five numbers an example.
 * @param languages only these; empty: all
 */
export async function describeReviews(
  lines: AsyncIterable<TripleLine>,
  languages: readonly Language[],
): Promise<ReviewDescription> {
  const collector = new StatisticsCollector();
  const leftOut = { unchanged: 0, other_language: 0, unsupported_language: 0, invalid: 0 };
  let examples = 0;
  for await (const line of lines) {
    const reason = leftOutFor(line, languages);
    const measures = reason === null && line.status === "valid" ? measure(line.triple) : null;
    if (measures === null) {
      leftOut[reason ?? "unchanged"]++;
      continue;
    }
    collector.add(measures);
    examples++;
  }
  return { examples, leftOut, statistics: collector.statistics() };
}

function leftOutFor(line: TripleLine, languages: readonly Language[]): LeftOut | null {
  if (line.status === "invalid") return "invalid";
  if (line.status === "unsupported") return "unsupported_language";
  return languages.length === 0 || languages.includes(line.triple.language) ? null : "other_language";
}
