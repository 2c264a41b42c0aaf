import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readCsv } from "../../../../src/store/read-csv.js";
import { CONTRACT_FAMILIES, tableFacts } from "../../../../src/suites/refactorbench/published/contracts.js";
import { publishedTables } from "../../../../src/suites/refactorbench/published/published-tables.js";

/** 1,722 published rows, eleven of their columns, and what was recomputed from them by another program. */
const ANNEX = join(import.meta.dirname, "../../../../../shared/suites-annex/refactorbench");
const isThere = existsSync(join(ANNEX, "rows.csv"));
if (!isThere) process.stdout.write("Skipping the published rows: they are not on this machine\n");

const read = (name: string) => readFileSync(join(ANNEX, name), "utf8");

type Cell = { paper: string | number; recomputed: string | number; full?: number; from_rounded_inputs?: string };
type Row = Record<string, Cell>;

describe.skipIf(!isThere)("the published rows", () => {
  const files = isThere ? ["rows.csv", "fixtures.csv"].map((name) => ({ name, text: read(name) })) : [];
  const stats = isThere ? publishedTables(files, { isRounded: false }) : null;
  const wanted = (isThere ? JSON.parse(read("tables.json")) : {}) as Record<string, Row[]> & {
    hardness: Record<string, Cell>;
  };
  const recomputed = (table: string, ...names: string[]) =>
    wanted[table]!.map((row) => names.map((name) => String(row[name]!.recomputed)));
  const percent = (value: number | null | undefined) => ((value ?? Number.NaN) * 100).toFixed(1);

  it("come to Table 3", () => {
    expect(
      stats!.table3!.map((row) => [
        String(row.pass),
        percent(row.rate),
        percent(row.ci_low),
        percent(row.ci_high),
        row.avg_min_published!.toFixed(1),
      ]),
    ).toEqual(recomputed("table3", "pass", "rate_pct", "ci_low_pct", "ci_high_pct", "avg_min"));
    expect(stats!.table3!.map((row) => (row.ci_low ?? 0) * 100)).toEqual(
      wanted["table3"]!.map((row) => expect.closeTo(row["ci_low_pct"]!.full!, 10)),
    );
  });

  it("come to Table 4", () => {
    const sign = (value: number) => `${value < 0 ? "" : "+"}${percent(value)}`;
    expect(
      stats!.table4!.map((row) => [
        sign(row.delta!),
        String(row.enabled_only),
        String(row.disabled_only),
        row.p.toFixed(4),
      ]),
    ).toEqual(recomputed("table4", "delta_pp", "enabled_only", "disabled_only", "p"));
  });

  it("come to Tables 5, 6 and 7", () => {
    expect(
      stats!.table5!.map((row) => [row.reported, row.actual, row.false_confidence, percent(row.rate)].map(String)),
    ).toEqual(recomputed("table5", "reported", "actual", "false_confidence", "rate_pct"));
    expect(
      stats!.table6!.map((row) => [
        row.avg_min_published!.toFixed(1),
        row.avg_usd_published!.toFixed(3),
        row.total_usd!.toFixed(1),
        String(row.non_success),
      ]),
    ).toEqual(recomputed("table6", "avg_min", "avg_usd", "total_usd", "non_success"));
    expect(
      stats!.table7!.map((row) =>
        [row.pass, row.gap, row.non_success_failures, row.reported_success_failures].map(String),
      ),
    ).toEqual(recomputed("table7", "pass", "gap", "non_success_failures", "reported_success_failures"));
  });

  it("come to Tables 8 and 9", () => {
    const byName = new Map(stats!.table8!.map(({ bucket, count, share }) => [bucket, [count, percent(share)]]));
    expect(Object.fromEntries(byName)).toEqual(
      Object.fromEntries(
        (wanted["table8"] as unknown as { bucket: string; count: Cell; share_pct: Cell }[]).map((row) => [
          row.bucket,
          [row.count.paper, row.share_pct.paper],
        ]),
      ),
    );
    expect(stats!.table9!.map(({ model: _, ...counts }) => Object.values(counts).map(String))).toEqual(
      recomputed("table9", "fail", "non_success", "syntax", "import", "dom", "assertion", "runtime", "other"),
    );
  });

  it("come to Table 13, from full precision and as printed from rounded means", () => {
    const cells = (isRounded: boolean) =>
      publishedTables(files, { isRounded }).table13!.map((row) => [
        percent(row.p_succ),
        row.usd_per_success_published!.toFixed(2),
        row.min_per_success_published!.toFixed(1),
      ]);
    expect(cells(false)).toEqual(recomputed("table13", "p_succ_pct", "usd_per_success", "min_per_success"));
    expect(cells(true)).toEqual(
      wanted["table13"]!.map((row) =>
        ["p_succ_pct", "usd_per_success", "min_per_success"].map((name) => row[name]!.paper),
      ),
    );
  });

  it("come to the hardness of fixtures", () => {
    const { hardness } = stats!;
    expect([hardness.zero_pass.length, hardness.all_pass.length, hardness.passes, hardness.rows]).toEqual([
      86, 9, 286, 1722,
    ]);
    expect(hardness.target_lines?.zero_pass).toMatchObject({ median: 1116.5, median_published: 1147 });
    expect(hardness.target_lines?.zero_pass?.mean.toFixed(0)).toBe("1294");
    expect([hardness.target_lines?.others?.mean.toFixed(0), hardness.target_lines?.others?.median]).toEqual([
      "372",
      267,
    ]);
    expect(percent(hardness.zero_pass_non_success)).toBe("47.2");
  });

  it("show what should be known with them", () => {
    const { findings } = stats!;
    expect(findings.alike_failures?.map(({ bucket, fixtures: { length } }) => [bucket, length])).toEqual([
      ["Syntax or parse failure", 52],
      ["Module import/export failure", 17],
      ["DOM/query/UI mismatch", 3],
      ["Assertion-level behavior mismatch", 1],
    ]);
    expect(findings.trivial_passes).toEqual({ count: 16, passes: 286 });
    expect(findings.costs).toMatchObject({ blank: 703, blank_non_success: 703 });
    expect(findings.synthetic).toHaveLength(1);
    expect(findings.negative_files_compiled).toEqual({ count: 107, least: -18 });
    const sonnet = stats!.table6!.find((row) => row.model === "Sonnet 4.6" && row.test_runner === "Enabled")!;
    expect([sonnet.avg_usd!.toFixed(2), sonnet.avg_usd_published!.toFixed(3)]).toEqual(["2.72", "1.373"]);
  });
});

const SECOND = join(ANNEX, "../golden2.json");

describe.skipIf(!existsSync(SECOND))("the published rows, with those of the fixtures", () => {
  const golden = existsSync(SECOND) ? JSON.parse(readFileSync(SECOND, "utf8")).refactorbench : null;
  const files = isThere ? ["rows.csv", "fixtures.csv"].map((name) => ({ name, text: read(name) })) : [];
  /** Families of every fixture, by the letters in which the annex keeps them. */
  const letters: Record<string, string> = golden?.table12.letters ?? {};
  const facts = new Map(
    Object.entries<string>(golden?.table12.contracts ?? {}).map(([fixture, own]) => [
      fixture,
      { lines: null, category: null, contracts: [...own].map((letter) => letters[letter] ?? letter), makeup: null },
    ]),
  );
  const stats = isThere
    ? publishedTables(files, { isRounded: false, facts })
    : ({} as ReturnType<typeof publishedTables>);

  it("come to Table 10, every cell", () => {
    const rows = stats.table10?.map(({ failures: _, avg_min, ...row }) => ({
      ...row,
      avg_min: Number(avg_min?.toFixed(1)),
    }));
    expect(rows).toEqual(golden.table10.rows);
  });

  it("come to Table 11, whose Mobile median is the upper of two middle values, and to all outcomes behind it", () => {
    for (const [i, printed] of golden.table11.printed.entries()) {
      const row = stats.table11?.[i];
      expect(row).toMatchObject({ category: printed.category, fixtures: printed.fixtures, largest: printed.largest });
      expect(percent1(row?.share)).toBe(printed.share_pct.toFixed(1));
      expect(row?.median_loc_published).toBe(printed.median_loc);
      const { median_loc, upper_middle_loc } = golden.table11.recomputed[i];
      expect([row?.median_loc, row?.median_loc_published]).toEqual([median_loc, upper_middle_loc]);
    }
    expect(stats.table11).toHaveLength(golden.table11.printed.length);
    const { outcomes, reported_non_success, pct } = golden.zero_pass_outcomes;
    expect(stats.hardness.zero_pass.length * stats.conditions).toBe(outcomes);
    expect(percent1(stats.hardness.zero_pass_non_success)).toBe(pct.toFixed(1));
    expect(Math.round((stats.hardness.zero_pass_non_success ?? 0) * outcomes)).toBe(reported_non_success);
  });

  it("come to Table 12, by the families of each fixture", () => {
    const counts = Object.fromEntries((stats.table12 ?? []).map(({ family, fixtures }) => [family, fixtures]));
    expect(counts).toEqual(golden.table12.counts);
    expect(stats.hardness.zero_pass).toHaveLength(golden.table12.of);
    expect(Object.values(letters).toSorted()).toEqual(CONTRACT_FAMILIES.map(([family]) => family).toSorted());
  });

  it("are of fixtures of four categories", () => {
    const of = [...tableFacts(readCsv("fixtures.csv", read("fixtures.csv"))).values()].map(({ category }) => category);
    const counts = Object.keys(golden.corpus_categories).map((name) => [
      name,
      of.filter((each) => each === name).length,
    ]);
    expect(Object.fromEntries(counts)).toEqual(golden.corpus_categories);
  });
});

const percent1 = (value: number | null | undefined) => ((value ?? Number.NaN) * 100).toFixed(1);
