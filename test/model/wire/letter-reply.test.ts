import { expect, it } from "vitest";
import { symbolsFor } from "../../../src/base/symbol.js";
import { readLetter } from "../../../src/model/wire/letter-reply.js";
import type { LetterForm } from "../../../src/model/wire/ways.js";

const read = (message: object, { form = "letter", finish = "stop", isRoomy = true, usage = {} } = {}) => {
  const json = { choices: [{ message, finish_reason: finish }], usage };
  return readLetter(
    { json, text: JSON.stringify(json) },
    { form: form as LetterForm, symbols: symbolsFor(4), isRoomy },
  );
};

it.each([
  ["letter", { content: " B\n" }],
  ["json", { content: '{"answer":"B"}' }],
  ["call", { content: null, tool_calls: [{ function: { arguments: '{"answer":"B"}' } }] }],
  ["call", { tool_calls: [{ function: { arguments: { answer: "B" } } }] }],
  ["letter", { content: "<think>\nA, surely. Answer: A\n</think>\n\nB" }],
  // A template that opens the thoughts leaves their end alone in the text.
  ["letter", { content: "Perhaps A.</think>B" }],
  ["json", { content: '<think>{"answer":"A"}</think>{"answer":"B"}' }],
  ["letter", { reasoning_content: "A", content: "B" }],
  ["letter", { reasoning: "A", content: "B" }],
])("reads the letter of the final text: as %s in %j", (form, message) => {
  expect(read(message, { form })).toMatchObject({ status: "named", symbol: "B" });
});

it.each([
  ["letter", { content: "The answer is B" }],
  ["letter", { content: "E" }],
  ["letter", { reasoning_content: "B", content: "" }],
  ["json", { content: "B" }],
  ["json", { content: '{"answer":"E"}' }],
  ["json", { content: '{"answer":["B"]}' }],
  ["call", { content: "B" }],
  ["call", { tool_calls: [{ function: { arguments: "B" } }] }],
  // Two answers are none.
  ["call", { tool_calls: ["A", "B"].map((answer) => ({ function: { arguments: { answer } } })) }],
])("takes nothing else for one: as %s in %j", (form, message) => {
  expect(() => read(message, { form })).toThrow("the answer is not one of A, B, C, D");
});

it.each([
  ["length", { content: "" }],
  ["length", { content: '{"answer":' }],
  // "B is right, since …", or the letter: nobody knows.
  ["length", { content: "B" }],
  ["length", { content: "<think>B" }],
  ["stop", { content: "<think>B" }],
  ["length", { content: null, reasoning_content: "it must be B" }],
])("fails where thoughts took the budget: end %s of %j", (finish, message) => {
  const usage = { completion_tokens: 300, completion_tokens_details: { reasoning_tokens: 290 } };
  expect(read(message, { finish, usage })).toMatchObject({
    status: "failed",
    failure: "thought_too_long",
    detail: "the reply ended before a letter, after 300 tokens: allow more (--think TOKENS)",
    completionTokens: 300,
    thoughts: { tokens: 290 },
  });
});

it("reads a letter that is whole though the limit came behind it: of an object, and of the one token that was asked for", () => {
  const whole = { content: '{"answer":"B"}' };
  expect(read(whole, { form: "json", finish: "length" })).toMatchObject({ symbol: "B" });
  expect(read({ content: "B" }, { finish: "length", isRoomy: false })).toMatchObject({ symbol: "B" });
});

it("counts thoughts that are not shown, and has none where nobody thought", () => {
  const usage = { completion_tokens: 20, completion_tokens_details: { reasoning_tokens: 12 } };
  expect(read({ content: "B" }, { usage }).thoughts).toEqual({ text: null, tokens: 12, end: "hidden" });
  expect(read({ content: "B", reasoning: "so" }, { usage }).thoughts).toEqual({
    text: "so",
    tokens: 12,
    end: "closed",
  });
  expect(read({ content: "B" })).not.toHaveProperty("thoughts");
  // One token was asked for: it is the one of the answer, unless the server counts more, which are paid for.
  expect(read({ content: "B" }, { isRoomy: false, usage: { completion_tokens: 1 } })).not.toHaveProperty(
    "completionTokens",
  );
  expect(read({ content: "B" }, { isRoomy: false, usage })).toMatchObject({ completionTokens: 20 });
});

it("counts thoughts among the tokens where a service tells them apart: its total says so", () => {
  const usage = { prompt_tokens: 100, completion_tokens: 1, completion_tokens_details: { reasoning_tokens: 1000 } };
  const tokensOf = (total?: number) =>
    read({ content: "B" }, { usage: { ...usage, total_tokens: total } }).completionTokens;
  expect([tokensOf(1101), tokensOf(101), tokensOf()]).toEqual([1001, 1, 1]);
  // Nothing else tells of hidden ones: 1106 - 400.
  const hidden = { prompt_tokens: 400, completion_tokens: 6, total_tokens: 1106 };
  expect(read({ content: "B" }, { usage: hidden }).completionTokens).toBe(706);
  // A total of the prompt alone takes nothing away.
  expect(read({ content: "B" }, { usage: { ...hidden, total_tokens: 400 } }).completionTokens).toBe(6);
});

it("fails where one token was asked for, and it began a thought", () => {
  expect(read({ content: "<think>" }, { finish: "length", isRoomy: false })).toMatchObject({
    failure: "thought_too_long",
  });
});

it("has thoughts that nobody closed where they took all", () => {
  const { thoughts } = read({ content: "", reasoning_content: "it must be B" }, { finish: "length" });
  expect(thoughts).toMatchObject({ text: "it must be B", end: "hidden" });
});

it.each(["error", "stop"])(
  "is tried again where the server says in a reply of status 200 that it failed: %s",
  (finish) => {
    const error = finish === "stop" ? { code: 502, message: "Provider disconnected" } : undefined;
    const json = { choices: [{ message: { content: "" }, finish_reason: finish, error }] };
    const failing = () =>
      readLetter({ json, text: JSON.stringify(json) }, { form: "letter", symbols: symbolsFor(4), isRoomy: true });
    expect(failing).toThrow(expect.objectContaining({ failure: "bad_response", trouble: "fault" }));
    expect(failing).toThrow("an error of the server");
  },
);

it("is refused where a server says so", () => {
  expect(() => read({ content: "B", refusal: "I won't" })).toThrow("the server refused to answer: I won't");
});
