import { describe, expect, it } from "vitest";
import type { Think } from "../../src/model/requests.js";
import { openStub } from "../fixtures/open-stub.js";
import { chatPrompt, nextTokens, symbolLogprob } from "../fixtures/stub-model.js";
import type { StubHandler } from "../fixtures/stub-server.js";
import type { Body } from "../fixtures/stub-servers/closed-doors.js";
import { fireworks, together } from "../fixtures/stub-servers/open-model-hosts.js";
import { repliesTo, requestFor } from "./contract.js";

const PROMPT = "Which?\n### Answer with the letter. Answer:\n";

/** Hybrids, which think unless they are told not to. */
const isOn = ({ reasoning }: Body) => (reasoning as { enabled?: boolean } | undefined)?.enabled !== false;
const isAsked = ({ reasoning_effort: effort }: Body) => effort !== "none";
const CASES: readonly (readonly [string, string, StubHandler, number])[] = [
  ["Together", "together", together({ thinks: isOn }), 20],
  ["Fireworks", "fireworks", fireworks({ thinks: isAsked }), 5],
];

async function open(handler: StubHandler, provider: string, think: Think) {
  const { model, servers } = await openStub(handler, {
    provider,
    promptMode: "chat",
    connection: { allowGenerated: true },
    think,
  });
  const [reply] = await repliesTo(model, [{ ...requestFor(PROMPT), think }]);
  return { model, reply, asked: servers[0]?.requests.at(-1)?.body };
}

describe.each(CASES)("a hybrid at a stub of %s", (_, provider, handler, listed) => {
  it("is told not to think, and its letters are read with their log probabilities", async () => {
    const { model, reply, asked } = await open(handler, provider, "off");
    expect(model.check?.chosen).toBe(`top_logprobs ${listed}`);
    const numbers = nextTokens(chatPrompt(PROMPT));
    const symbols = [...(reply?.status === "scored" ? reply.scores : [])];
    const known = symbols.flatMap(([symbol, score]) =>
      score.status === "known" ? [[symbol, score.logprob] as const] : [],
    );
    expect(known.length).toBeGreaterThan(0);
    // Of a letter that has several tokens, not all may be listed.
    for (const [symbol, logprob] of known) {
      expect(logprob).toBeLessThan(symbolLogprob(numbers, symbol) + 1e-9);
      expect(logprob).toBeGreaterThan(symbolLogprob(numbers, symbol) - 0.3);
    }
    expect(asked).toMatchObject(
      provider === "together" ? { reasoning: { enabled: false } } : { reasoning_effort: "none" },
    );
  });

  it.each([
    ["low", { reasoning: { enabled: true }, reasoning_effort: "low" }, { reasoning_effort: "low" }],
    // Together has no number of tokens; the limit of the reply holds it.
    [{ tokens: 2000 }, { reasoning: { enabled: true }, max_tokens: 2256 }, { reasoning_effort: 2000 }],
  ] as const)("thinks with %j, and writes its letter by a schema", async (think, inTogether, inFireworks) => {
    const { model, reply, asked } = await open(handler, provider, think);
    expect(model.check?.chosen).toBe("letter by JSON schema");
    expect(reply).toMatchObject({ status: "named", completionTokens: 155, thoughts: { end: "closed" } });
    expect(asked).toMatchObject(provider === "together" ? inTogether : inFireworks);
  });
});
