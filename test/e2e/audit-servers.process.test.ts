import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { MINI } from "../fixtures/reference.js";
import { textLogprobs } from "../fixtures/stub-model.js";
import { type StubHandler, type StubServer, startStub } from "../fixtures/stub-server.js";
import { DISHONEST } from "../fixtures/stub-servers/dishonest.js";
import { ollama } from "../fixtures/stub-servers/ollama.js";
import { openai } from "../fixtures/stub-servers/openai.js";
import { vllm } from "../fixtures/stub-servers/vllm.js";
import { readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
let server: StubServer;
let outs = 0;

afterEach(() => server.stop());

/** `probe audit` of six ACR texts by a server. */
async function audit(handler: StubHandler) {
  server = await startStub(handler);
  const out = join(folder, `audit-${++outs}`);
  const what = ["--dataset", MINI, "--task", "ACR", "--no-renamed", "--out", out];
  const result = await runProbe(["audit", "--model", "openai:stub", "--base-url", `${server.url}/v1`, ...what]);
  return { ...result, out };
}

describe("an audit by a server", () => {
  it("takes the log probabilities of the text's own tokens from one that reports them", async () => {
    const { code, out, stderr } = await audit(vllm());
    expect(stderr).toContain("log probabilities of a whole text, for audits");
    expect(code).toBe(0);
    const texts = server.requests
      .map(({ body }) => String(body["prompt"]))
      .filter((text) => text.includes("[CODE REVIEW]"));
    const rows = readTable(out, "contamination.csv");
    expect(rows).toHaveLength(6);
    for (const row of rows) {
      // The server has no BOS: the first of its tokens has no log probability.
      const expected = texts.map((text) => textLogprobs(text).filter((logprob) => logprob !== null));
      const match = expected.find(({ length }) => String(length) === row["tokens"]);
      expect(Number(row["nll"])).toBeCloseTo(-match!.reduce((sum, logprob) => sum + logprob, 0), 6);
    }
  });

  it.each<[string, StubHandler]>([
    ["ignores echo and answers all the same", DISHONEST["ignores echo"]],
    ["reports no log probabilities", ollama()],
    ["refuses echo", openai()],
  ])("is refused where the server %s, with the way out, and nothing is scored", async (_, handler) => {
    const { code, out, stderr, stdout } = await audit(handler);
    expect(code).toBe(3);
    expect(stderr).toMatch(/to report the log probabilities of a whole text's tokens, found no way that does/);
    expect(stderr).toMatch(/GGUF file in process .*vLLM.*echo/);
    expect(stdout).toBe("");
    expect(existsSync(out)).toBe(false);
  });
});

describe("an audit by a script", () => {
  it("is refused: it has no probabilities of a text", async () => {
    server = await startStub(() => null);
    const { code, stderr } = await runProbe(["audit", "--model", "scripted:oracle", "--dataset", MINI]);
    expect(code).toBe(3);
    expect(stderr).toMatch(/score the tokens of a text, found scripted:oracle.*--model tiny/s);
  });
});
