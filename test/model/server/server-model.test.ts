import { describe, expect, it, onTestFinished } from "vitest";
import type { Model, OpenModelOptions } from "../../../src/model/model.js";
import { openModel } from "../../../src/model/open-model.js";
import type { CompletionRequest } from "../../../src/model/requests.js";
import { resolveModel } from "../../../src/model/resolved-model.js";
import { type HttpServer, startHttpServer } from "../../fixtures/http-server.js";
import { OPEN_OPTIONS } from "../../fixtures/open-options.js";
import { textVector } from "../../fixtures/stub-model.js";
import type { StubHandler } from "../../fixtures/stub-server.js";
import { openai } from "../../fixtures/stub-servers/openai.js";
import { tgi } from "../../fixtures/stub-servers/tgi.js";
import { vllm } from "../../fixtures/stub-servers/vllm.js";
import { repliesTo, requestFor } from "../contract.js";

const NEVER = new AbortController().signal;
const REQUEST: CompletionRequest = {
  prompt: "The answer",
  maxTokens: 6,
  stop: [],
  temperature: 0,
  topK: null,
  seed: 0,
};

/** A reply in place of the server's own, with headers of its own; the body is sent as it is. */
interface Trouble {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Troubled {
  readonly model: Model;
  readonly server: HttpServer;
  /** How the next requests to the model are answered. */
  readonly meet: (...troubles: readonly Trouble[]) => void;
}

const isQuestion = (path: string) => /completions|embeddings|generate|^\/$/.test(path);

/** A model whose check went well, behind a server that may then meet trouble. */
async function open(handler: StubHandler, options: Partial<OpenModelOptions>, provider = "openai"): Promise<Troubled> {
  const ahead: Trouble[] = [];
  const server = await startHttpServer(({ method, path, body }, response) => {
    const trouble = isQuestion(path) ? ahead.shift() : undefined;
    if (trouble !== undefined) {
      response.writeHead(trouble.status, { "content-type": "application/json", ...trouble.headers }).end(trouble.body);
      return;
    }
    const json = body === "" ? {} : (JSON.parse(body) as Record<string, unknown>);
    const reply = handler({ method, path, body: json }) ?? { status: 404, body: {} };
    response.writeHead(reply.status, { "content-type": "application/json" }).end(JSON.stringify(reply.body));
  });
  const connection = { ...OPEN_OPTIONS.connection, baseUrls: [`${server.url}/v1`], ...options.connection };
  const model = await openModel(resolveModel(`${provider}:stub`, new Map()), {
    ...OPEN_OPTIONS,
    ...options,
    connection,
  });
  onTestFinished(() => model.close());
  return { model, server, meet: (...troubles) => ahead.push(...troubles) };
}

const complete = ({ model }: Troubled, signal = NEVER) => model.complete!(REQUEST, signal);
const SLOW_DOWN: Trouble = { status: 429, headers: { "retry-after": "1" }, body: '{"error":{"message":"slow down"}}' };
const TRUNCATED: Trouble = { status: 200, body: '{"choices": [{"text": "half' };

describe("a completion that meets trouble", () => {
  it("comes after the wait that the server asks for", async () => {
    const troubled = await open(vllm(), { needs: ["completions"] });
    const expected = await complete(troubled);
    troubled.meet(SLOW_DOWN);
    const started = performance.now();
    const { durationMs: _, ...reply } = (await complete(troubled)) as { durationMs: number };
    expect(performance.now() - started).toBeGreaterThanOrEqual(990);
    expect(expected).toMatchObject(reply);
  });

  it("comes after that wait by Hugging Face's client too, whose errors have no headers", async () => {
    const troubled = await open(tgi(), { needs: ["completions"], promptMode: "chat" }, "huggingface");
    troubled.meet(SLOW_DOWN);
    const started = performance.now();
    expect(await complete(troubled)).toMatchObject({ status: "completed" });
    expect(performance.now() - started).toBeGreaterThanOrEqual(990);
  });

  it("is asked for again after half a JSON", async () => {
    const troubled = await open(vllm(), { needs: ["completions"] });
    troubled.meet(TRUNCATED, TRUNCATED);
    const before = troubled.server.requests.length;
    expect(await complete(troubled)).toMatchObject({ status: "completed", tokens: 6 });
    expect(troubled.server.requests.length - before).toBe(3);
  });

  it("names what came in its place, where there is no money to ask for it again", async () => {
    const troubled = await open(vllm(), { needs: ["completions"] });
    troubled.meet({ status: 200, body: "<html>Sign in</html>" });
    const reply = await troubled.model.complete!(REQUEST, NEVER, () => false);
    expect(reply).toMatchObject({ status: "failed", failure: "unavailable" });
    expect((reply as { detail: string }).detail).toMatch(
      /no money is left for another try after: HTTP 200, but .*<html>Sign in<\/html>/,
    );
  });

  it("fails, without the key, when the same request would fail again", async () => {
    process.env["STUB_KEY"] = "sk-0123456789abcdef";
    onTestFinished(() => {
      delete process.env["STUB_KEY"];
    });
    const connection = { ...OPEN_OPTIONS.connection, apiKeyEnv: "STUB_KEY" };
    const troubled = await open(vllm(), { needs: ["completions"] });
    const keyed = await open(vllm(), {
      needs: ["completions"],
      connection: { ...connection, baseUrls: [`${troubled.server.url}/v1`] },
    });
    troubled.meet({ status: 400, body: '{"error":{"message":"key sk-0123456789abcdef is bad"}}' });
    expect(await complete(keyed)).toEqual({
      status: "failed",
      failure: "unavailable",
      detail: expect.stringMatching(
        /^POST \/completions: HTTP 400: .*key \[key\] is bad.*; request sha256 [0-9a-f]{64}$/,
      ) as string,
    });
  });

  it.each<[string, Trouble, string]>([
    [
      "too long a prompt",
      { status: 400, body: '{"error":{"message":"This model\'s maximum context length is 4096 tokens."}}' },
      "context_overflow",
    ],
    ["a filter", { status: 200, body: '{"choices":[{"text":"","finish_reason":"content_filter"}]}' }, "refused"],
    [
      "text that is not shown",
      { status: 200, body: '{"choices":[{"text":"","finish_reason":"length"}],"usage":{"completion_tokens":6}}' },
      "bad_response",
    ],
  ])("fails once: %s", async (_, trouble, failure) => {
    const troubled = await open(vllm(), { needs: ["completions"] });
    troubled.meet(trouble);
    const before = troubled.server.requests.length;
    expect(await complete(troubled)).toMatchObject({ status: "failed", failure });
    expect(troubled.server.requests.length - before).toBe(1);
  });

  it("is not asked for once its signal is aborted", async () => {
    const troubled = await open(vllm(), { needs: ["completions"] });
    const before = troubled.server.requests.length;
    await expect(complete(troubled, AbortSignal.abort(new Error("stopped")))).rejects.toThrow("stopped");
    expect(troubled.server.requests).toHaveLength(before);
  });

  it("stops waiting when its signal is aborted", async () => {
    const troubled = await open(vllm(), { needs: ["completions"] });
    troubled.meet({ ...SLOW_DOWN, headers: { "retry-after": "60" } });
    const controller = new AbortController();
    const waiting = complete(troubled, controller.signal);
    setTimeout(() => controller.abort(new Error("stopped")), 50);
    await expect(waiting).rejects.toThrow("stopped");
  });
});

describe("the tokens of a letter that is read by its log probabilities", () => {
  it.each([
    [1, undefined],
    [500, 500],
  ])("are all that the server counts, where those are more than one: %d", async (told, counted) => {
    const server = vllm();
    const counting: StubHandler = (request) => {
      const reply = server(request);
      const usage = { prompt_tokens: 9, completion_tokens: told };
      return reply === null ? null : { ...reply, body: { ...(reply.body as object), usage } };
    };
    const { model } = await open(counting, { needs: ["symbols"] });
    const [reply] = await repliesTo(model, [requestFor("Which? Answer:")]);
    expect(reply).toMatchObject({ status: "scored", promptTokens: 9 });
    expect(reply?.completionTokens).toBe(counted);
  });
});

describe("scores that meet trouble", () => {
  const scoreTokens = ({ model }: Troubled) => model.scoreTokens!("a Paris is", NEVER);

  it("come after half a JSON, and after the scores of another text", async () => {
    const troubled = await open(vllm(), { needs: ["token_scores"] });
    const expected = await scoreTokens(troubled);
    const another = { "7": { logprob: -1, rank: 1, decoded_token: "other" } };
    troubled.meet(TRUNCATED, {
      status: 200,
      body: JSON.stringify({ choices: [{ prompt_logprobs: [null, another] }] }),
    });
    expect(await scoreTokens(troubled)).toEqual(expected);
    expect(expected).toMatchObject({ status: "scored", ends: [1, 7, 10] });
  });

  it("are none when a number is missing each time", async () => {
    const troubled = await open(vllm(), { needs: ["token_scores"] });
    const place = (text: string, logprob: number | null) => ({ "7": { logprob, rank: 1, decoded_token: text } });
    const places = [null, place(" Paris", null), place(" is", -1)];
    const gap = { status: 200, body: JSON.stringify({ choices: [{ prompt_logprobs: places }] }) };
    troubled.meet(gap, gap, gap, gap, gap);
    expect(await scoreTokens(troubled)).toMatchObject({
      status: "failed",
      failure: "bad_response",
      detail: expect.stringMatching(
        /HTTP 200, but the server left out the log probability of token 2 of 3.*\(5 tries\)/,
      ) as string,
    });
  });
});

describe("vectors that meet trouble", () => {
  it("come after the wait that the server asks for", async () => {
    const { model, meet } = await open(openai(), { needs: ["embeddings"] });
    meet({ ...SLOW_DOWN, headers: { "retry-after": "0" } }, TRUNCATED);
    expect((await model.embed!("some code", NEVER)).vector).toEqual(textVector("some code"));
  });

  it("are an error when there are none", async () => {
    const { model, meet } = await open(openai(), { needs: ["embeddings"] });
    meet({ status: 400, body: '{"error":{"message":"no"}}' });
    await expect(model.embed!("some code", NEVER)).rejects.toMatchObject({
      code: "model_unavailable",
      message: expect.stringMatching(/^Expected an embedding, found POST \/embeddings: HTTP 400/) as string,
    });
  });
});

describe("how many requests may be open", () => {
  it("is all places for requests that come one by one, and a share of them for groups", async () => {
    const connection = { ...OPEN_OPTIONS.connection, concurrency: 16 };
    const alone = await open(vllm(), { needs: ["completions"] });
    expect(alone.model.maxOpenGroups).toBe(64);
    const base = [`${alone.server.url}/v1`];
    const grouped = await open(vllm(), { needs: ["symbols"], connection: { ...connection, baseUrls: base } });
    // groups of about 8: two fill 16 places, one more waits
    expect(grouped.model.maxOpenGroups).toBe(3);
  });

  it("is at most the concurrency", async () => {
    let underWay = 0;
    let most = 0;
    const server = await startHttpServer(async ({ method, path, body }, response) => {
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setTimeout(resolve, 5));
      underWay--;
      const json = body === "" ? {} : (JSON.parse(body) as Record<string, unknown>);
      const reply = vllm()({ method, path, body: json }) ?? { status: 404, body: {} };
      response.writeHead(reply.status, { "content-type": "application/json" }).end(JSON.stringify(reply.body));
    });
    const connection = { ...OPEN_OPTIONS.connection, baseUrls: [`${server.url}/v1`], concurrency: 3 };
    const { model } = await open(vllm(), { needs: ["completions"], connection });
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, seed) => model.complete!({ ...REQUEST, seed }, NEVER)),
    );
    expect(replies.every(({ status }) => status === "completed")).toBe(true);
    expect(most).toBe(3);
  });
});
