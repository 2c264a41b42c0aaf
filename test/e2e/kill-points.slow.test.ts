import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { PROBE, runProbe, spawnProbe } from "../fixtures/cli.js";
import { startGitHubReplay } from "../fixtures/github-replay.js";
import { longRepository } from "../fixtures/github-replay-world.js";
import { datasetWith } from "../fixtures/hub-datasets.js";
import { startHubReplay } from "../fixtures/hub-replay.js";
import { jsonl } from "../fixtures/jsonl.js";
import { rawTripleWith } from "../fixtures/raw-triple.js";
import { diskStates, RECORDER, someOf } from "../fixtures/store/disk-states.js";
import { comparableTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();

interface Work {
  /** The command whose output is in `out`. */
  readonly args: (out: string) => readonly string[];
  /** What it is made of, without what differs from run to run. */
  readonly result: (out: string) => unknown;
  readonly env?: Readonly<Record<string, string>>;
  /** What has to be there before. */
  readonly prepare?: (out: string) => void;
}

/**
 * Gives a command again where a kill at each of its operations on the disk would have left it, and compares.
 * @returns how many states of the disk there were
 */
async function killEverywhere({ args, result, env = {}, prepare = () => {} }: Work): Promise<number> {
  const base = mkdtempSync(join(folder, "work-"));
  const whole = join(base, "whole", "out");
  mkdirSync(join(base, "whole"));
  prepare(whole);
  const states = await diskStates(join(base, "whole"), async (recording) => {
    const options = { cwd: folder, program: `--import=${RECORDER}`, env: { ...env, ...recording } };
    const first = await spawnProbe([PROBE, ...args(whole)], options);
    expect([first.code, first.signal], first.stderr).toEqual([0, null]);
  });
  const expected = result(whole);
  for (const [at, state] of someOf([...states.entries()])) {
    const out = join(base, `killed-${at}`, "out");
    cpSync(state, join(base, `killed-${at}`), { recursive: true });
    const again = await runProbe(args(out), { cwd: folder, env });
    expect([again.code, again.stderr], `after state ${at} of ${states.length}`).toEqual([0, expect.any(String)]);
    expect(result(out), `after state ${at} of ${states.length}`).toEqual(expected);
    expect(leftOf(out)).toEqual([]);
  }
  return states.length;
}

/** The files of a folder, without what `leftOf` passes over. */
function filesOf(out: string): string[] {
  return readdirSync(out)
    .filter((name) => !LOCK_TEMPORARY.test(name))
    .sort();
}

const LOCK_TEMPORARY = /\.lock\..*\.tmp$/;

/**
 * Locks, and files that were not finished. That of a lock that a process was about to take stays for a minute: it may be
 * one of another container.
 */
function leftOf(out: string): string[] {
  return filesOf(out).filter((name) => /\.lock$|\.tmp$|\.partial/.test(name));
}

const TRIPLES = ["Name it total, please.", "Count from one here.", "Why not a constant?"];
const RUN = ["--model", "scripted:oracle", "--task", "CTR,ACR", "--limit", "2", "-q"];
const TABLES = ["answers.csv", "questions.csv", "summary.csv", "generations.csv"];

beforeAll(() => {
  const triples = TRIPLES.map((code_review) => rawTripleWith({ code_review }));
  writeFileSync(join(folder, "raw.jsonl"), jsonl(...triples));
});

/** At least so many, or what is counted is not what the command does. */
const LEAST = 12;

describe("a command that is killed at any operation on the disk goes on to the same, and locks nobody out", () => {
  it("run", async () => {
    const operations = await killEverywhere({
      args: (out) => ["run", ...RUN, "--out", out],
      result: (out) => TABLES.map((table) => comparableTable(out, table)),
    });
    expect(operations).toBeGreaterThan(LEAST);
  });

  it("score", async () => {
    const made = join(folder, "made");
    expect((await runProbe(["run", ...RUN, "--out", made])).code).toBe(0);
    const operations = await killEverywhere({
      args: (out) => ["score", out],
      prepare: (out) => cpSync(made, out, { recursive: true }),
      result: (out) => TABLES.map((table) => readFileSync(join(out, table), "utf8")),
    });
    expect(operations).toBeGreaterThan(LEAST);
  });

  it("merge", async () => {
    const shares = ["1/2", "2/2"].map((shard) => ({ shard, share: join(folder, `share-${shard[0]}`) }));
    for (const { shard, share } of shares)
      expect((await runProbe(["run", ...RUN, "--shard", shard, "--out", share])).code).toBe(0);
    const operations = await killEverywhere({
      args: (out) => ["merge", ...shares.map(({ share }) => share), "--out", out],
      result: (out) => TABLES.map((table) => comparableTable(out, table)),
    });
    expect(operations).toBeGreaterThan(LEAST);
  });

  it("suite run, in its checks, trials, grades and judgements", async () => {
    const judge = `scripted:${join(import.meta.dirname, "../../datasets/suites/swe-atlas/judge.jsonl")}`;
    const what = ["--agent", "scripted:noop", "--controls", "--judge", judge, "-q"];
    const untimed = (out: string, table: string) => comparableTable(out, table).map(({ grading_ms: _, ...row }) => row);
    const operations = await killEverywhere({
      args: (out) => ["suite", "run", "swe-atlas", ...what, "--condition", "tw", "--out", out],
      result: (out) =>
        ["trials.csv", "verdicts.csv", "validity.csv", "summary.csv"].map((table) => untimed(out, table)),
    });
    expect(operations).toBeGreaterThan(LEAST);
  });

  it("audit", async () => {
    const what = ["--dataset", "starter", "--task", "CTR", "--limit", "2", "--no-renamed", "-q"];
    const operations = await killEverywhere({
      args: (out) => ["audit", "--model", "tiny", ...what, "--out", out],
      result: (out) => ["contamination.csv"].map((table) => comparableTable(out, table)),
    });
    expect(operations).toBeGreaterThan(LEAST);
  });

  it("dataset build", async () => {
    const operations = await killEverywhere({
      args: (out) => ["dataset", "build", join(folder, "raw.jsonl"), "--out", join(out, "bench.jsonl"), "-q"],
      prepare: (out) => mkdirSync(out),
      result: (out) => filesOf(out).map((name) => [name, readFileSync(join(out, name), "utf8").replaceAll(out, "")]),
    });
    expect(operations).toBeGreaterThan(LEAST);
  });

  /** Without the times of day. */
  const imported = (out: string) =>
    filesOf(out).map((name) => [
      name,
      readFileSync(join(out, name), "utf8").replace(/"(started_at|retrieved_at)": "[^"]*"/g, ""),
    ]);

  it("dataset import, of a repository", async () => {
    const server = await startGitHubReplay(longRepository(4), { pageSize: 100 });
    const operations = await killEverywhere({
      args: (out) => ["dataset", "import", "github:octo-org/long", "--out", join(out, "long.jsonl"), "-q"],
      env: { GITHUB_API_URL: server.url, GITHUB_TOKEN: "", GH_TOKEN: "" },
      prepare: (out) => mkdirSync(out),
      result: imported,
    });
    expect(operations).toBeGreaterThan(LEAST);
  });

  it("dataset import, of a file on the hub", async () => {
    const hub = await startHubReplay(datasetWith());
    const operations = await killEverywhere({
      args: (out) => ["dataset", "import", "hf:octo-org/Reviews", "--out", join(out, "reviews.jsonl"), "-q"],
      env: { HF_ENDPOINT: hub.url, HF_TOKEN: "", PROBE_DATASETS_DIR: join(folder, "cache") },
      prepare: (out) => mkdirSync(out),
      result: imported,
    });
    expect(operations).toBeGreaterThan(5);
  });
});
