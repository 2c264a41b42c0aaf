import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { type LlamaServer, startLlamaServer } from "../fixtures/llama-server.js";
import { readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";
import { isRunnerMissing } from "../fixtures/test-runner.js";

const isWhole = process.env["PROBE_SLOW_TESTS"] === "1";
if (!isWhole) process.stdout.write("The loop behind one provider; with PROBE_SLOW_TESTS=1, behind two and by text\n");

const folder = temporaryFolder();
/** Calls that a grammar holds; one slot with room for the file and what is said of it. */
const FLAGS = ["--jinja", "--chat-template-file", join(import.meta.dirname, "../fixtures/tools.jinja"), "-np", "1"];

const stable = (run: string) =>
  readTable(join(folder, run), "trials.csv").map(({ run_id: _, duration_ms: __, grading_ms: ___, ...row }) => row);

describe.skipIf(isRunnerMissing)("the built-in loop against llama.cpp's server", () => {
  let server: LlamaServer;

  beforeAll(async () => {
    server = await startLlamaServer({ args: [...FLAGS, "-c", "16384"] });
  });

  afterAll(() => server.stop());

  const run = (model: string, out: string, ...more: readonly string[]) =>
    runProbe(
      [
        "suite",
        "run",
        "refactorbench",
        "--model",
        model,
        "--task-id",
        "broken_example",
        "--include-invalid",
        "--condition",
        "test-runner",
        "--attempts",
        "1",
        "--max-calls",
        "2",
        "-q",
        "--out",
        out,
        ...more,
      ],
      { cwd: folder },
    );

  it.each(isWhole ? ["openai:tiny", "huggingface:tiny"] : ["openai:tiny"])(
    "has %s call tools on real files, and says the same again from its replies alone",
    async (model) => {
      const out = model.replace(":", "-");
      const asked = await run(model, out, "--base-url", `${server.url}/v1`);
      expect([asked.code, asked.stderr]).toEqual([0, ""]);
      const [row] = readTable(join(folder, out), "trials.csv");
      expect(row).toMatchObject({ status: "graded", agent: "loop", calls: "2" });
      expect(Number(row?.["prompt_tokens"])).toBeGreaterThan(1000);
      const transcript = readFileSync(
        join(folder, out, "artifacts/broken_example/test-runner/0/transcript.jsonl"),
        "utf8",
      );
      // Each call has its answer, but for the one that ends the work.
      const answers = transcript.split("\n").filter((line) => line.includes('"role":"tool"')).length;
      expect(answers + (row?.["agent_end"] === "finished" ? 1 : 0)).toBe(2);
      const replies = join(out, "replies.jsonl");
      const again = await run(model, `${out}-again`, "--replies", replies, "--replay", "only");
      expect([again.code, again.stderr]).toEqual([0, ""]);
      expect(stable(`${out}-again`)).toEqual(stable(out));
    },
  );

  it.runIf(isWhole)("works with a server without tools by text", async () => {
    const asked = await run("openai:tiny", "text", "--base-url", `${server.url}/v1`, "--tool-protocol", "text");
    expect([asked.code, asked.stderr]).toEqual([0, ""]);
    expect(readTable(join(folder, "text"), "trials.csv")[0]).toMatchObject({ status: "graded", agent: "loop" });
  });
});
