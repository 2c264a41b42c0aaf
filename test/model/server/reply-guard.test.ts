import { describe, expect, it } from "vitest";
import { RequestError } from "../../../src/model/http/request-error.js";
import { ReplyGuard } from "../../../src/model/server/server-channel.js";

function reply(json: object): { json: object; text: string } {
  return { json, text: JSON.stringify(json) };
}

describe("ReplyGuard", () => {
  it("refuses the same reply a second time, as a fault worth another try", () => {
    const guard = new ReplyGuard();
    const first = reply({ id: "chatcmpl-1", choices: [] });
    guard.check(first, "a");
    expect(() => guard.check(first, "b")).toThrow(RequestError);
    expect(() => guard.check(first, "b")).toThrow(
      expect.objectContaining({
        trouble: "fault",
        failure: "bad_response",
        message: expect.stringContaining("second time"),
      }),
    );
  });

  it("takes replies with other ids, though they say the same", () => {
    const guard = new ReplyGuard();
    guard.check(reply({ id: "chatcmpl-1", text: "A" }), "a");
    expect(() => guard.check(reply({ id: "chatcmpl-2", text: "A" }), "a")).not.toThrow();
  });

  it.each([{}, { id: "" }, { id: "0" }, { id: 12_345_678 }])(
    "takes equal replies that nothing tells apart: %o",
    (json) => {
      const guard = new ReplyGuard();
      guard.check(reply(json), "a");
      expect(() => guard.check(reply(json), "a")).not.toThrow();
    },
  );

  it("refuses a reply to another prompt, where the server shows the prompt", () => {
    const guard = new ReplyGuard();
    expect(() => guard.check(reply({ prompt: "<s>Question 2. Answer:" }), "Question 1. Answer:")).toThrow(
      "another prompt",
    );
    expect(() => guard.check(reply({ prompt: "<s>Question 1. Answer:" }), "Question 1. Answer:")).not.toThrow();
  });

  it("takes a prompt whose white space the tokenizer folds", () => {
    expect(() => new ReplyGuard().check(reply({ prompt: "<s> a b\n" }), "\n\ta  b\n")).not.toThrow();
  });

  it("remembers the last 256 replies", () => {
    const guard = new ReplyGuard();
    const replies = Array.from({ length: 257 }, (_, i) => reply({ id: `chatcmpl-${i}` }));
    for (const each of replies) guard.check(each, "a");
    // the first of 257 is forgotten; taking it again makes the second forgotten too
    expect(() => guard.check(replies[0]!, "a")).not.toThrow();
    expect(() => guard.check(replies[2]!, "a")).toThrow("second time");
  });
});
