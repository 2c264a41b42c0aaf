import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { partsBench } from "../fixtures/suites/parts-bench/entry.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const env = { XDG_CACHE_HOME: join(folder, "cache") };
const probe = (...args: readonly string[]) => runProbe(args, { more: [partsBench], cwd: folder, env });
const text = (...path: readonly string[]) => readFileSync(join(folder, ...path), "utf8");
const jsonLines = (...path: readonly string[]) =>
  text(...path)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Tasks 0–12 are mended and understood, 13–15 mended alone, 16–17 understood alone, 18–19 neither. */
const UNMENDED = ["part-16", "part-17", "part-18", "part-19"];
const isUnderstood = (task: number) => task <= 12 || task === 16 || task === 17;

beforeAll(async () => {
  expect(await probe("suite", "probes", "parts-bench", "--out", "hunks.jsonl")).toMatchObject({ code: 0 });
  // The wrong line is the one that takes away.
  const mend = `case {task_id} in ${UNMENDED.join("|")}) ;; *) sed -i "s/ - / + /" {workspace}/total.js ;; esac`;
  const agent = ["suite", "run", "parts-bench", "-q", "--agent-cmd", mend, "--out", "agent"];
  expect(await probe(...agent)).toMatchObject({ code: 0 });
  expect(await probe("dataset", "build", "hunks.jsonl", "--out", "bench.jsonl", "-q")).toMatchObject({ code: 0 });
  const asked = ["run", "--dataset", "bench.jsonl", "--task", "CL", "-q"];
  expect(await probe(...asked, "--model", "scripted:oracle", "--out", "oracle")).toMatchObject({ code: 0 });
  writeFileSync(join(folder, "answers.jsonl"), answersOf(jsonLines("oracle", "answers.jsonl")));
  expect(await probe(...asked, "--model", "scripted:answers.jsonl", "--out", "probes")).toMatchObject({ code: 0 });
});

/** Right answers, but for one order of one question about each task that is not understood. */
function answersOf(lines: readonly Record<string, unknown>[]): string {
  const missed = new Set<unknown>();
  return lines
    .map((line) => {
      const id = String(line["example_id"] ?? "");
      const task = Number(/^part-(\d+)#/.exec(id)?.[1] ?? Number.NaN);
      if (Number.isNaN(task) || isUnderstood(task) || missed.has(id)) return `${JSON.stringify(line)}\n`;
      missed.add(id);
      const chosen = line["chosen_symbol"] === "A" ? "B" : "A";
      return `${JSON.stringify({ ...line, chosen_symbol: chosen, logprobs: null })}\n`;
    })
    .join("");
}

describe("probes of a suite's own code, and success held against them", () => {
  it("are hunks of the right solutions with the instruction as review, that a benchmark is built from", () => {
    const hunks = jsonLines("hunks.jsonl");
    expect(hunks.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, i) => `part-${i}#1`));
    expect(hunks[0]).toMatchObject({
      language: "javascript",
      code_review: "Something is taken away where it should be added.",
      repo: "parts",
      source: "parts-bench part-0 total.js (gold)",
    });
    expect(jsonLines("bench.jsonl")).toHaveLength(20);
  });

  it("may be an agent's own patches", async () => {
    const { code } = await probe("suite", "probes", "parts-bench", "--run", "agent", "--out", "own.jsonl");
    expect(code).toBe(0);
    // The others have no patch.
    expect(jsonLines("own.jsonl").map(({ id }) => id)).toEqual(Array.from({ length: 16 }, (_, i) => `part-${i}#1`));
  });

  it("come to the four counts that were made, with an exact test", async () => {
    const { code, stdout } = await probe("suite", "link", "agent", "--probes", "probes", "--json");
    expect(code).toBe(0);
    const { status, reason, forms, tables } = JSON.parse(stdout);
    expect([status, reason, forms]).toEqual(["linked", undefined, ["CL easy", "CL hard"]]);
    const cells = {
      success_understood: 13,
      success_not_understood: 3,
      failure_understood: 2,
      failure_not_understood: 2,
    };
    expect(tables).toMatchObject([{ condition: null, ...cells }]);
    // C(15, k) C(5, 4 − k) of C(20, 4) = 4845 tables with k understood among the 4 failures: 5, 150, 1050, 2275, 1365 for
    // k = 0 to 4. Found: k = 2; no more probable are k = 0, 1, 2: 1205.
    expect(tables[0].fisher_p).toBeCloseTo(1205 / 4845, 12);
    // 3 of 16 successes.
    expect(tables[0].success_without_comprehension.value).toBe(3 / 16);
    const shown = await probe("suite", "link", "agent", "--probes", "probes");
    expect(shown.stdout).toMatch(/│ success +│ +13 │ +3 │ +18\.8 % \(6\.6–43\.0\) │/);
    expect(shown.stdout).toContain("Fisher's exact test, two-sided: p 0.2487.");
  });

  it("are refused in words where questions were stopped at their first wrong order", async () => {
    const asked = ["run", "--dataset", "bench.jsonl", "--task", "CL", "-q", "--early-stop"];
    expect(await probe(...asked, "--model", "scripted:answers.jsonl", "--out", "stopped")).toMatchObject({ code: 0 });
    const { code, stdout } = await probe("suite", "link", "agent", "--probes", "stopped");
    expect(code).toBe(0);
    expect(stdout).toContain("Not linked. The questions of the probes stopped at their first wrong order");
  });

  it("are refused in words where no answer shows comprehension, as those of the bundled model", async () => {
    const asked = ["run", "--dataset", "bench.jsonl", "--task", "CL", "--difficulty", "hard", "--limit", "10", "-q"];
    expect(await probe(...asked, "--model", "tiny", "--out", "tiny")).toMatchObject({ code: 0 });
    const { code, stdout } = await probe("suite", "link", "agent", "--probes", "tiny");
    expect(code).toBe(0);
    expect(stdout).toContain("command worked, tiny answered.");
    expect(stdout).toMatch(
      /Not linked\. No probe's score is above its floor, so right answers do not show comprehension/,
    );
  });

  it("stand before all else in a report of both, in a table a model", async () => {
    expect(await probe("report", "agent", "probes", "--out", "page.html")).toMatchObject({ code: 0 });
    const page = text("page.html");
    expect(page).toMatch(/<section id="overview"[^>]*><h2[^>]*>At a glance<\/h2>/);
    expect(page).toContain("parts-bench: successes without comprehension");
    expect(page).toContain("3 of 16 tasks");
    expect(page).toMatch(/<section id="link"[^>]*><h2[^>]*>Success and comprehension<\/h2>/);
    expect(page).toContain("Fisher&#39;s exact test, two-sided: p 0.2487.");
  });
});
