import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Model, OpenModelOptions } from "../../src/model/model.js";
import { loadAliases } from "../../src/model/model-aliases.js";
import { openModel } from "../../src/model/open-model.js";
import type { Capability } from "../../src/model/requests.js";
import { resolveModel } from "../../src/model/resolved-model.js";
import { type LlamaServer, startLlamaServer } from "../fixtures/llama-server.js";
import { OPEN_OPTIONS } from "../fixtures/open-options.js";
import { completed, REQUEST } from "./contract/completion.js";
import { SUFFIX } from "./contract/infill.js";
import { modelContract } from "./contract.js";

const NEVER = new AbortController().signal;
const TALKS = ["conversations", "tools"] as const;
const WRITES = ["symbols", "completions"] as const;
const ALL = ["symbols", "completions", "infill", "embeddings"] as const;
/** One slot: the numbers do not depend on what else is asked meanwhile. */
const WITH_EMBEDDINGS = ["-np", "1", "--embeddings", "--pooling", "mean"];
/** A model that was not made for tools calls them only where the template's calls are JSON: then a grammar holds it. */
const WITH_TOOLS = ["--jinja", "--chat-template-file", join(import.meta.dirname, "../fixtures/tools.jinja")];

const MODELS: [
  label: string,
  options: Partial<OpenModelOptions>,
  needs: readonly Capability[],
  args: readonly string[],
][] = [
  ["openai:tiny", { promptMode: "completion" }, ALL, WITH_EMBEDDINGS],
  ["openai:tiny", { promptMode: "chat" }, ALL, WITH_EMBEDDINGS],
  ["huggingface:tiny", { promptMode: "chat" }, WRITES, WITH_EMBEDDINGS],
  ["openai:tiny", {}, TALKS, WITH_TOOLS],
  ["huggingface:tiny", {}, TALKS, WITH_TOOLS],
];

function open(label: string, { url }: LlamaServer, options: Partial<OpenModelOptions>): Promise<Model> {
  const connection = { ...OPEN_OPTIONS.connection, baseUrls: [`${url}/v1`], concurrency: 1 };
  return openModel(resolveModel(label, new Map()), { ...OPEN_OPTIONS, ...options, connection });
}

describe.each(MODELS)("the model %s behind a real server, %o", (label, options, needs, args) => {
  let model: Model;
  let server: LlamaServer;

  beforeAll(async () => {
    server = await startLlamaServer({ args });
    model = await open(label, server, { ...options, needs });
  });

  afterAll(async () => {
    await model.close();
    await server.stop();
  });

  modelContract(() => model, needs);
});

describe("the bundled model behind a real server", () => {
  let server: LlamaServer;
  let embedding: LlamaServer;

  beforeAll(async () => {
    server = await startLlamaServer({ args: ["-np", "1"] });
    embedding = await startLlamaServer({ args: WITH_EMBEDDINGS });
  });

  afterAll(() => Promise.all([server.stop(), embedding.stop()]));

  async function both(needs: readonly Capability[], use: (served: Model, inProcess: Model) => Promise<void>) {
    const served = await open("openai:tiny", server, { needs });
    const inProcess = await openModel(resolveModel("tiny", await loadAliases(import.meta.dirname)), {
      ...OPEN_OPTIONS,
      needs,
    });
    try {
      await use(served, inProcess);
    } finally {
      await Promise.all([served.close(), inProcess.close()]);
    }
  }

  it("writes what it writes in process, greedily, and counts the same tokens", async () => {
    await both(["completions"], async (served, inProcess) => {
      for (const changes of [
        {},
        { stop: ["\n\n"] },
        { prompt: "### Review: <s> [/Lang] <|im_end|>\n", maxTokens: 40 },
      ]) {
        const request = { ...REQUEST, ...changes };
        const [mine, theirs] = [
          completed(await served.complete!(request, NEVER)),
          completed(await inProcess.complete!(request, NEVER)),
        ];
        expect([mine.text, mine.end, mine.promptTokens]).toEqual([theirs.text, theirs.end, theirs.promptTokens]);
        expect(mine.text).not.toBe("");
      }
    });
  });

  it("fills a gap with what it fills it with in process, greedily", async () => {
    await both(["infill"], async (served, inProcess) => {
      const request = { ...REQUEST, prompt: "def add(a, b):\n    return ", suffix: SUFFIX };
      const [mine, theirs] = [
        completed(await served.infill!(request, NEVER)),
        completed(await inProcess.infill!(request, NEVER)),
      ];
      expect(mine.text).toBe(theirs.text);
      expect(mine.promptTokens).toBe(theirs.promptTokens);
    });
  });

  it("fills a gap by the seed, and after the text behind it", async () => {
    const model = await open("openai:tiny", server, { needs: ["infill"] });
    const fill = async (seed: number, suffix = SUFFIX) => {
      const request = { ...REQUEST, prompt: "def add(a, b):\n    return ", suffix, temperature: 3.5, seed };
      return completed(await model.infill!(request, NEVER)).text;
    };
    expect(await fill(1)).toBe(await fill(1));
    expect(await fill(1)).not.toBe(await fill(2));
    expect(await fill(1, "\nreturn c\n")).not.toBe(await fill(1));
    await model.close();
  });

  it("says that a gap's surroundings were cut short", async () => {
    const model = await open("openai:tiny", server, { needs: ["infill"] });
    // of a batch of 2,048 tokens, the server gives a quarter to what comes after the gap
    const suffix = "x = 1\n".repeat(300);
    expect(await model.infill!({ ...REQUEST, prompt: "a = ", suffix }, NEVER)).toMatchObject({
      status: "failed",
      failure: "context_overflow",
      detail: expect.stringMatching(/cut the prompt short: start it with a larger --batch-size/) as string,
    });
    await model.close();
  });

  it("says that a prompt does not fit its context", async () => {
    const model = await open("openai:tiny", server, { needs: ["completions"] });
    const prompt = "x = 1\n".repeat(2000);
    expect(await model.complete!({ ...REQUEST, prompt }, NEVER)).toMatchObject({
      status: "failed",
      failure: "context_overflow",
    });
    await model.close();
  });

  it("makes no vectors unless it was started to, and says how", async () => {
    await expect(open("openai:tiny", server, { needs: ["embeddings"] })).rejects.toMatchObject({
      code: "model_unavailable",
      message: expect.stringMatching(
        /embeddings: HTTP 501: .*Start it with `--embeddings`.*Start llama\.cpp's server with --embeddings --pooling mean/s,
      ) as string,
    });
    const model = await open("openai:tiny", embedding, { needs: ["embeddings"] });
    const { vector, pooling } = await model.embed!("return a + b", NEVER);
    expect(pooling).toBe("as the server makes it");
    // llama.cpp normalises
    expect(vector.reduce((sum, value) => sum + value * value, 0)).toBeCloseTo(1, 4);
    await model.close();
  });

  it("is refused for the scores of whole texts, which it ignores, with the way out", async () => {
    for (const promptMode of ["completion", "chat"] as const) {
      await expect(open("openai:tiny", server, { needs: ["token_scores"], promptMode })).rejects.toMatchObject({
        code: "model_unavailable",
        message: expect.stringMatching(
          /echo: .*it ignores echo.*Use the same GGUF file in process \(--model path/s,
        ) as string,
      });
    }
  });
});
