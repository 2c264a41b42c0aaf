import { describe, expect, it, onTestFinished } from "vitest";
import { type ServerKind, tokenCounter } from "../../../src/model/dialect/openai-server.js";
import { httpClient } from "../../../src/model/http/http-client.js";
import type { PromptMode } from "../../../src/model/model.js";
import { serverReader } from "../../../src/model/server/server-reader.js";
import type { HttpServer, SeenRequest } from "../../fixtures/http-server.js";
import { type Page, startJsonServer } from "../../fixtures/json-server.js";
import { READING } from "../../fixtures/reading.js";

interface Opened {
  readonly count: ReturnType<typeof tokenCounter>;
  readonly server: HttpServer;
}

async function open(kind: ServerKind, mode: PromptMode, pages: Readonly<Record<string, Page>>): Promise<Opened> {
  const server = await startJsonServer(pages);
  const http = httpClient(1);
  onTestFinished(() => http.close());
  const read = serverReader(`${server.url}/v1`, {
    ...READING,
    apiKey: null,
    fetch: http.fetch,
    signal: new AbortController().signal,
  });
  return { count: tokenCounter(read, { kind }, { model: "m", mode, thinks: null }), server };
}

function bodies({ requests }: HttpServer): unknown[] {
  return requests.map(({ path, body }) => [path, JSON.parse(body) as unknown]);
}

describe("tokenCounter", () => {
  it("counts by llama.cpp's tokenizer: BOS in, special tokens in the text not read", async () => {
    const { count, server } = await open("llama.cpp", "completion", { "/tokenize": { tokens: [1, 4058, 4009, 4053] } });
    expect(await count?.("<s>")).toBe(4);
    expect(bodies(server)).toEqual([["/tokenize", { content: "<s>", add_special: true, parse_special: false }]]);
  });

  it("counts by llama.cpp's tokenizer in the chat template, whose special tokens are read", async () => {
    const render = ({ body }: SeenRequest) => {
      const { messages } = JSON.parse(body) as { messages: { role: string; content: string }[] };
      return { prompt: messages.map(({ role, content }) => `<|${role}|>${content}`).join("") };
    };
    const { count, server } = await open("llama.cpp", "chat", {
      "/apply-template": render,
      "/tokenize": { tokens: [1, 2, 3] },
    });
    expect(await count?.("p")).toBe(3);
    expect(bodies(server).at(-1)).toEqual([
      "/tokenize",
      { content: "<|user|>p", add_special: true, parse_special: true },
    ]);
  });

  it("counts by vLLM's tokenizer, as text or as a message", async () => {
    const pages = { "/tokenize": { count: 7, max_model_len: 100, tokens: [] } };
    const raw = await open("vllm", "completion", pages);
    expect(await raw.count?.("p")).toBe(7);
    expect(bodies(raw.server)).toEqual([["/tokenize", { model: "m", prompt: "p" }]]);
    const chat = await open("vllm", "chat", pages);
    expect(await chat.count?.("p")).toBe(7);
    expect(bodies(chat.server)).toEqual([["/tokenize", { model: "m", messages: [{ role: "user", content: "p" }] }]]);
  });

  it("is not offered by other servers", async () => {
    expect((await open("other", "completion", {})).count).toBeNull();
  });

  it.each([
    ["/tokenize", "completion", {}],
    ["/tokenize", "completion", { "/tokenize": { error: "no" } }],
    // without the template the count would be of another prompt
    ["/apply-template", "chat", { "/tokenize": { tokens: [1, 2, 3] } }],
  ] as const)("fails, rather than guess, without %s (%s, %o)", async (page, mode, pages) => {
    const { count } = await open("llama.cpp", mode, pages);
    await expect(count?.("p")).rejects.toMatchObject({
      code: "model_unavailable",
      message: expect.stringContaining(page),
    });
  });
});
