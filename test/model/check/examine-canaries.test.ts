import { describe, expect, it } from "vitest";
import { type CanaryFinding, canaryPrompts, examineCanaries } from "../../../src/model/check/canaries.js";
import type { ReportedPosition } from "../../../src/model/wire/reported-tokens.js";
import {
  canaryReplies,
  FREE_NUMBERS,
  forcedNumbers,
  type Reporter,
  soundReport,
} from "../../fixtures/canary-replies.js";
import { position, token } from "../../fixtures/reported-tokens.js";
import { A, C, D, logprob } from "../../fixtures/symbols.js";

/** Where the first question is asked again. */
const AGAIN = 4;

function judge(report: Reporter, isGuided = false): CanaryFinding {
  return examineCanaries(canaryReplies(report), { listLength: 20, isGuided });
}

function reasonOf(verdict: CanaryFinding): string {
  expect(verdict.status).toBe("refused");
  return verdict.status === "refused" ? verdict.reason : "";
}

function warningsOf(verdict: CanaryFinding): readonly string[] {
  expect(verdict.status).toBe("works");
  return verdict.status === "works" ? verdict.warnings : [];
}

/** Every number of a report moved by this many nats. */
function moved({ sampled, top }: ReportedPosition, nats: number): ReportedPosition {
  return { sampled, top: top.map(({ bytes, logprob: value }) => ({ bytes, logprob: value + nats })) };
}

describe("a sound server", () => {
  it.each([false, true])("works, without a warning (guided: %s)", (isGuided) => {
    const verdict = judge(soundReport, isGuided);
    // 0.7 + 3 * 0.05 = 0.85 in each of the four questions
    expect(verdict).toEqual({
      status: "works",
      warnings: [],
      measures: { right: 4, symbolMass: expect.closeTo(0.85, 9), repeatDifference: 0 },
    });
  });

  it("works though its whole vocabulary sums to a little over 1 (llama.cpp: 1.0000087)", () => {
    const spread = (right: typeof A | null) =>
      position(
        right === null ? { " Paris": 0.9, " the": 0.1000087 } : { ...forcedNumbers(right), "\n": 0.15 + 8.7e-6 },
      );
    expect(judge(spread).status).toBe("works");
  });

  it("works with a list as long as a large vocabulary", () => {
    const tail = Array.from({ length: 150_000 }, (_, i) => token(`t${i}`, 1e-8));
    const report = (right: typeof A | null) => {
      const { sampled, top } = soundReport(right);
      return { sampled, top: [...top, ...tail] };
    };
    expect(judge(report).status).toBe("works");
  });
});

describe("what is refused", () => {
  it("log probabilities missing from any reply, or empty", () => {
    expect(reasonOf(judge(() => null))).toContain("6 of 6 replies");
    expect(reasonOf(judge((right, i) => (i === 2 ? null : soundReport(right))))).toContain("1 of 6 replies");
    const empty = { sampled: token("A", 0.5), top: [] };
    expect(reasonOf(judge((right, i) => (i === 5 ? empty : soundReport(right))))).toContain("1 of 6 replies");
  });

  it("numbers that do not depend on the prompt", () => {
    expect(reasonOf(judge(() => position(forcedNumbers(A))))).toContain("do not depend on the prompt");
  });

  it("numbers that move with the server's batches, but not with the prompt", () => {
    const noisy = (_: unknown, i: number) => moved(position(forcedNumbers(A)), -i * 1e-6);
    expect(reasonOf(judge(noisy))).toContain("do not depend on the prompt");
  });

  it("numbers that move no more between two prompts than between two askings of one", () => {
    const cached = (_: unknown, i: number) => moved(position(forcedNumbers(A)), i === 0 ? 0 : -0.02);
    expect(reasonOf(judge(cached))).toContain("do not depend on the prompt");
  });

  it("log probabilities above 0", () => {
    const report: Reporter = (right, i) =>
      i === 1 ? { sampled: null, top: [{ bytes: Buffer.from("B"), logprob: 0.01 }] } : soundReport(right);
    expect(reasonOf(judge(report))).toContain("above 0 (0.01)");
    // rounding is not
    const rounded: Reporter = (right, i) =>
      i === 1 ? { sampled: null, top: [{ bytes: Buffer.from("B"), logprob: 0.0000005 }] } : soundReport(right);
    expect(judge(rounded).status).toBe("works");
  });

  it("probabilities that sum to more than 1.001", () => {
    const report =
      (total: number): Reporter =>
      (right, i) =>
        i === 1 ? position({ A: 0.5, B: total - 0.5 }) : soundReport(right);
    expect(reasonOf(judge(report(1.02)))).toContain("sum to 1.020");
    expect(judge(report(1.0005)).status).toBe("works");
  });

  it("scores that are no log probabilities: logits sum to far more than 1 or lie above 0", () => {
    const logits: Reporter = (right, i) => moved(soundReport(right), 5 + i);
    expect(reasonOf(judge(logits))).toContain("above 0");
  });

  it("no letter named: a template or a reasoning prefix takes the answer's place", () => {
    const report: Reporter = (_, i) => position({ "<think>": 0.99 - i / 1000, "\n": 0.005 });
    const reason = reasonOf(judge(report));
    expect(reason).toContain('named none of A, B, C, D among the first tokens (but "<think>", "\\n")');
    expect(reason).toContain("template");
  });

  it("numbers that differ when the same prompt is asked twice", () => {
    const report: Reporter = (right, i) => moved(soundReport(right), i === AGAIN ? -0.6 : 0);
    expect(reasonOf(judge(report))).toContain("differ by 0.60 nats when the same prompt is asked twice");
  });

  it("a second report of the same prompt with nothing in common with the first", () => {
    const report: Reporter = (right, i) => (i === AGAIN ? position({ x: 0.5 }) : soundReport(right));
    expect(reasonOf(judge(report))).toContain("asked twice");
  });
});

describe("a restricted answer", () => {
  it("is refused when what was answered is not a letter: the restriction is ignored", () => {
    const report: Reporter = (right) =>
      right === null ? position(FREE_NUMBERS, token(" Paris", 0.9)) : soundReport(right);
    expect(reasonOf(judge(report, true))).toContain('answered " Paris" where only A, B, C, D were allowed');
    expect(judge(report, false).status).toBe("works");
  });

  it("is refused when its numbers come from after the mask", () => {
    // Of the sentence, the letters have all the probability; the rest are sentinels, which are not reported.
    const report: Reporter = (right) =>
      right === null
        ? position({ A: 0.4, B: 0.3, C: 0.2, D: 0.0995 }, token("A", 0.4))
        : position({ A: 0.1, B: 0.1, C: 0.1, D: 0.1, [right]: 0.7 }, token(right, 0.7));
    expect(reasonOf(judge(report, true))).toContain("after the mask");
    expect(judge(report, false).status).toBe("works");
  });

  it("is not refused for letters that share all the probability where one of them is right", () => {
    const report: Reporter = (right) =>
      right === null ? soundReport(null) : position({ A: 0.0001, B: 0.0001, C: 0.0001, D: 0.0001, [right]: 0.9996 });
    expect(judge(report, true).status).toBe("works");
  });

  it("takes a letter in any spelling", () => {
    const report: Reporter = (right) =>
      right === null ? position(FREE_NUMBERS, token("\u2581A", 0.0001)) : soundReport(right);
    expect(judge(report, true).status).toBe("works");
  });
});

describe("the symbols' own tokens, asked for by id", () => {
  function judgeNamed(report: Reporter): CanaryFinding {
    const options = { listLength: Number.POSITIVE_INFINITY, isGuided: false };
    return examineCanaries(canaryReplies(report), options);
  }

  it("work where every letter is reported for every prompt", () => {
    const whole: Reporter = (right) =>
      position({ A: 0.001, B: 0.001, C: 0.001, D: 0.001, ...(right && { [right]: 0.7 }) });
    expect(judgeNamed(whole)).toMatchObject({ status: "works", measures: { right: 4 } });
  });

  it("are refused where a letter is missing: the server reports what it likes", () => {
    expect(reasonOf(judgeNamed(soundReport))).toContain("did not report the tokens it was asked for by id");
  });
});

describe("what is warned of", () => {
  it("a model that does no better than chance, though its numbers move", () => {
    const report: Reporter = (right, i) =>
      right === null ? soundReport(null) : moved(position(forcedNumbers(A)), -(i % 4) / 100);
    const verdict = judge(report);
    expect(warningsOf(verdict)).toEqual(["weak: 1 of 4 questions that give their answer away were answered rightly"]);
    expect(verdict).toMatchObject({ measures: { right: 1 } });
  });

  it("no model that gets half of the questions right", () => {
    const report: Reporter = (right) =>
      right === C || right === D
        ? position({ ...forcedNumbers(A), "\n": right === C ? 0.1 : 0.05 })
        : soundReport(right);
    expect(judge(report)).toMatchObject({ warnings: [], measures: { right: 2 } });
  });

  it("a model that hardly wants to answer with a letter", () => {
    const report: Reporter = (right) =>
      right === null
        ? soundReport(null)
        : position({ "\n": 0.9, A: 0.001, B: 0.001, C: 0.001, D: 0.001, [right]: 0.004 });
    // 0.004 + 3 * 0.001 = 0.7 %
    expect(warningsOf(judge(report))).toEqual(["wants to answer with a letter in 0.70 % only"]);
  });

  it("numbers that repeat only roughly", () => {
    const repeated = (nats: number) => judge((right, i) => moved(soundReport(right), i === AGAIN ? -nats : 0));
    expect(warningsOf(repeated(0.05))).toEqual(["the same prompt differs by up to 0.050 nats"]);
    expect(warningsOf(repeated(0.005))).toEqual([]);
  });
});

it("measures the largest difference between the two askings, over the texts that both name", () => {
  const report: Reporter = (right, i) => {
    if (i !== AGAIN) return soundReport(right);
    const top = [...position(forcedNumbers(A)).top, { bytes: Buffer.from("new"), logprob: logprob(-9) }];
    return {
      sampled: null,
      top: top.map((each) => (each.bytes.toString() === "C" ? token("C", 0.05 * Math.exp(-0.2)) : each)),
    };
  };
  expect(judge(report)).toMatchObject({ measures: { repeatDifference: expect.closeTo(0.2, 9) } });
});

describe("numbers from after sampling", () => {
  it("are refused: the chosen token alone, as certain, in every reply", () => {
    const replies = canaryPrompts().map((canary) => ({
      canary,
      position: position({ [canary.right ?? "x"]: 1 }),
    }));
    const verdict = examineCanaries(replies, { listLength: 20, isGuided: false });
    expect(verdict).toEqual({ status: "refused", reason: expect.stringContaining("after sampling") });
  });
});
