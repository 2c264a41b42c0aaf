import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";
import { readTable } from "../fixtures/tables.js";
import { isRunnerMissing } from "../fixtures/test-runner.js";

const folder = useFreshFolder();

describe.skipIf(isRunnerMissing)("probe suite … refactorbench", () => {
  it("is there once it was set up, and then needs no network", async () => {
    const { code, stderr } = await runProbe(["suite", "setup", "refactorbench"], {
      env: { npm_config_registry: "http://127.0.0.1:9" },
    });
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^The test runner is there: /)]);
  });

  it("says which fixture cannot be judged, and that every mutant ends where it must", async () => {
    const { code, stdout, stderr } = await runProbe([
      "suite",
      "check",
      "refactorbench",
      "--task-id",
      "interval_set,broken_example",
      "--json",
      "-q",
    ]);
    const { tasks } = JSON.parse(stdout) as {
      tasks: {
        task_id: string;
        valid: boolean;
        reason: string | null;
        checks: { outcome: string; expected: string }[];
      }[];
    };
    expect(code, stderr).toBe(0);
    expect(tasks.map(({ task_id, valid }) => [task_id, valid])).toEqual([
      ["broken_example", false],
      ["interval_set", true],
    ]);
    expect(tasks[0]?.reason).toMatch(/^original: fail: AssertionError: expected/);
    // Two checks of its own, and eight mutants.
    expect(tasks[1]?.checks).toHaveLength(10);
    expect(tasks[1]?.checks.filter(({ outcome, expected }) => outcome !== expected)).toEqual([]);
  });

  it("counts tests of phones, whose mocks require React, by the runner that a fixture asks for, and names each that fails", async () => {
    const page = 'import { View } from "react-native";\nexport default () => <View>Ada</View>;\n';
    const mock = (mocker: string) => `import { render, screen } from "@testing-library/react";
import Page from "./page";
${mocker}.mock("react-native", () => {
  const React = require("react");
  return { View: ({ children }) => React.createElement("p", null, children) };
});
// No cache knows it: ${process.pid} ${performance.timeOrigin}
describe("page", () => {
  it("shows a name", () => { render(<Page />); expect(screen.getByText("Ada").tagName).toBe("P"); });
`;
    const tests = {
      asks_for_jest: `${mock("jest")}  it("shows another", () => { render(<Page />); screen.getByText("Bob"); });
  it("says\ttwo lines", () => { throw new Error("one\\ntwo"); });
});`,
      needs_maps: `${mock("vi")}  it("has a map", () => { require("react-native-maps/view"); });\n});`,
    };
    for (const [name, test] of Object.entries(tests)) {
      const testRunner = name === "asks_for_jest" ? "jest" : undefined;
      const files = {
        "eval.config.json": { name, description: "d", appType: "mobile" },
        "refactoring_eval.config.json": { targetFile: "page.jsx", testFile: "page.test.jsx", testRunner },
      };
      mkdirSync(folder.path(`phones/${name}/src`), { recursive: true });
      for (const [path, content] of Object.entries(files))
        writeFileSync(folder.path(`phones/${name}/${path}`), JSON.stringify(content));
      writeFileSync(folder.path(`phones/${name}/src/page.jsx`), page);
      writeFileSync(folder.path(`phones/${name}/page.test.jsx`), test);
    }
    const asked = ["suite", "check", "refactorbench", "--data", folder.path("phones"), "--out", folder.path("checked")];
    const { stdout } = await runProbe([...asked, "-q"]);
    expect(readTable(folder.path("checked"), "validity.csv").map((row) => [row["task_id"], row["outcome"]])).toEqual([
      ["asks_for_jest", "fail"],
      ["needs_maps", "fail"],
    ]);
    expect(stdout).toContain("original: fail: needs react-native-maps");
    expect(stdout).toContain(`
asks_for_jest, original: 1 of 3 tests pass; these do not:
  page shows another: TestingLibraryElementError: Unable to find an element with the text: Bob.`);
    expect(stdout).toContain("\n  page says two lines: Error: one");
    expect(stdout).toContain("needs_maps, original: 1 of 2 tests pass; these do not:\n  page > has a map: ");
    expect(stdout).not.toMatch(/u00[01]/);
  });

  it("has 0 for a floor and 1 for a ceiling in its headline", async () => {
    const out = folder.path("run");
    const { code } = await runProbe([
      "suite",
      "run",
      "refactorbench",
      "--agent",
      "scripted:noop",
      "--controls",
      "-q",
      "--task-id",
      "interval_set",
      "--condition",
      "test-runner",
      "--out",
      out,
    ]);
    expect(code).toBe(0);
    const trials = readTable(out, "trials.csv");
    expect(trials.map((row) => [row["agent"], row["passes_tests"], row["decomposed"], row["failure_bucket"]])).toEqual([
      ["scripted:noop", "true", "false", "Passed"],
      ["scripted:gold", "true", "true", "Passed"],
    ]);
    expect(trials[1]).toMatchObject({ target_lines_before: "151", target_lines_after: "4", files_after: "5" });
    const published = readTable(out, "per_fixture.csv");
    expect(
      published.map((row) => [row["model"], row["test_runner"], row["passes_tests"], row["non_triviality"]]),
    ).toEqual([
      ["scripted:noop", "Enabled", "1", "0"],
      ["scripted:gold", "Enabled", "1", "1"],
    ]);
    expect(published[1]).toMatchObject({ fixture: "interval_set", files_compiled: "1", total_files_compiled: "5" });
    const stats = await runProbe(["suite", "stats", "refactorbench", join(out, "per_fixture.csv"), "--json"]);
    expect(JSON.parse(stats.stdout)).toMatchObject({ rows: 2, fixtures: 1, table8: expect.anything() });
  });

  it("shows without a model or a network how calls of tools come to a score, the same each time", async () => {
    const calls = join(import.meta.dirname, "../../examples/agents/interval-set.jsonl");
    const rowOf = async (name: string) => {
      const asked = ["suite", "run", "refactorbench", "--agent", `scripted:${calls}`, "--task-id", "interval_set"];
      const out = folder.path(name);
      expect((await runProbe([...asked, "--condition", "no-test-runner", "-q", "--out", out])).code).toBe(0);
      const written = readFileSync(join(out, "artifacts/interval_set/no-test-runner/0/transcript.jsonl"), "utf8");
      const transcript = written.replace(/"at_ms":\d+,/g, "");
      const [row] = readTable(out, "trials.csv");
      return { transcript, row: Object.entries(row!).filter(([column]) => !/^run_id$|_ms$/.test(column)) };
    };
    const first = await rowOf("first");
    expect(Object.fromEntries(first.row)).toMatchObject({ calls: "8", reported_success: "true", decomposed: "true" });
    // What it forgot first, it is told, and mends.
    expect(first.transcript).toContain("Cannot find module './intervals/operations'");
    expect(first.transcript).toContain("No errors.");
    expect(await rowOf("second")).toEqual(first);
  });

  it("has arms of their own for tools to look at files", async () => {
    const asked = ["suite", "run", "refactorbench", "--agent", "scripted:noop", "--dry-run", "--json"];
    const conditions = async (...more: string[]) =>
      (JSON.parse((await runProbe([...asked, ...more])).stdout) as { conditions: string[] }).conditions;
    expect(await conditions()).toEqual(["no-test-runner", "test-runner"]);
    expect(await conditions("--tools", "full")).toEqual(["no-test-runner-full", "test-runner-full"]);
    expect(await conditions("--tools", "full", "--condition", "test-runner")).toEqual(["test-runner-full"]);
  });
});
