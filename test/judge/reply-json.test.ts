import { describe, expect, it } from "vitest";
import { objectInReply } from "../../src/judge/reply-json.js";

const OBJECT = { ratings: [{ status: "YES" }] };
const TEXT = JSON.stringify(OBJECT);

describe("the JSON object in a reply", () => {
  it.each([
    ["alone", TEXT],
    ["in a code block", `Here:\n\`\`\`json\n${TEXT}\n\`\`\`\nDone.`],
    ["behind words", `I think: ${TEXT}`],
    ["between words with braces", `{no} ${TEXT} {"status": "NO"}`],
    ["with blanks before its key", `So: {  "ratings": [{"status": "YES"}] }`],
  ])("is found %s", (_, reply) => {
    expect(objectInReply(reply, "ratings")).toEqual(OBJECT);
  });

  it("may have braces and raw line ends in its texts", () => {
    const reply = 'So: {"ratings": [{"why": "a } b\nc \\" {"}]} and more';
    expect(objectInReply(reply, "ratings")).toEqual({ ratings: [{ why: 'a } b c " {' }] });
  });

  it.each(["", "none", "[1]", '{"ratings": [', '{"other": 1} {"ratings": broken}'])("is none in %j", (reply) => {
    expect(objectInReply(reply, "ratings")?.["ratings"]).toBeUndefined();
  });

  it("is found before more words", () => {
    expect(objectInReply(`${TEXT} Done.`, "ratings")).toEqual(OBJECT);
  });

  it("takes the time of a reply's length, in blanks without an end and in strings without one", () => {
    expect(objectInReply(`\`\`\`json${" ".repeat(200_000)}`, "ratings")).toBeNull();
    expect(objectInReply(`{"ratings": ${'\\"'.repeat(200_000)}`, "ratings")).toBeNull();
  });
});
