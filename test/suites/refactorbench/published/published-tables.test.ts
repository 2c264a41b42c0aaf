import { describe, expect, it } from "vitest";
import { publishedTables } from "../../../../src/suites/refactorbench/published/published-tables.js";
import {
  FIXTURES,
  PRINTED_CONDITIONS,
  PRINTED_EFFECTS,
  PRINTED_MODEL_BUCKETS,
  printedRows,
} from "../../../fixtures/published-counts.js";

const percent = (fraction: number | null | undefined) => ((fraction ?? Number.NaN) * 100).toFixed(1);

const stats = publishedTables([{ name: "counts", text: printedRows() }], { isRounded: true });

describe("tables from the printed counts", () => {
  it("finds pass rates and Wilson intervals of Table 3 again", () => {
    expect(stats.table3!).toHaveLength(14);
    stats.table3!.forEach((row, i) => {
      const printed = PRINTED_CONDITIONS[i]!;
      expect(row).toMatchObject({ n: FIXTURES, pass: printed.passes });
      expect([percent(row.ci_low), percent(row.ci_high)]).toEqual([printed.ciLowPct, printed.ciHighPct]);
      expect(row.avg_min_published?.toFixed(1)).toBe(printed.averageMinutes.toFixed(1));
    });
  });

  it("finds the paired effects of Table 4 again, and the adjusted p-values", () => {
    expect(stats.table4!.map(({ model }) => model)).toEqual(Object.keys(PRINTED_EFFECTS));
    for (const row of stats.table4!) {
      const printed = PRINTED_EFFECTS[row.model as keyof typeof PRINTED_EFFECTS];
      expect([row.both, row.enabled_only, row.disabled_only, row.neither]).toEqual(printed.counts);
      expect(Number(percent(row.delta))).toBe(Number(printed.points));
      // 0.0390625 is printed 0.0391, 0.00390625 as 0.0039.
      expect([row.p.toFixed(4), row.q.toFixed(4)]).toEqual([printed.p, printed.q]);
    }
  });

  it("finds false confidence of Table 5 and the parts of Table 7 again", () => {
    stats.table5!.forEach((row, i) => {
      const printed = PRINTED_CONDITIONS[i]!;
      expect(row).toMatchObject({ reported: printed.reported, false_confidence: printed.falseConfidence });
      expect(percent(row.rate)).toBe(printed.falseConfidencePct);
    });
    stats.table7!.forEach((row) => {
      expect(row.gap).toBe(FIXTURES - row.pass);
      expect(row.non_success_failures + row.reported_success_failures).toBe(row.gap);
    });
  });

  it("finds every cell of Table 13 again from rounded means", () => {
    stats.table13!.forEach((row, i) => {
      const printed = PRINTED_CONDITIONS[i]!;
      expect([
        percent(row.p_succ),
        row.usd_per_success_published?.toFixed(2),
        row.min_per_success_published?.toFixed(1),
      ]).toEqual([printed.successInThreePct, printed.usdPerSuccess, printed.minutesPerSuccess]);
    });
  });

  it("leaves out by name what wants columns that are not there", () => {
    expect(stats.left_out).toEqual([
      { table: "table8", missing: ["failure_bucket"] },
      { table: "table9", missing: ["failure_bucket"] },
      { table: "table10", missing: ["failure_bucket"] },
      { table: "table11", missing: ["failure_bucket", "fixture_category"] },
      { table: "table12", missing: ["the hidden tests (--data)"] },
      { table: "hidden_tests", missing: ["the hidden tests (--data)"] },
    ]);
    expect([stats.table8, stats.table9]).toEqual([null, null]);
    expect(stats.findings).toMatchObject({ alike_failures: null, trivial_passes: null, negative_files_compiled: null });
  });
});

describe("one model of two providers", () => {
  it("is paired within each: there is no effect where neither has one", () => {
    // a passes all six fixtures with and without the runner, b none.
    const lines = ["a", "b"].flatMap((provider) =>
      ["Enabled", "Disabled"].flatMap((runner) =>
        Array.from({ length: 6 }, (_, i) => `${provider},M,${runner},f${i},${provider === "a" ? 1 : 0}`),
      ),
    );
    const text = ["model_provider,model,test_runner,fixture,passes_tests", ...lines].join("\n");
    expect(publishedTables([{ name: "two", text }], { isRounded: false }).table4).toEqual([
      { model: "M", both: 6, enabled_only: 0, disabled_only: 0, neither: 6, delta: 0, p: 1, q: 1 },
    ]);
  });
});

describe("classes of failures", () => {
  const CLASSES = [
    "Reported non-success",
    "Syntax or parse failure",
    "Module import/export failure",
    "DOM/query/UI mismatch",
    "Assertion-level behavior mismatch",
    "Runtime reference/type error",
    "Other hidden-test failure",
  ];

  /** Rows of Table 9: as many failures of each class as are printed; of the 14 others, 11 are *Non-triviality*. */
  function rows(): string {
    let nonTrivialities = 11;
    const lines = Object.entries(PRINTED_MODEL_BUCKETS).flatMap(([model, [, ...counts]]) =>
      counts.flatMap((count, i) =>
        Array.from({ length: count }, (_, k) => {
          const isTrivial = i === 6 && nonTrivialities-- > 0;
          return `${model},Enabled,f_${i}_${k},0,${isTrivial ? "Non-triviality failure" : CLASSES[i]}`;
        }),
      ),
    );
    return ["model,test_runner,fixture,passes_tests,failure_bucket", ...lines].join("\n");
  }

  it("finds Tables 8 and 9 again", () => {
    const { table8, table9, table4 } = publishedTables([{ name: "rows", text: rows() }], { isRounded: false });
    expect(table8!.map(({ count }) => count)).toEqual([688, 422, 220, 66, 16, 10, 11, 3]);
    // 688 of 1,436.
    expect(percent(table8![0]!.share)).toBe("47.9");
    expect(table9!.map((row) => Object.values(row))).toEqual(
      Object.entries(PRINTED_MODEL_BUCKETS).map(([model, counts]) => [model, ...counts]),
    );
    expect(table4).toEqual([]);
  });
});

describe("rows", () => {
  const HEADER =
    "model_provider,model,test_runner,fixture,passes_tests,result_created_at,refactoring_cost_usd,duration_min";
  const read = (...lines: string[]) =>
    publishedTables([{ name: "rows.csv", text: [HEADER, ...lines].join("\r\n") }], { isRounded: false });

  it("keeps the latest of a provider, condition and fixture, whatever the order of the file", () => {
    const { table3, rows, superseded } = read(
      "p,M,Enabled,f,1,2026-05-15T04:00:00.5+00:00,,",
      // 03:30 UTC, though its text sorts last.
      "p,M,Enabled,f,0,2026-05-15T05:30:00+02:00,,",
      "p,M,Disabled,f,0,2026-05-15T01:00:00Z,,",
    );
    expect([rows, superseded]).toEqual([2, 1]);
    expect(table3!.map(({ pass }) => pass)).toEqual([1, 0]);
  });

  it("refuses several rows of which nothing tells the latest", () => {
    expect(() => read("p,M,Enabled,f,1,,,", "p,M,Enabled,f,0,,,")).toThrow(
      /one row for p, Enabled, f .* found several/,
    );
  });

  it("takes a blank for absent, and as 0 only where the released tables do", () => {
    const { table6, table3 } = publishedTables(
      [
        {
          name: "rows.csv",
          text: `${HEADER},agent_reported_success\np,M,Enabled,a,1,,3,1.5,1\np,M,Enabled,b,0,,,2.5,0\n`,
        },
      ],
      { isRounded: false },
    );
    expect(table6).toMatchObject([{ avg_usd: 3, avg_usd_published: 1.5, avg_usd_n: 1, non_success: 1 }]);
    expect(table3).toMatchObject([{ avg_min: 2 }]);
  });

  it.each([
    ["p,M,Enabled,f,2,,,", "column passes_tests of rows.csv, line 2, found 2"],
    ["p,M,Enabled,f,1,,much,", "Expected a number in column refactoring_cost_usd of rows.csv, line 2, found much"],
    ["p,M,Enabled,f,1,,", "Expected a CSV table with a header in rows.csv"],
  ])("refuses %s with file, line and column", (line, message) => {
    expect(() => read(line)).toThrow(message);
  });

  it("refuses a file without the columns that all is made of", () => {
    const text = "model,fixture\nM,f\n";
    expect(() => publishedTables([{ name: "x.csv", text }], { isRounded: false })).toThrow(
      "in x.csv, found no test_runner, passes_tests.",
    );
  });
});
