import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { datasetWith, RECORDS } from "../fixtures/hub-datasets.js";
import { startHubReplay } from "../fixtures/hub-replay.js";
import { amongMounts, type MountedResult, noMounts } from "../fixtures/mounts.js";
import { MINI } from "../fixtures/reference.js";
import { comparableTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

if (noMounts !== null) process.stdout.write(`Skipping read-only mounts and full disks: ${noMounts}\n`);

const isWhole = process.env["PROBE_SLOW_TESTS"] === "1";
const folder = temporaryFolder();
const at = (...names: string[]) => join(folder, ...names);
const env = { PROBE_DATASETS_DIR: at("cache"), HF_TOKEN: "", GITHUB_TOKEN: "", GH_TOKEN: "" };
const probe = (...args: readonly string[]) => runProbe(args, { cwd: folder, env });
const ASKED = ["--dataset", MINI, "--task", "CTR,ACR", "--limit", "2", "-q"];
const RUN = ["run", "--model", "scripted:uniform", ...ASKED];
const AUDIT = ["audit", "--model", "tiny", "--dataset", MINI, "--task", "CTR", "--limit", "1", "--no-renamed", "-q"];
const BUILD = ["dataset", "build", MINI, "-q"];
const TABLES = ["answers.csv", "questions.csv", "summary.csv", "generations.csv"];

/** One line, with a way out; no stack. */
function expectWayOut({ code, stderr }: MountedResult, found: RegExp): void {
  expect(stderr).toMatch(/^probe: Expected [^\n]*, found [^\n]*\. [A-Z][^\n]*\.\n$/);
  expect(stderr).toMatch(found);
  expect(code).toBe(2);
}

const read = (...names: string[]) => readFileSync(at(...names), "utf8");

beforeAll(async () => {
  if (noMounts !== null) return;
  expect((await probe(...RUN, "--out", at("whole"))).code).toBe(0);
  expect((await probe("run", "--model", "scripted:oracle", ...ASKED, "--out", at("other"))).code).toBe(0);
  expect((await probe(...BUILD, "--out", at("built.jsonl"))).code).toBe(0);
});

describe.skipIf(noMounts !== null)("a read-only mount", () => {
  it("is told of in one line with a way out, and what can be done without writing is done", async () => {
    const hub = await startHubReplay(datasetWith());
    mkdirSync(at("ro"));
    cpSync(at("whole"), at("ro", "run"), { recursive: true });
    const writing = [
      [...RUN, "--out", "ro/new"],
      [...AUDIT, "--out", "ro/new"],
      ["score", "ro/run"],
      ["report", "ro/run", "--out", "ro/page.html"],
      [...BUILD, "--out", "ro/built.jsonl"],
      ["dataset", "import", "hf:octo-org/Reviews", "--out", "ro/imported.jsonl"],
      ["dataset", "sample", MINI, "--per-language", "1", "--out", "ro/sample.jsonl"],
      ["run", "--resume", "ro/run"],
    ];
    const reading = [
      ["compare", "ro/run", "other"],
      ["report", "ro/run", "--out", "page.html"],
      ["runs", "ro"],
    ];
    const steps = ["mount --bind ro ro", "mount -o remount,ro,bind ro", ...writing, ...reading];
    const results = await amongMounts(folder, steps, { ...env, HF_ENDPOINT: hub.url });
    for (const result of results.slice(0, writing.length)) expectWayOut(result, /read-only|cannot be written to/);
    const codes = results.slice(writing.length).map(({ code, stderr }) => (code === 0 ? 0 : stderr));
    expect(codes).toEqual([0, 0, 0]);
    for (const table of TABLES) expect(read("ro", "run", table)).toBe(read("whole", table));
  });
});

/** Mounts a disk of `kb` KB at `disk`, puts `before` there, and fills it until `left` KB are left. */
const disk = (kb: number, left: number, before = "true") => [
  `mount -t tmpfs -o size=${kb}k none disk`,
  before,
  `head -c $(( ($(df --output=avail disk | tail -1) - ${left}) * 1024 )) /dev/zero > disk/ballast`,
];

describe.skipIf(noMounts !== null)("a full disk", () => {
  it.each(isWhole ? [0, 4, 12, 24] : [0, 12])(
    "keeps what a run recorded, which goes on when there is room: %d KB left",
    async (left) => {
      mkdirSync(at("disk"), { recursive: true });
      const command = [...RUN, "--out", "disk/run"];
      const out = `after-${left}`;
      const steps = [...disk(4096, left), command, "rm disk/ballast", [...command], `cp -r disk/run ${out}`];
      const [full, again] = await amongMounts(folder, steps, env);
      expectWayOut(full!, /no space left/);
      expect([again!.code, again!.stderr]).toEqual([0, ""]);
      for (const table of TABLES) expect(comparableTable(at(out), table)).toEqual(comparableTable(at("whole"), table));
    },
  );

  it("of temporary folders fails no task and no agent: they are judged when there is room", async () => {
    mkdirSync(at("disk"), { recursive: true });
    const command = ["suite", "run", "swe-atlas", "--agent", "scripted:gold", "--limit", "1", "--sandbox", "none"];
    const into = [...command, "-q", "--out", "tight"];
    const steps = [...disk(65_536, 256), into, "rm disk/ballast", [...into]];
    const own = { XDG_CACHE_HOME: at("checks"), TMPDIR: at("disk") };
    const [full, again] = await amongMounts(folder, steps, own);
    expect(full!.stdout).toMatch(/unreachable: Expected 16\.0 MB free in .*disk, found 0\.\d MB\. Free some/);
    expect([full!.code, again!.code, again!.stderr]).toEqual([4, 0, ""]);
    expect(again!.stdout).not.toMatch(/unreachable|own tests do not hold/);
    // A disk in memory without a limit tells no size, and has room.
    const boundless = ["mount -t tmpfs -o size=0 none disk", [...command, "-q", "--out", "boundless"]];
    const [judged] = await amongMounts(folder, boundless, own);
    expect([judged!.code, judged!.stderr]).toEqual([0, ""]);
  });

  it("leaves the tables of a run, its page, a benchmark and a dataset as they were, or not there", async () => {
    mkdirSync(at("disk"), { recursive: true });
    const hub = await startHubReplay(datasetWith());
    const commands = [
      ["score", "disk/run"],
      ["report", "disk/run", "--out", "disk/page.html"],
      [...BUILD, "--out", "disk/built.jsonl"],
      ["dataset", "import", "hf:octo-org/Reviews", "--out", "disk/imported.jsonl"],
      [...AUDIT, "--out", "disk/audit"],
    ];
    const tables = TABLES.map((table) => `cmp disk/run/${table} whole/${table}`);
    const steps = [
      ...disk(8192, 0, "cp -r whole disk/run"),
      ...commands,
      ...tables,
      "test ! -e disk/page.html && test ! -e disk/built.jsonl && test ! -e disk/imported.jsonl",
      "test -z \"$(find disk -name '*.tmp')\"",
      "rm disk/ballast",
      ...commands.map((command) => [...command]),
      ...tables,
      "cp -r disk after",
    ];
    const results = await amongMounts(folder, steps, { ...env, HF_ENDPOINT: hub.url });
    for (const result of results.slice(0, commands.length)) expectWayOut(result, /no space left/);
    expect(results.slice(commands.length).map(({ code, stderr }) => (code === 0 ? 0 : stderr))).toEqual([
      0, 0, 0, 0, 0,
    ]);
    expect(read("after", "built.jsonl")).toBe(read("built.jsonl"));
    expect(read("after", "imported.jsonl")).toBe(RECORDS);
  });
});
