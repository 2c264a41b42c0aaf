import { describe, expect, it } from "vitest";
import { tableText } from "../../../../src/store/csv.js";
import { PUBLISHED_TABLE, type PublishedRow } from "../../../../src/suites/refactorbench/published/published-row.js";
import { publishedTables } from "../../../../src/suites/refactorbench/published/published-tables.js";

const ROW: PublishedRow = {
  provider: "p-m",
  model: "M",
  testRunner: "Enabled",
  fixture: "f",
  passesTests: false,
  reportedSuccess: true,
  isNonTrivial: true,
  filesCompiled: 1,
  failureBucket: "Syntax or parse failure",
  durationMs: null,
  costUsd: 1,
  promptTokens: 10,
  completionTokens: 5,
  filesBefore: 1,
  filesAfter: 2,
  totalFilesCompiled: 2,
  isSynthetic: false,
  sourceExport: null,
  experimentId: null,
  resultId: null,
  createdAt: null,
};

const FIXTURES = "fixture,target_loc,passes\nall,100,2\nalike,900,0\nmixed,300,0\nhidden,501,0\nuneven,101,0\n";

/** Two models over five fixtures; written by the table that our own runs write, read back as published rows are. */
function stats(isWithFixtures = false) {
  const rows: PublishedRow[] = [
    { ...ROW, fixture: "all", passesTests: true, failureBucket: "Passed", isNonTrivial: false, durationMs: 777 },
    { ...ROW, fixture: "alike", durationMs: 777 },
    { ...ROW, fixture: "mixed", filesCompiled: -18 },
    { ...ROW, fixture: "hidden", reportedSuccess: false, failureBucket: "Reported non-success", costUsd: null },
    { ...ROW, fixture: "uneven", isSynthetic: true, filesCompiled: -0.5, costUsd: 0, reportedSuccess: false },
  ];
  const other: Partial<Record<string, Partial<PublishedRow>>> = {
    all: { passesTests: true, reportedSuccess: false },
    alike: { reportedSuccess: false, failureBucket: "Reported non-success" },
    mixed: { failureBucket: "DOM/query/UI mismatch" },
  };
  const second = rows.map((row) => ({
    ...row,
    provider: "q-n",
    model: "N",
    isSynthetic: false,
    durationMs: null,
    filesCompiled: 1,
    ...other[row.fixture],
  }));
  const text = tableText(PUBLISHED_TABLE, [...rows, ...second]);
  return publishedTables([{ name: "rows", text }, ...(isWithFixtures ? [{ name: "fixtures", text: FIXTURES }] : [])], {
    isRounded: false,
  });
}

describe("what should be known with the tables", () => {
  const { findings } = stats();

  it("names fixtures that nobody passes and where every reported success fails alike", () => {
    // `mixed` fails in two ways, `hidden` and `uneven` were never reported, `all` passes.
    expect(findings.alike_failures).toEqual([{ bucket: "Syntax or parse failure", fixtures: ["alike"] }]);
  });

  it("counts passes without a new file, and passes that were not reported", () => {
    expect(findings.trivial_passes).toEqual({ count: 2, passes: 2 });
    expect(findings.unreported_passes).toBe(1);
  });

  it("sets the mean cost of what is known beside the one with blanks as 0", () => {
    // M: 1, 1, 1, blank, and the 0 of a synthetic row: 3/3 and 3/5.
    expect(findings.costs).toMatchObject({
      blank: 2,
      blank_non_success: 2,
      widest: { model: "M", avg_usd: 1, avg_usd_published: 0.6 },
    });
  });

  it("counts compile scores below 0, synthetic rows and equal durations", () => {
    expect(findings.negative_files_compiled).toEqual({ count: 2, least: -18 });
    expect(findings.synthetic).toEqual([{ model: "M", test_runner: "Enabled", fixture: "uneven" }]);
    expect(findings.equal_durations).toEqual([
      {
        duration_ms: 777,
        rows: [
          { model: "M", test_runner: "Enabled", fixture: "all" },
          { model: "M", test_runner: "Enabled", fixture: "alike" },
        ],
      },
    ]);
  });
});

describe("hardness", () => {
  it("tells fixtures that nobody and that everybody passes", () => {
    const { hardness } = stats();
    expect(hardness).toMatchObject({ all_pass: ["all"], passes: 2, rows: 10, target_lines: null });
    expect(hardness.zero_pass).toEqual(["alike", "mixed", "hidden", "uneven"]);
    // Of 8 failures there: hidden twice, alike once.
    expect(hardness.zero_pass_non_success).toBe(3 / 8);
  });

  it("takes the lines of targets from a second file, the median as it is and as it was published", () => {
    const { target_lines: lines } = stats(true).hardness;
    // 101, 300, 501, 900.
    expect(lines?.zero_pass).toEqual({ n: 4, mean: 450.5, median: 400.5, median_published: 501 });
    expect(lines?.others).toEqual({ n: 1, mean: 100, median: 100, median_published: 100 });
  });
});
