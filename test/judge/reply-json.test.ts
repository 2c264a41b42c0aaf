import { describe, expect, it } from "vitest";
import { objectInReply, objectsInReply } from "../../src/judge/reply-json.js";

const OBJECT = { ratings: [{ status: "YES" }] };
const TEXT = JSON.stringify(OBJECT);

describe("the JSON object in a reply", () => {
  it.each([
    ["alone", TEXT],
    ["in a code block", `Here:\n\`\`\`json\n${TEXT}\n\`\`\`\nDone.`],
    ["in a code block of another name", `Here:\n\`\`\`JSON\n${TEXT}\n\`\`\``],
    ["in a code block without a name, behind one of code", `\`\`\`js\n{"a": f()}\n\`\`\`\n\`\`\`\n${TEXT}\n\`\`\``],
    ["behind a string and brackets that nobody closed", `5" wide, if (x) { say("no ${TEXT}`],
    ["behind an object without an end", `{"status ${TEXT}`],
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

  it("is one of all that stand in no other, whichever key comes first", () => {
    const own = { summary: "x", inner: { ratings: 0 }, ratings: 2 };
    expect(objectsInReply(`It says {"ratings": 1}, I say ${JSON.stringify(own)}; {"status": 3}`, "ratings")).toEqual([
      { ratings: 1 },
      own,
    ]);
  });

  it.each(["", "So: "])("is none behind %j that has the key twice", (words) => {
    expect(objectInReply(`${words}{"ratings": 1, "why": {"ratings": 0}, "ratings": 2}`, "ratings")).toBeNull();
    expect(objectInReply(`${words}{"ratings": 1, "why": {"ratings": "ratings"}}`, "ratings")).not.toBeNull();
  });

  it.each([
    ["its json block", 'It ends with\n```\n{"ratings":[1]}\n```\nwhich proves nothing.\n```json\n{"ratings":[2]}\n```'],
    ["what begins with the key", '```\n{"score":1,"ratings":[1]}\n``` is theirs; mine: {"ratings":[2]}'],
    ["what begins with it within another", 'So: {"evaluation": {"ratings":[2]}}'],
    [
      "what begins with it behind a stray quotation mark",
      'The code has {"a: 1} here.\n{"ratings":[2],"why":"the } of x"}',
    ],
  ])("is, of several, %s", (_, reply) => {
    expect(objectInReply(reply, "ratings")).toMatchObject({ ratings: [2] });
  });

  it("takes the time of a reply's length, in blanks without an end and in strings without one", () => {
    expect(objectInReply(`\`\`\`json${" ".repeat(200_000)}`, "ratings")).toBeNull();
    expect(objectInReply(`{"ratings": ${'\\"'.repeat(200_000)}`, "ratings")).toBeNull();
    expect(objectInReply(`${'{"a" '.repeat(200_000)}`, "ratings")).toBeNull();
    expect(objectInReply(`${'{"a": 1} '.repeat(100_000)}`, "ratings")).toBeNull();
  });
});
