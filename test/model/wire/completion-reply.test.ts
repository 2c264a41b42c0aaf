import { describe, expect, it } from "vitest";
import type { CompletionRequest } from "../../../src/model/requests.js";
import { readCompletion, requireText } from "../../../src/model/wire/completion-reply.js";

const REQUEST: CompletionRequest = { prompt: "p", maxTokens: 9, stop: [], temperature: 0, topK: null, seed: 0 };

function read(json: unknown, request: Partial<CompletionRequest> = {}) {
  return readCompletion({ json, text: JSON.stringify(json) }, { ...REQUEST, ...request });
}

/** What `complete` makes of a reply. */
function settle(json: unknown, request: Partial<CompletionRequest> = {}) {
  return requireText(read(json, request), { ...REQUEST, ...request });
}

const legacy = (choice: object, completion_tokens: number | null = 4) => ({
  choices: [{ index: 0, ...choice }],
  usage: { prompt_tokens: 7, completion_tokens },
});
const chat = (message: object, finish_reason: string, tokens: number | null = 4) =>
  legacy({ message: { role: "assistant", ...message }, finish_reason }, tokens);

describe("what a server wrote", () => {
  const expected = { text: "a b", tokens: 4, promptTokens: 7, end: "length" };

  it("is read from legacy and chat completions, llama.cpp's /completion and TGI's /generate", () => {
    expect(read(legacy({ text: "a b", finish_reason: "length" }))).toMatchObject(expected);
    expect(read(chat({ content: "a b", refusal: null }, "length"))).toMatchObject(expected);
    const llama = { content: "a b", stop_type: "limit", tokens_predicted: 4, tokens_evaluated: 7 };
    expect(read(llama)).toMatchObject(expected);
    const tgi = { generated_text: "a b", details: { finish_reason: "length", generated_tokens: 4 } };
    expect(read(tgi)).toMatchObject({ ...expected, promptTokens: null });
  });

  it.each([
    ["stop_sequence", "stop"],
    ["eos_token", "end_of_text"],
    ["length", "length"],
  ])("ended, in TGI's word %s, by %s", (finish_reason, end) => {
    expect(read({ generated_text: "a", details: { finish_reason } }, { stop: ["x"] })).toMatchObject({
      end,
      tokens: null,
    });
  });

  it.each([
    ["word", "stop"],
    ["eos", "end_of_text"],
    ["limit", "length"],
  ])("ended, in llama.cpp's word %s, by %s", (stop_type, end) => {
    expect(read({ content: "a", stop_type }, { stop: ["x"] })).toMatchObject({ end });
  });

  it("ended, where `stop` means both, as vLLM's stop_reason tells; else by a stop text if there was one", () => {
    const end = (choice: object, stop: string[]) =>
      read(legacy({ text: "a", finish_reason: "stop", ...choice }), { stop }).end;
    expect(end({ stop_reason: "x" }, ["x"])).toBe("stop");
    expect(end({ stop_reason: null }, ["x"])).toBe("end_of_text");
    // the id of an end token
    expect(end({ stop_reason: 151645 }, ["x"])).toBe("end_of_text");
    expect(end({}, ["x"])).toBe("stop");
    expect(end({}, [])).toBe("end_of_text");
  });

  it("does not hold a stop text, nor what a server wrote after it", () => {
    const reply = legacy({ text: "one\n[/Lang] two ### three", finish_reason: "length" });
    expect(read(reply, { stop: ["###", "[/Lang]"] })).toMatchObject({ text: "one\n", end: "stop" });
  });
});

describe("a reply that is no completion", () => {
  it("has more text than its tokens can hold: what is written down must be read again", () => {
    const reply = (length: number) => legacy({ text: "x".repeat(length), finish_reason: "length" });
    expect(read(reply(2000), { maxTokens: 2 }).text).toHaveLength(2000);
    expect(() => read(reply(2001), { maxTokens: 2 })).toThrow("a completion of 2001 characters for at most 2 tokens");
  });

  it.each<[string, unknown, RegExp]>([
    ["has no choices", { choices: [] }, /without a completion/],
    ["is an error in a page", { error: "no" }, /without a completion/],
    ["ended for no reason that is known", legacy({ text: "a", finish_reason: "abort" }), /an unknown reason \(abort\)/],
    ["does not say why it ended", legacy({ text: "a", finish_reason: null }), /an unknown reason \(\)/],
    ["calls a tool", chat({ content: null, tool_calls: [{}] }, "tool_calls"), /an unknown reason \(tool_calls\)/],
  ])("fails when it %s", (_, json, message) => {
    const failing = expect(() => read(json));
    failing.toThrow(expect.objectContaining({ failure: "bad_response", trouble: "fault" }));
    expect(() => read(json)).toThrow(message);
  });

  it.each([
    ["a filter", legacy({ text: "", finish_reason: "content_filter" }), "content_filter"],
    ["a filter of Gemini's", { choices: [{ finish_reason: "content_filter: RECITATION" }] }, "RECITATION"],
    ["the model", chat({ content: null, refusal: "I will not." }, "stop"), "I will not."],
  ])("is a refusal by %s", (_, json, word) => {
    expect(() => read(json)).toThrow(expect.objectContaining({ failure: "refused", trouble: "permanent" }));
    expect(() => read(json)).toThrow(word);
  });
});

describe("an empty text", () => {
  it("is a completion where the model ended at once", () => {
    const ended = { text: "", end: "end_of_text" };
    expect(settle(legacy({ text: "", finish_reason: "stop" }, 1))).toMatchObject(ended);
    expect(settle(legacy({ text: "", finish_reason: "stop" }, 0))).toMatchObject(ended);
    expect(settle(legacy({ text: "", finish_reason: "stop" }, null))).toMatchObject(ended);
    expect(settle(chat({ content: null }, "stop", 0))).toMatchObject(ended);
    expect(settle({ content: "", stop_type: "eos", tokens_predicted: 1 })).toMatchObject(ended);
  });

  it("is a completion where a stop text, of several tokens, came first", () => {
    expect(settle(legacy({ text: "", finish_reason: "stop" }, 4), { stop: ["[/Lang]"] })).toMatchObject({
      text: "",
      end: "stop",
    });
    expect(settle(legacy({ text: "[/Lang] and on", finish_reason: "length" }, 9), { stop: ["[/Lang]"] })).toMatchObject(
      { text: "", end: "stop" },
    );
  });

  it.each<[string, unknown, RegExp]>([
    [
      "tokens were generated up to the limit",
      legacy({ text: "", finish_reason: "length" }, 9),
      /no text, though it generated 9 tokens/,
    ],
    ["tokens were generated", legacy({ text: "", finish_reason: "stop" }, 5), /generated 5 tokens/],
    ["there is none", chat({ content: null }, "stop", 3), /generated 3 tokens/],
    ["there is none, and nothing is counted", chat({ content: null }, "stop", null), /the reply has no text$/],
    ["it is all thoughts", chat({ content: null, reasoning: "Well" }, "stop", 9), /it is all thoughts/],
    ["it is all thoughts, within the text", chat({ content: "<think>Well</think>" }, "stop", 9), /it is all thoughts/],
  ])("is a failure where %s", (_, json, message) => {
    expect(() => settle(json)).toThrow(expect.objectContaining({ failure: "bad_response", trouble: "permanent" }));
    expect(() => settle(json)).toThrow(message);
  });

  it.each([
    { content: "", reasoning_content: "Well" },
    { content: null, reasoning: "Well" },
    { content: "<think>Well" },
  ])("is a failure of its own where thoughts took all: %j", (message) => {
    const failing = () => settle(chat(message, "length", 9));
    expect(failing).toThrow(expect.objectContaining({ failure: "thought_too_long", trouble: "permanent" }));
    expect(failing).toThrow(/generated 9 tokens: allow more \(--think TOKENS\)/);
  });

  it("is none behind thoughts that stand in a message; a text that is continued is as it is", () => {
    expect(settle(chat({ content: "<think>a = 1?</think>a = 2" }, "stop", 9)).text).toBe("a = 2");
    expect(settle(legacy({ text: "<think>x</think>y", finish_reason: "stop" }, 9)).text).toBe("<think>x</think>y");
  });
});

describe("a text behind thoughts", () => {
  it.each([
    ["<thought>\na = 1?\n</thought>\na = 2", "\na = 2"],
    ["[THINK]a = 1?[/THINK]a = 2", "a = 2"],
    ["<think>a = 1?</think><think>no</think>a = 2", "a = 2"],
    // Marks of the code itself: behind thoughts, begun in the prompt or not, and without any.
    ["<think></think>const end = '</think>';", "const end = '</think>';"],
    ["a = 1?</think>const end = '</think>';", "const end = '</think>';"],
    ["const open = '<think>';\nconst end = '</think>';", "const open = '<think>';\nconst end = '</think>';"],
  ])("begins where they close, and loses nothing: %j", (content, text) => {
    expect(settle(chat({ content }, "stop", 9)).text).toBe(text);
  });

  it("is whole where thoughts came apart", () => {
    const content = "const end = '</think>';";
    expect(settle(chat({ content, reasoning_content: "so" }, "stop", 9)).text).toBe(content);
    expect(settle(chat({ content, reasoning: "so" }, "stop", 9)).text).toBe(content);
  });
});
