import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { runProbe } from "../../fixtures/cli.js";
import { startStub } from "../../fixtures/stub-server.js";
import { vllm } from "../../fixtures/stub-servers/vllm.js";
import { temporaryFolder } from "../../fixtures/temporary-folder.js";

const ASKED = ["--task", "CL", "--difficulty", "hard", "--limit", "1"];

// These tests may be run by npx themselves, which the command would take for how it was called.
beforeAll(() => {
  delete process.env["npm_command"];
});

/** The second line of what comes next, as one. */
async function nextCommand(cwd: string, args: readonly string[]): Promise<string> {
  const { code, stderr } = await runProbe(["run", ...args, ...ASKED], { cwd, isTerminal: true });
  expect(code).toBe(0);
  const [, next = ""] = stderr.split("\nNext\n");
  return next.split("the page, with every question")[1]?.replaceAll(/\s+/g, " ").trim() ?? "";
}

it("what comes next names the data and the probes of the run", async () => {
  const folder = temporaryFolder();
  copyFileSync(join(import.meta.dirname, "../../../datasets/starter.jsonl"), join(folder, "own.jsonl"));
  expect(await nextCommand(folder, ["--model", "scripted:oracle", "--dataset", "own.jsonl"])).toBe(
    "probe run --model path/to/model.gguf --task CL --difficulty hard --dataset own.jsonl --limit 1: " +
      "the same, asked of a model of yours (servers: probe models check)",
  );
});

it("what comes next names the server of the run, and where its key is", async () => {
  const { url, stop } = await startStub(vllm());
  const server = ["--base-url", `${url}/v1`, "--api-key-env", "LAB_KEY"];
  process.env["LAB_KEY"] = "sk-test";
  const next = await nextCommand(temporaryFolder(), ["--model", "openai:auto", ...server]).finally(stop);
  delete process.env["LAB_KEY"];
  expect(next).toBe(
    `probe run --model openai:auto --task CL --difficulty hard --ablate review --limit 1 ${server.join(" ")}: ` +
      "does it need the review at all?",
  );
});
