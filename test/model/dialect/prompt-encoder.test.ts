import { describe, expect, it, onTestFinished } from "vitest";
import { openaiTransport } from "../../../src/model/dialect/openai-dialect.js";
import { promptEncoder, type ServerKind } from "../../../src/model/dialect/openai-server.js";
import { httpClient } from "../../../src/model/http/http-client.js";
import type { PromptMode } from "../../../src/model/model.js";
import type { EncodePrompt } from "../../../src/model/server/server-channel.js";
import { findVendor } from "../../../src/model/vendor/vendors.js";
import { startJsonServer } from "../../fixtures/json-server.js";

const { signal: NEVER } = new AbortController();

function open(kind: ServerKind, mode: PromptMode): EncodePrompt {
  const http = httpClient(1);
  onTestFinished(() => http.close());
  const transport = openaiTransport(
    { apiKey: null, timeoutMs: 5000, fetch: http.fetch, redact: (text) => text },
    findVendor("openai")!,
  );
  return promptEncoder({ kind }, mode, transport);
}

describe("promptEncoder", () => {
  it("sends llama.cpp's server the token ids, in which `<s>` in a review is text", async () => {
    // what tiny's tokenizer makes of "<s>x" when it does not read special tokens
    const server = await startJsonServer({ "/tokenize": { tokens: [1, 4058, 4009, 4053, 4039] } });
    expect(await open("llama.cpp", "completion")(`${server.url}/v1`, "<s>x", NEVER)).toEqual([
      1, 4058, 4009, 4053, 4039,
    ]);
    expect(server.requests.map(({ path, body }) => [path, JSON.parse(body) as unknown])).toEqual([
      ["/tokenize", { content: "<s>x", add_special: true, parse_special: false }],
    ]);
  });

  it.each([
    ["llama.cpp", "chat"],
    ["vllm", "completion"],
    ["other", "completion"],
  ] as const)("sends %s text in %s, and asks nothing for it", async (kind, mode) => {
    const server = await startJsonServer({});
    expect(await open(kind, mode)(`${server.url}/v1`, "<s>x", NEVER)).toBe("<s>x");
    expect(server.requests).toEqual([]);
  });

  it.each([{}, { tokens: ["a"] }, { tokens: [{ id: 1, piece: "<s>" }] }])(
    "refuses %o, which has no token ids",
    async (page) => {
      const server = await startJsonServer({ "/tokenize": page });
      await expect(open("llama.cpp", "completion")(`${server.url}/v1`, "x", NEVER)).rejects.toMatchObject({
        trouble: "fault",
        failure: "bad_response",
      });
    },
  );
});
