import { describe, expect, it } from "vitest";
import type { ConversationRequest, Message } from "../../src/model/conversation.js";
import type { Think } from "../../src/model/requests.js";
import { openStub } from "../fixtures/open-stub.js";
import { ok, type StubHandler } from "../fixtures/stub-server.js";
import { anthropic } from "../fixtures/stub-servers/anthropic.js";
import * as stubs from "../fixtures/stub-servers/closed-doors.js";

interface Case {
  readonly stubOf: string;
  readonly handler: StubHandler;
  readonly provider: string;
  readonly think?: Think;
  /** Part of each request: thoughts as the service is asked for them, and 200 tokens of a reply beside theirs. */
  readonly sent: Readonly<Record<string, unknown>>;
  /** Parameters that the service refuses with thoughts, or that hold a call back. */
  readonly unsent?: readonly string[];
  /** Fields by which thoughts come back. */
  readonly handedBack: readonly string[];
}

// `low` has 1,024 tokens of thoughts, `high` 16,384; beside them 200 of the reply.
const CASES: readonly Case[] = [
  {
    stubOf: "OpenAI's reasoning models",
    handler: stubs.openaiThinker(),
    provider: "openai",
    think: "low",
    sent: { reasoning_effort: "low", max_completion_tokens: 1224 },
    unsent: ["temperature", "max_tokens"],
    handedBack: [],
  },
  {
    stubOf: "the Responses API alone",
    handler: stubs.responsesOnly(),
    provider: "openai",
    think: "high",
    sent: { reasoning: { effort: "high" }, max_output_tokens: 16_584, include: ["reasoning.encrypted_content"] },
    unsent: ["temperature"],
    handedBack: ["reasoning_items"],
  },
  {
    stubOf: "Anthropic, by a budget",
    handler: anthropic(),
    provider: "anthropic",
    think: { tokens: 2000 },
    sent: {
      thinking: { type: "enabled", budget_tokens: 2000 },
      max_tokens: 2200,
      tool_choice: { type: "auto", disable_parallel_tool_use: true },
    },
    unsent: ["temperature"],
    handedBack: ["thinking_blocks"],
  },
  {
    stubOf: "Anthropic, by an effort",
    handler: anthropic(),
    provider: "anthropic",
    think: "low",
    sent: { thinking: { type: "adaptive" }, output_config: { effort: "low" }, max_tokens: 1224 },
    handedBack: ["thinking_blocks"],
  },
  {
    stubOf: "DeepSeek",
    handler: stubs.deepseekSwitched(),
    provider: "deepseek",
    think: "low",
    sent: { thinking: { type: "enabled" }, reasoning_effort: "low" },
    handedBack: ["reasoning_content"],
  },
  {
    stubOf: "Gemini",
    handler: stubs.gemini(),
    provider: "google",
    think: { tokens: 500 },
    sent: { extra_body: { google: { thinking_config: { thinking_budget: 500 } } }, max_tokens: 700 },
    handedBack: ["extra_content"],
  },
  {
    stubOf: "Gemini, which thinks unasked",
    handler: stubs.gemini(),
    provider: "google",
    sent: { max_tokens: 200 },
    unsent: ["reasoning_effort", "extra_body"],
    handedBack: ["extra_content"],
  },
  {
    stubOf: "Mistral",
    handler: stubs.mistral(),
    provider: "mistral",
    think: "high",
    sent: { reasoning_effort: "high" },
    handedBack: [],
  },
  {
    stubOf: "OpenRouter",
    handler: stubs.openrouter(),
    provider: "openrouter",
    think: { tokens: 300 },
    sent: { reasoning: { max_tokens: 300 }, max_completion_tokens: 500 },
    handedBack: ["reasoning_details"],
  },
  {
    stubOf: "Together",
    handler: stubs.lmStudio(),
    provider: "together",
    think: "low",
    sent: { reasoning: { enabled: true }, reasoning_effort: "low" },
    handedBack: [],
  },
  {
    stubOf: "Fireworks",
    handler: stubs.lmStudio(),
    provider: "fireworks",
    think: { tokens: 300 },
    sent: { reasoning_effort: 300, max_tokens: 500 },
    handedBack: [],
  },
  {
    stubOf: "SGLang",
    handler: stubs.lmStudio(),
    provider: "sglang",
    think: "low",
    sent: { chat_template_kwargs: { enable_thinking: true }, max_tokens: 1224 },
    handedBack: ["reasoning_content"],
  },
];

const PICK = { name: "pick", description: "Picks.", parameters: { type: "object", properties: {} } };
const FIRST: Message = { role: "user", content: "Call the tool pick with the word orange." };
const requestOf = (...messages: readonly Message[]): ConversationRequest => ({
  messages: [FIRST, ...messages],
  tools: [PICK],
  toolChoice: "required",
  maxTokens: 200,
  temperature: 0,
  seed: 0,
  responseFormat: null,
});

const open = ({ handler, provider, think }: Pick<Case, "handler" | "provider"> & { readonly think?: Think }) =>
  openStub(handler, { provider, promptMode: "chat", needs: ["tools"], ...(think !== undefined && { think }) });
const signal = new AbortController().signal;

describe.each(CASES)("stub of $stubOf", (each) => {
  it("thinks before each message, and gets its thoughts back with its calls", async () => {
    const { model, servers } = await open(each);
    const said = await model.converse!(requestOf(), signal);
    if (said.status === "failed") throw new Error(said.detail);
    const body = servers[0]!.requests.at(-1)!.body;
    expect(body).toMatchObject(each.sent);
    for (const name of each.unsent ?? []) expect(body).not.toHaveProperty(name);
    // 150 tokens of thoughts, 5 of the call.
    expect(said).toMatchObject({ completionTokens: 155, toolCalls: [{ name: "pick" }] });
    expect(Object.keys(said.thoughts ?? {})).toEqual(each.handedBack);
    const { text, toolCalls, thoughts } = said;
    const again = await model.converse!(
      requestOf(
        { role: "assistant", content: text, toolCalls, ...(thoughts && { thoughts }) },
        { role: "tool", callId: toolCalls[0]!.id, name: "pick", content: "picked" },
      ),
      signal,
    );
    expect(again).toMatchObject({ status: "said", toolCalls: [{ name: "pick" }] });
  });

  it("goes on behind a reply that ended in its thoughts", async () => {
    const { model } = await open(each);
    const said = await model.converse!(requestOf(), signal);
    if (said.status === "failed") throw new Error(said.detail);
    const { thoughts } = said;
    const cut: Message = { role: "assistant", content: null, toolCalls: [], ...(thoughts && { thoughts }) };
    const again = await model.converse!(requestOf(cut, { role: "user", content: "Call a tool." }), signal);
    expect(again).toMatchObject({ status: "said", toolCalls: [{ name: "pick" }] });
  });
});

it("goes on behind blanks that Anthropic's models write before a call", async () => {
  const { model } = await open({ handler: anthropic(), provider: "anthropic" });
  const said = await model.converse!(requestOf(), signal);
  if (said.status === "failed") throw new Error(said.detail);
  const blank: Message = { role: "assistant", content: "\n\n", toolCalls: said.toolCalls };
  const picked: Message = { role: "tool", callId: said.toolCalls[0]!.id, name: "pick", content: "picked" };
  expect(await model.converse!(requestOf(blank, picked), signal)).toMatchObject({ status: "said" });
});

it("says nothing of thoughts where nobody asks for them", async () => {
  const { model, servers } = await open({ handler: stubs.lmStudio(), provider: "lmstudio" });
  const said = await model.converse!(requestOf(), signal);
  expect(said).not.toHaveProperty("thoughts");
  const body = servers[0]!.requests.at(-1)!.body;
  expect(Object.keys(body).sort()).toEqual(["max_tokens", "messages", "model", "temperature", "tool_choice", "tools"]);
  expect(body).toMatchObject({ max_tokens: 200 });
});

it("refuses a model that refuses to think as it is asked to, where it would have thought as it likes", async () => {
  await expect(open({ handler: stubs.xai(), provider: "xai", think: "low" })).rejects.toThrow(/reasoningEffort/);
});

it("takes thoughts in a text for none of it: the verdict in them is no verdict", async () => {
  const write = (): StubHandler => (request) => {
    const isChat = request.path.endsWith("/chat/completions");
    const message = { role: "assistant", content: '<think>\n{"verdict": "met"}\n</think>\n\n{"verdict": "not met"}' };
    const reply = { choices: [{ index: 0, message, finish_reason: "stop" }], usage: { completion_tokens: 9 } };
    return isChat ? ok(reply) : null;
  };
  const { model } = await openStub(write(), {
    provider: "ollama",
    promptMode: "chat",
    needs: ["conversations"],
    think: "low",
  });
  const { tools: _, ...rest } = requestOf();
  const said = await model.converse!({ ...rest, tools: [], toolChoice: "none" }, signal);
  expect(said).toMatchObject({ text: expect.stringMatching(/^\s*\{"verdict": "not met"\}$/) });
});
