import { describe, expect, it } from "vitest";
import { symbolsFor } from "../../../src/base/symbol.js";
import type { ServerFacts, ServerKind } from "../../../src/model/dialect/openai-server.js";
import { symbolWays, type WayOptions } from "../../../src/model/dialect/openai-symbol-ways.js";
import { A, B, C, D } from "../../fixtures/symbols.js";

const SYMBOLS = [A, B, C, D];
/** The last of all ways to raw text. */
const GENERATED = "generated letter";
/** Letters of chats, behind thoughts. */
const WRITTEN = ["letter by JSON schema", "letter by a forced call", "generated letter after thoughts"];

function facts(kind: ServerKind, letterIds: readonly number[] = []): ServerFacts {
  return { kind, report: {}, models: [], symbolTokens: new Map(letterIds.map((id) => [id, "A"])) };
}

function options(fields: Partial<WayOptions> = {}): WayOptions {
  const plain = { hasResponses: false, style: "effort", think: undefined, thinks: null } as const;
  return { model: "m", mode: "completion", server: facts("other"), topLogprobs: null, ...plain, ...fields };
}

function namesOf(fields: Partial<WayOptions>): string[] {
  return symbolWays(options(fields)).map(({ name }) => name);
}

function wayOf(name: string, fields: Partial<WayOptions>): ReturnType<typeof symbolWays>[number] {
  const way = symbolWays(options(fields)).find((each) => each.name === name);
  if (way === undefined) throw new Error(`Expected a way ${name}, found ${namesOf(fields).join(", ")}.`);
  return way;
}

describe("the ways of a server, best first", () => {
  it("are the most probable tokens where nothing else is known of it: twenty, or the five of OpenAI's completions", () => {
    expect(namesOf({})).toEqual(["logprobs 20", "logprobs 5", GENERATED]);
    expect(namesOf({ mode: "chat" })).toEqual(["top_logprobs 20", "top_logprobs 5", GENERATED, ...WRITTEN]);
  });

  it("begin with a grammar at llama.cpp's", () => {
    const server = facts("llama.cpp");
    expect(namesOf({ server })).toEqual(["/completion with grammar", "logprobs 20", "logprobs 5", GENERATED]);
    expect(namesOf({ server, mode: "chat" })[0]).toBe("chat completions with grammar");
  });

  it("begin with the letters' own tokens at vLLM, where they are single tokens, and then a guided choice", () => {
    const guided = ["structured_outputs", "guided_choice", "logprobs 20", "logprobs 5", GENERATED];
    expect(namesOf({ server: facts("vllm", [32, 362]) })).toEqual(["logprob_token_ids", ...guided]);
    expect(namesOf({ server: facts("vllm") })).toEqual(guided);
  });

  it("ask vLLM for the tokens of the letters that a question has, and of the first four at least", () => {
    const symbolTokens = new Map([..."ABCDEF"].map((letter, i) => [i, letter]));
    const way = wayOf("logprob_token_ids", { server: { ...facts("vllm"), symbolTokens } });
    expect(way.request("p", [A, B, C]).body).toMatchObject({ logprob_token_ids: [0, 1, 2, 3], logprobs: 4 });
    expect(way.request("p", symbolsFor(5)).body).toMatchObject({ logprob_token_ids: [0, 1, 2, 3, 4], logprobs: 5 });
  });

  it("ask for as many tokens as the user does", () => {
    expect(namesOf({ topLogprobs: 7 })).toEqual(["logprobs 7", GENERATED]);
    const ways = symbolWays(options({ topLogprobs: 7, server: facts("llama.cpp") }));
    expect(ways.map(({ listLength }) => listLength)).toEqual([7, 7, 0]);
    expect(ways[0]?.request("p", SYMBOLS).body).toMatchObject({ n_probs: 7 });
  });

  it("are those of letters behind thoughts alone where these are asked for: none of one token, none of raw text", () => {
    for (const think of ["high", { tokens: 512 }] as const) {
      expect(namesOf({ mode: "chat", think })).toEqual(WRITTEN);
      expect(namesOf({ server: facts("llama.cpp"), think })).toEqual([]);
    }
    expect(namesOf({ think: "off" })).toEqual(namesOf({}));
  });

  it("say what their answers are worth", () => {
    const ways = symbolWays(options({ server: facts("vllm", [32]) }));
    expect(ways.map(({ extraction, isGuided, listLength }) => [extraction, isGuided, listLength])).toEqual([
      ["full", false, Number.POSITIVE_INFINITY],
      ["guided", true, 20],
      ["guided", true, 20],
      ["top_logprobs", false, 20],
      ["top_logprobs", false, 5],
      ["generated", false, 0],
    ]);
  });
});

describe("a request", () => {
  it("for one token at temperature 0, as raw text or token ids", () => {
    const way = wayOf("logprobs 20", {});
    const body = { model: "m", prompt: "p", max_tokens: 1, temperature: 0, logprobs: 20 };
    expect(way.request("p", SYMBOLS)).toEqual({ path: "/completions", body });
    expect(way.request([1, 2], SYMBOLS).body).toEqual({ ...body, prompt: [1, 2] });
  });

  it("for one token at temperature 0, as one message of the user", () => {
    expect(wayOf("top_logprobs 20", { mode: "chat" }).request("p", SYMBOLS)).toEqual({
      path: "/chat/completions",
      body: {
        model: "m",
        messages: [{ role: "user", content: "p" }],
        max_tokens: 1,
        temperature: 0,
        logprobs: true,
        top_logprobs: 20,
      },
    });
  });

  it("with a grammar of the letters, probabilities from before sampling, and no cache", () => {
    expect(wayOf("/completion with grammar", { server: facts("llama.cpp") }).request([1, 2], [A, B, C])).toEqual({
      path: "/completion",
      body: {
        prompt: [1, 2],
        n_predict: 1,
        temperature: 0,
        n_probs: 100,
        post_sampling_probs: false,
        grammar: "root ::= [ABC]",
        cache_prompt: false,
      },
    });
    const chat = wayOf("chat completions with grammar", { server: facts("llama.cpp"), mode: "chat" });
    expect(chat.request("p", SYMBOLS)).toMatchObject({
      path: "/chat/completions",
      body: { max_tokens: 1, logprobs: true, top_logprobs: 100, grammar: "root ::= [ABCD]", cache_prompt: false },
    });
  });

  it("without the cache at llama.cpp's in every way, and without that word elsewhere", () => {
    expect(wayOf("logprobs 20", { server: facts("llama.cpp") }).request("p", SYMBOLS).body).toMatchObject({
      cache_prompt: false,
    });
    expect(wayOf("logprobs 20", {}).request("p", SYMBOLS).body).not.toHaveProperty("cache_prompt");
  });

  it("restricted to the letters asked for, in vLLM's newer and older words", () => {
    const server = facts("vllm");
    expect(wayOf("structured_outputs", { server }).request("p", [A, B, C]).body).toMatchObject({
      structured_outputs: { choice: [A, B, C] },
      logprobs: 20,
    });
    expect(wayOf("guided_choice", { server }).request("p", [A, B, C]).body).toMatchObject({
      guided_choice: [A, B, C],
      logprobs: 20,
    });
  });

  it("for exactly the letters' tokens, named by their ids", () => {
    const tokens: [id: number, letter: string][] = [
      [32, "A"],
      [362, "A"],
      [33, "B"],
    ];
    const server = { ...facts("vllm"), symbolTokens: new Map(tokens) };
    const way = wayOf("logprob_token_ids", { server });
    expect(way.request("p", SYMBOLS).body).toMatchObject({
      logprob_token_ids: [32, 362, 33],
      return_tokens_as_token_ids: true,
      logprobs: 3,
    });
    expect([...(way.tokenTexts ?? [])]).toEqual([
      ["token_id:32", "A"],
      ["token_id:362", "A"],
      ["token_id:33", "B"],
    ]);
  });

  it("for a letter without probabilities", () => {
    const way = wayOf("generated letter", {});
    expect(way).toMatchObject({ extraction: "generated", isGuided: false });
    expect(way.request("p", SYMBOLS)).toEqual({
      path: "/completions",
      body: { model: "m", prompt: "p", max_tokens: 1, temperature: 0 },
    });
  });
});
