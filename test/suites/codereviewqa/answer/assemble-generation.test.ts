import { describe, expect, it } from "vitest";
import { assembleGeneration } from "../../../../src/suites/codereviewqa/answer/assemble-generation.js";
import type { GenerationPlace } from "../../../../src/suites/codereviewqa/answer/generation.js";

const PLACE: GenerationPlace = {
  generationIndex: 3,
  task: "ACR",
  exampleId: "abc",
  language: "go",
  changeType: "add",
  reference: "a\nb",
  preReview: "a",
};

describe("assembleGeneration", () => {
  it("records what was written, how it ended, and the tokens of prompt and text", () => {
    const reply = {
      status: "completed",
      text: "a\n",
      end: "length",
      tokens: 512,
      promptTokens: 90,
      durationMs: 3.5,
    } as const;
    expect(assembleGeneration(PLACE, reply, "hash")).toEqual({
      ...PLACE,
      outcome: { status: "generated", text: "a\n", end: "length", tokens: 512 },
      promptTokens: 90,
      durationMs: 3.5,
      promptSha256: "hash",
    });
  });

  it("records why there is nothing, without a number", () => {
    const reply = { status: "failed", failure: "context_overflow", detail: "too long" } as const;
    expect(assembleGeneration(PLACE, reply, "hash")).toEqual({
      ...PLACE,
      outcome: reply,
      promptTokens: null,
      durationMs: null,
      promptSha256: "hash",
    });
  });
});
