import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { shellWord } from "../../src/base/text.js";
import { runProbe } from "../fixtures/cli.js";
import { readTable, type TableRow } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";
import { isRunnerMissing } from "../fixtures/test-runner.js";

const hasBubblewrap = spawnSync("bwrap", ["--ro-bind", "/", "/", "/bin/true"]).status === 0;
const folder = temporaryFolder();
const DATA = join(import.meta.dirname, "../../datasets/suites/refactorbench");
/** Where what escapes would be seen: outside every tree, in a place that a cage hides. */
const ESCAPED = join(tmpdir(), `probe-escaped-${process.pid}`);
/** Bytes that it says. */
const FLOOD = process.env["PROBE_SLOW_TESTS"] === "1" ? 1024 ** 3 : 100 * 1024 ** 2;
const CONDITIONS = ["no-test-runner", "test-runner", "no-test-runner-full", "test-runner-full"];
const MARK = `8${process.pid}`;

/**
 * What an agent may try, by condition:
 * - no-test-runner: hides what it does from git, has git run a hook, reads hidden tests and the run, leaves processes, one
 *   of which has neither its group nor its environment, and says a gigabyte (in CI 100 MB). Its code is wrong, and configurations for the
 *   test runner would make any test pass.
 * - test-runner: has its code replace what tests are judged by.
 * - no-test-runner-full: leaves a symbolic link out of the tree.
 * - test-runner-full: deletes the tree, and puts a link to the system in its place where it can.
 */
function hostileAgent(run: string): string {
  const hook = `printf '#!/bin/sh\\ntouch ${ESCAPED}' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit`;
  const config = `import { writeFileSync } from 'node:fs'; writeFileSync('${ESCAPED}', ''); process.exit(0);`;
  const configs = `for name in vite.config.js vitest.config.mjs src/vite.config.js; do echo "${config}" > "$name"; done`;
  // From the root: what a line names of this machine, path for path, is looked for before it starts.
  const [data, record] = [DATA, join(run, "run.json")].map((path) => shellWord(path.slice(1)));
  const reading = `(cd / && cat ${data}/interval_set/*.test.js ${record}) > {output_dir}/seen; grep -c . {output_dir}/seen`;
  const strays = `(setsid sleep ${MARK} &); (setsid env -i sleep ${MARK} &)`;
  const tampering = "expect.extend({ toEqual: () => ({ pass: true, message: () => '' }) });";
  const cases = {
    "no-test-runner":
      `mkdir -p .git/hooks; ${hook}; echo '* -diff' > .gitattributes; echo '*' > .gitignore; ${configs}; ${reading}; ` +
      `${strays}; echo 'export const wrong = 1;' > src/intervalSet.js; yes flooded | head -c ${FLOOD}`,
    "test-runner": `echo "${tampering}" >> src/intervalSet.js`,
    "no-test-runner-full": "ln -s /etc/passwd src/users.js",
    "test-runner-full": "cd /; rm -rf {workspace}; ln -sT /etc {workspace}; true",
  };
  const lines = Object.entries(cases).map(([condition, line]) => `${condition}) ${line};;`);
  return `case {condition} in ${lines.join(" ")} esac`;
}

async function attack(
  sandbox: "bwrap" | "none",
): Promise<{ run: string; stdout: string; rows: Map<string, TableRow> }> {
  const run = join(folder, sandbox);
  const { code, stdout, stderr } = await runProbe(
    [
      "suite",
      "run",
      "refactorbench",
      "--agent-cmd",
      hostileAgent(run),
      "--sandbox",
      sandbox,
      "--out",
      run,
      "-q",
      "--task-id",
      "interval_set",
      "--condition",
      CONDITIONS.join(),
    ],
    { cwd: folder },
  );
  expect([code, stderr], stdout).toEqual([0, ""]);
  return { run, stdout, rows: new Map(readTable(run, "trials.csv").map((row) => [row["condition"] ?? "", row])) };
}

const processes = () =>
  spawnSync("pgrep", ["-f", `^sleep ${MARK}$`])
    .stdout.toString()
    .trim()
    .split("\n")
    .filter(Boolean);

function expectJudged({ run, rows }: Awaited<ReturnType<typeof attack>>): void {
  const graded = { status: "graded", decomposed: "false", passes_tests: "false" };
  expect(rows.get("no-test-runner")).toMatchObject({ ...graded, patch_applies: "true", failure_kind: "TypeError" });
  expect(rows.get("test-runner")).toMatchObject({ ...graded, tampered: "true", failure_kind: "tampered" });
  expect(rows.get("no-test-runner-full")).toMatchObject({ ...graded, patch_applies: "false" });
  expect(rows.get("test-runner-full")).toMatchObject({ ...graded, target_lines_after: "", files_after: "0" });
  const artifact = (file: string) => join(run, "artifacts/interval_set/no-test-runner/0", file);
  const patch = readFileSync(artifact("patch.diff"), "utf8");
  for (const file of [".gitignore", ".gitattributes", "vite.config.js", "src/intervalSet.js"])
    expect(patch).toContain(`+++ b/${file}`);
  expect(patch).not.toContain(".git/hooks");
  // Of a gigabyte, a megabyte is kept.
  expect(statSync(artifact("transcript.jsonl")).size).toBeLessThan(1_300_000);
  expect(readFileSync(artifact("transcript.jsonl"), "utf8")).toContain("bytes left out");
  expect(readFileSync(join(run, "trials.jsonl"), "utf8")).toContain("a symbolic link");
  expect(existsSync(ESCAPED)).toBe(false);
}

describe.skipIf(isRunnerMissing)("a hostile agent in refactorbench", () => {
  it.skipIf(!hasBubblewrap)(
    "is held in a cage: it sees neither hidden tests nor the run, and leaves nothing",
    async () => {
      const attacked = await attack("bwrap");
      expectJudged(attacked);
      const transcript = readFileSync(
        join(attacked.run, "artifacts/interval_set/no-test-runner/0/transcript.jsonl"),
        "utf8",
      );
      expect(transcript.slice(0, 3000)).toContain("No such file or directory");
      expect(processes()).toEqual([]);
      expect(attacked.stdout).toContain("Sandbox: bubblewrap");
    },
  );

  // Beside it: what a page says of a run without a cage (`agent-suite.slow`), and each attack in every cage (`every-cage`).
  it.runIf(process.env["PROBE_SLOW_TESTS"] === "1")(
    "is judged as rightly without one, which says what it could do",
    async () => {
      writeFileSync(join(folder, "mine"), "");
      const attacked = await attack("none");
      expectJudged(attacked);
      expect(attacked.stdout).toContain("Sandbox: none. The agent could read the hidden tests and the run's folder");
      // The one without group and environment cannot be found again, and is said to be possible.
      const left = processes();
      expect(left).toHaveLength(1);
      expect(attacked.stdout).toContain("start processes that hide from this program");
      for (const pid of left) process.kill(Number(pid));
      expect(existsSync(join(folder, "mine"))).toBe(true);
    },
  );
});
