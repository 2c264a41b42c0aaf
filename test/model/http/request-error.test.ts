import { describe, expect, it } from "vitest";
import {
  errorOfConnection,
  errorOfContent,
  errorOfReply,
  RequestError,
  readRetryAfter,
  refusedNames,
} from "../../../src/model/http/request-error.js";

const NOW = Date.UTC(2026, 0, 1, 12, 0, 0);
const NO_HEADERS = new Headers();

function ofReply(status: number, body: string): RequestError {
  return errorOfReply(status, body, NO_HEADERS, NOW);
}

describe("errorOfReply", () => {
  it.each([408, 425, 429, 502, 503, 504, 529])("takes %d for a server that is down for now", (status) => {
    expect(ofReply(status, "later")).toMatchObject({ trouble: "down", failure: "unavailable", status });
  });

  it.each([500, 507])("takes %d for a fault, worth a few tries", (status) => {
    expect(ofReply(status, "it broke")).toMatchObject({ trouble: "fault", failure: "unavailable", status });
  });

  it.each([
    [504, true],
    [524, true],
    [500, false],
    [503, false],
  ])("counts %d as worked on, where a gateway did not wait for the answer: %s", (status, mayBePaid) => {
    expect(ofReply(status, "a timeout occurred")).toMatchObject({ mayBePaid });
  });

  it.each([301, 400, 401, 403, 404, 413, 422, 501])("takes %d for permanent", (status) => {
    expect(ofReply(status, "no")).toMatchObject({ trouble: "permanent", failure: "unavailable", status });
  });

  it.each([
    ["llama.cpp", 400, "request (6002 tokens) exceeds the available context size (2048 tokens), try increasing it"],
    ["llama.cpp's type", 400, '{"error":{"type":"exceed_context_size_error","n_ctx":2048}}'],
    ["OpenAI", 400, "This model's maximum context length is 4097 tokens. However, you requested 5000 tokens"],
    ["OpenAI's code", 400, '{"error":{"message":"no","code":"context_length_exceeded"}}'],
    ["vLLM", 400, "The decoder prompt (length 6002) is longer than the maximum model length of 2048."],
    ["SGLang", 400, "The input (6002 tokens) is longer than the model's context length (2048 tokens)."],
    [
      "TGI",
      422,
      "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 3474 `inputs` tokens",
    ],
    ["TGI's older limit", 422, "Input validation error: `inputs` must have less than 1024 tokens. Given: 2000"],
    ["TGI without quotes", 422, "Input validation error: inputs tokens + max_new_tokens must be <= 2048"],
  ])("knows a prompt over the context size: %s", (_, status, body) => {
    expect(ofReply(status, body)).toMatchObject({ trouble: "permanent", failure: "context_overflow", status });
  });

  it("takes a rate limit that speaks of tokens for a rate limit", () => {
    const error = ofReply(429, "Too many tokens, please wait before trying again.");
    expect(error).toMatchObject({ trouble: "down", failure: "unavailable" });
  });

  it("takes a 500 that speaks of the context for a fault: only the client's errors are about the prompt", () => {
    expect(ofReply(500, "context size unknown")).toMatchObject({ trouble: "fault", failure: "unavailable" });
  });

  it.each(['{"code":"content_filter"}', "content policy: content_policy_violation", "blocked by moderation"])(
    "takes %s for a refusal",
    (body) => {
      expect(ofReply(400, body)).toMatchObject({ trouble: "permanent", failure: "refused" });
    },
  );

  it("shows the status and the beginning of the body, control characters escaped", () => {
    expect(ofReply(404, "  \u001b[31mno\n ").message).toBe("HTTP 404: \\u001b[31mno");
    expect(ofReply(404, "x".repeat(301)).message).toBe(`HTTP 404: ${"x".repeat(300)}… (301 characters)`);
  });

  it("has the same signature for the same status and body only", () => {
    expect(ofReply(500, "a").signature).toBe(ofReply(500, "a").signature);
    expect(ofReply(500, "a").signature).not.toBe(ofReply(500, "b").signature);
    expect(ofReply(500, "a").signature).not.toBe(ofReply(502, "a").signature);
  });

  it.each([429, 503, 500])("keeps what Retry-After asks for at %d", (status) => {
    expect(errorOfReply(status, "", new Headers({ "retry-after": "3" }), NOW).retryAfterMs).toBe(3000);
    expect(ofReply(status, "").retryAfterMs).toBeNull();
  });
});

describe("readRetryAfter", () => {
  it.each([
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "1.5" }, 1500],
    [{ "retry-after": "-5" }, 0],
    [{ "retry-after-ms": "40" }, 40],
    // the finer of the two
    [{ "retry-after-ms": "40", "retry-after": "1" }, 40],
    [{ "retry-after-ms": "soon", "retry-after": "1" }, 1000],
    // NOW is noon
    [{ "retry-after": "Thu, 01 Jan 2026 12:00:30 GMT" }, 30_000],
    [{ "retry-after": "Thu, 01 Jan 2026 11:59:00 GMT" }, 0],
    // the server's own clock goes an hour after
    [{ "retry-after": "Thu, 01 Jan 2026 11:00:30 GMT", date: "Thu, 01 Jan 2026 11:00:00 GMT" }, 30_000],
    [{ "retry-after": "soon" }, null],
    [{ "retry-after": "" }, null],
    [{}, null],
  ])("reads %o as %s ms", (headers, expected) => {
    expect(readRetryAfter(new Headers(headers as Record<string, string>), NOW)).toBe(expected);
  });
});

describe("errorOfConnection", () => {
  it("takes no reply for a server that is down, and names the system's code", () => {
    const cause = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED" });
    const expected = { trouble: "down", failure: "unavailable", status: 0, retryAfterMs: null };
    for (const error of [errorOfConnection(cause), errorOfConnection(new Error("Connection error.", { cause }))]) {
      expect(error).toMatchObject(expected);
      expect(error.message).toBe("no reply: ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:1");
    }
  });

  it("takes anything thrown", () => {
    expect(errorOfConnection("cut").message).toBe("no reply: cut");
  });

  it("leaves out what must not be shown", () => {
    const redact = (text: string) => text.replaceAll("secret", "[key]");
    expect(errorOfConnection(new Error("bad header secret"), redact).message).toBe("no reply: bad header [key]");
  });
});

describe("errorOfContent", () => {
  it("takes a reply that is nonsense for a fault with a bad response", () => {
    const error = errorOfContent("not JSON", "<!doctype html>");
    expect(error).toBeInstanceOf(RequestError);
    expect(error).toMatchObject({ trouble: "fault", failure: "bad_response", status: 200 });
    expect(error.message).toBe("HTTP 200, but not JSON: <!doctype html>");
  });
});

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
