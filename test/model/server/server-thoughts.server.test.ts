import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Model } from "../../../src/model/model.js";
import { openModel } from "../../../src/model/open-model.js";
import type { SymbolReply, SymbolRequest, SymbolScore } from "../../../src/model/requests.js";
import { resolveModel } from "../../../src/model/resolved-model.js";
import { type LlamaServer, startLlamaServer } from "../../fixtures/llama-server.js";
import { OPEN_OPTIONS } from "../../fixtures/open-options.js";
import { temporaryFolder } from "../../fixtures/temporary-folder.js";
import { repliesTo, requestFor } from "../contract.js";
import { openTiny } from "../llama/open-tiny.js";

/** A template that leaves it to the model to think, unless it is told not to. */
const TEMPLATE =
  "{% for m in messages %}{{ m.content }}{% endfor %}{% if enable_thinking is defined and not enable_thinking %}<think>\n\n</think>\n\n{% endif %}";
const PROMPTS = ["def add(a, b):\n", "\nWhich line is changed?\nA. 1\nB. 2\nC. 3\n", "été 😀 <s> </s>\n"];
/** Nats, as far as the same thoughts have the same letters behind them. */
const NEAR = 1e-4;

type Scores = ReadonlyMap<string, SymbolScore>;
const numbersOf = (scores: Scores) =>
  [...scores].map(([symbol, score]) => [symbol, score.status === "known" ? score.logprob : Number.NaN] as const);
const scoresOf = (reply: SymbolReply | undefined): Scores => (reply?.status === "scored" ? reply.scores : new Map());

function expectNear(mine: Scores, theirs: Scores): void {
  expect(mine.size).toBe(4);
  for (const [symbol, logprob] of numbersOf(mine)) {
    const other = numbersOf(theirs).find(([name]) => name === symbol)?.[1] ?? Number.NaN;
    expect(Math.abs(logprob - other), symbol).toBeLessThan(NEAR);
  }
}

describe("thoughts behind llama.cpp's own server", () => {
  let server: LlamaServer;
  let served: Model;
  let inProcess: Model;
  const think = { tokens: 24 };
  const ask = (model: Model, more: Partial<SymbolRequest> = {}) =>
    repliesTo(
      model,
      PROMPTS.map((prompt, i) => ({ ...requestFor(prompt, i), think, ...more })),
    );

  beforeAll(async () => {
    const file = join(temporaryFolder(), "thinks.jinja");
    writeFileSync(file, TEMPLATE);
    server = await startLlamaServer({ args: ["-np", "1", "--jinja", "--chat-template-file", file] });
    const connection = { ...OPEN_OPTIONS.connection, baseUrls: [`${server.url}/v1`], concurrency: 1 };
    // The whole vocabulary: of the usual hundred tokens some spelling of a letter may be missing.
    const named = { ...resolveModel("openai:tiny", new Map()), settings: { topLogprobs: 4096 } };
    served = await openModel(named, { ...OPEN_OPTIONS, think, connection });
    inProcess = await openTiny({}, { chatTemplate: TEMPLATE });
  });

  afterAll(async () => {
    await Promise.all([served.close(), inProcess.close()]);
    await server.stop();
  });

  it("are the engine's in process, and so are letters and log probabilities behind them", async () => {
    expect(served.check?.chosen).toBe("/completion with grammar, after thoughts");
    const [mine, theirs] = [await ask(served), await ask(inProcess)];
    for (const [i, reply] of mine.entries()) {
      const { text, tokens, end } = theirs[i]?.thoughts ?? {};
      // Special tokens in a prompt are read by the server, as in its chats: other thoughts may follow.
      if (PROMPTS[i]?.includes("<s>")) expect(reply.thoughts?.tokens).toBeGreaterThan(0);
      else {
        expect(reply.thoughts).toEqual({ text, tokens, end });
        expect(reply.completionTokens).toBe(theirs[i]?.completionTokens);
        expect(reply.promptTokens).toBe(theirs[i]?.promptTokens);
        expectNear(scoresOf(reply), scoresOf(theirs[i]));
      }
    }
  });

  it("are followed: a point a part, the last of which is the answer", async () => {
    const [[mine], [theirs]] = [await ask(served, { trace: 3 }), await ask(inProcess, { trace: 3 })];
    const points = mine?.thoughts?.trace ?? [];
    expect(points.map(({ tokens }) => tokens)).toEqual(theirs?.thoughts?.trace?.map(({ tokens }) => tokens));
    for (const [i, { scores }] of points.entries())
      expectNear(scores, theirs?.thoughts?.trace?.[i]?.scores ?? new Map<string, SymbolScore>());
    expect(points.at(-1)?.scores).toEqual(scoresOf(mine));
  });

  it("leave no room in a prompt that fills the context", async () => {
    const [reply] = await repliesTo(served, [{ ...requestFor("a = 1\n".repeat(900)), think }]);
    expect(reply).toMatchObject({ status: "failed", failure: "context_overflow" });
  });
});
