import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { OWN_FIXTURES } from "../../src/suites/refactorbench/read-fixtures.js";
import { runProbe } from "../fixtures/cli.js";
import { readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";
import { isRunnerMissing } from "../fixtures/test-runner.js";

const folder = temporaryFolder();

/** A sample of the one that was weakened; the whole has forty of each. */
const isWhole = process.env["PROBE_SLOW_TESTS"] !== undefined;
const MUTANTS = isWhole ? 40 : 3;

/** Our fixture, and one whose hidden test was weakened on purpose: it asks for a name, and calls nothing. */
const data = join(folder, "data");
for (const name of isWhole ? ["weak", "strong"] : ["weak"]) {
  cpSync(join(OWN_FIXTURES, "interval_set"), join(data, name), { recursive: true });
  // Wrong solutions that a weak test does not find.
  rmSync(join(data, name, "mutants.json"));
}
const test = join(data, "weak", "intervalSet.test.js");
writeFileSync(
  test,
  'import * as all from "./src/intervalSet";\nit("is there", () => expect(Object.keys(all).length).toBeGreaterThan(0));\n',
);

describe.skipIf(isRunnerMissing)(
  `probe suite check --mutants ${MUTANTS}${isWhole ? "" : " (a sample; PROBE_SLOW_TESTS=1: 40)"}`,
  () => {
    it("tells hidden tests that kill mutants from those that were weakened, marks these, and a run shows both", async () => {
      const check = ["suite", "check", "refactorbench", "--data", data, "--mutants", String(MUTANTS), "-q"];
      const { code, stdout } = await runProbe([...check, "--json", "--out", join(folder, "check")]);
      expect(code).toBe(0);
      const { tasks } = JSON.parse(stdout) as {
        tasks: { task_id: string; mutants: number; killed: number; killed_ci_high: number; survivors: object[] }[];
      };
      const [weak, strong] = [...tasks].reverse();
      if (isWhole) expect(strong!.killed / MUTANTS).toBeGreaterThan(0.5);
      expect(weak).toMatchObject({ task_id: "weak", mutants: MUTANTS });
      expect(weak!.killed / MUTANTS).toBeLessThan(0.5);
      expect(weak!.survivors).toHaveLength(MUTANTS - weak!.killed);
      expect(weak!.survivors[0]).toMatchObject({
        file: "src/intervalSet.js",
        diff: expect.stringMatching(/^--- a\/src/),
      });
      expect(readTable(join(folder, "check"), "mutants.csv")).toHaveLength(tasks.length * MUTANTS);
      // From the cache: no test is run again.
      const shown = await runProbe(check);
      const mark = `weak: its hidden tests kill ${weak!.killed} of ${MUTANTS} mutants`;
      expect(shown.stdout).toContain(mark);
      expect(shown.stdout).toContain("equivalent mutants");

      const out = join(folder, "run");
      const run = await runProbe([
        "suite",
        "run",
        "refactorbench",
        "--data",
        data,
        "--agent",
        "scripted:gold",
        "--condition",
        "test-runner",
        "--task-id",
        "weak",
        "--out",
        out,
      ]);
      expect(run.stdout).toContain(mark);
      const row = readTable(out, "summary.csv").find(({ metric }) => metric === "mutants_killed");
      // One task, so its own share.
      expect(row).toMatchObject({ value: String(weak!.killed / MUTANTS), interval: "wilson", n: "1" });
    });
  },
);
