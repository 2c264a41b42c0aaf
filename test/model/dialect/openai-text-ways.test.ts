import { describe, expect, it } from "vitest";
import type { ServerKind } from "../../../src/model/dialect/openai-server.js";
import { completionWays, embeddingWay, infillWay } from "../../../src/model/dialect/openai-text-ways.js";
import type { PromptMode } from "../../../src/model/model.js";
import type { CompletionRequest, Think } from "../../../src/model/requests.js";

const options = (kind: ServerKind, mode: PromptMode = "completion", think?: Think) => ({
  model: "m",
  mode,
  server: { kind },
  style: "effort" as const,
  think,
});
const DRAWN: CompletionRequest = { prompt: "p", maxTokens: 9, stop: ["\n"], temperature: 3.5, topK: 5, seed: 3 };
const GREEDY: CompletionRequest = { ...DRAWN, stop: [], temperature: 0, topK: null };

const first = (kind: ServerKind, mode: PromptMode, request: CompletionRequest) =>
  completionWays(options(kind, mode))[0]?.request("p", request);

describe("a request to continue a prompt", () => {
  it("is in llama.cpp's own words, of token ids, with no sampler but those asked for", () => {
    expect(completionWays(options("llama.cpp"))[0]?.request([1, 2], DRAWN)).toEqual({
      path: "/completion",
      body: {
        prompt: [1, 2],
        n_predict: 9,
        temperature: 3.5,
        stop: ["\n"],
        seed: 3,
        top_k: 5,
        samplers: ["top_k", "temperature"],
        mirostat: 0,
        cache_prompt: false,
      },
    });
    expect(first("llama.cpp", "completion", GREEDY)?.body).toMatchObject({ temperature: 0, top_k: 0 });
    expect(first("llama.cpp", "completion", GREEDY)?.body).not.toHaveProperty("stop");
  });

  it("turns off what the model's own settings would add at vLLM", () => {
    const body = { temperature: 0, seed: 3, top_k: -1, top_p: 1, min_p: 0, repetition_penalty: 1 };
    expect(first("vllm", "completion", GREEDY)).toEqual({
      path: "/completions",
      body: { model: "m", prompt: "p", max_tokens: 9, ...body },
    });
    expect(first("vllm", "chat", GREEDY)).toEqual({
      path: "/chat/completions",
      body: { model: "m", messages: [{ role: "user", content: "p" }], max_tokens: 9, ...body },
    });
    expect(first("vllm", "completion", DRAWN)?.body).toMatchObject({ top_k: 5, stop: ["\n"] });
  });

  it("has only what every server knows elsewhere: a seed where tokens are drawn, no top_k", () => {
    const common = { model: "m", prompt: "p", max_tokens: 9 };
    expect(first("other", "completion", GREEDY)?.body).toEqual({ ...common, temperature: 0 });
    expect(first("other", "completion", DRAWN)?.body).toEqual({ ...common, temperature: 3.5, seed: 3, stop: ["\n"] });
  });

  it("names the limit in OpenAI's newer word next, in chat", () => {
    const ways = completionWays(options("other", "chat"));
    expect(ways.map((way) => Object.keys(way.request("p", GREEDY).body)[2])).toEqual([
      "max_tokens",
      "max_completion_tokens",
    ]);
    expect(completionWays(options("vllm", "chat"))).toHaveLength(1);
  });

  it("asks for thoughts in chat, and leaves room for them; not before a text that is continued", () => {
    const [way] = completionWays(options("other", "chat", { tokens: 500 }));
    expect(way?.request("p", GREEDY).body).toMatchObject({ max_tokens: 509 });
    const [low, newer] = completionWays(options("other", "chat", "low"));
    expect([low?.keeps, newer?.request("p", GREEDY).body]).toEqual([
      ["max_tokens", "reasoning_effort"],
      expect.objectContaining({ max_completion_tokens: 1033, reasoning_effort: "low" }),
    ]);
    const [off] = completionWays(options("other", "chat", "off"));
    expect(off?.request("p", GREEDY).body).toMatchObject({ max_tokens: 9, reasoning_effort: "none" });
    expect(completionWays(options("vllm", "completion", "low"))[0]?.request("p", GREEDY).body).toMatchObject({
      max_tokens: 9,
    });
  });

  it.each([
    [-1, 2 ** 31 - 1],
    [2 ** 32 - 1, 2 ** 31 - 1],
    [2 ** 31 + 5, 5],
  ])("has a seed that every server takes as it is, for %d", (seed, sent) => {
    expect(first("llama.cpp", "completion", { ...DRAWN, seed })?.body).toMatchObject({ seed: sent });
  });
});

describe("a request to fill a gap", () => {
  const gap = { ...DRAWN, suffix: "s" };

  it("is llama.cpp's /infill", () => {
    const way = infillWay(options("llama.cpp"));
    expect(way.request(gap)).toMatchObject({
      path: "/infill",
      body: {
        input_prefix: "p",
        input_suffix: "s",
        n_predict: 9,
        top_k: 5,
        seed: 3,
        stop: ["\n"],
        cache_prompt: false,
      },
    });
    expect(way.request(gap).body).not.toHaveProperty("prompt");
  });

  it("is a legacy completion with suffix elsewhere, whatever the prompt mode", () => {
    expect(infillWay(options("other", "chat")).request(gap)).toEqual({
      path: "/completions",
      body: { model: "m", prompt: "p", suffix: "s", max_tokens: 9, temperature: 3.5, stop: ["\n"], seed: 3 },
    });
  });
});

it("a request for a vector is for numbers", () => {
  expect(embeddingWay(options("other")).request("text")).toEqual({
    path: "/embeddings",
    body: { model: "m", input: "text", encoding_format: "float" },
  });
});
