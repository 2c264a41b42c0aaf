import { describe, expect, it } from "vitest";
import type { ConversationRequest, Message } from "../../src/model/conversation.js";
import { overText, saidOf, textRequest } from "../../src/model/text-protocol.js";

const tools = [
  { name: "read_file", description: "Shows a file.", parameters: { properties: { path: { type: "string" } } } },
];

function request(messages: readonly Message[]): ConversationRequest {
  const how = { maxTokens: 8, temperature: 0, seed: 0, responseFormat: null } as const;
  return { messages, tools, toolChoice: "required", ...how };
}

const calls = (text: string) => saidOf({ text }, request([])).toolCalls;

describe("tools as text", () => {
  it("are described to the system, called and answered by turns", () => {
    const { messages, tools: left } = textRequest(
      request([
        { role: "system", content: "S" },
        { role: "user", content: "U" },
        { role: "assistant", content: null, toolCalls: [{ id: "1", name: "read_file", arguments: '{"path":"a"}' }] },
        { role: "tool", callId: "1", name: "read_file", content: "A" },
        { role: "user", content: "more" },
      ]),
    );
    expect(left).toEqual([]);
    expect(messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(messages[0]!.content).toMatch(
      /^S\n\nCall one tool.*- read_file \{"path":\{"type":"string"\}\}: Shows a file\.$/s,
    );
    expect(messages[2]!.content).toBe('{"tool": "read_file", "arguments": {"path":"a"}}');
    expect(messages[3]!.content).toBe("Result of read_file:\nA\n\nmore");
  });

  it.each([
    ['{"tool": "read_file", "arguments": {"path": "a"}}', '{"path":"a"}'],
    ['I will look.\n```json\n{"tool":"read_file","arguments":{"path":"}{\\""}}\n```', '{"path":"}{\\""}'],
    ['{"no": "call"} {"tool": "read_file"}', "{}"],
  ])("find the call in %s", (text, given) => {
    expect(calls(text)).toEqual([{ id: "call-0", name: "read_file", arguments: given }]);
  });

  it.each(["", "no call", '{"tool": 1}', '{"tool": "read_file", "arguments"', "[1]"])("find none in %j", (text) => {
    expect(calls(text)).toEqual([]);
  });

  it("make a model without tools one that has them", async () => {
    const converse = overText(async ({ tools: none, toolChoice }) => {
      expect([none, toolChoice]).toEqual([[], "none"]);
      const text = '{"tool": "read_file", "arguments": {}}';
      return { status: "said", text, toolCalls: [], promptTokens: 1, completionTokens: 1, end: "stop", durationMs: 1 };
    });
    const reply = await converse(request([{ role: "user", content: "U" }]), new AbortController().signal);
    expect(reply).toMatchObject({ text: null, end: "tool_calls", toolCalls: [{ name: "read_file" }] });
  });
});
