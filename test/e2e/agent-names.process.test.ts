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

it("a dry run tells what trials would take, by those that are recorded under results, and says so where none is", async () => {
  const dry = async (name: string, ...more: readonly string[]) => {
    const { stdout } = await probe(...asked(name, "m"), "--dry-run", ...more);
    return stdout.replace(/[│\s]+/g, " ");
  };
  expect(await dry("three")).toContain("not known: no trial of parts-bench is recorded under results");
  const spent = '{"success": false, "prompt_tokens": 1000, "completion_tokens": 50, "cost_usd": 0.5}';
  // It takes both attempts, as it says that it did not succeed: half of it is an attempt's.
  const idle = [...WORDS, "--attempts", "2", "--agent-cmd", `echo '${spent}' > {output_dir}/result.json`];
  expect((await probe(...idle, "--agent-name", "three", "--out", "results/three")).code).toBe(0);
  const rows = readTable(join(folder, "results/three"), "trials.csv").filter(({ agent }) => agent === "three");
  expect(rows.map(({ attempts, prompt_tokens }) => [attempts, prompt_tokens])).toEqual(Array(2).fill(["2", "2000"]));
  // 2 tasks, 3 attempts at most: 2 and 6 times the median of an attempt.
  const own = await dry("three", "--attempts", "3");
  expect(own).toContain("By 2 recorded trials of three (1 run under results)");
  expect(own).toMatch(/prompt tokens 2 1,000 1,000 1,000 2,000 6,000/);
  expect(own).toMatch(/cost, USD 2 0\.5 0\.5 0\.5 1 3/);
  expect(await dry("four")).toContain("By 2 recorded trials of other models and agents");
  const { past } = JSON.parse((await probe(...asked("three", "m"), "--dry-run", "--json")).stdout);
  expect(past).toMatchObject({ runs: 1, trials: 2, is_same_model: true });
  expect(past.measures.map(({ measure }: { measure: string }) => measure)).toContain("cost");
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
