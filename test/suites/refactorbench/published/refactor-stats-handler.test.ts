import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { TerminalText } from "../../../../src/base/text.js";
import type { Console } from "../../../../src/console/console.js";
import { handleStats } from "../../../../src/suites/refactorbench/published/refactor-stats-handler.js";
import { useFreshFolder } from "../../../fixtures/fresh-folder.js";
import { printedRows } from "../../../fixtures/published-counts.js";

const folder = useFreshFolder();

/** Some of the values of the command. */
type Given = Partial<Parameters<typeof handleStats>[0]>;

/** What is printed for a file of the printed counts. */
async function printed(options: Given): Promise<string> {
  writeFileSync(folder.path("rows.csv"), printedRows());
  let text = "";
  const console: Console = {
    out: (part) => {
      text += part instanceof TerminalText ? part.text : part;
    },
    err: () => expect.unreachable("nothing is said"),
    terminal: { width: 80, hasColours: false },
    isTerminal: false,
    workingDirectory: folder.path("."),
    onInterrupt: () => () => undefined,
    now: () => new Date(0),
  };
  expect(
    await handleStats({ files: ["rows.csv"], data: null, json: false, roundedInputs: false, ...options }, console),
  ).toBe(0);
  return text;
}

describe("probe suite stats refactorbench", () => {
  it("prints tables of at most 80 columns, and names those it leaves out", async () => {
    const text = await printed({});
    expect(text.split("\n").filter((line) => /^[│┌]/.test(line) && line.length > 80)).toEqual([]);
    // 29 of 123: 23.58 %, 16.95 to 31.81.
    expect(text).toMatch(/Sonnet 4\.6 +│ Enabled +│ +29 │ +23\.6 \(16\.9–31\.8\)/);
    // 1.373 USD is no share of anything.
    expect(text).toMatch(/Sonnet 4\.6 +│ Enabled +│ +8\.9 │ +1\.373 │/);
    expect(text).toContain("Left out: Table 8, for want of failure_bucket");
    expect(text).toContain("1,722 rows · 14 conditions · 123 fixtures");
  });

  it("computes Table 13 from rounded means with --rounded-inputs alone", async () => {
    const rows = printedRows().replaceAll(/^(Opus 4\.7,Enabled.*),2\.078$/gm, "$1,2.0784");
    const cost = async (options: Given) => {
      const document = JSON.parse(await printed({ json: true, ...options })) as {
        table13: { model: string; usd_per_success_published: number }[];
      };
      return document.table13.find(({ model }) => model === "Opus 4.7")?.usd_per_success_published;
    };
    writeFileSync(folder.path("more.csv"), rows);
    // 17 of 123 pass: 2.0784 × 123/17 and 2.078 × 123/17.
    expect(await cost({ files: ["more.csv"] })).toBeCloseTo(15.0378, 4);
    expect(await cost({ files: ["more.csv"], roundedInputs: true })).toBeCloseTo(15.0349, 4);
  });

  it("takes the rows of several files together", async () => {
    const [header, ...lines] = printedRows().trimEnd().split("\n");
    for (const arm of ["Enabled", "Disabled"]) {
      const own = lines.filter((line) => line.includes(`,${arm},`));
      writeFileSync(folder.path(`${arm}.csv`), [header, ...own].join("\n"));
    }
    const together = JSON.parse(await printed({ files: ["Enabled.csv", "Disabled.csv"], json: true }));
    expect(together.table4).toEqual(JSON.parse(await printed({ json: true })).table4);
  });

  it("says that of trials of one time the last is read", async () => {
    const head = "model,test_runner,fixture,passes_tests,result_created_at";
    const trial = (passes: number) => `M,Enabled,f,${passes},2026-01-01T00:00:00Z`;
    writeFileSync(folder.path("trials.csv"), [head, trial(1), trial(0)].join("\n"));
    const text = (await printed({ files: ["trials.csv"] })).replaceAll(/\s+/g, " ");
    expect(text).toContain("1 rows · 1 conditions");
    expect(text).toContain("the latest, or of one time the last: 1");
  });

  it.each([
    [{ files: [] }, "Expected a CSV file of results, found none."],
    [{ files: ["nowhere.csv"] }, "Expected a CSV file that can be read, found nowhere.csv"],
    [{ files: ["rows.csv", "rows.csv"] }, "Expected one row for Sonnet 4.6, Enabled, fixture_0 in rows.csv, rows.csv"],
  ])("refuses %j", async (options, message) => {
    await expect(printed(options)).rejects.toThrow(message);
  });
});
