import { describe, expect, it } from "vitest";
import { judgeAnswers, parseAnswers } from "../../../src/trial/lineup/line-up.js";

const questions = [
  { path: "a.test.js", test: "adds", number: 0, right: "0100" },
  { path: "a.test.js", test: "subtracts", number: 1, right: "10" },
];
const judge = (
  text: string,
  expected: [number, number][] = [
    [0, 2],
    [1, 1],
  ],
) => judgeAnswers(questions, parseAnswers(text), new Map(expected));

describe("judgeAnswers", () => {
  it("is content where every expectation was met as often as on the reference, or more often", () => {
    expect(judge("0 0100\n1 10\n0 0100\n")).toEqual({ asked: 2, unseen: [], turned: [] });
    expect(judge("0 0100\n0 0100\n0 0100\n1 10\n").unseen).toEqual([]);
  });

  it("names tests of which something was not seen, or not often enough", () => {
    expect(judge("")).toEqual({ asked: 2, unseen: ["a.test.js: adds", "a.test.js: subtracts"], turned: [] });
    expect(judge("0 0100\n1 10\n").unseen).toEqual(["a.test.js: adds"]);
    expect(judge("0 0000\n0 0100\n1 10\n")).toMatchObject({ unseen: ["a.test.js: adds"], turned: [] });
  });

  it("names tests of which a turned copy held, once among right answers too", () => {
    expect(judge("0 0100\n0 0100\n0 0110\n1 10\n")).toMatchObject({ turned: ["a.test.js: adds"] });
    expect(judge("0 1111\n0 1111\n1 01\n").turned).toEqual(["a.test.js: adds", "a.test.js: subtracts"]);
  });

  it("takes no copy that holds for nothing said where it was tried until it held, a turned one for tampering", () => {
    const later = [{ path: "a.test.js", test: "waits", number: 0, right: "01", isLater: true }] as const;
    const judged = (text: string) => judgeAnswers(later, parseAnswers(text), new Map([[0, 1]]));
    expect(judged("0 00\n")).toEqual({ asked: 1, unseen: [], turned: [] });
    expect(judged("0 11\n").turned).toEqual(["a.test.js: waits"]);
    expect(judged("").unseen).toEqual(["a.test.js: waits"]);
  });

  it("counts no end of a test among what was asked, and names a test whose end was not reached", () => {
    const both = [...questions, { path: "a.test.js", test: "ends", number: 2, right: "1" }];
    const all = new Map([0, 1, 2].map((number) => [number, 1]));
    expect(judgeAnswers(both, parseAnswers("0 0100\n1 10\n2 1\n"), all)).toEqual({ asked: 2, unseen: [], turned: [] });
    expect(judgeAnswers(both, parseAnswers("0 0100\n1 10\n"), all).unseen).toEqual(["a.test.js: ends"]);
  });

  it("leaves out what tells nothing on the reference, and lines that are no answers", () => {
    expect(judge("0 1111\nnonsense\n1 10\n99999999999 1\n", [[1, 1]])).toEqual({ asked: 1, unseen: [], turned: [] });
  });
});
