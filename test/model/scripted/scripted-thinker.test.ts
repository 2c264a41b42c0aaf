import { describe, expect, it } from "vitest";
import { pointsOf, type SymbolReply, type SymbolRequest } from "../../../src/model/requests.js";
import { scriptedThinker } from "../../../src/model/scripted/scripted-model.js";
import { A, B, C, D } from "../../fixtures/symbols.js";

const REQUEST: SymbolRequest = {
  prompt: "Which of them?!",
  symbols: [A, B, C, D],
  key: { task: "CL", difficulty: "easy", exampleId: "x", permutationIndex: 5, permutation: "0321", correctSymbol: A },
};
const answer = (name: string, request: SymbolRequest) => scriptedThinker(name, 0)!.answer(request);
const saidBy = (reply: SymbolReply) =>
  reply.status === "scored"
    ? [...reply.scores].find(([, score]) => score.status === "known" && score.logprob > -1)?.[0]
    : undefined;

describe("scripted:thinker", () => {
  it("believes the right option of so many questions, and of the others one wrong one under every order", () => {
    const shares = Array.from({ length: 400 }, (_, i) => {
      const key = { ...REQUEST.key, exampleId: `x${i}` };
      const reply = saidBy(answer("thinker?right=0.7", { ...REQUEST, key }));
      const turned = { ...key, permutation: "3210", correctSymbol: D };
      const other = saidBy(answer("thinker?right=0.7", { ...REQUEST, key: turned }));
      // 0321 has option 0 at A, 3210 at D; option 2 at C and B; 1 at D and C; 3 at B and A.
      expect(
        [
          [A, D],
          [C, B],
          [D, C],
          [B, A],
        ].map(String),
      ).toContain(String([reply, other]));
      return Number(reply === A);
    });
    // Binomial, n 400, p .7: standard deviation .023.
    expect(Math.abs(shares.reduce((sum, each) => sum + each, 0) / 400 - 0.7)).toBeLessThan(0.08);
  });

  it("thinks as long as it is asked to, and is cut off at the budget", () => {
    expect(answer("thinker", REQUEST).thoughts).toBeUndefined();
    expect(answer("thinker", { ...REQUEST, think: "off" }).thoughts).toBeUndefined();
    const { thoughts, completionTokens, promptTokens } = answer("thinker", { ...REQUEST, think: "low" });
    expect(thoughts).toMatchObject({ end: "closed" });
    // 15 bytes, four a token
    expect([completionTokens, promptTokens]).toEqual([(thoughts?.tokens ?? 0) + 1, 4]);
    expect(answer("thinker", { ...REQUEST, think: { tokens: 1 } }).thoughts).toMatchObject({
      tokens: 1,
      end: "forced",
    });
  });

  it("is settled after the part of its thoughts that it is told, and not before", () => {
    const think = { ...REQUEST, think: "low", trace: 10 } as const;
    const traces = Array.from({ length: 60 }, (_, i) => {
      const reply = answer("thinker?settles=0.5", { ...think, key: { ...REQUEST.key, exampleId: `x${i}` } });
      const { tokens: all, trace = [] } = reply.thoughts ?? { tokens: 0 };
      const said = trace.map(({ tokens, scores }) => ({
        tokens,
        said: saidBy({ ...reply, status: "scored", scores, extraction: "scripted" }),
      }));
      for (const point of said.filter(({ tokens }) => tokens >= (all ?? 0) / 2)) expect(point.said).toBe(saidBy(reply));
      return said.filter(({ tokens }) => tokens < (all ?? 0) / 2).some((point) => point.said !== saidBy(reply));
    });
    expect(traces.filter(Boolean).length).toBeGreaterThan(40);
  });

  it("refuses an effect that it has not, or that is no share", () => {
    expect(() => scriptedThinker("thinker?luck=1", 0)).toThrow(/right, order, chance, place, settles from 0 to 1/);
    expect(() => scriptedThinker("thinker?order=2", 0)).toThrow(/from 0 to 1/);
    expect(scriptedThinker("oracle", 0)).toBeNull();
  });
});

describe("points of a trace", () => {
  it("end parts of equal size, the last behind all; fewer where there are fewer tokens", () => {
    expect(pointsOf(10, 4)).toEqual([3, 5, 8, 10]);
    expect(pointsOf(2, 4)).toEqual([1, 2]);
  });
});
