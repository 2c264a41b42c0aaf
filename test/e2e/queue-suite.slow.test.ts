import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { RUNS_KEY, runKey } from "../../src/queue/queue-wire.js";
import { startChatScript } from "../fixtures/chat-script.js";
import { journalRecords } from "../fixtures/journal-file.js";
import { ownProcesses, type Started } from "../fixtures/processes.js";
import { HAS_REDIS, ownRedis } from "../fixtures/redis-server.js";
import { readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";
import { isRunnerMissing } from "../fixtures/test-runner.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const RUN = ["suite", "run", "refactorbench"];
const ASKED = [
  ...RUN,
  "--model",
  "openai:scripted",
  "--task-id",
  "interval_set",
  "--trials",
  "2",
  "--condition",
  "no-test-runner",
  "--attempts",
  "1",
  "--quiet",
];
/** What the model does in a trial; the last ends it. */
const CALLS = [
  { tool: "write_file", arguments: { path: "src/one.js", content: "export const one = 1;\n" } },
  { tool: "get_all_errors", arguments: {} },
  { tool: "write_file", arguments: { path: "src/two.js", content: 'export { one as two } from "./one.js";\n' } },
  { tool: "finish_refactoring", arguments: { success: true, summary: "Two modules." } },
];
/** Of two trials. */
const TURNS = 2 * CALLS.length;
/** Of the second trial the second. */
const FATAL = CALLS.length + 2;

/** Without what another run, or another clock, changes. */
const rowsOf = (run: string, file: string) =>
  readTable(at(run), file).map((row) =>
    Object.entries(row).filter(([name]) => !/^(run_id|.*_ms|.*_min|result_.*|experiment_id|source_export)$/.test(name)),
  );

/** Which turn of which trial each reply on disk is to. */
const repliesOf = (run: string) =>
  journalRecords(at(`${run}/replies.jsonl`)).map(({ trial, attempt, turn }) => `${trial} ${attempt} ${turn}`);

describe.skipIf(!HAS_REDIS || isRunnerMissing)("a suite of agents whose model is in a queue", () => {
  const redis = ownRedis();
  const processes = ownProcesses(folder);

  /** A model that counts the turns it is asked for; the fatal one kills a process before it is answered. */
  async function startModel(
    isFatal: (turns: number) => boolean = () => false,
    victim: () => Started | null = () => null,
  ) {
    const asked = { turns: 0 };
    const { url } = await startChatScript(() => {
      asked.turns++;
      if (isFatal(asked.turns)) victim()?.child.kill("SIGKILL");
      return CALLS;
    });
    const served = ["--base-url", `${url}/v1`];
    const worker = (...more: readonly string[]) =>
      processes.start("worker", "--model", "openai:scripted", "--queue", redis.url, ...more, ...served);
    return { asked, served, worker };
  }

  let whole: Promise<void> | null = null;
  async function askAll() {
    const { asked, served } = await startModel();
    expect(await processes.start(...ASKED, ...served, "--out", "whole").result).toMatchObject({ code: 0 });
    expect(asked.turns).toBe(TURNS);
  }
  /** The tables of a run by itself, which is made once. */
  async function expectTablesOfWhole(name: string) {
    whole ??= askAll();
    await whole;
    const trials = rowsOf(name, "trials.csv");
    expect(trials).toHaveLength(2);
    expect(trials).toEqual(rowsOf("whole", "trials.csv"));
    expect(rowsOf(name, "summary.csv")).toEqual(rowsOf("whole", "summary.csv"));
  }

  it("has the tables of a run by itself, also where its worker is killed in the middle of a trial", async () => {
    let first: Started | null = null;
    const { asked, worker } = await startModel(
      (turns) => turns === FATAL,
      () => first,
    );
    const run = processes.start(...ASKED, "--queue", redis.url, "--out", "queued");
    first = worker("--lost-after", "5");
    expect((await first.result).signal).toBe("SIGKILL");
    const next = worker("--lost-after", "5");
    expect(await run.result).toMatchObject({ code: 0 });
    await processes.kill(next);
    await expectTablesOfWhole("queued");
    // The turn that was lost, and one more at most, for a machine that stalls.
    expect(asked.turns).toBeGreaterThan(TURNS);
    expect(asked.turns).toBeLessThanOrEqual(TURNS + 2);
    process.stdout.write(`${TURNS} turns of a suite asked for ${asked.turns} times, with a worker killed in one\n`);
  });

  // A run of questions that is killed goes on so in `queue-kills.slow`.
  it.runIf(process.env["PROBE_SLOW_TESTS"] === "1")(
    "has them also where the run itself is killed in the middle of a trial and goes on: no reply on disk is asked for again",
    async () => {
      let run: Started | null = null;
      const { asked, worker } = await startModel(
        () => repliesOf("resumed").length === FATAL - 1,
        () => run,
      );
      run = processes.start(...ASKED, "--queue", redis.url, "--out", "resumed");
      const own = worker();
      expect((await run.result).signal).toBe("SIGKILL");
      const kept = repliesOf("resumed");
      // All turns before the fatal one: the first trial's, and one of the second.
      expect(kept).toEqual(["0 0 0", "0 0 1", "0 0 2", "0 0 3", "1 0 0"]);
      expect(journalRecords(at("resumed/trials.jsonl"))).toHaveLength(1);
      // As they do by themselves some seconds later.
      await redis.with(async (client) => {
        for (const name of await client.smembers(RUNS_KEY)) await client.del(runKey(name));
      });
      const before = asked.turns;
      const next = processes.start(...RUN, "--resume", "resumed", "--queue", redis.url, "--quiet");
      expect(await next.result).toMatchObject({ code: 0 });
      await processes.kill(own);
      await expectTablesOfWhole("resumed");
      // Whatever is asked for is on disk before it counts: once alone, each.
      expect(repliesOf("resumed")).toEqual([...kept, "1 0 1", "1 0 2", "1 0 3"]);
      // One more at most, for a machine that stalls.
      expect(asked.turns - before).toBeGreaterThanOrEqual(TURNS - kept.length);
      expect(asked.turns - before).toBeLessThanOrEqual(TURNS - kept.length + 1);
      process.stdout.write(
        `Killed with ${kept.length} of ${TURNS} turns on disk: ${asked.turns - before} asked for when it went on\n`,
      );
    },
  );
});
