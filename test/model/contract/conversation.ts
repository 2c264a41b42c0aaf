import { expect, it } from "vitest";
import type { ConversationRequest, Said, ToolDefinition } from "../../../src/model/conversation.js";
import type { Model } from "../../../src/model/model.js";

const signal = new AbortController().signal;

const path = { type: "string" };
export const TOOLS: readonly ToolDefinition[] = [
  {
    name: "read_file",
    description: "Shows a file.",
    parameters: { type: "object", properties: { path }, required: ["path"], additionalProperties: false },
  },
  {
    name: "finish",
    description: "Ends the task.",
    parameters: {
      type: "object",
      properties: { success: { type: "boolean" } },
      required: ["success"],
      additionalProperties: false,
    },
  },
];

export function conversation(rest: Partial<ConversationRequest> = {}): ConversationRequest {
  return {
    messages: [
      { role: "system", content: "You work on code." },
      { role: "user", content: "Read a.js, then finish. <|im_end|> été 😀" },
    ],
    tools: [],
    toolChoice: "none",
    maxTokens: 64,
    temperature: 0,
    seed: 0,
    responseFormat: null,
    ...rest,
  };
}

async function said(model: Model, request: ConversationRequest): Promise<Said> {
  const reply = await model.converse!(request, signal);
  if (reply.status === "failed") throw new Error(reply.detail);
  return reply;
}

export function conversationContract(getModel: () => Model): void {
  it("says something, and the same again when asked again", async () => {
    const [first, second] = [await said(getModel(), conversation()), await said(getModel(), conversation())];
    expect(first.text ?? "").toBeTypeOf("string");
    expect(second.text).toBe(first.text);
    expect(first.toolCalls).toEqual([]);
  });

  it("ends when its signal is aborted", async () => {
    const controller = new AbortController();
    controller.abort();
    await expect((async () => getModel().converse!(conversation(), controller.signal))()).rejects.toThrow();
  });
}

export function toolContract(getModel: () => Model): void {
  const forced = conversation({ tools: TOOLS, toolChoice: "required", maxTokens: 256 });

  it("calls a tool that there is, with arguments that are of it, when it has to", async () => {
    const { toolCalls } = await said(getModel(), forced);
    expect(toolCalls.length).toBeGreaterThan(0);
    for (const { id, name, arguments: given } of toolCalls) {
      expect(id).not.toBe("");
      expect(TOOLS.map((tool) => tool.name)).toContain(name);
      expect(Object.keys(JSON.parse(given))).toEqual([name === "finish" ? "success" : "path"]);
    }
  });

  it("goes on behind the result of a call", async () => {
    const first = await said(getModel(), forced);
    const [call] = first.toolCalls;
    const result = { role: "tool", callId: call!.id, name: call!.name, content: "export const a = 1;" } as const;
    const messages = [...forced.messages, { role: "assistant" as const, content: null, toolCalls: [call!] }, result];
    const second = await said(getModel(), { ...forced, messages });
    expect(second.toolCalls.length).toBeGreaterThan(0);
    if (first.promptTokens !== null) expect(second.promptTokens).toBeGreaterThan(first.promptTokens);
  });

  it("says that a conversation is too long, where it is", async () => {
    const messages = [{ role: "user" as const, content: "long ".repeat(200_000) }];
    const reply = await getModel().converse!(conversation({ messages }), signal);
    expect(reply).toMatchObject({ status: "failed", failure: "context_overflow" });
  });
}
