import { describe, expect, it } from "vitest";
import { symbolsFor } from "../../../src/base/symbol.js";
import type { SymbolReply } from "../../../src/model/requests.js";
import { openStub } from "../../fixtures/open-stub.js";
import { nextTokens, symbolLogprob, tokenize } from "../../fixtures/stub-model.js";
import type { StubHandler } from "../../fixtures/stub-server.js";
import {
  rendered,
  thinkingSglang,
  thinkingVllm,
  thoughtsOf,
} from "../../fixtures/stub-servers/thinking-completions.js";
import { repliesTo, requestFor } from "../contract.js";

const LETTER = symbolsFor(4)[0]!;
const QUESTION = "Which?\n### Answer with the letter. Answer:\n";
const ENDLESS = `Think for ever. ${QUESTION}`;
const CASES: readonly (readonly [string, StubHandler, string, string])[] = [
  ["vLLM with logprob_token_ids", thinkingVllm({ hasTokenIds: true }), "vllm", "logprob_token_ids"],
  ["vLLM with structured_outputs", thinkingVllm(), "vllm", "structured_outputs"],
  ["SGLang", thinkingSglang(), "sglang", "logprobs 20"],
];

async function ask(handler: StubHandler, provider: string, prompt: string, more: { tokens: number; trace?: number }) {
  const { model, servers } = await openStub(handler, { provider, promptMode: "chat", think: { tokens: more.tokens } });
  const asked = { ...requestFor(prompt), think: { tokens: more.tokens }, ...(more.trace && { trace: more.trace }) };
  const [reply] = await repliesTo(model, [asked]);
  return { model, reply, requests: servers[0]?.requests ?? [] };
}

/** The letter's log probability behind this text, by the model itself. */
const behind = (text: string) => symbolLogprob(nextTokens(text), LETTER);
const known = (reply: SymbolReply | undefined) => {
  const score = reply?.status === "scored" ? reply.scores.get(LETTER) : undefined;
  return score?.status === "known" ? score.logprob : Number.NaN;
};

describe.each(CASES)("thoughts behind a stub of %s", (_, handler, provider, way) => {
  it("are written in the model's template, closed by it, and the letter is read behind them", async () => {
    const { model, reply, requests } = await ask(handler, provider, QUESTION, { tokens: 200 });
    expect(model.check?.chosen).toBe(`${way}, after thoughts`);
    const before = `${rendered(QUESTION, true)}<think>\n`;
    const thoughts = thoughtsOf(before);
    const tokens = tokenize(thoughts).length;
    expect(reply).toMatchObject({
      thoughts: { text: thoughts, tokens, end: "closed" },
      completionTokens: tokens + 1,
      promptTokens: tokenize(before).length,
    });
    expect(known(reply)).toBeCloseTo(behind(`${before}${thoughts}</think>\n\n`), 9);
    // The prompt twice, the thoughts with the mark that the server wrote and once more, its end, and the letter.
    const end = tokenize(`${thoughts}</think>\n\n`).length;
    const written = tokens + tokenize("</think>").length;
    expect(reply?.paid).toEqual({
      promptTokens: 2 * tokenize(before).length + end,
      completionTokens: written + 1,
    });
    // Counted before it is asked, by what the server renders.
    expect(await model.countTokens?.(QUESTION, { tokens: 200 })).toBe(tokenize(before).length);
    // The whole prompt goes as ids: a review that holds a mark of the template is what the template made of it.
    const asked = requests.filter(({ path, body }) => path === "/v1/completions" && Array.isArray(body["prompt"]));
    expect(asked.length).toBe(2);
  });

  it("are closed for it at the budget, and followed along their parts", async () => {
    const { reply } = await ask(handler, provider, ENDLESS, { tokens: 9, trace: 3 });
    const before = `${rendered(ENDLESS, true)}<think>\n`;
    const text = (count: number) => `${before}${" is".repeat(count)}\n</think>\n\n`;
    expect(reply?.thoughts).toMatchObject({ tokens: 9, end: "forced", text: " is".repeat(9) });
    const points = reply?.thoughts?.trace ?? [];
    expect(points.map(({ tokens }) => tokens)).toEqual([3, 6, 9]);
    for (const { tokens, scores } of points) {
      const score = scores.get(LETTER);
      expect(score?.status === "known" ? score.logprob : Number.NaN).toBeCloseTo(behind(text(tokens)), 9);
    }
    expect(known(reply)).toBeCloseTo(behind(text(9)), 9);
  });
});

describe("a server that does not render chats", () => {
  it("is asked for no letter of one token, which would have no thoughts before it, and is refused", async () => {
    const behindDoors = thinkingSglang();
    const old: StubHandler = (request) =>
      request.path === "/tokenize" && request.body["messages"] !== undefined
        ? { status: 400, body: { message: "prompt: Field required" } }
        : behindDoors(request);
    const asked = { provider: "sglang", promptMode: "chat", connection: { force: true } } as const;
    await expect(openStub(old, { ...asked, think: { tokens: 200 } })).rejects.toThrow(
      /letter behind the thoughts that --think asks for, found no way that does:.*--allow-generated/s,
    );
    const { model } = await openStub(old, { ...asked, think: "off" });
    expect(model.check?.chosen).toBe("top_logprobs 20");
  });
});

it("thoughts have room in the context that the server tells", async () => {
  // 900 tokens of context: characters that are no words are a token each.
  const { reply } = await ask(thinkingVllm(), "vllm", `${"x".repeat(1000)}${QUESTION}`, { tokens: 50 });
  expect(reply).toMatchObject({ status: "failed", failure: "context_overflow" });
});
