import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { MINI } from "../fixtures/reference.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";
import { probeOnTerminal } from "../fixtures/terminal.js";

const folder = temporaryFolder();
const CODES = "\u001b[";
/** A run that takes longer than anybody looks at it. */
const LONG = ["run", "--model", "tiny", "--task", "CL"];
/** The same questions soon answered. */
const SHORT = ["run", "--model", "scripted:uniform", "--dataset", MINI, "--task", "CTR,CL"];

const isWhole = process.env["PROBE_SLOW_TESTS"] === "1";

describe.each(isWhole ? [80, 120] : [80])("a run on a terminal of %i columns", (columns) => {
  const out = join(folder, `a-rather-long-name-of-a-folder-for-a-run-that-is-interrupted-at-${columns}`);
  const screen = { columns, rows: 24 };

  it("ends an interrupt with the whole command that goes on, on a line of its own", async () => {
    const session = probeOnTerminal([...LONG, "--out", out], screen);
    await session.until((written) => written.includes(" left"));
    session.type("\u0003");
    expect(await session.ended).toBe(130);
    const lines = await session.lines();
    expect(lines[0]).toBe("Stopping: finishing what is under way. Once more stops at once.");
    expect(lines[1]).toMatch(/^Stopped with \d+ of 5184 answers recorded\. Go on with:$/);
    expect(lines.slice(2)).toEqual([`  probe run --resume ${out}`]);
    // No time before it can be known, and never none.
    expect(session.written()).toMatch(/ 0\/5184 answers\r/);
    expect(session.written()).not.toMatch(/(, |\D)0 ?s left/);
  });

  it("writes messages above its bar, which goes on below them", async () => {
    const session = probeOnTerminal(["run", "--resume", out], screen);
    await session.until((written) => written.includes(" left"));
    const lines = await session.lines();
    session.type("\u0003");
    await session.ended;
    expect(lines.length).toBe(2);
    expect(lines[0]).toMatch(/^Resuming .*: \d+ of 5184 answers are there; asking the rest\.$/);
    expect(lines[1]).toMatch(/^█*░+ \d+\/5184 answers, \d+ (h|min|s)( \d+ (min|s))? left$/);
    expect(lines[1]?.length).toBeLessThan(columns);
  });
});

describe("a table on a terminal", () => {
  const out = join(folder, "table");

  beforeAll(async () => {
    expect((await runProbe([...SHORT, "--out", out])).code).toBe(0);
  });

  it.each([80, 120])("fits %i columns", async (columns) => {
    const session = probeOnTerminal(["score", out], { columns, rows: 50 });
    expect(await session.ended).toBe(0);
    // What the terminal had to break stands here as one line again.
    for (const line of await session.lines()) expect(line.length).toBeLessThanOrEqual(columns);
  });

  it("has every column with --wide", async () => {
    const narrow = probeOnTerminal(["score", out], { columns: 80, rows: 50 });
    await narrow.ended;
    const wide = probeOnTerminal(["score", out, "--wide"], { columns: 80, rows: 50 });
    await wide.ended;
    expect((await narrow.lines()).join("\n")).toContain("Left out, as there is little room (--wide)");
    expect((await wide.lines()).join("\n")).toMatch(/probe .*invariant accuracy \(95 %\) .*mean accuracy .*failed/);
  });

  it("has every column where it goes into a pipe, unless COLUMNS says how wide that is", async () => {
    const head = (stdout: string) => stdout.split("\n").find((line) => line.includes("probe")) ?? "";
    expect(head((await runProbe(["score", out])).stdout)).toContain("mean accuracy");
    const narrow = await runProbe(["score", out], { env: { COLUMNS: "80" } });
    expect(head(narrow.stdout)).toContain("invariant");
    expect(Math.max(...narrow.stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});

describe("colours", () => {
  const out = join(folder, "colours");
  const coloured = async (args: readonly string[], env: Readonly<Record<string, string>>) => {
    const session = probeOnTerminal([...args], { columns: 80, rows: 50, env });
    await session.ended;
    return session.written().includes(CODES);
  };

  beforeAll(async () => {
    expect((await runProbe([...SHORT, "--out", out])).code).toBe(0);
  });

  it("are there on a terminal alone, and not where NO_COLOR or --no-color forbid them", async () => {
    expect(await coloured(["score", out], {})).toBe(true);
    expect(await coloured(["score", out], { NO_COLOR: "1" })).toBe(false);
    expect(await coloured(["score", out], { NO_COLOR: "1", FORCE_COLOR: "1" })).toBe(false);
    expect(await coloured(["score", out, "--no-color"], {})).toBe(false);
    expect(await coloured(["score", out], { TERM: "dumb" })).toBe(false);
    const piped = async (env: Readonly<Record<string, string>>) => (await runProbe(["score", out], { env })).stdout;
    expect(await piped({ NO_COLOR: "", FORCE_COLOR: "" })).not.toContain(CODES);
    expect(await piped({ NO_COLOR: "", FORCE_COLOR: "1" })).toContain(CODES);
  });
});
