import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../../../../src/base/language.js";
import {
  assembleGeneration,
  GENERATION_JOURNAL,
  type Generation,
  type GenerationOutcome,
  type GenerationPlace,
  generationStatus,
} from "../../../../src/suites/codereviewqa/answer/generation.js";
import { ANY_CHARACTER } from "../../../fixtures/any-character.js";
import { FAILED, makeGeneration, text } from "../../../fixtures/generation.js";

const anyText = fc.string({ unit: ANY_CHARACTER });
const count = fc.nat(100_000);
const outcomes: fc.Arbitrary<GenerationOutcome> = fc.oneof(
  fc.record({
    status: fc.constant("generated" as const),
    text: anyText,
    end: fc.constantFrom("stop", "length", "end_of_text"),
    tokens: fc.option(count, { nil: null }),
  }),
  fc.record({ status: fc.constant("failed" as const), failure: anyText, detail: anyText }),
);
const generations: fc.Arbitrary<Generation> = fc.record({
  generationIndex: count,
  task: anyText,
  exampleId: anyText,
  language: fc.constantFrom(...LANGUAGES),
  changeType: fc.constantFrom("add", "delete", "modify"),
  reference: anyText,
  preReview: fc.option(anyText, { nil: null }),
  outcome: outcomes,
  promptTokens: fc.option(count, { nil: null }),
  durationMs: fc.option(count, { nil: null }),
  promptSha256: anyText,
});

describe("a generation's line", () => {
  it("comes back as it was, on one line, whatever was written", () => {
    fc.assert(
      fc.property(generations, (generation) => {
        const line = GENERATION_JOURNAL.encode(generation);
        expect(line).not.toMatch(/[\n\r]/);
        expect(GENERATION_JOURNAL.decode(Buffer.from(line).toString("utf8"))).toEqual(generation);
      }),
      { seed: 1 },
    );
  });

  it("has the names of the table", () => {
    expect(JSON.parse(GENERATION_JOURNAL.encode(makeGeneration({ outcome: text("=1+1\n", "length") })))).toEqual({
      kind: "generation",
      generation_index: 0,
      task: "ACR",
      example_id: "0123456789ab",
      language: "python",
      change_type: "modify",
      status: "generated",
      generation: "=1+1\n",
      end: "length",
      completion_tokens: 7,
      prompt_tokens: 100,
      duration_ms: 12.5,
      prompt_sha256: "ab".repeat(32),
      reference: "def f():\n    return 1",
      // "    return 0" in place of the second line.
      pre_review: { from: 1, to: 2, lines: ["    return 0"] },
    });
  });

  it("may lack the pre-review code: earlier runs did not record it", () => {
    const { pre_review: _, ...fields } = JSON.parse(GENERATION_JOURNAL.encode(makeGeneration())) as Record<
      string,
      unknown
    >;
    expect(GENERATION_JOURNAL.decode(JSON.stringify(fields))).toEqual(makeGeneration({ preReview: null }));
  });

  it.each([
    ["an answer", { kind: "answer" }, "kind"],
    ["one without its text", { generation: undefined }, "generation"],
    ["one that ended in an unknown way", { end: "tired" }, "end"],
    ["a status of later versions", { status: "better" }, "status"],
    ["a negative place", { generation_index: -1 }, "generation_index"],
    ["an edit of lines the reference does not have", { pre_review: { from: 1, to: 3, lines: [] } }, "2 lines"],
  ])("is refused, naming the field: %s", (_, changes, field) => {
    const fields = JSON.parse(GENERATION_JOURNAL.encode(makeGeneration())) as object;
    expect(() => GENERATION_JOURNAL.decode(JSON.stringify({ ...fields, ...changes }))).toThrow(field);
  });
});

describe("the journal of generations", () => {
  it("has one place a question, and asks failed ones again", () => {
    expect(GENERATION_JOURNAL.placeOf(makeGeneration({ generationIndex: 4 }))).toEqual({ item: 4, place: 0 });
    expect(GENERATION_JOURNAL.isFailed(makeGeneration({ outcome: FAILED }))).toBe(true);
    expect(GENERATION_JOURNAL.isFailed(makeGeneration({ outcome: text("", "stop") }))).toBe(false);
  });
});

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

describe("generationStatus", () => {
  it.each([
    ["complete", text("x", "stop")],
    ["complete", text("x", "end_of_text")],
    ["truncated", text("x", "length")],
    ["empty", text("", "stop")],
    ["empty", text(" \n\t\n", "end_of_text")],
    // 512 line breaks are no code, though the limit ended them.
    ["empty", text("\n".repeat(512), "length")],
    ["failed", FAILED],
  ] as const)("is %s for %j", (status, outcome) => {
    expect(generationStatus(outcome)).toBe(status);
  });
});
