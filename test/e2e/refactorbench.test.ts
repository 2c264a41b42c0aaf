import { describe, expect, it } from "vitest";
import { messageOf } from "../../src/base/errors.js";
import { installRunner } from "../../src/suites/refactorbench/runner/install.js";
import { runProbe } from "../fixtures/cli.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";
import { readTable } from "../fixtures/tables.js";

const folder = useFreshFolder();

const fault = await installRunner().then(
  () => null,
  (error: unknown) => messageOf(error),
);
if (fault !== null) process.stdout.write(`Skipping runs of refactorbench: ${fault}\n`);

describe.skipIf(fault !== null)("probe suite … refactorbench", { timeout: 300_000 }, () => {
  it("is there once it was set up, and then needs no network", async () => {
    const { code, stderr } = await runProbe(["suite", "setup", "refactorbench"], {
      env: { npm_config_registry: "http://127.0.0.1:9" },
    });
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^The test runner is there: /)]);
  });

  it("says which fixture cannot be judged, and that every mutant ends where it must", async () => {
    const { code, stdout } = await runProbe([
      ...["suite", "check", "refactorbench", "--task-id", "interval_set,broken_example", "--json", "-q"],
    ]);
    const { tasks } = JSON.parse(stdout) as {
      tasks: {
        task_id: string;
        valid: boolean;
        reason: string | null;
        checks: { outcome: string; expected: string }[];
      }[];
    };
    expect(code).toBe(0);
    expect(tasks.map(({ task_id, valid }) => [task_id, valid])).toEqual([
      ["broken_example", false],
      ["interval_set", true],
    ]);
    expect(tasks[0]?.reason).toMatch(/^original: fail: AssertionError: expected/);
    // Two checks of its own, and eight mutants.
    expect(tasks[1]?.checks).toHaveLength(10);
    expect(tasks[1]?.checks.filter(({ outcome, expected }) => outcome !== expected)).toEqual([]);
  });

  it("has 0 for a floor and 1 for a ceiling in its headline", async () => {
    const out = folder.path("run");
    const { code } = await runProbe([
      ...["suite", "run", "refactorbench", "--agent", "scripted:noop", "--controls", "-q"],
      ...["--task-id", "interval_set", "--condition", "test-runner", "--out", out],
    ]);
    expect(code).toBe(0);
    const trials = readTable(out, "trials.csv");
    expect(trials.map((row) => [row["agent"], row["passes_tests"], row["decomposed"], row["failure_bucket"]])).toEqual([
      ["scripted:noop", "true", "false", "Passed"],
      ["scripted:gold", "true", "true", "Passed"],
    ]);
    expect(trials[1]).toMatchObject({ target_lines_before: "151", target_lines_after: "4", files_after: "5" });
  });
});
