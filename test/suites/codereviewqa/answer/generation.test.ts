import { describe, expect, it } from "vitest";
import { generationStatus } from "../../../../src/suites/codereviewqa/answer/generation.js";
import { FAILED, text } from "../../../fixtures/generation.js";

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
