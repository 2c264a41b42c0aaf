import { setMaxListeners } from "node:events";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openaiTransport } from "../../../src/model/dialect/openai-dialect.js";
import { httpClient } from "../../../src/model/http/http-client.js";
import { RequestError } from "../../../src/model/http/request-error.js";
import { redactor } from "../../../src/model/http/secrets.js";
import type { Transport } from "../../../src/model/server/server-channel.js";
import { findVendor } from "../../../src/model/vendor/vendors.js";
import { type Answer, startHttpServer } from "../../fixtures/http-server.js";

const KEY = "sk-proj-0123456789-wxyzWXYZ";
const OPENAI = findVendor("openai")!;
const REQUEST = { path: "/completions", body: { prompt: "é" } };
const { signal: NEVER } = new AbortController();
setMaxListeners(0, NEVER);

function open(apiKey: string | null = KEY, timeoutMs = 5000): Transport {
  const http = httpClient(2);
  onTestFinished(() => http.close());
  const redact = redactor(apiKey === null ? [] : [apiKey]);
  return openaiTransport({ apiKey, timeoutMs, fetch: http.fetch, redact }, OPENAI);
}

/** What comes of one request to a server that answers so. */
async function failureOf(answer: Answer, timeoutMs?: number): Promise<{ error: RequestError; asked: number }> {
  const server = await startHttpServer(answer);
  const error = await open(KEY, timeoutMs)(`${server.url}/v1`, REQUEST, NEVER).catch((reason: unknown) => reason);
  if (!(error instanceof RequestError)) throw new Error(`Expected a RequestError, found ${String(error)}.`);
  return { error, asked: server.requests.length };
}

function says(status: number, body: string | object, headers: Readonly<Record<string, string>> = {}): Answer {
  return (_, response) => {
    const type = typeof body === "string" ? "text/html" : "application/json";
    response.writeHead(status, { "content-type": type, ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
}

describe("a request", () => {
  it("goes to the API's base as JSON, with the key", async () => {
    const server = await startHttpServer(says(200, { id: "1", choices: [] }));
    const reply = await open()(`${server.url}/v1`, REQUEST, NEVER);
    expect(reply).toEqual({ json: { id: "1", choices: [] }, text: '{"id":"1","choices":[]}' });
    expect(server.requests).toMatchObject([
      { method: "POST", path: "/v1/completions", body: '{"prompt":"é"}', headers: { authorization: `Bearer ${KEY}` } },
    ]);
  });

  it.each(["/completion", "/tokenize"])("goes to the server's root for llama.cpp's %s", async (path) => {
    const server = await startHttpServer(says(200, {}));
    await open()(`${server.url}/v1`, { path, body: {} }, NEVER);
    expect(server.requests).toMatchObject([{ path }]);
  });

  it("holds no key where there is none, not even one from the environment", async () => {
    const server = await startHttpServer(says(200, {}));
    const before = process.env["OPENAI_API_KEY"];
    process.env["OPENAI_API_KEY"] = KEY;
    await open(null)(`${server.url}/v1`, REQUEST, NEVER);
    if (before === undefined) delete process.env["OPENAI_API_KEY"];
    else process.env["OPENAI_API_KEY"] = before;
    expect(server.requests[0]?.headers).not.toHaveProperty("authorization");
  });

  it("holds nothing of the environment's that is meant for OpenAI: no other key, account or header", async () => {
    const server = await startHttpServer(says(200, {}));
    vi.stubEnv("OPENAI_ADMIN_KEY", "sk-admin-0123456789");
    vi.stubEnv("OPENAI_CUSTOM_HEADERS", "x-gateway: sk-custom\nauthorization: Bearer sk-custom");
    vi.stubEnv("OPENAI_ORG_ID", "org-mine");
    vi.stubEnv("OPENAI_PROJECT_ID", "proj-mine");
    await open()(`${server.url}/v1`, REQUEST, NEVER);
    await open(null)(`${server.url}/v1`, REQUEST, NEVER);
    vi.unstubAllEnvs();
    const [withKey, without] = server.requests.map(({ headers }) => headers);
    expect(withKey).toHaveProperty("authorization", `Bearer ${KEY}`);
    expect(without).not.toHaveProperty("authorization");
    expect(JSON.stringify([withKey, without])).not.toMatch(/sk-admin|sk-custom|org-mine|proj-mine/);
  });

  it("keeps connections for the next ones", async () => {
    const server = await startHttpServer(says(200, {}));
    const transport = open();
    for (let i = 0; i < 6; i++) await transport(`${server.url}/v1`, REQUEST, NEVER);
    expect(server.connections.opened).toBeLessThanOrEqual(2);
  });
});

describe("an error", () => {
  it.each([
    [
      "llama.cpp",
      { error: { code: 400, message: "request (6002 tokens) exceeds the available context size (2048 tokens)" } },
    ],
    ["OpenAI, by its code alone", { error: { message: "too much", code: "context_length_exceeded" } }],
    [
      "vLLM before 0.10",
      { object: "error", message: "This model's maximum context length is 2048 tokens.", code: 400 },
    ],
    ["FastAPI", { detail: "The input (6002 tokens) is longer than the model's context length (2048 tokens)." }],
    [
      "TGI",
      {
        error: "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048.",
        error_type: "validation",
      },
    ],
  ])("of a prompt over the context size is known: %s", async (_, body) => {
    const { error, asked } = await failureOf(says(400, body));
    expect(error).toMatchObject({ trouble: "permanent", failure: "context_overflow", status: 400 });
    expect(asked).toBe(1);
  });

  it("of a content filter is known by its code (Azure)", async () => {
    const { error } = await failureOf(
      says(400, { error: { message: "The response was filtered.", code: "content_filter" } }),
    );
    expect(error).toMatchObject({ trouble: "permanent", failure: "refused" });
  });

  it("says what the server said", async () => {
    const { error } = await failureOf(says(404, { detail: "Not Found" }));
    expect(error.message).toBe('HTTP 404: {"detail":"Not Found"}');
    expect((await failureOf(says(500, "<h1>Oops</h1>"))).error.message).toBe("HTTP 500: <h1>Oops</h1>");
  });

  it.each([500, 404, 304])("without a body is one of status %d", async (status) => {
    expect((await failureOf(says(status, ""))).error.status).toBe(status);
  });

  it.each([
    [429, "down"],
    [503, "down"],
    [500, "fault"],
    [401, "permanent"],
  ])("%d is %s, and is tried once here", async (status, trouble) => {
    const { error, asked } = await failureOf(says(status, { error: { message: "no" } }));
    expect(error).toMatchObject({ trouble, status });
    expect(asked).toBe(1);
  });

  it("keeps Retry-After", async () => {
    expect((await failureOf(says(429, "slow", { "retry-after": "7" }))).error.retryAfterMs).toBe(7000);
    expect((await failureOf(says(503, "slow", { "retry-after-ms": "40" }))).error.retryAfterMs).toBe(40);
  });

  it.each(["<!doctype html><p>Sign in", '{"choices":[{"te', ""])(
    "is a reply of status 200 that is %j",
    async (body) => {
      const { error } = await failureOf(says(200, body));
      expect(error).toMatchObject({ trouble: "fault", failure: "bad_response", status: 200 });
      expect(error.message).toContain("not JSON");
    },
  );

  it("is a reply cut short, which is not what a server that is down sends", async () => {
    const { error } = await failureOf((_, response) => {
      response.writeHead(200, { "content-length": 100 });
      response.write('{"choices":', () => response.destroy());
    });
    expect(error).toMatchObject({ trouble: "fault", failure: "bad_response", status: 200 });
    expect(error.message).toContain("HTTP 200, but found its body cut short");
  });

  it("is a reply that is no HTTP", async () => {
    const { error } = await failureOf((_, response) => void response.socket?.end("SSH-2.0-OpenSSH_9.2\r\n\r\n"));
    expect(error).toMatchObject({ trouble: "fault", failure: "bad_response", status: 0 });
    expect(error.message).toMatch(/^a reply that is no HTTP: .*HTTP\/1\.1/);
  });

  it("is no reply in time", async () => {
    const { error } = await failureOf(() => {}, 50);
    expect(error).toMatchObject({ trouble: "down", status: 0, message: "no reply: Request timed out." });
  });

  it("is a server that refuses the connection, with the system's code", async () => {
    const server = await startHttpServer(() => {});
    await server.stop();
    const sent = open()(`${server.url}/v1`, REQUEST, NEVER);
    await expect(sent).rejects.toMatchObject({ trouble: "down", message: expect.stringContaining("ECONNREFUSED") });
  });
});

describe("the key", () => {
  it.each([
    [401, { error: { message: `Incorrect API key provided: ${KEY}.` } }],
    [401, { detail: `Bad: sk-proj-****wxyzWXYZ` }],
    [500, `<p>${KEY}`],
    [200, `<p>${KEY}`],
  ])("is in no error, whatever the server repeats (%d, %o)", async (status, body) => {
    const { message } = (await failureOf(says(status, body))).error;
    expect(message).toContain("[key]");
    expect(message).not.toMatch(/sk-proj-|wxyzWXYZ/);
  });

  it("is not in a reply's text, which errors show", async () => {
    const server = await startHttpServer(says(200, { hello: KEY }));
    expect((await open()(`${server.url}/v1`, REQUEST, NEVER)).text).toBe('{"hello":"[key]"}');
  });

  it("is in no error about a header that cannot hold it", async () => {
    const broken = `${KEY}\u0007${KEY}`;
    const sent = open(broken)("http://127.0.0.1:1/v1", REQUEST, NEVER);
    const error = await sent.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RequestError);
    expect(String(error)).not.toContain(KEY);
  });
});
