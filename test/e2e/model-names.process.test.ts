import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { MINI } from "../fixtures/reference.js";
import { type StubServer, startStub } from "../fixtures/stub-server.js";
import { vllm } from "../fixtures/stub-servers/vllm.js";
import { readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

/** Two servers with two models, both reached by `openai:auto`. */
const NAMES = ["acme/small-coder", "acme/large-coder"] as const;
const cwd = temporaryFolder();
const folders: string[] = [];
let servers: StubServer[] = [];

const args = (url: string) => ["run", "--model", "openai:auto", "--base-url", `${url}/v1`, "--dataset", MINI];
const ask = (url: string) => runProbe([...args(url), "--task", "CTR", "--limit", "4", "-q"], { cwd });

beforeAll(async () => {
  servers = await Promise.all(NAMES.map((serves) => startStub(vllm({}, { serves }))));
  for (const { url } of servers) {
    const before = folders.length;
    expect((await ask(url)).code).toBe(0);
    const made = readdirSync(join(cwd, "results")).filter((name) => !folders.includes(name));
    folders.push(...made);
    expect(folders).toHaveLength(before + 1);
  }
});
afterAll(async () => {
  await Promise.all(servers.map(({ stop }) => stop()));
});

const paths = () => folders.map((name) => join(cwd, "results", name));

it("have two names in folders and tables", () => {
  expect(folders.map((name) => name.replace(/^[^-]*-|-[^-]*$/g, ""))).toEqual(["acme-small-coder", "acme-large-coder"]);
  const tables = paths().map((path) => readTable(path, "summary.csv"));
  expect(tables.map((rows) => [...new Set(rows.map(({ model }) => model))])).toEqual(NAMES.map((name) => [name]));
});

it("have two names in the list of runs, each with its way in the run's own words", async () => {
  const listed = JSON.parse((await runProbe(["runs", join(cwd, "results"), "--json"])).stdout) as {
    runs: { model: string }[];
  };
  expect(listed.runs.map(({ model }) => model).sort()).toEqual([...NAMES].sort());
  const { stdout } = await runProbe(["score", paths()[0]!]);
  expect(stdout).toContain(`${NAMES[0]} · by openai:auto at ${servers[0]!.url}/v1 · `);
});

it("have two names in a comparison, in a leaderboard and on a page", async () => {
  const { stdout } = await runProbe(["compare", ...paths()]);
  expect(stdout).toContain(`${NAMES[1]} against ${NAMES[0]}`);
  const out = join(cwd, "page.html");
  expect((await runProbe(["report", ...paths(), "--out", out])).code).toBe(0);
  const page = readFileSync(out, "utf8");
  for (const name of NAMES) expect(page).toContain(name);
  expect(page).not.toContain(`>openai:auto<`);
});

it("have two names in a run that was recorded before, which goes on by the same command", async () => {
  const [first] = paths();
  const file = join(first!, "run.json");
  const run = JSON.parse(readFileSync(file, "utf8")) as { model: { label: string } };
  // The record keeps what was typed: by that a run is resumed.
  expect(run.model.label).toBe("openai:auto");
  writeFileSync(file, JSON.stringify({ ...run, status: "interrupted", crc: undefined }));
  const { code, stderr } = await runProbe([...args(servers[0]!.url), "--task", "CTR", "--limit", "4"], { cwd });
  expect(code).toBe(0);
  expect(stderr).toContain("nothing is left to ask");
});
