import { describe, expect, it } from "vitest";
import type { ConversationRequest } from "../../../src/model/conversation.js";
import { isTalk, scriptedTalk } from "../../../src/model/scripted/scripted-model.js";

function request(...said: string[]): ConversationRequest {
  const messages = said.map((content) => ({ role: "user", content }) as const);
  const rest = { tools: [], toolChoice: "none", maxTokens: 10, temperature: 0, seed: 0, responseFormat: null } as const;
  return { messages, ...rest };
}

const TALK = '{"when": ["a", "b"], "says": "both"}\n\n{"when": ["a"], "says": "one"}\n';
const { signal } = new AbortController();

describe("a scripted conversation", () => {
  it("says the first line all of whose texts stand in what was said", async () => {
    const talk = scriptedTalk(TALK, "talk.jsonl");
    expect(await talk(request("a", "and b"), signal)).toMatchObject({ status: "said", text: "both", toolCalls: [] });
    expect(await talk(request("a"), signal)).toMatchObject({ text: "one" });
    expect(await talk(request("c"), signal)).toMatchObject({ status: "failed", failure: "refused" });
  });

  it("is told from a file of answers by its first line, and refused where a line is something else", () => {
    expect(isTalk(TALK)).toBe(true);
    expect(isTalk('{"task": "CL"}')).toBe(false);
    expect(isTalk("no JSON")).toBe(false);
    expect(() => scriptedTalk('{"says": "a"}\n{"say": "b"}', "talk.jsonl")).toThrow(/talk\.jsonl:2: expected/);
  });
});
