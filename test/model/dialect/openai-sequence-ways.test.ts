import { describe, expect, it } from "vitest";
import { readEcho, readPromptLogprobs, sequenceWays } from "../../../src/model/dialect/openai-sequence-ways.js";
import type { ServerKind } from "../../../src/model/dialect/openai-server.js";

function waysOf(kind: ServerKind) {
  return sequenceWays({ model: "m", server: { kind, report: {}, models: [], symbolTokens: new Map() } });
}

describe("the ways to have a text scored", () => {
  it("are echo, and before it prompt_logprobs at vLLM", () => {
    expect(waysOf("other").map(({ name }) => name)).toEqual(["echo"]);
    expect(waysOf("llama.cpp").map(({ name }) => name)).toEqual(["echo"]);
    expect(waysOf("vllm").map(({ name }) => name)).toEqual(["prompt_logprobs", "echo"]);
  });

  it("ask for the prompt's own tokens, in legacy completions", () => {
    const [byRank, byEcho] = waysOf("vllm").map((way) => way.request("text"));
    const body = { model: "m", prompt: "text", max_tokens: 1, temperature: 0 };
    expect(byRank).toEqual({ path: "/completions", body: { ...body, prompt_logprobs: 0, return_token_ids: true } });
    expect(byEcho).toEqual({ path: "/completions", body: { ...body, echo: true, logprobs: 1 } });
  });
});

describe("a reply with prompt_logprobs", () => {
  const place = (id: number, text: string, logprob: number, rank?: number) => ({
    [id]: { logprob, decoded_token: text, ...(rank !== undefined && { rank }) },
  });
  const reply = (places: readonly unknown[], more = {}) => ({
    choices: [{ text: "x", prompt_logprobs: places, ...more }],
  });

  it("is read with each token's rank, and the ids it tells beside them", () => {
    const places = [null, place(7, "b", -0.5, 1), place(8, "c", -3, 4)];
    expect(readPromptLogprobs(reply(places, { prompt_token_ids: [6, 7, 8] }), "abc")).toEqual({
      status: "read",
      scores: { tokens: [6, 7, 8], ends: [1, 2, 3], logprobs: [null, -0.5, -3], isGreedy: [null, true, false] },
    });
    // without them, the first token's id is not known
    expect(readPromptLogprobs(reply(places), "abc")).toMatchObject({ scores: { tokens: null } });
    // after BOS, all of the text's are
    expect(readPromptLogprobs(reply(places), "bc")).toMatchObject({ scores: { tokens: [7, 8], logprobs: [-0.5, -3] } });
  });

  it("does not know the most probable token without ranks", () => {
    const places = [null, place(7, "b", -0.5), place(8, "c", -3)];
    expect(readPromptLogprobs(reply(places), "abc")).toMatchObject({ scores: { isGreedy: [null, null, null] } });
  });

  it.each<[string, unknown, RegExp]>([
    ["is ignored", { choices: [{ text: "x" }] }, /it ignores prompt_logprobs/],
    ["is of another shape", { choices: [{ prompt_logprobs: [[1, 2]] }] }, /another shape/],
    ["has a string for a number", { choices: [{ prompt_logprobs: [{ "1": { logprob: "NaN" } }] }] }, /another shape/],
    [
      "lists the best beside the prompt's",
      reply([null, { ...place(7, "b", -1), ...place(9, "z", -0.1) }]),
      /2 tokens for place 2/,
    ],
    ["lists none", reply([null, {}]), /0 tokens for place 2/],
    ["has null where only the first may", reply([null, place(7, "b", -1), null]), /not the text's/],
    ["is of another text", reply([null, place(7, "y", -1), place(8, "z", -1)]), /not the text's/],
    ["is an error in a page", "<html>", /another shape/],
  ])("is none when it %s", (_, json, fault) => {
    expect(readPromptLogprobs(json, "abc")).toMatchObject({
      status: "fault",
      fault: expect.stringMatching(fault) as string,
    });
  });
});

describe("a reply with echo", () => {
  const reply = (logprobs: unknown, usage: unknown = { completion_tokens: 1 }) => ({
    choices: [{ text: "abcX", logprobs }],
    usage,
  });
  const logprobs = {
    tokens: ["a", "b", "c", "X"],
    token_logprobs: [null, -0.5, -3, -0.1],
    top_logprobs: [null, { b: -0.5 }, { c: -3, z: -0.2 }, { X: -0.1 }],
    text_offset: [0, 1, 2, 3],
  };
  const scores = { tokens: null, ends: [1, 2, 3], logprobs: [null, -0.5, -3], isGreedy: [null, true, false] };

  it("is read but for what was generated; a token is the most probable when none is listed above it", () => {
    expect(readEcho(reply(logprobs), "abc")).toEqual({ status: "read", scores });
    expect(readEcho(reply(logprobs, null), "abc")).toEqual({ status: "read", scores });
  });

  it("is read where the end of the text is counted and not listed", () => {
    const cut = Object.fromEntries(Object.entries(logprobs).map(([name, list]) => [name, list.slice(0, 3)]));
    expect(readEcho(reply(cut), "abc")).toEqual({ status: "read", scores });
  });

  it("does not know the most probable token where none is listed", () => {
    const { top_logprobs: _, ...bare } = logprobs;
    expect(readEcho(reply(bare), "abc")).toMatchObject({ scores: { isGreedy: [null, null, null] } });
  });

  it.each<[string, unknown, RegExp]>([
    ["is ignored", reply({ tokens: ["X"], token_logprobs: [-1], top_logprobs: [{ X: -1 }] }), /it ignores echo/],
    ["has no log probabilities", reply(null), /it ignores echo/],
    ["is in chat's shape", reply({ content: [{ token: "X", logprob: -1 }] }), /it ignores echo/],
    [
      "has more numbers than tokens",
      reply({ ...logprobs, token_logprobs: [null, -1] }),
      /4 tokens and 2 log probabilities/,
    ],
    ["leaves a number out", reply({ ...logprobs, token_logprobs: [null, null, -3, -1] }), /left out .* token 2 of 3/],
    ["is of another text", reply({ ...logprobs, tokens: ["a", "b", "z", "X"] }), /not the text's/],
  ])("is none when it %s", (_, json, fault) => {
    expect(readEcho(json, "abc")).toMatchObject({ status: "fault", fault: expect.stringMatching(fault) as string });
  });
});
