import { describe, expect, it } from "vitest";
import type { NearMiss } from "../../src/distractors/near-miss/near-miss.js";
import { answerIn, checkIn, faultsIn, heldAs } from "../../src/distractors/written-faults.js";

describe("faults in a reply", () => {
  const fault = { line: 2, from: "a", to: "b" };

  it("are objects, one a line or in a list, with text around them or a fence", () => {
    expect(faultsIn('{"line": 2, "from": "a", "to": "b"}')).toEqual([fault]);
    expect(faultsIn('Here:\n```json\n[\n  {"line": 2, "from": "a", "to": "b"},\n]\n```')).toEqual([fault]);
    expect(faultsIn('[{"line": 2, "from": "a",\n "to": "b"}]')).toEqual([fault]);
  });

  it("may be numbered, have words behind them, and stand in a list over lines", () => {
    const line = JSON.stringify(fault);
    for (const reply of [
      `1. ${line}`,
      `- ${line} // one too many`,
      `Faults:\n\`\`\`json\n${JSON.stringify([fault], null, 2)}\n\`\`\`\nAs [asked].`,
    ])
      expect(faultsIn(reply)).toEqual([fault]);
  });

  it("are normalised as reviews are", () => {
    expect(faultsIn('{"line": 2, "from": "a", "to": "b\\r\\nc\\ud800"}')).toEqual([{ ...fault, to: "b\nc\ufffd" }]);
  });

  it("are taken once, and only whole", () => {
    const line = JSON.stringify(fault);
    expect(
      faultsIn(`${line}\n${line}\n{"line": "2", "from": "a", "to": "b"}\n{"line": 0, "from": "a", "to": "b"}`),
    ).toEqual([fault]);
    expect(faultsIn('I cannot. {"line": 2, "from"')).toEqual([]);
  });
});

describe("the reply to a check", () => {
  it("has a word and a likelihood behind the number of each revision, a line each", () => {
    const verdicts = checkIn("Here:\n1 fault 4\n2. beside, 1\n**3**: Right, it is\n4 fault\n5 fault 6\n6 wrong\n7");
    expect([...verdicts]).toEqual([
      [1, { isBeside: false, likelihood: 4 }],
      [2, { isBeside: true, likelihood: 1 }],
      [3, null],
    ]);
  });
});

describe("the reply to a question", () => {
  it("has a word behind the letter of each option, in any order, and one for the question", () => {
    const words = ["wrong", "made", "odd", "defensible"];
    expect(answerIn("A wrong\nB made\nC odd\nD defensible\nclear")).toEqual({ words, question: "clear" });
    const reply =
      "Here:\n- **D**: defensible, it does the same\nB. Made\nRevision C is odd\na wrong\n**Open**: no way to tell";
    expect(answerIn(reply)).toEqual({ words, question: "open" });
  });

  it("may name options and question", () => {
    const reply = "Option A: wrong\nOption B: made\nOption C: odd\nOption D: wrong\n**Question:** clear";
    expect(answerIn(reply)).toEqual({ words: ["wrong", "made", "odd", "wrong"], question: "clear" });
  });

  it("takes no time that grows with the square of what begins no line", () => {
    const reply = "\r".repeat(400_000);
    expect([answerIn(`${reply}x`), checkIn(`${reply}x`).size, answerIn(`${"\u2028".repeat(400_000)}x`)]).toEqual([
      null,
      0,
      null,
    ]);
  });

  it.each([
    ["an option has no word", "A wrong\nB made\nC odd\nclear"],
    ["an option has two", "A wrong\nB made\nC odd\nD wrong\nA made\nclear"],
    ["an option has one that was not asked for", "A wrong\nB made\nC odd\nD fine\nclear"],
    ["the question has none", "A wrong\nB made\nC odd\nD wrong"],
    ["the question has two", "A wrong\nB made\nC odd\nD wrong\nclear\nopen"],
  ])("says nothing where %s", (_, reply) => {
    expect(answerIn(reply)).toBeNull();
  });
});

describe("a near miss that was checked", () => {
  const miss: NearMiss = { kind: "written", edits: [{ start: 0, end: 1, to: "x" }], isAsked: true, cost: 0 };
  const held = (isBeside: boolean) =>
    [1, 2, 3, 4, 5].map((likelihood) => heldAs(miss, { isBeside, likelihood })?.cost ?? null);

  it("costs more the less likely it is, and most beside what the review asks for", () => {
    expect(held(false)).toEqual([null, 2, 0.8, 0.2, 0]);
    expect(held(true)).toEqual([null, 4, 2.8, 2.2, 2]);
    expect(heldAs(miss, { isBeside: true, likelihood: 5 })?.isAsked).toBe(false);
  });

  it("is none where it is right, or nothing is said of it", () => {
    expect([heldAs(miss, null), heldAs(miss, undefined)]).toEqual([null, null]);
  });
});
