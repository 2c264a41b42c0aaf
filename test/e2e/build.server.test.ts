import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OfficialRecord } from "../../src/dataset/official-record.js";
import { runProbe } from "../fixtures/cli.js";
import { type LlamaServer, startLlamaServer } from "../fixtures/llama-server.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const STARTER = join(import.meta.dirname, "../../datasets/starter.jsonl");
let server: LlamaServer;

beforeAll(async () => {
  server = await startLlamaServer();
});

afterAll(async () => {
  await server.stop();
});

const build = (out: string, ...args: string[]) =>
  runProbe([
    "dataset",
    "build",
    STARTER,
    "--out",
    out,
    "--limit",
    "6",
    "--surrogate",
    "openai:tiny",
    "--base-url",
    `${server.url}/v1`,
    ...args,
  ]);

describe("a surrogate behind llama.cpp's server", () => {
  it("infills, while a file in this process scores and embeds", async () => {
    const out = join(folder, "served.jsonl");
    const { code, stderr } = await build(out, "--scorer", "tiny", "--embedder", "tiny");
    expect([code, stderr]).toEqual([0, expect.any(String) as string]);
    const lines = readFileSync(out, "utf8").trimEnd().split("\n");
    const records = lines.map((line) => JSON.parse(line) as OfficialRecord);
    expect(records.filter((record) => record.solution_wrong_hard?.length === 3).length).toBeGreaterThan(2);
    expect((await runProbe(["dataset", "validate", out])).code).toBe(0);
    expect(JSON.parse(readFileSync(join(folder, "served.build.json"), "utf8"))).toMatchObject({
      surrogate: "openai:tiny",
      surrogate_provider: "openai",
      scorer: "tiny",
      scorer_provider: "llama",
      embedder: "tiny",
    });
  });

  it("is refused as a scorer before anything is built, with the way out", async () => {
    const { code, stderr } = await build(join(folder, "refused.jsonl"));
    expect(code).toBe(3);
    expect(stderr).toContain("in process");
  });
});
