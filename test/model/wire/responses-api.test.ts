import { describe, expect, it } from "vitest";
import { symbolsFor } from "../../../src/base/symbol.js";
import { readSaid } from "../../../src/model/wire/chat-wire.js";
import { readLetter } from "../../../src/model/wire/letter-reply.js";
import { chatReplyOf } from "../../../src/model/wire/responses-api.js";

describe("a response that begins with commentary", () => {
  const message = (text: string, phase?: string) => ({
    type: "message",
    ...(phase !== undefined && { phase }),
    content: [{ type: "output_text", text }],
  });
  const call = { type: "function_call", call_id: "c1", name: "read_file", arguments: "{}" };
  const replyOf = (...output: object[]) => {
    const json = { id: "r", status: "completed", output };
    return chatReplyOf({ json, text: JSON.stringify(json) });
  };
  const looking = message("Let me look.", "commentary");

  it("answers by its final message alone", () => {
    const reply = replyOf(looking, message("B", "final_answer"));
    const wanted = { form: "letter", symbols: symbolsFor(4), isRoomy: true } as const;
    expect(readLetter(reply, wanted)).toMatchObject({ status: "named", symbol: "B" });
    expect(readSaid(reply).text).toBe("B");
  });

  it("says it before a call", () => {
    expect(readSaid(replyOf(looking, call))).toMatchObject({ text: "Let me look.", toolCalls: [{ id: "c1" }] });
  });

  it("says all of a model that tells no phases", () => {
    expect(readSaid(replyOf(message("One. "), message("Two."))).text).toBe("One. Two.");
  });
});
