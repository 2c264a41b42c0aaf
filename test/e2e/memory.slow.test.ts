import { copyFileSync, cpSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { runProbe, spawnProbe } from "../fixtures/cli.js";
import { startGitHubReplay } from "../fixtures/github-replay.js";
import { REPOSITORY } from "../fixtures/github-replay-world.js";
import { datasetWith } from "../fixtures/hub-datasets.js";
import { startHubReplay } from "../fixtures/hub-replay.js";
import { HUGE_BODIES, type HugeBody, startHugeServer } from "../fixtures/memory/huge-bodies.js";
import { MINI } from "../fixtures/reference.js";
import { openai } from "../fixtures/stub-servers/openai.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const MOST_MB = 400;
const AT_ONCE = 8;
/** The bodies of the sample: one that is cut off, and the one that costs most of those that are not. */
const SAMPLE: readonly string[] = ["never ends", "is JSON, 11 MB in one text"];
const IS_WHOLE = process.env["PROBE_SLOW_TESTS"] === "1";
const WHICH = IS_WHOLE ? "" : " (a sample; all with PROBE_SLOW_TESTS=1)";
const NOTE_PEAK = join(import.meta.dirname, "../fixtures/memory/note-peak.mjs");
const MB = 1024 * 1024;
const folder = temporaryFolder();
const at = (...names: string[]) => join(folder, ...names);

/** As GitHub tells one. */
const COMMENT = {
  id: 1,
  created_at: "2025-01-01T00:00:00Z",
  html_url: "http://x/1",
  path: "a.py",
  diff_hunk: "@@ -1 +1 @@\n+x",
  original_commit_id: "0".repeat(40),
};

/** A command that meets something that would fill the memory of who reads it whole. */
interface Case {
  readonly what: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Exit codes that are right. */
  readonly codes: readonly number[];
}

interface Measured extends Case {
  readonly code: number | null;
  /** Of the command, and of every process that it started. */
  readonly peakMb: number;
  readonly stderr: string;
}

let measured = 0;

async function measure(each: Case): Promise<Measured> {
  const peaks = at(`peaks-${++measured}`);
  const env = { NODE_OPTIONS: `--import=${pathToFileURL(NOTE_PEAK).href}`, PROBE_TEST_PEAKS: peaks, ...each.env };
  const { code, stderr } = await spawnProbe(each.args, { cwd: folder, env });
  const peakMb = Math.round(Math.max(...readFileSync(peaks, "utf8").trim().split("\n").map(Number)) / 1024);
  return { ...each, code, peakMb, stderr };
}

/** Measures all, some at once: most of their time, servers are waited for. */
async function measureAll(cases: readonly Case[]): Promise<Measured[]> {
  const left = [...cases];
  const done: Measured[] = [];
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) done.push(await measure(next));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const rows = cases.map(({ what }) => done.find((each) => each.what === what)!);
  const lines = rows.map(({ what, code, peakMb }) => `${String(peakMb).padStart(5)}  exit ${code}  ${what}`);
  process.stdout.write(`Peak memory, MB (at most ${MOST_MB}):\n${lines.join("\n")}\n`);
  return rows;
}

function expectModest(rows: readonly Measured[]): void {
  expect(rows.filter(({ peakMb }) => !(peakMb < MOST_MB)).map(({ what, peakMb }) => [what, peakMb])).toEqual([]);
  const wrong = rows.filter(({ code, codes }) => !codes.includes(code ?? -1));
  expect(wrong.map(({ what, code, stderr }) => [what, code, stderr.slice(0, 500)])).toEqual([]);
  for (const { what, stderr } of rows) expect(stderr, what).not.toMatch(/\n\s+at |unexpected/i);
}

const asked = (url: string) => ["--model", "openai:m", "--base-url", `${url}/v1`];

it(`no server's replies take ${MOST_MB} MB${WHICH}`, async () => {
  const bodies = Object.entries<HugeBody>(HUGE_BODIES).filter(([what]) => IS_WHOLE || SAMPLE.includes(what));
  const cases: Case[] = [];
  for (const [what, body] of bodies) {
    const { url } = await startHugeServer(body);
    const args = ["models", "check", "openai:m", "--base-url", `${url}/v1`];
    cases.push({ what: `check: a body that ${what}`, args, codes: [3] });
  }
  for (const [i, [what, body]] of bodies.entries()) {
    // Enough good replies for sixty-four requests at once.
    const { url } = await startHugeServer(body, openai(), 250);
    const rest = ["--dataset", MINI, "--concurrency", "64", "-q", "--out", at(`run-${i}`)];
    cases.push({ what: `run: a body that ${what}`, args: ["run", ...asked(url), ...rest], codes: [4] });
  }
  const endless = await startHugeServer(HUGE_BODIES["never ends"]);
  const token = { GITHUB_TOKEN: "", GH_TOKEN: "", HF_TOKEN: "", PROBE_DATASETS_DIR: at("cache") };
  const github = {
    args: ["dataset", "import", "github:a/b", "--out", at("g.jsonl")],
    env: { ...token, GITHUB_API_URL: endless.url },
  };
  const hub = {
    args: ["dataset", "import", "hf:a/b", "--out", at("h.jsonl")],
    env: { ...token, HF_ENDPOINT: endless.url },
  };
  cases.push({ what: "import github: a body that never ends", ...github, codes: [2, 3] });
  cases.push({ what: "import hf: a body that never ends", ...hub, codes: [2, 3] });
  const comments = await startGitHubReplay(REPOSITORY, {
    intercept: ({ path, headers }) => {
      if (!path.includes("/comments")) return null;
      const url = new URL(path, `http://${headers.host}`);
      const page = Number(url.searchParams.get("page") ?? 1);
      url.searchParams.set("page", String(page + 1));
      const body = Array.from({ length: 100 }, (_, i) => ({
        ...COMMENT,
        id: page * 100 + i,
        body: "x".repeat(20_000),
      }));
      return { status: 200, headers: { link: `<${url}>; rel="next"` }, body };
    },
  });
  const lists = { args: ["dataset", "import", "github:octo-org/hello", "--out", at("c.jsonl")] };
  const commentsEnv = { ...token, GITHUB_API_URL: comments.url };
  cases.push({ what: "import github: comments that never end", ...lists, env: commentsEnv, codes: [3] });
  const listed = await startHubReplay(datasetWith(), ({ path }) => {
    if (!path.includes("/tree/")) return null;
    const page = Number(new URL(path, "http://hub").searchParams.get("cursor") ?? 0);
    const files = Array.from({ length: 1000 }, (_, i) => ({
      type: "file",
      path: `${page}/${i}.jsonl`,
      size: 1,
      oid: "0",
    }));
    const next = `<${listed.url}${path.split("?")[0]}?cursor=${page + 1}>; rel="next"`;
    return { status: 200, headers: { link: next }, body: files };
  });
  const args = ["dataset", "import", "hf:octo-org/Reviews", "--out", at("l.jsonl")];
  cases.push({
    what: "import hf: a list of files that never ends",
    args,
    env: { ...token, HF_ENDPOINT: listed.url },
    codes: [2, 3],
  });
  expectModest(await measureAll(cases));
});

it(`no file takes ${MOST_MB} MB${WHICH}`, async () => {
  const whole = at("whole");
  const made = await runProbe([
    "run",
    "--model",
    "scripted:oracle",
    "--dataset",
    MINI,
    "--task",
    "CTR,ACR",
    "-q",
    "--out",
    whole,
  ]);
  expect(made.code).toBe(0);
  const run = JSON.parse(readFileSync(join(whole, "run.json"), "utf8")) as Record<string, unknown>;
  const copy = (name: string) => {
    cpSync(whole, at(name), { recursive: true });
    return at(name);
  };
  /** A gigabyte of zero bytes, behind what is there: no line end in it, and no room on the disk. */
  const grow = (path: string) => truncateSync(path, 1024 * MB);
  // All four read a run by the same means: of most, the two that read most of it stand for them.
  const reading = (name: string, codes: readonly number[], commands = IS_WHOLE ? 4 : 2): Case[] =>
    [
      ["score", at(name)],
      ["report", at(name), "--out", at(`${name}.html`)],
      ["compare", at(name), whole],
      ["failures", at(name)],
    ]
      .slice(0, commands)
      .map((args) => ({ what: `${args[0]}: ${name}`, args, codes }));

  const claim = copy("a run that claims 50 million questions");
  const forms = (run["forms"] as object[]).map((form) => ({ ...form, questions: 50_000_000 }));
  writeFileSync(
    join(claim, "run.json"),
    JSON.stringify({ ...run, questions: 50_000_000, generations: 50_000_000, forms, crc: undefined }),
  );
  grow(join(copy("a run whose journal has a line of 1 GB"), "answers.jsonl"));
  grow(join(copy("a run whose run.json has 1 GB"), "run.json"));
  const bomb = copy("a run whose run.json is 8 MB of lists");
  writeFileSync(join(bomb, "run.json"), `{"a":[[]${",[]".repeat(2_700_000)}]}`);
  const locked = copy("a run whose lock has 1 GB");
  writeFileSync(join(locked, "run.lock"), "");
  grow(join(locked, "run.lock"));
  copyFileSync(MINI, at("line.jsonl"));
  grow(at("line.jsonl"));
  mkdirSync(at("config"));
  writeFileSync(at("config", "probe.config.json"), " ");
  grow(at("config", "probe.config.json"));
  writeFileSync(at("zeros.gguf"), "GGUF");
  grow(at("zeros.gguf"));
  const many = copy("a journal of 2 million lines");
  const line = readFileSync(join(many, "answers.jsonl"), "utf8").split("\n")[1]!;
  writeFileSync(
    join(many, "answers.jsonl"),
    `${readFileSync(join(many, "answers.jsonl"), "utf8")}${`${line}\n`.repeat(20_000)}`,
  );

  expectModest(
    await measureAll([
      ...reading("a run that claims 50 million questions", [0, 2, 4]),
      ...reading("a run whose journal has a line of 1 GB", [0, 2], 4),
      ...reading("a run whose run.json has 1 GB", [0, 2]),
      ...reading("a run whose run.json is 8 MB of lists", [0, 2]),
      { what: "runs: all of these", args: ["runs", folder], codes: [0] },
      { what: "score: a run whose lock has 1 GB", args: ["score", locked], codes: [0] },
      { what: "score: a journal of many lines", args: ["score", many], codes: [0] },
      { what: "validate: a line of 1 GB", args: ["dataset", "validate", at("line.jsonl")], codes: [2] },
      {
        what: "run: a line of 1 GB",
        args: ["run", "--model", "scripted:oracle", "--dataset", at("line.jsonl"), "--out", at("x")],
        codes: [2],
      },
      { what: "stats: a line of 1 GB", args: ["dataset", "stats", at("line.jsonl")], codes: [2] },
      { what: "a GGUF of 1 GB of zeros", args: ["run", "--model", at("zeros.gguf"), "--out", at("y")], codes: [2, 3] },
    ]),
  );
  const config = await runProbe(["models"], { cwd: at("config") });
  expect(config.stderr).toContain("Expected");
});
