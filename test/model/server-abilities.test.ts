import { describe, expect, it } from "vitest";
import type { Model } from "../../src/model/model.js";
import type { CompletionReply, CompletionRequest, TokenReply } from "../../src/model/requests.js";
import { openStub, type StubOptions } from "../fixtures/open-stub.js";
import { bestAt, chatPrompt, continueText, textLogprobs, textVector, tokenize } from "../fixtures/stub-model.js";
import type { StubHandler } from "../fixtures/stub-server.js";
import { openai } from "../fixtures/stub-servers/openai.js";
import { tgi } from "../fixtures/stub-servers/tgi.js";
import { vllm } from "../fixtures/stub-servers/vllm.js";

const NEVER = new AbortController().signal;
const TEXT = "The answer is Paris.\n Paris, first é😀 right\n\n";
const GREEDY: CompletionRequest = {
  prompt: "The answer",
  maxTokens: 12,
  stop: [],
  temperature: 0,
  topK: null,
  seed: 7,
};

function scoreTokens(model: Model, text: string): Promise<TokenReply> {
  return model.scoreTokens!(text, NEVER);
}

function complete(model: Model, request: Partial<CompletionRequest> = {}): Promise<CompletionReply> {
  return model.complete!({ ...GREEDY, ...request }, NEVER);
}

/** The little model's tokens: their lengths added up. */
function endsOf(text: string): number[] {
  let end = 0;
  return tokenize(text).map((token) => (end += token.text.length));
}

describe("scoring a text", () => {
  const WAYS: [name: string, handler: StubHandler, options: StubOptions, way: string][] = [
    ["vLLM", vllm(), {}, "prompt_logprobs"],
    ["vLLM in chat mode", vllm(), { promptMode: "chat" }, "prompt_logprobs"],
    ["vLLM whose decoder drops spaces", vllm({ dropsSpaces: true }), {}, "prompt_logprobs"],
    ["an API with echo", vllm({}, { owner: "someone" }), {}, "echo"],
  ];

  it.each(WAYS)("gives the model's own numbers: %s", async (_, handler, options, way) => {
    const { model } = await openStub(handler, { ...options, needs: ["token_scores"] });
    expect(model.identity["token_scores"]).toBe(way);
    const logprobs = textLogprobs(TEXT);
    const isGreedy = logprobs.map((logprob) => (logprob === null ? null : bestAt(logprob) === null));
    const tokens = way === "echo" ? null : tokenize(TEXT).map(({ id }) => id);
    expect(await scoreTokens(model, TEXT)).toEqual({
      status: "scored",
      tokens,
      ends: endsOf(TEXT),
      logprobs,
      isGreedy,
    });
    // both kinds of token are there
    expect(new Set(isGreedy)).toEqual(new Set([null, true, false]));
  });

  it("leaves out the BOS that vLLM puts before a text", async () => {
    const { model } = await openStub(vllm({ hasBos: true }), { needs: ["token_scores"] });
    const reply = await scoreTokens(model, TEXT);
    // the stub's first token after BOS has -2.5
    const logprobs = textLogprobs(TEXT).map((logprob) => logprob ?? -2.5);
    expect(reply).toMatchObject({ status: "scored", ends: endsOf(TEXT), logprobs });
  });

  it("gives TGI's numbers, which do not tell the most probable token", async () => {
    const { model } = await openStub(tgi(), { provider: "huggingface", needs: ["token_scores"] });
    const logprobs = textLogprobs(TEXT).map((logprob) => logprob ?? -2.5);
    expect(await scoreTokens(model, TEXT)).toEqual({
      status: "scored",
      tokens: tokenize(TEXT).map(({ id }) => id),
      ends: endsOf(TEXT),
      logprobs,
      isGreedy: logprobs.map(() => null),
    });
    expect(model.check?.ways[0]?.notes.join()).toContain("no n-gram accuracy");
  });

  it("asks nothing about an empty text, and sends a lone surrogate as a character", async () => {
    const { model, servers } = await openStub(vllm(), { needs: ["token_scores"] });
    const asked = servers[0]!.requests.length;
    expect(await scoreTokens(model, "")).toEqual({
      status: "scored",
      tokens: [],
      ends: [],
      logprobs: [],
      isGreedy: [],
    });
    expect(servers[0]!.requests).toHaveLength(asked);
    expect(await scoreTokens(model, "a\ud800b")).toMatchObject({ status: "scored", ends: [1, 2, 3] });
    expect(servers[0]!.requests.at(-1)!.body["prompt"]).toBe("a\ufffdb");
  });
});

describe("completing a prompt", () => {
  const WAYS: [name: string, handler: StubHandler, options: StubOptions][] = [
    ["vLLM", vllm(), {}],
    ["vLLM chat", vllm(), { promptMode: "chat" }],
    ["OpenAI's completions", openai(), {}],
    ["OpenAI's chat", openai(), { promptMode: "chat" }],
    ["TGI", tgi(), { provider: "huggingface" }],
    ["TGI chat", tgi(), { provider: "huggingface", promptMode: "chat" }],
  ];

  describe.each(WAYS)("by %s", (_, handler, options) => {
    const open = () => openStub(handler, { ...options, needs: ["completions"] });
    const promptOf = (prompt: string) => (options.promptMode === "chat" ? chatPrompt(prompt) : prompt);
    const truth = (request: Partial<CompletionRequest>) =>
      continueText(promptOf(GREEDY.prompt), { ...GREEDY, ...request });

    it("gives the model's greedy text, up to the limit", async () => {
      const { model } = await open();
      expect(await complete(model)).toMatchObject({
        status: "completed",
        text: truth({}).text,
        tokens: 12,
        end: "length",
      });
    });

    it("ends before a stop text", async () => {
      const { model } = await open();
      // the third and fourth token of the greedy text
      const pieces = tokenize(truth({}).text).map(({ text }) => text);
      const stop = [pieces.slice(2, 4).join("")];
      const expected = truth({ stop });
      expect(await complete(model, { stop })).toMatchObject({
        status: "completed",
        text: expected.text,
        tokens: expected.tokens,
        end: "stop",
      });
      expect(expected.text).not.toContain(stop[0]);
    });

    it("measures tokens and time", async () => {
      const { model } = await open();
      const reply = await complete(model);
      if (reply.status !== "completed") throw new Error(reply.detail);
      expect(reply.durationMs).toBeGreaterThan(0);
      const isCounted = options.provider !== "huggingface" || options.promptMode === "chat";
      expect(reply.promptTokens).toBe(isCounted ? tokenize(promptOf(GREEDY.prompt)).length : null);
    });

    it("draws by the seed", async () => {
      const { model } = await open();
      const drawn = async (seed: number) => complete(model, { temperature: 1, seed });
      const [first, again, other] = [await drawn(1), await drawn(1), await drawn(2)];
      expect(first).toMatchObject({ text: truth({ temperature: 1, seed: 1 }).text });
      expect(again).toMatchObject({ text: (first as { text: string }).text });
      expect((other as { text: string }).text).not.toBe((first as { text: string }).text);
    });
  });

  it("has no log probabilities to offer, and is asked for none", async () => {
    const { model, servers } = await openStub(vllm({}, { reportsLogprobs: false, echo: "ignored" }), {
      needs: ["completions"],
    });
    expect(await complete(model)).toMatchObject({ status: "completed" });
    expect(model.scoreSymbols).toBeUndefined();
    expect(model.scoreTokens).toBeUndefined();
    expect(model.check).toMatchObject({ chosen: "completions", ways: [{ way: "completions", status: "works" }] });
    expect(servers[0]!.requests.filter(({ body }) => body["logprobs"] !== undefined)).toEqual([]);
  });

  it("draws from the most probable tokens at vLLM, and turns off what the model's settings would add", async () => {
    const { model, servers } = await openStub(vllm(), { needs: ["completions"] });
    const request = { temperature: 3.5, topK: 5, seed: 3 };
    const expected = continueText(GREEDY.prompt, { ...GREEDY, ...request });
    expect(await complete(model, request)).toMatchObject({ text: expected.text });
    expect(servers[0]!.requests.at(-1)!.body).toEqual({
      model: "stub",
      prompt: GREEDY.prompt,
      max_tokens: 12,
      temperature: 3.5,
      seed: 3,
      top_k: 5,
      top_p: 1,
      min_p: 0,
      repetition_penalty: 1,
    });
  });
});

describe("filling a gap", () => {
  it("depends on what comes after it, where completions take a suffix", async () => {
    const { model } = await openStub(openai(), { needs: ["infill"] });
    const drawn = { ...GREEDY, temperature: 1 };
    const fill = (suffix: string) => model.infill!({ ...drawn, suffix }, NEVER);
    const truth = (suffix: string) => continueText(`<PRE>${GREEDY.prompt}<SUF>${suffix}<MID>`, drawn).text;
    expect(await fill(" first")).toMatchObject({ status: "completed", text: truth(" first"), end: "length" });
    expect(await fill(" second")).toMatchObject({ status: "completed", text: truth(" second") });
    expect(truth(" first")).not.toBe(truth(" second"));
  });
});

describe("embedding a text", () => {
  it("gives the server's vector, asked for as numbers", async () => {
    const { model, servers } = await openStub(openai(), { needs: ["embeddings"] });
    expect(await model.embed!("some code", NEVER)).toEqual({
      vector: textVector("some code"),
      pooling: "as the server makes it",
    });
    expect(servers[0]!.requests.at(-1)!.body).toEqual({ model: "stub", input: "some code", encoding_format: "float" });
  });
});
