import { describe, expect, it } from "vitest";
import { completionWay } from "../../../src/model/dialect/huggingface-dialect.js";
import { talkThinking } from "../../../src/model/dialect/letter-ways.js";

const DRAWN = { prompt: "p", maxTokens: 9, stop: ["\n"], temperature: 3.5, topK: 5, seed: 3 };
const GREEDY = { ...DRAWN, stop: [], temperature: 0, topK: null };

const NOTHING_SAID = talkThinking("effort", undefined);

describe("a request to continue a prompt", () => {
  it("is TGI's /generate for raw text", () => {
    const fixed = { max_new_tokens: 9, details: true, return_full_text: false };
    expect(completionWay("completion", NOTHING_SAID).request("p", DRAWN)).toEqual({
      path: "/generate",
      body: {
        inputs: "p",
        parameters: { ...fixed, do_sample: true, temperature: 3.5, seed: 3, top_k: 5, stop: ["\n"] },
      },
    });
    // TGI takes no temperature of 0
    expect(completionWay("completion", NOTHING_SAID).request("p", GREEDY).body).toEqual({
      inputs: "p",
      parameters: { ...fixed, do_sample: false },
    });
  });

  it("is a chat completion in chat mode", () => {
    const messages = [{ role: "user", content: "p" }];
    expect(completionWay("chat", NOTHING_SAID).request("p", DRAWN)).toEqual({
      path: "/chat",
      body: { messages, max_tokens: 9, temperature: 3.5, seed: 3, stop: ["\n"] },
    });
    expect(completionWay("chat", NOTHING_SAID).request("p", GREEDY).body).toEqual({
      messages,
      max_tokens: 9,
      temperature: 0,
    });
  });

  it("leaves room for thoughts that are asked for", () => {
    const { keeps, request } = completionWay("chat", talkThinking("effort", "low"));
    // 9 and the 1,024 of a low effort.
    expect(request("p", GREEDY).body).toMatchObject({ max_tokens: 1033, reasoning_effort: "low" });
    expect(keeps).toEqual(["reasoning_effort"]);
  });
});
