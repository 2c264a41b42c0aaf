import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { type CliResult, runProbe } from "../fixtures/cli.js";
import { partsBench } from "../fixtures/suites/parts-bench/entry.js";
import { readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const probe = (...args: readonly string[]): Promise<CliResult> => runProbe(args, { cwd: folder, more: [partsBench] });

const mend = (model: string) =>
  `sed -i "s/ - / + /" {workspace}/total.js; echo '{"model": "${model}"}' > {output_dir}/result.json`;
const WORDS = "suite run parts-bench -q --limit 2".split(" ");
const asked = (name: string, model: string) => {
  const named = ["--agent-cmd", mend(model), "--agent-name", name];
  return [...WORDS, ...named, "--agent-version-cmd", `echo ${name} 1.0`];
};

beforeAll(async () => {
  for (const name of ["one", "two"])
    expect(await probe(...asked(name, `model-of-${name}`), "--out", name)).toMatchObject({ code: 0 });
});

const recordOf = (run: string) =>
  JSON.parse(readFileSync(join(folder, run, "run.json"), "utf8")) as { model: object; run_id: string };

it("two command agents have two names in records, tables and comparisons, with version and model", async () => {
  expect(recordOf("one").model).toMatchObject({ label: "one", identity: { name: "one", version: "one 1.0" } });
  expect(recordOf("one").run_id).toMatch(/^[^-]+-one-[0-9a-f]{8}$/);
  expect(
    readTable(join(folder, "two"), "trials.csv").map(({ model, agent, agent_model }) => [model, agent, agent_model]),
  ).toEqual([
    ["two", "two", "model-of-two"],
    ["two", "two", "model-of-two"],
  ]);
  const { stdout } = await probe("compare", "one", "two");
  expect(stdout).toContain("two against one");
  expect(stdout).toContain("one · version one 1.0 · one");
});

it("another version is another run, which says so", async () => {
  const args = asked("one", "model-of-one").map((word) => word.replace("one 1.0", "one 1.1"));
  const { code, stderr } = await probe(...args, "--out", "one");
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('model version: the run has "one 1.0", this command "one 1.1"'),
  ]);
});

it("a dry run runs nothing, not even the command that tells the version", async () => {
  const mark = join(folder, "asked-for-its-version");
  const dry = [...WORDS, "--agent-cmd", "true", "--sandbox", "none", "--agent-net", "on"];
  const version = ["--agent-version-cmd", `touch ${mark}; echo 1.0`];
  const { code, stdout } = await probe(...dry, ...version, "--dry-run");
  expect([code, stdout]).toEqual([0, expect.stringContaining("Nothing was run")]);
  expect(existsSync(mark)).toBe(false);
});

it.each([
  [["--agent-name", "x"], "Expected --agent-cmd with --agent-name x, found none"],
  [["--agent-version-cmd", "true"], "Expected --agent-cmd with --agent-version-cmd, found none"],
  [["--agent-cmd", "true", "--agent-name", "loop"], "not loop or patches"],
  [["--agent-cmd", "true", "--agent-name", "scripted:gold"], "not loop or patches"],
  [["--judge-base-url", "http://127.0.0.1:9/v1"], "Unknown"],
])("%j is refused", async (more, found) => {
  const { code, stderr } = await probe("suite", "run", "parts-bench", "--limit", "1", ...more, "--out", "refused");
  expect([code, stderr]).toEqual([2, expect.stringContaining(found)]);
});
