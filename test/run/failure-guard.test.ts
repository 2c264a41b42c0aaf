import { describe, expect, it } from "vitest";
import { FailureGuard } from "../../src/run/failure-guard.js";
import { makeAnswer, UNAVAILABLE } from "../fixtures/answer.js";
import { makeGeneration } from "../fixtures/generation.js";

/** A failure that differs from the next in the request's hash alone. */
const refused = (request: number) =>
  makeGeneration({
    outcome: {
      status: "failed",
      failure: "unavailable",
      detail: `HTTP 500; request sha256 ${String(request).padStart(64, "0")}`,
    },
  });

describe("FailureGuard", () => {
  it("gives a model up after 20 generations in a row that failed alike", () => {
    const guard = new FailureGuard();
    for (let i = 1; i < 20; i++) expect(guard.isHopeless(refused(i))).toBe(false);
    expect(guard.isHopeless(refused(20))).toBe(true);
    expect(guard.gaveUp).toEqual({ detail: "HTTP 500", failures: 20 });
  });

  it("begins to count anew after a success, and after another failure", () => {
    for (const between of [makeGeneration(), makeAnswer(), makeAnswer({ outcome: UNAVAILABLE })]) {
      const guard = new FailureGuard();
      for (let i = 0; i < 19; i++) guard.isHopeless(refused(i));
      guard.isHopeless(between);
      for (let i = 0; i < 19; i++) expect(guard.isHopeless(refused(i))).toBe(false);
    }
  });

  it("does not give up on failures that lie in the prompts", () => {
    const guard = new FailureGuard();
    const tooLong = makeGeneration({ outcome: { status: "failed", failure: "context_overflow", detail: "too long" } });
    for (let i = 0; i < 100; i++) expect(guard.isHopeless(tooLong)).toBe(false);
  });
});
