import { expect, it } from "vitest";
import { refusedNames } from "../../../src/model/http/refused-names.js";

const first = (body: unknown, status = 400) => refusedNames(status, JSON.stringify(body))[0];

it("takes the parameter that an error names as such before any other word", () => {
  const message = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.";
  expect(first({ error: { message, param: "temperature", code: "unsupported_value" } })).toBe("temperature");
  expect(first({ error: { param: "reasoning.effort" } })).toBe("reasoning");
});

it.each([
  [{ error: { message: "property 'seed' is unsupported" } }, "seed"],
  [[{ error: { message: 'Unknown name "seed": Cannot find field.' } }], "seed"],
  [{ error: { message: "`temperature` may only be set to 1" } }, "temperature"],
  [{ error: { message: "seed: Extra inputs are not permitted" } }, "seed"],
  [{ error: "Argument not supported on this model: stop" }, "stop"],
  [{ error: "Model does not support parameter reasoningEffort." }, "reasoning_effort"],
  [{ message: { detail: [{ loc: ["body", "seed"], msg: "Extra inputs are not permitted" }] } }, "seed"],
  [{ error: { metadata: { raw: '{"error":{"message":"no \'top_p\' here","param":"top_p"}}' } } }, "top_p"],
])("finds it in the message: %j", (body, name) => {
  expect(refusedNames(400, JSON.stringify(body))).toContain(name);
});

it("reads nothing out of other errors, nor out of messages that refuse nothing", () => {
  expect(refusedNames(500, '{"error":{"param":"seed"}}')).toEqual([]);
  expect(refusedNames(404, '{"error":{"param":"model"}}')).toEqual([]);
  expect(refusedNames(400, "your seed is fine")).toEqual([]);
});
