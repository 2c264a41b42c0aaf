import { describe, expect, it } from "vitest";
import { readMeter } from "../../../src/model/wire/reported-tokens.js";

describe("readMeter", () => {
  it.each([
    [
      "OpenAI's usage",
      { usage: { prompt_tokens: 33, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 32 } } },
      { promptTokens: 33, cachedTokens: 32 },
    ],
    [
      "usage without details (vLLM)",
      { usage: { prompt_tokens: 33, prompt_tokens_details: null } },
      { promptTokens: 33, cachedTokens: null },
    ],
    [
      // `tokens_cached` is the whole state of the slot, not what was reused.
      "llama.cpp's /completion",
      { tokens_evaluated: 731, tokens_cached: 731, timings: { cache_n: 730, prompt_n: 1 } },
      { promptTokens: 731, cachedTokens: 730 },
    ],
    [
      "nothing cached",
      { usage: { prompt_tokens: 0, prompt_tokens_details: { cached_tokens: 0 } } },
      { promptTokens: 0, cachedTokens: 0 },
    ],
    ["no meter", { choices: [] }, { promptTokens: null, cachedTokens: null }],
    ["numbers that count nothing", { usage: { prompt_tokens: -1 } }, { promptTokens: null, cachedTokens: null }],
    ["no object", "text", { promptTokens: null, cachedTokens: null }],
  ])("reads %s", (_, reply, expected) => {
    expect(readMeter(reply)).toEqual(expected);
  });
});
