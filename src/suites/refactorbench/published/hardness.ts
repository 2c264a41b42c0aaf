import { mean, median } from "simple-statistics";
import { ProbeError } from "../../../base/errors.js";
import { groupBy } from "../../../base/grouping.js";
import { shorten } from "../../../base/text.js";
import type { TextTable } from "../../../store/read-csv.js";
import { countOf, passes } from "./published-conditions.js";
import type { PublishedRow } from "./published-row.js";

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

/** Lines of the target, by fixture. */
type TargetLines = ReadonlyMap<string, number>;

/** Tests if a table is the released one of fixtures, not of results. */
export function isFixtureTable({ columns }: TextTable): boolean {
  return columns.has("fixture") && columns.has("target_loc") && !columns.has("passes_tests");
}

/**
 * The lines of the targets that a table of fixtures tells.
 * @throws ProbeError `bad_input` for a number that is none
 */
export function targetLines({ name, rows }: TextTable): TargetLines {
  return new Map(
    rows.map(({ line, cells }) => {
      const lines = Number(cells["target_loc"]);
      if (cells["target_loc"] !== "" && Number.isFinite(lines)) return [cells["fixture"] ?? "", lines];
      const found = shorten(cells["target_loc"] ?? "", 80);
      throw new ProbeError(
        "bad_input",
        `Expected a number in column target_loc of ${name}, line ${line}, found "${found}".`,
      );
    }),
  );
}

export function hardnessOf(rows: readonly PublishedRow[], lines: TargetLines | null): Hardness {
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
      lines === null
        ? null
        : {
            zeroPass: lineStatistics(zeroPass, lines),
            others: lineStatistics(
              [...byFixture.keys()].filter((fixture) => !zero.has(fixture)),
              lines,
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

function lineStatistics(fixtures: readonly string[], lines: TargetLines): LineStatistics | null {
  const values = fixtures.flatMap((fixture) => lines.get(fixture) ?? []).sort((a, b) => a - b);
  const upperMiddle = values[Math.floor(values.length / 2)];
  if (upperMiddle === undefined) return null;
  return { n: values.length, mean: mean(values), median: median(values), medianPublished: upperMiddle };
}
