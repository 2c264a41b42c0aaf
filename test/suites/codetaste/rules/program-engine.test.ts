import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseRules } from "../../../../src/suites/codetaste/assets.js";
import { readScan, scanOf } from "../../../../src/suites/codetaste/rules/program-engine.js";
import { temporaryFolder } from "../../../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const rules = parseRules("rules: [{id: one, pattern: a}, {id: two, pattern: b}]");
const result = (ruleId: string, uri: string, startLine: number, endLine?: number) => ({
  ruleId,
  locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine, ...(endLine && { endLine }) } } }],
});

describe("results of a scan", () => {
  it("belong to the rule of their name behind the last dot; a rule without any has run and matched nothing", () => {
    const results = [result("tmp.rules.one", "./a.js", 3, 5), result("one", "a.js", 9), result("other", "a.js", 1)];
    const scan = scanOf({ runs: [{ results }] }, rules);
    expect(scan).toMatchObject({ status: "scanned", errors: 0, notRun: [] });
    expect(scan.status === "scanned" && [...scan.matches]).toEqual([
      [
        "one",
        [
          { path: "a.js", first: 3, last: 5 },
          { path: "a.js", first: 9, last: 9 },
        ],
      ],
      ["two", []],
    ]);
  });

  it("count where they name no place, and are taken as they are where the rules are not known", () => {
    const nowhere = scanOf({ runs: [{ results: [{ ruleId: "two" }] }] }, rules);
    expect(nowhere.status === "scanned" && nowhere.matches.get("two")).toHaveLength(1);
    const unknown = scanOf({ runs: [{ results: [result("x.any", "a.js", 1)] }] }, null);
    expect(unknown.status === "scanned" && [...unknown.matches.keys()]).toEqual(["any"]);
  });

  it("count the faults that the tool tells of", () => {
    const invocations = [
      { executionSuccessful: true, toolExecutionNotifications: [{}, {}] },
      { toolConfigurationNotifications: [{}] },
    ];
    expect(scanOf({ runs: [{ results: [], invocations }] }, rules)).toMatchObject({ status: "scanned", errors: 3 });
  });

  it("are missing where there is no file, no run, no JSON, or the scan failed", async () => {
    const path = join(folder, "results.sarif");
    expect(await readScan(path, rules)).toEqual({ status: "missing", detail: "there is no SARIF file" });
    writeFileSync(path, "{");
    expect(await readScan(path, rules)).toMatchObject({ status: "missing" });
    writeFileSync(path, '{"runs": []}');
    expect(await readScan(path, rules)).toEqual({ status: "missing", detail: "a SARIF file without a run" });
    writeFileSync(path, '{"runs": [{"results": [], "invocations": [{"executionSuccessful": false}]}]}');
    expect(await readScan(path, rules)).toEqual({ status: "missing", detail: "the scan failed" });
  });
});
