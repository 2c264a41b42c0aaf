import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { MINI } from "../fixtures/reference.js";
import { type StubServer, startStub } from "../fixtures/stub-server.js";
import { openaiThinker, THOUGHT_TOKENS } from "../fixtures/stub-servers/closed-doors.js";
import { readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
let server: StubServer;

beforeAll(async () => {
  server = await startStub(openaiThinker());
});
afterAll(() => server.stop());

const model = () => ["--base-url", `${server.url}/v1`, "--prompt-mode", "chat", "--allow-generated"];

it("a model that thinks behind closed doors is checked, and the table says what its server refuses", async () => {
  const { code, stdout } = await runProbe(["models", "check", "openai:auto", ...model()], { cwd: folder });
  expect(code).toBe(0);
  expect(stdout).toContain("letter by JSON schema");
  expect(stdout.replace(/\s+/g, " ")).toContain("max_completion_tokens in place of max_tokens");
});

it("and asked: letters, what they took, and no log probabilities", async () => {
  const out = join(folder, "run");
  const asked = ["--dataset", MINI, "--task", "CTR", "--limit", "2", "--think", "low", "--out", out, "-q"];
  const { code, stderr } = await runProbe(["run", "--model", "openai:auto", ...model(), ...asked], { cwd: folder });
  expect([code, stderr]).toEqual([0, expect.not.stringContaining("Error")]);
  const answers = readTable(out, "answers.csv");
  expect(answers).toHaveLength(12);
  for (const answer of answers)
    expect(answer).toMatchObject({
      model: "thinker",
      status: "chosen",
      extraction: "generated",
      logprob_a: "",
      thinking_tokens: String(THOUGHT_TOKENS),
      thinking_end: "hidden",
      completion_tokens: String(THOUGHT_TOKENS + 5),
    });
});

it("and asked for a revision: thoughts come on top of its tokens", async () => {
  const asked = [
    "--dataset",
    MINI,
    "--task",
    "ACR",
    "--limit",
    "1",
    "--think",
    "low",
    "--out",
    join(folder, "acr"),
    "-q",
  ];
  const { code, stderr } = await runProbe(["run", "--model", "openai:auto", ...model(), ...asked], { cwd: folder });
  expect([code, stderr]).toEqual([0, expect.not.stringContaining("Error")]);
  // 512 of the revision, 1,024 of a low effort.
  expect(server.requests.at(-1)?.body).toMatchObject({ max_completion_tokens: 1536, reasoning_effort: "low" });
});
