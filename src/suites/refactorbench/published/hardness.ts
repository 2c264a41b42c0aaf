import { mean, median } from "simple-statistics";
import { groupBy } from "../../../base/grouping.js";
import type { FixtureFacts } from "./fixture-facts.js";
import { countOf, passes } from "./published-conditions.js";
import type { PublishedRow } from "./published-row.js";

type Facts = ReadonlyMap<string, Pick<FixtureFacts, "lines">>;

/** Hardness of the fixtures, over all conditions. */
export interface Hardness {
  readonly fixtures: number;
  /** Fixtures that nobody passes. */
  readonly zeroPass: readonly string[];
  /** Fixtures that every condition passes. */
  readonly allPass: readonly string[];
  readonly passes: number;
  readonly rows: number;
  /** Share of failures on fixtures that nobody passes that was reported, 0–1; `null`: not told, or none. */
  readonly zeroPassNonSuccess: number | null;
  /** Lines of the target; `null` where no file tells them. */
  readonly lines: { readonly zeroPass: LineStatistics | null; readonly others: LineStatistics | null } | null;
}

/** Lines of the targets of a set of fixtures. */
interface LineStatistics {
  readonly n: number;
  readonly mean: number;
  readonly median: number;
  /** The upper of the two middle values, which the paper prints for the median. */
  readonly medianPublished: number;
}

export function hardnessOf(rows: readonly PublishedRow[], facts: Facts | null): Hardness {
  const byFixture = groupBy(rows, ({ fixture }) => fixture);
  const named = (isSo: (own: readonly PublishedRow[]) => boolean) =>
    [...byFixture].filter(([, own]) => isSo(own)).map(([fixture]) => fixture);
  const zeroPass = named((own) => !own.some(passes));
  const zero = new Set(zeroPass);
  return {
    fixtures: byFixture.size,
    zeroPass,
    allPass: named((own) => own.every(passes)),
    passes: countOf(rows, passes),
    rows: rows.length,
    zeroPassNonSuccess: nonSuccessShare(rows.filter(({ fixture }) => zero.has(fixture))),
    lines:
      facts === null
        ? null
        : {
            zeroPass: lineStatistics(zeroPass, facts),
            others: lineStatistics(
              [...byFixture.keys()].filter((fixture) => !zero.has(fixture)),
              facts,
            ),
          },
  };
}

/** All of these failed: nobody passes the fixture. */
function nonSuccessShare(failed: readonly PublishedRow[]): number | null {
  const told = failed.filter(({ failureBucket }) => failureBucket !== null);
  if (told.length === 0) return null;
  return countOf(told, ({ failureBucket }) => failureBucket === "Reported non-success") / told.length;
}

function lineStatistics(fixtures: readonly string[], facts: Facts): LineStatistics | null {
  const values = fixtures.flatMap((fixture) => facts.get(fixture)?.lines ?? []).sort((a, b) => a - b);
  const upperMiddle = values[Math.floor(values.length / 2)];
  if (upperMiddle === undefined) return null;
  return { n: values.length, mean: mean(values), median: median(values), medianPublished: upperMiddle };
}
