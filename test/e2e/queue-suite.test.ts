import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startChatScript } from "../fixtures/chat-script.js";
import { Processes, type Started } from "../fixtures/processes.js";
import { HAS_REDIS, RedisServer } from "../fixtures/redis-server.js";
import { readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";
import { isRunnerMissing } from "../fixtures/test-runner.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const ASKED = [
  ...["suite", "run", "refactorbench", "--model", "openai:scripted", "--task-id", "interval_set", "--trials", "2"],
  ...["--condition", "no-test-runner", "--attempts", "1", "--quiet"],
];
/** What the model does in a trial; the last ends it. */
const CALLS = [
  { tool: "write_file", arguments: { path: "src/one.js", content: "export const one = 1;\n" } },
  { tool: "get_all_errors", arguments: {} },
  { tool: "write_file", arguments: { path: "src/two.js", content: 'export { one as two } from "./one.js";\n' } },
  { tool: "finish_refactoring", arguments: { success: true, summary: "Two modules." } },
];

/** Without what another run, or another clock, changes. */
const rowsOf = (run: string, file: string) =>
  readTable(at(run), file).map((row) =>
    Object.entries(row).filter(([name]) => !/^(run_id|.*_ms|.*_min|result_.*|experiment_id|source_export)$/.test(name)),
  );

describe.skipIf(!HAS_REDIS || isRunnerMissing)(
  "a suite of agents whose model is in a queue",
  { timeout: 300_000 },
  () => {
    const processes = new Processes(folder);
    let redis: RedisServer;

    beforeAll(async () => {
      mkdirSync(at("redis"));
      redis = await RedisServer.start(at("redis"));
    });
    afterAll(async () => {
      await processes.killAll();
      await redis.kill();
    });

    it("has the tables of a run by itself, also where its worker is killed in the middle of a trial", async () => {
      let turns = 0;
      let fatal = 0;
      let worker: Started | null = null;
      const server = await startChatScript(() => {
        turns++;
        // Before it is answered.
        if (turns === fatal) worker?.child.kill("SIGKILL");
        return CALLS;
      });
      const served = ["--base-url", `${server.url}/v1`];
      expect(await processes.start(...ASKED, ...served, "--out", "whole").result).toMatchObject({ code: 0 });
      const whole = turns;
      // Of two trials, each of four turns, the second turn of the second.
      turns = 0;
      fatal = whole - 2;
      const start = () =>
        processes.start("worker", "--model", "openai:scripted", "--queue", redis.url, "--lost-after", "5", ...served);
      const run = processes.start(...ASKED, "--queue", redis.url, "--out", "queued");
      worker = start();
      expect((await worker.result).signal).toBe("SIGKILL");
      const next = start();
      expect(await run.result).toMatchObject({ code: 0 });
      await processes.kill(next);
      const trials = rowsOf("queued", "trials.csv");
      expect(trials).toEqual(rowsOf("whole", "trials.csv"));
      expect(trials).toHaveLength(2);
      expect(rowsOf("queued", "summary.csv")).toEqual(rowsOf("whole", "summary.csv"));
      // The turn that was lost, and one more at most, for a machine that stalls.
      expect(turns).toBeGreaterThan(whole);
      expect(turns).toBeLessThanOrEqual(whole + 2);
      process.stdout.write(`${whole} turns of a suite asked for ${turns} times, with a worker killed in one\n`);
    });
  },
);
