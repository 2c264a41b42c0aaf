import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../../../../src/base/language.js";
import type { Generation, GenerationOutcome } from "../../../../src/suites/codereviewqa/answer/generation.js";
import {
  decodeGeneration,
  encodeGeneration,
  GENERATION_JOURNAL,
} from "../../../../src/suites/codereviewqa/answer/generation-record.js";
import { FAILED, makeGeneration, text } from "../../../fixtures/generation.js";

const anyText = fc.string({ unit: "binary" });
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
        const line = encodeGeneration(generation);
        expect(line).not.toMatch(/[\n\r]/);
        expect(decodeGeneration(Buffer.from(line).toString("utf8"))).toEqual(generation);
      }),
      { seed: 1 },
    );
  });

  it("has the names of the table", () => {
    expect(JSON.parse(encodeGeneration(makeGeneration({ outcome: text("=1+1\n", "length") })))).toEqual({
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
    const { pre_review: _, ...fields } = JSON.parse(encodeGeneration(makeGeneration())) as Record<string, unknown>;
    expect(decodeGeneration(JSON.stringify(fields))).toEqual(makeGeneration({ preReview: null }));
  });

  it.each([
    ["an answer", { kind: "answer" }, "kind"],
    ["one without its text", { generation: undefined }, "generation"],
    ["one that ended in an unknown way", { end: "tired" }, "end"],
    ["a status of later versions", { status: "better" }, "status"],
    ["a negative place", { generation_index: -1 }, "generation_index"],
    ["an edit of lines the reference does not have", { pre_review: { from: 1, to: 3, lines: [] } }, "2 lines"],
  ])("is refused, naming the field: %s", (_, changes, field) => {
    const fields = JSON.parse(encodeGeneration(makeGeneration())) as object;
    expect(() => decodeGeneration(JSON.stringify({ ...fields, ...changes }))).toThrow(field);
  });
});

describe("the journal of generations", () => {
  it("has one place a question, and asks failed ones again", () => {
    expect(GENERATION_JOURNAL.placeOf(makeGeneration({ generationIndex: 4 }))).toEqual({ item: 4, place: 0 });
    expect(GENERATION_JOURNAL.isFailed(makeGeneration({ outcome: FAILED }))).toBe(true);
    expect(GENERATION_JOURNAL.isFailed(makeGeneration({ outcome: text("", "stop") }))).toBe(false);
  });
});
