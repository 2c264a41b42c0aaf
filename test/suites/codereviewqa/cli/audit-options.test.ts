import { describe, expect, it } from "vitest";
import { FLIPS_OPTIONS, isFlips } from "../../../../src/suites/codereviewqa/cli/audit-options.js";

describe("isFlips", () => {
  it("tells the two audits apart", () => {
    expect(isFlips({ model: "tiny", task: ["CL"] })).toBe(false);
    expect(isFlips({ flips: true, model: "tiny", promptMode: "chat", force: true })).toBe(true);
    expect(isFlips({ flips: true, runs: ["a", "b"], files: [], out: "c", json: true })).toBe(true);
  });

  it.each([
    [{ flips: true, against: ["a"], starts: "even" }, "Expected no --against, --starts with --flips:"],
    [{ flips: true, runs: ["a", "b"], files: ["c"] }, "Expected no further files with --flips:"],
    [{ flips: true, noRenamed: true }, "Expected no --no-renamed with --flips:"],
    [{ flips: true, resume: "a" }, "Expected no --resume with --flips:"],
    [{ runs: ["a", "b"] }, "Expected no --runs without --flips:"],
    [
      { promptMode: "chat", allowGenerated: true, force: true },
      "Expected no --prompt-mode, --allow-generated, --force",
    ],
    [{ flips: true, runs: ["a", "b"], model: "tiny", limit: "3" }, "Expected no --model, --limit with --runs"],
  ])("refuses %j, which would have no effect", (given, message) => {
    expect(() => isFlips(given)).toThrow(message);
  });

  it("says of each of its options that it belongs to --flips", () => {
    const { flips, ...others } = FLIPS_OPTIONS;
    expect(flips.kind).toBe("switch");
    for (const { describe: text } of Object.values(others)) expect(text).toMatch(/^with --flips: /);
  });
});
