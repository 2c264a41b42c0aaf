import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type CliOptions, type CliResult, runProbe } from "../fixtures/cli.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";
import { COMMITS, datasetWith, RECORDS } from "../fixtures/hub-datasets.js";
import { startHubReplay } from "../fixtures/hub-replay.js";
import { jsonl } from "../fixtures/jsonl.js";

const folder = useFreshFolder();
const HF_SECRET = "hf_0123456789abcdefghijklmnopqrstuvwx";

function environment(more: Record<string, string> = {}): CliOptions {
  const empty = { GITHUB_TOKEN: "", GH_TOKEN: "", HF_TOKEN: "", PROBE_DATASETS_DIR: folder.path("cache") };
  return { cwd: folder.path(), env: { ...empty, ...more } };
}

const importing = (args: readonly string[], env: Record<string, string>): Promise<CliResult> =>
  runProbe(["dataset", "import", ...args], environment(env));

const read = (name: string) => readFileSync(folder.path(name), "utf8");

describe("probe dataset import hf:", () => {
  it("fetches the official records with one command, and says what they are", async () => {
    const hub = await startHubReplay(datasetWith({ gatedFor: HF_SECRET }));
    const env = { HF_ENDPOINT: hub.url, HF_TOKEN: HF_SECRET };
    const { code, stdout, stderr } = await importing(["hf:octo-org/Reviews"], env);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`commit ${COMMITS.main}\n`);
    expect(stdout).toMatch(/SHA-256 [0-9a-f]{64}\nlicence mit\n/);
    expect(stdout).toContain("2 official records (go 1, python 1): probe run --dataset Reviews.jsonl");
    expect(read("Reviews.jsonl")).toBe(RECORDS);
    expect(stdout + read("Reviews.jsonl.source.json")).not.toContain(HF_SECRET);
  });

  it("says of raw triples how to go on, and of other files that they are of no use, with exit code 2", async () => {
    const raw = { pre_review_code: "a", code_review: "b?", post_review_code: "b", language: "py" };
    const files = {
      "raw.jsonl": { content: jsonl(raw, { ...raw, language: "cobol" }) },
      "other.jsonl": { content: jsonl({ q: 1 }) },
    };
    const hub = await startHubReplay(datasetWith({ files }));
    const env = { HF_ENDPOINT: hub.url };
    const triples = await importing(["hf:octo-org/Reviews/raw.jsonl", "--out", "raw.jsonl"], env);
    expect([triples.code, triples.stdout]).toEqual([
      0,
      expect.stringContaining("1 raw triples (python 1): probe dataset build"),
    ]);
    // `validate` knows official records alone: it would call every triple invalid.
    expect(triples.stdout).toContain("Other lines: 1.");
    expect(triples.stdout).toContain("`probe dataset stats raw.jsonl` tells.");
    const other = await importing(["hf:octo-org/Reviews/other.jsonl", "--json"], env);
    expect(other.code).toBe(2);
    expect(JSON.parse(other.stdout)).toMatchObject({ form: "neither", file: "other.jsonl", revision: COMMITS.main });
  });

  it("ends with exit code 3 and one message where there is no network", async () => {
    const hub = await startHubReplay(datasetWith());
    await hub.stop();
    const { code, stderr } = await importing(["hf:octo-org/Reviews"], { HF_ENDPOINT: hub.url });
    expect(code).toBe(3);
    expect(stderr).toMatch(/^probe: Expected to fetch hf:octo-org\/Reviews@main .* found no network.*\n$/);
  });
});

describe("probe run --dataset hf:", () => {
  const RUN = ["run", "--model", "scripted:oracle", "--task", "CTR"];

  it("fetches the dataset once and records its commit; --resume stays with that commit, without a network", async () => {
    const revisions: Record<string, string> = { main: COMMITS.main };
    const hub = await startHubReplay(datasetWith({ revisions }));
    const env = environment({ HF_ENDPOINT: hub.url });
    const { code, stderr } = await runProbe([...RUN, "--dataset", "hf:octo-org/Reviews", "--out", "first"], env);
    expect([code, stderr]).toEqual([0, expect.stringContaining("Fetching hf:octo-org/Reviews@")]);
    const source = `hf:octo-org/Reviews@${COMMITS.main}/Reviews.jsonl`;
    expect(JSON.parse(read("first/run.json"))).toMatchObject({ dataset: { source, examples: 2 } });
    revisions["main"] = COMMITS.next;
    await hub.stop();
    const resumed = await runProbe(["run", "--resume", "first"], env);
    expect([resumed.code, resumed.stderr]).toEqual([0, expect.stringContaining("nothing is left to ask")]);
    expect(hub.downloads()).toBe(1);
  });

  it("ends with exit code 3 where there is neither a copy nor a network", async () => {
    const hub = await startHubReplay(datasetWith());
    await hub.stop();
    const args = [...RUN, "--dataset", "hf:octo-org/Reviews", "--out", "never"];
    const { code, stderr } = await runProbe(args, environment({ HF_ENDPOINT: hub.url }));
    expect([code, stderr]).toEqual([3, expect.stringContaining("Ways on: (1)")]);
    expect(existsSync(folder.path("never"))).toBe(false);
  });

  it("sends reviews on GitHub to the import", async () => {
    const { code, stderr } = await runProbe([...RUN, "--dataset", "github:octo-org/hello"], environment());
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("probe dataset import github:octo-org/hello --out FILE"),
    ]);
  });
});
