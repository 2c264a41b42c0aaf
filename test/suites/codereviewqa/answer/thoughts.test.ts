import { describe, expect, it } from "vitest";
import type { SymbolReply, SymbolScore } from "../../../../src/model/requests.js";
import { ANSWER_JOURNAL, type AnswerPlace } from "../../../../src/suites/codereviewqa/answer/answer.js";
import { assembleAnswer } from "../../../../src/suites/codereviewqa/answer/assemble-answer.js";
import { assembleThoughts, THOUGHT_JOURNAL } from "../../../../src/suites/codereviewqa/answer/thoughts.js";
import { makeAnswer } from "../../../fixtures/answer.js";
import { A, B, C, logprob, order } from "../../../fixtures/symbols.js";

const PLACE: AnswerPlace = {
  questionIndex: 2,
  task: "CTR",
  difficulty: null,
  exampleId: "x",
  language: "go",
  changeType: "add",
  permutationIndex: 4,
  permutation: "201",
  correctSymbol: B,
  repeat: 1,
};
const SHOWN = { symbols: [A, B, C], order: order("201") };
const scores = (...nats: number[]) =>
  new Map(nats.map((nat, i) => [SHOWN.symbols[i]!, { status: "known", logprob: logprob(nat) } satisfies SymbolScore]));
const REPLY: SymbolReply = {
  status: "scored",
  scores: scores(-2, -0.5, -3),
  extraction: "full",
  promptTokens: 100,
  cachedTokens: 90,
  completionTokens: 41,
  durationMs: 5,
  thoughts: {
    text: "First A, then\nB.",
    tokens: 40,
    end: "closed",
    trace: [
      { tokens: 20, scores: scores(-0.25, -2, -3) },
      { tokens: 40, scores: scores(-1, -1, -3) },
    ],
  },
};

describe("thoughts", () => {
  it("are recorded with the option along them: under 201 A is option 2, and a tie is undecided", () => {
    const record = assembleThoughts(PLACE, SHOWN, REPLY);
    expect(record).toEqual({
      ...PLACE,
      text: "First A, then\nB.",
      tokens: 40,
      end: "closed",
      trace: [
        { tokens: 20, symbol: "A", option: 2, logprobs: { A: -0.25, B: -2, C: -3 } },
        { tokens: 40, symbol: null, option: null, logprobs: { A: -1, B: -1, C: -3 } },
      ],
    });
    expect(THOUGHT_JOURNAL.decode(THOUGHT_JOURNAL.encode(record!))).toEqual(record);
  });

  it("have the place of their answer: all six orders, then all once more", () => {
    const answer = assembleAnswer(PLACE, SHOWN, REPLY, "ab");
    // 1 × 3! + 4
    expect(ANSWER_JOURNAL.placeOf(answer)).toEqual({ item: 2, place: 10 });
    expect(THOUGHT_JOURNAL.placeOf(assembleThoughts(PLACE, SHOWN, REPLY)!)).toEqual({ item: 2, place: 10 });
  });

  it("are none where the reply has none", () => {
    const { thoughts: _, ...reply } = REPLY;
    expect(assembleThoughts(PLACE, SHOWN, reply)).toBeNull();
  });
});

describe("an answer after thoughts", () => {
  const answer = assembleAnswer(PLACE, SHOWN, REPLY, "ab");

  it("tells their tokens, their end and what was generated, and its line gives them back", () => {
    expect(answer).toMatchObject({ repeat: 1, thinkingTokens: 40, thinkingEnd: "closed", completionTokens: 41 });
    expect(ANSWER_JOURNAL.decode(ANSWER_JOURNAL.encode(answer))).toEqual(answer);
  });

  it("has a place that the beginning of its line does not tell, as it takes the repeat too", () => {
    expect(ANSWER_JOURNAL.glance?.(Buffer.from(ANSWER_JOURNAL.encode(answer)))).toBeNull();
    expect(ANSWER_JOURNAL.glance?.(Buffer.from(ANSWER_JOURNAL.encode(makeAnswer())))).not.toBeNull();
  });

  it("tells them where the thoughts were too long for an answer too: they are paid for", () => {
    const { status: _, scores: __, extraction: ___, ...spent } = REPLY;
    const failed: SymbolReply = { ...spent, status: "failed", failure: "thought_too_long", detail: "no letter" };
    expect(assembleAnswer(PLACE, SHOWN, failed, "ab")).toMatchObject({
      outcome: { status: "failed", failure: "thought_too_long" },
      thinkingTokens: 40,
      completionTokens: 41,
    });
  });
});
