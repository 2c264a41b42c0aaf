import { describe, expect, it } from "vitest";
import { diffHunk } from "../../../src/dataset/hunk-diff.js";
import { matchedSolutions } from "../../../src/distractors/solution/matched-solutions.js";
import { SolutionBalance } from "../../../src/distractors/solution/solution-balance.js";
import type { SolutionResult } from "../../../src/distractors/solution/solution-task.js";
import type { Surrogate } from "../../../src/distractors/surrogate.js";
import type { SolutionView } from "../../../src/question/floors/solution-rules.js";
import { loadTemplate } from "../../../src/question/prompt.js";
import { loadSyntax } from "../../../src/syntax/load.js";

const SIGNAL = new AbortController().signal;

/** Expects every character alike; a vector of a text is its length and 1; infills are given. */
function surrogate(infills: readonly string[] = []): Surrogate {
  let asked = 0;
  return {
    scoreTokens: (text) =>
      Promise.resolve({
        status: "scored",
        tokens: null,
        ends: Array.from(text, (_, i) => i + 1),
        logprobs: Array.from(text, () => -1 as never),
        isGreedy: Array.from(text, () => false),
      }),
    infill: () => {
      const text = infills[asked++ % Math.max(1, infills.length)] ?? "";
      return Promise.resolve({ status: "completed", text, tokens: 1, promptTokens: 1, durationMs: 0, end: "stop" });
    },
    embed: (text) => Promise.resolve({ vector: [text.length, 1], pooling: "mean" }),
  };
}

const BEFORE =
  "def send(mail, queue, server, client, receiver, gateway, listener):\n    queue.push(mail)\n    return server";
const AFTER =
  "def send(mail, queue, server, client, receiver, gateway, listener):\n    queue.push(outbox)\n    return server";

interface Given {
  readonly before?: string;
  readonly after?: string;
  readonly seed?: number;
  readonly infills?: readonly string[];
  readonly cost?: (difficulty: string, view: SolutionView) => number;
}

async function build({ before = BEFORE, after = AFTER, seed = 1, infills, cost }: Given = {}): Promise<SolutionResult> {
  const preReviewLines = before.split("\n");
  const postReviewLines = after.split("\n");
  const diff = diffHunk(preReviewLines, postReviewLines);
  if (diff === null) throw new Error("no change");
  const triple = { id: "t", language: "python", review: "Not there.", preReviewLines, postReviewLines } as const;
  const template = await loadTemplate("ACR");
  const task = { triple, diff, template, seed, surrogate: surrogate(infills), signal: SIGNAL };
  return matchedSolutions(task, cost === undefined ? new SolutionBalance() : { cost });
}

function built(result: SolutionResult): Extract<SolutionResult, { status: "built" }> {
  if (result.status !== "built") throw new Error(result.reason);
  return result;
}

describe("matchedSolutions", () => {
  it("vary all options at the one place that is introduced, by names of like length", async () => {
    const { easy, hard, explanation } = built(await build());
    expect(explanation).toMatchObject({ method: "matched", introduction: "new", leaf: { text: "outbox", line: 2 } });
    expect(new Set([...easy, ...hard]).size).toBe(6);
    for (const solution of [...easy, ...hard]) {
      const name = /^2 - {5}queue\.push\(mail\)\n2 \+ {5}queue\.push\((\w+)\)$/.exec(solution)?.[1] ?? "";
      expect(Math.abs(name.length - "outbox".length)).toBeLessThanOrEqual(3);
      expect(name).not.toBe("outbox");
    }
  });

  it("stand elsewhere in the options as the right text does, one at either difficulty, or the place is passed over", async () => {
    const head = "def send(mail, queue, server, client, receiver, gateway, listener):\n";
    // `outbox` is shown twice; `queue` and `mail` are shown on the removed line, and `server` alone in the second hunk.
    const { easy, hard } = built(
      await build({ before: `${head}    queue.push(mail)`, after: `${head}    outbox.push(outbox)` }),
    );
    for (const options of [easy, hard]) {
      const added = options.map((option) => option.split("\n")[1] ?? "");
      expect(added.filter((line) => /\b(?:queue|mail)\b/.test(line))).toHaveLength(1);
    }
    const one = await build({ before: `${head}    server += 1`, after: `${head}    outbox += outbox` });
    expect(one).toMatchObject({ status: "not_built" });
  });

  it("are no further from each other than from the truth, in tokens: none is the centre", async () => {
    const { easy, hard } = built(await build());
    const words = [...easy, ...hard].map((solution) => solution.split(/\W+/));
    for (const a of words) {
      for (const b of words) if (a !== b) expect(a.filter((word, i) => word !== b[i])).toHaveLength(1);
    }
  });

  it("are less like the truth when easy than when hard, and say where they come from", async () => {
    const { explanation } = built(await build());
    const cosines = (wanted: string) =>
      explanation.distractors.filter(({ difficulty }) => difficulty === wanted).map(({ cosine }) => cosine);
    expect(Math.max(...cosines("easy"))).toBeLessThanOrEqual(Math.min(...cosines("hard")));
    expect(explanation.distractors.every(({ source }) => source === "hunk")).toBe(true);
  });

  it("parse as well as the truth, one leaf of the same kind at the place", async () => {
    const syntax = await loadSyntax("python");
    const kinds = (code: string) => syntax.parse(code).leaves.map(({ kind }) => kind);
    const { explanation } = built(await build({ infills: ["return", "a.b", "12", "(", "basket"] }));
    for (const { replacement } of explanation.distractors) {
      expect(kinds(AFTER.replace("outbox", replacement))).toEqual(kinds(AFTER));
    }
  });

  it("take of all sets the one that leaves the ranks most even", async () => {
    // The pool has shorter names (mail, push, send) and longer ones (receiver, listener, gateway) than the truth's: one
    // balance counts those that are not longer against a set, the other those that are not shorter.
    const wantsLonger = (_: string, { solutions: [truth = "", ...others] }: SolutionView) =>
      others.filter((other) => other.length <= truth.length).length;
    const wantsShorter = (_: string, { solutions: [truth = "", ...others] }: SolutionView) =>
      others.filter((other) => other.length >= truth.length).length;
    const counts = async (cost: Given["cost"]) => {
      const { easy, hard } = built(await build({ ...(cost !== undefined && { cost }) }));
      const truth = "2 -     queue.push(mail)\n2 +     queue.push(outbox)";
      return [...easy, ...hard].filter((solution) => solution.length > truth.length).length;
    };
    expect(await counts(wantsLonger)).toBeGreaterThan(await counts(wantsShorter));
  });

  it("are the same by the same seed", async () => {
    expect(await build()).toEqual(await build());
  });

  it("come from the surrogate where hunk and review have too few, and are refused when they are not alike", async () => {
    const given = { before: "a = size", after: "a = room" };
    const names = ["hall", "loft", "yard", "shed", "barn", "dock", "an_endless_name"];
    const { explanation } = built(await build({ ...given, infills: names }));
    const sources = new Set(explanation.distractors.map(({ source }) => source));
    expect(sources).toContain("surrogate");
    expect(explanation.distractors.map(({ replacement }) => replacement)).not.toContain("an_endless_name");
    expect(await build(given)).toEqual({
      status: "not_built",
      reason: "fewer than 6 candidates of the same kind and like length",
    });
  });

  it("are not built where nothing that was introduced could be replaced", async () => {
    const result = await build({ before: "if ready:\n    go()", after: "if ready:\n    go()\n    pass" });
    expect(result).toEqual({ status: "not_built", reason: "nothing introduced that could be replaced" });
  });

  it("take a word of a comment for a place", async () => {
    const before = `# Sends the letter and reports\n${BEFORE}`;
    const after = `# Sends the parcel and reports\n${BEFORE}`;
    const { explanation } = built(await build({ before, after, infills: ["wagon", "trucks", "sender", "postage"] }));
    expect(explanation.leaf).toMatchObject({ text: "parcel", kind: "word of comment", line: 1 });
  });
});
