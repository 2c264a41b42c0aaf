import { describe, expect, it } from "vitest";
import { type ReportedToken, readPosition } from "../../../src/model/wire/reported-tokens.js";

/** Text and log probability of each token. */
function show(tokens: readonly ReportedToken[] | undefined): [text: string, logprob: number][] | undefined {
  return tokens?.map(({ bytes, logprob }) => [bytes.toString("utf8"), logprob]);
}

function topOf(reply: unknown): [text: string, logprob: number][] | undefined {
  return show(readPosition(reply)?.top);
}

const CHAT_POSITION = {
  id: 6,
  token: "\n",
  bytes: [10],
  logprob: -0.1,
  top_logprobs: [
    { id: 6, token: "\n", bytes: [10], logprob: -0.1 },
    { id: 406, token: " A", bytes: [32, 65], logprob: -4.5 },
  ],
};
const CHAT_TOP = [
  ["\n", -0.1],
  [" A", -4.5],
];

describe("readPosition", () => {
  it("reads the legacy shape of completions: a map (OpenAI, vLLM)", () => {
    const reply = {
      choices: [
        {
          text: " A",
          logprobs: {
            text_offset: [0],
            tokens: [" A"],
            token_logprobs: [-0.5],
            top_logprobs: [{ B: -2.5, " A": -0.5, A: -1.5 }],
          },
        },
      ],
    };
    expect(topOf(reply)).toEqual([
      [" A", -0.5],
      ["A", -1.5],
      ["B", -2.5],
    ]);
    expect(readPosition(reply)?.sampled).toEqual({ bytes: Buffer.from(" A"), logprob: -0.5 });
  });

  it.each([
    ["chat completions", { choices: [{ message: { content: "\n" }, logprobs: { content: [CHAT_POSITION] } }] }],
    ["completions (llama.cpp)", { choices: [{ text: "\n", logprobs: { content: [CHAT_POSITION] } }] }],
    ["llama.cpp's /completion", { content: "\n", completion_probabilities: [CHAT_POSITION] }],
  ])("reads the chat shape from %s", (_, reply) => {
    expect(topOf(reply)).toEqual(CHAT_TOP);
    expect(readPosition(reply)?.sampled).toEqual({ bytes: Buffer.from("\n"), logprob: -0.1 });
  });

  it("reads TGI's details", () => {
    const reply = {
      generated_text: " A",
      details: {
        finish_reason: "length",
        tokens: [{ id: 406, text: " A", logprob: -0.5, special: false }],
        top_tokens: [
          [
            { id: 406, text: " A", logprob: -0.5, special: false },
            { id: 463, text: " B", logprob: -1.25, special: false },
          ],
        ],
      },
    };
    expect(topOf(reply)).toEqual([
      [" A", -0.5],
      [" B", -1.25],
    ]);
    expect(readPosition(reply)?.sampled).toEqual({ bytes: Buffer.from(" A"), logprob: -0.5 });
  });

  it("reads the first position of several, and the first choice", () => {
    const other = { ...CHAT_POSITION, top_logprobs: [{ token: "B", bytes: [66], logprob: -1 }] };
    const reply = {
      choices: [{ logprobs: { content: [CHAT_POSITION, other] } }, { logprobs: { content: [other] } }],
    };
    expect(topOf(reply)).toEqual(CHAT_TOP);
  });

  it("orders the tokens from the most probable on, and keeps those that decode alike", () => {
    const top_logprobs = [
      { id: 73, token: "A", bytes: [65], logprob: -9 },
      { id: 4035, token: "A", bytes: [65], logprob: -1 },
      { id: 406, token: " A", bytes: [32, 65], logprob: -3 },
    ];
    const reply = { choices: [{ logprobs: { content: [{ token: "A", bytes: [65], logprob: -1, top_logprobs }] } }] };
    expect(topOf(reply)).toEqual([
      ["A", -1],
      [" A", -3],
      ["A", -9],
    ]);
  });

  it("takes the bytes before the text, which may be cut, and the text where there are none", () => {
    const top_logprobs = [
      { token: "", bytes: [226], logprob: -1 },
      { token: "<|end|>", bytes: [], logprob: -2 },
      { token: "é", bytes: null, logprob: -3 },
      { token: "x", logprob: -4 },
    ];
    const reply = { completion_probabilities: [{ token: "", bytes: [226], logprob: -1, top_logprobs }] };
    expect(readPosition(reply)?.top.map(({ bytes }) => [...bytes])).toEqual([
      [226],
      [...Buffer.from("<|end|>")],
      [0xc3, 0xa9],
      [120],
    ]);
  });

  it.each([-9999, -9999.0001, -3.4028234663852886e38, -1e4])("takes %d for no number at all", (sentinel) => {
    const top_logprobs = [
      { token: "A", bytes: [65], logprob: -1 },
      { token: "B", bytes: [66], logprob: sentinel },
    ];
    const chat = { choices: [{ logprobs: { content: [{ token: "B", logprob: sentinel, top_logprobs }] } }] };
    expect(readPosition(chat)).toEqual({ sampled: null, top: [{ bytes: Buffer.from("A"), logprob: -1 }] });
    const legacy = { choices: [{ logprobs: { top_logprobs: [{ A: -1, B: sentinel }] } }] };
    expect(topOf(legacy)).toEqual([["A", -1]]);
  });

  it("takes a number that is merely small for a number", () => {
    expect(topOf({ choices: [{ logprobs: { top_logprobs: [{ A: -745.5 }] } }] })).toEqual([["A", -745.5]]);
  });

  it("takes a list with a token that has no number for no list: that token may be the most probable of all", () => {
    const legacy = {
      choices: [{ logprobs: { tokens: ["B"], token_logprobs: [-1], top_logprobs: [{ A: null, B: -1 }] } }],
    };
    expect(readPosition(legacy)).toBeNull();
    const top_logprobs = [
      { token: "A", logprob: null },
      { token: "B", logprob: -1 },
    ];
    expect(
      readPosition({ choices: [{ logprobs: { content: [{ token: "B", logprob: -1, top_logprobs }] } }] }),
    ).toBeNull();
  });

  it("leaves out a sampled token without a number, and a listed one without a name", () => {
    const legacy = { choices: [{ logprobs: { tokens: ["A"], token_logprobs: [null], top_logprobs: [{ B: -1 }] } }] };
    expect(readPosition(legacy)).toEqual({ sampled: null, top: [{ bytes: Buffer.from("B"), logprob: -1 }] });
    const top_logprobs = [{ token: "B", logprob: -1 }, { logprob: -2 }];
    expect(topOf({ choices: [{ logprobs: { content: [{ token: "A", top_logprobs }] } }] })).toEqual([["B", -1]]);
  });

  it("knows tokens that are named by their ids", () => {
    const texts = new Map([
      ["token_id:32", "A"],
      ["token_id:362", "A"],
    ]);
    const top_logprobs = [{ "token_id:362": -0.5, "token_id:32": -1.5, "token_id:9": -2 }];
    const reply = { choices: [{ logprobs: { tokens: ["token_id:362"], token_logprobs: [-0.5], top_logprobs } }] };
    const position = readPosition(reply, texts);
    // both tokens of A are kept: their texts are equal, their names are not
    expect(show(position?.top)).toEqual([
      ["A", -0.5],
      ["A", -1.5],
      ["token_id:9", -2],
    ]);
    expect(position?.sampled?.bytes.toString()).toBe("A");
  });

  it("has the sampled token alone where no others are listed", () => {
    const reply = { choices: [{ logprobs: { content: [{ token: "A", bytes: [65], logprob: -1 }] } }] };
    expect(readPosition(reply)).toEqual({ sampled: { bytes: Buffer.from("A"), logprob: -1 }, top: [] });
  });

  it.each([
    ["logprobs null (llama.cpp, half a character)", { choices: [{ text: "\ufffd", logprobs: null }] }],
    ["no logprobs (chat, half a character)", { choices: [{ message: { content: "\ufffd" } }] }],
    ["no completion_probabilities (/completion, half a character)", { content: "\ufffd", tokens: [] }],
    ["content null", { choices: [{ logprobs: { content: null } }] }],
    ["no position", { choices: [{ logprobs: { content: [] } }] }],
    ["no position in /completion", { completion_probabilities: [] }],
    ["an empty legacy report", { choices: [{ logprobs: { tokens: [], token_logprobs: [], top_logprobs: [] } }] }],
    ["a legacy report of nothing (echo)", { choices: [{ logprobs: { top_logprobs: [null] } }] }],
    ["nothing but sentinels", { choices: [{ logprobs: { top_logprobs: [{ A: -9999 }] } }] }],
    ["details without tokens (TGI)", { generated_text: "A", details: { finish_reason: "length" } }],
    ["details null (TGI)", { generated_text: "A", details: null }],
    // probabilities from after sampling: 1 for the token that was chosen
    [
      "probabilities, not their logarithms",
      { completion_probabilities: [{ token: "A", prob: 1, top_probs: [{ token: "A", prob: 1 }] }] },
    ],
    ["no choices", { choices: [] }],
    ["an error", { error: { message: "no" } }],
    ["text", "A"],
    ["numbers that are text", { choices: [{ logprobs: { top_logprobs: [{ A: "-1" }] } }] }],
  ])("has nothing of %s", (_, reply) => {
    expect(readPosition(reply)).toBeNull();
  });
});
