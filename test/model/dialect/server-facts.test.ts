import { describe, expect, it, onTestFinished } from "vitest";
import { learnServer, type ServerFacts } from "../../../src/model/dialect/openai-server.js";
import { httpClient } from "../../../src/model/http/http-client.js";
import { serverReader } from "../../../src/model/server/server-reader.js";
import type { HttpServer } from "../../fixtures/http-server.js";
import { type Page, startJsonServer } from "../../fixtures/json-server.js";
import { READING } from "../../fixtures/reading.js";

async function learn(
  pages: Readonly<Record<string, Page>>,
  model = "m",
  optionCount?: number,
): Promise<{ facts: ServerFacts; server: HttpServer }> {
  const server = await startJsonServer(pages);
  const http = httpClient(1);
  onTestFinished(() => http.close());
  const read = serverReader(`${server.url}/v1`, {
    ...READING,
    apiKey: "sk-1",
    fetch: http.fetch,
    signal: new AbortController().signal,
  });
  return { facts: await learnServer(read, model, optionCount), server };
}

// Cut from the replies of llama.cpp's server b1-de3ff81.
const LLAMA_CPP = {
  "/v1/models": { object: "list", data: [{ id: "models/tiny.gguf", object: "model", owned_by: "llamacpp" }] },
  "/props": {
    default_generation_settings: { params: { seed: 4294967295 }, n_ctx: 2048 },
    total_slots: 2,
    model_path: "models/tiny.gguf",
    build_info: "b1-de3ff81",
  },
};

/** vLLM's tokenizer of this kind, for the model it serves. */
function tokenizer(encode: (text: string) => readonly number[]): Page {
  return ({ body }) => {
    const { model, prompt, add_special_tokens } = JSON.parse(body) as Record<string, unknown>;
    const isServed = model === "served/m" && add_special_tokens === false;
    return isServed ? { count: 1, tokens: encode(String(prompt)) } : { error: "no such model" };
  };
}

/** Byte-level: a letter is its code, a space and a letter 100 more; ` D` takes two tokens. */
function byteLevel(text: string): readonly number[] {
  if (text.startsWith("\n")) return [10, text.charCodeAt(1)];
  if (text === " D") return [32, 68];
  return [text.charCodeAt(text.length - 1) + (text.startsWith(" ") ? 100 : 0)];
}

/** SentencePiece: a space goes before every text, so that the bare letter is met only within one. */
function sentencePiece(text: string): readonly number[] {
  if (text.startsWith("\n")) return [29871, 13, text.charCodeAt(1)];
  if (text.startsWith(" ")) return [259, text.charCodeAt(1)];
  return [text.charCodeAt(0) + 100];
}

/** One token that stands for a new line and the letter. */
function newLineInLetter(text: string): readonly number[] {
  return text.startsWith("\n") ? [text.charCodeAt(1) + 200] : [text.charCodeAt(text.length - 1), 0];
}

const detokenize: Page = ({ body }) => {
  const { tokens } = JSON.parse(body) as { tokens: number[] };
  return { prompt: tokens.map((id) => (id < 100 ? String.fromCharCode(id) : "elsewhere")).join("") };
};

const VLLM = {
  "/v1/models": {
    data: [
      { id: "served/m", owned_by: "vllm" },
      { id: "adapter", owned_by: "vllm" },
    ],
  },
  "/version": { version: "0.12.0" },
  "/tokenize": tokenizer(byteLevel),
  "/detokenize": detokenize,
};

describe("learnServer", () => {
  it("knows llama.cpp's server by its /props", async () => {
    const { facts, server } = await learn(LLAMA_CPP);
    expect(facts).toEqual({
      kind: "llama.cpp",
      report: { kind: "llama.cpp", build: "b1-de3ff81", file: "tiny.gguf", context_size: 2048 },
      models: ["models/tiny.gguf"],
      symbolTokens: new Map(),
    });
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer sk-1", "Bearer sk-1"]);
  });

  it("shows no folder of the server's machine, Windows' neither", async () => {
    const props = { ...LLAMA_CPP["/props"], model_path: "C:\\Users\\me\\tiny.gguf" };
    const { facts } = await learn({ ...LLAMA_CPP, "/props": props });
    expect(facts.report["file"]).toBe("tiny.gguf");
  });

  it("knows vLLM by its version and its models, and asks for the letters that are single tokens", async () => {
    const { facts } = await learn(VLLM, "served/m");
    expect(facts).toEqual({
      kind: "vllm",
      report: { kind: "vllm", version: "0.12.0" },
      models: ["served/m", "adapter"],
      // A, ` A`, …; ` D` is two tokens
      symbolTokens: new Map([
        [65, "A"],
        [165, "A"],
        [66, "B"],
        [166, "B"],
        [67, "C"],
        [167, "C"],
        [68, "D"],
      ]),
    });
  });

  it("looks for as many letters as the questions have options", async () => {
    const { facts } = await learn({ ...VLLM, "/tokenize": tokenizer(sentencePiece) }, "served/m", 6);
    expect(new Set(facts.symbolTokens.values())).toEqual(new Set(["A", "B", "C", "D", "E", "F"]));
  });

  it("finds the bare letter of a tokenizer that puts a space before every text", async () => {
    const { facts } = await learn({ ...VLLM, "/tokenize": tokenizer(sentencePiece) }, "served/m");
    expect([...facts.symbolTokens.keys()].sort((a, b) => a - b)).toEqual([65, 66, 67, 68, 165, 166, 167, 168]);
  });

  it("takes no token for a letter that decodes to something else", async () => {
    const { facts } = await learn({ ...VLLM, "/tokenize": tokenizer(newLineInLetter) }, "served/m");
    expect(facts.symbolTokens).toEqual(new Map());
  });

  it("asks vLLM about the first model it serves where the name is auto", async () => {
    expect((await learn(VLLM, "auto")).facts.symbolTokens.size).toBe(7);
  });

  it("has no letters' tokens of a vLLM that does not tell them", async () => {
    const { "/tokenize": _, ...rest } = VLLM;
    expect((await learn(rest, "served/m")).facts).toMatchObject({ kind: "vllm", symbolTokens: new Map() });
  });

  it("takes any other server for just that, with what it lists", async () => {
    const { facts } = await learn({
      "/v1/models": { data: [{ id: "gpt-x", owned_by: "openai" }] },
      "/version": { version: "1" },
    });
    expect(facts).toEqual({
      kind: "other",
      report: { kind: "other", owner: "openai" },
      models: ["gpt-x"],
      symbolTokens: new Map(),
    });
  });

  it("takes a server that tells nothing, or nonsense, for any other", async () => {
    const expected = { kind: "other", report: { kind: "other", owner: null }, models: [], symbolTokens: new Map() };
    expect((await learn({})).facts).toEqual(expected);
    expect((await learn({ "/v1/models": { data: "none" }, "/props": { hello: 1 } })).facts).toEqual(expected);
  });
});
