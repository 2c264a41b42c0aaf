import type { Language } from "../../base/language.js";
import type { TripleLine } from "../triple.js";
import { measure } from "./measure.js";
import { type Statistic, StatisticsCollector } from "./statistics.js";

/** Why a line is not in the statistics. */
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
