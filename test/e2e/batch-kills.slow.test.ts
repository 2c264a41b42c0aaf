import { cpSync, mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { PROBE, runProbe, spawnProbe } from "../fixtures/cli.js";
import { MINI } from "../fixtures/reference.js";
import { diskStates, RECORDER, someOf } from "../fixtures/store/disk-states.js";
import { startStub } from "../fixtures/stub-server.js";
import { anthropic } from "../fixtures/stub-servers/anthropic.js";
import { BatchService } from "../fixtures/stub-servers/batches.js";
import { openai } from "../fixtures/stub-servers/openai.js";
import { comparableTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
/** Four requests: one example, each option at each place once. */
const QUESTIONS = ["--task", "CL", "--difficulty", "easy", "--limit", "1", "--orders", "cyclic"];
const ASKED = ["--dataset", MINI, ...QUESTIONS, "--prompt-mode", "chat", "--allow-generated", "--batch"];

/** The service whose state lies in a folder, beside the run: a copy of both is what there was at that moment. */
async function serviceIn(base: string, provider: "openai" | "anthropic") {
  const live = provider === "openai" ? openai() : anthropic();
  // Two looks find a batch under way, so that a session goes on while it is.
  const service = new BatchService(live, { file: join(base, "service.json"), looks: 2 });
  const server = await startStub(service[provider]);
  onTestFinished(() => server.stop());
  const out = join(base, "out");
  const model = ["--model", `${provider}:stub`, "--base-url", `${server.url}/v1`];
  return { service, out, args: ["run", ...model, ...ASKED, "--model-arg", "batchPollSeconds=0.02", "--out", out] };
}

const tablesOf = (out: string) =>
  ["answers.csv", "questions.csv", "summary.csv"].map((table) => comparableTable(out, table));

describe.each(["openai", "anthropic"] as const)(
  "--batch at a stub of %s, killed at any operation on the disk",
  (provider) => {
    it("goes on to the same tables, and hands in no request twice", async () => {
      const base = mkdtempSync(join(folder, `${provider}-`));
      const whole = join(base, "whole");
      mkdirSync(whole);
      const { out, args } = await serviceIn(whole, provider);
      const states = await diskStates(whole, async (env) => {
        const first = await spawnProbe([PROBE, ...args], { cwd: folder, program: `--import=${RECORDER}`, env });
        expect([first.code, first.stderr]).toEqual([0, expect.stringContaining("4 answered")]);
      });
      const expected = tablesOf(out);
      let unanswered = 0;
      for (const [at, state] of someOf([...states.entries()], 12)) {
        const copy = join(base, `killed-${at}`);
        cpSync(state, copy, { recursive: true });
        const again = await serviceIn(copy, provider);
        const before = again.service.batches.length;
        const { code, stderr } = await runProbe(again.args, { cwd: folder });
        const where = `after state ${at} of ${states.length}, ${stderr}`;
        expect(code, where).toBe(0);
        expect(tablesOf(again.out), where).toEqual(expected);
        expect([again.service.batches.length, [...again.service.submissions.values()]], where).toEqual([
          1,
          [1, 1, 1, 1],
        ]);
        if (before === 1 && !stderr.includes("nothing is left to ask")) unanswered++;
      }
      // Before, between and behind: the batch was there, and what it answers was not.
      expect(states.length).toBeGreaterThan(20);
      expect(unanswered).toBeGreaterThan(0);
    });
  },
);
