import { describe, expect, it } from "vitest";
import { readSaid } from "../../../src/model/wire/chat-wire.js";

describe("readSaid", () => {
  const reply = (content: string, apart: object = {}) => {
    const json = { choices: [{ message: { content, ...apart }, finish_reason: "stop" }] };
    return { json, text: JSON.stringify(json) };
  };

  it("takes a long message, and none that is longer than any: what is written down must be read again", () => {
    expect(readSaid(reply("x".repeat(900_000))).text).toHaveLength(900_000);
    const tooLong = reply("x".repeat(1_000_000));
    expect(() => readSaid(tooLong)).toThrow(`a message in ${tooLong.text.length} characters, more than 1000000`);
  });

  it("keeps a mark of the text's own where the thoughts came apart", () => {
    const content = "The parser drops </think> and what follows.";
    for (const apart of [{ reasoning_content: "It is a bug." }, { reasoning: "It is a bug." }]) {
      expect(readSaid(reply(content, apart), { thinks: true }).text).toBe(content);
    }
    expect(readSaid(reply("Perhaps.</think>Fix it."), { thinks: true }).text).toBe("Fix it.");
  });

  // As Gemini tells it, with a message and without.
  it.each([{}, { message: { role: "assistant" } }])("is a refusal where a filter ended it: %j", (message) => {
    const json = { choices: [{ finish_reason: "content_filter: PROHIBITED_CONTENT", ...message }] };
    const refused = {
      failure: "refused",
      trouble: "permanent",
      message: expect.stringContaining("PROHIBITED_CONTENT"),
    };
    expect(() => readSaid({ json, text: "{}" })).toThrow(expect.objectContaining(refused));
  });

  it("is no message where there is none, nor a filter", () => {
    const json = { choices: [{ finish_reason: "stop" }] };
    expect(() => readSaid({ json, text: "{}" })).toThrow(
      expect.objectContaining({ failure: "bad_response", trouble: "fault" }),
    );
  });
});
