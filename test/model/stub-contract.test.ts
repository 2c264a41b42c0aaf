import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Model, PromptMode } from "../../src/model/model.js";
import { openModel } from "../../src/model/open-model.js";
import type { Capability, SymbolReply } from "../../src/model/requests.js";
import { resolveModel } from "../../src/model/resolved-model.js";
import { OPEN_OPTIONS } from "../fixtures/open-options.js";
import { chatPrompt, nextTokens, type StubToken, symbolLogprob } from "../fixtures/stub-model.js";
import { type StubHandler, type StubServer, startStub } from "../fixtures/stub-server.js";
import { oldVllm } from "../fixtures/stub-servers/old-vllm.js";
import { fireworks, together } from "../fixtures/stub-servers/open-model-hosts.js";
import { openai } from "../fixtures/stub-servers/openai.js";
import { tgi } from "../fixtures/stub-servers/tgi.js";
import { vllm } from "../fixtures/stub-servers/vllm.js";
import { modelContract, repliesTo, requestFor } from "./contract.js";

interface Case {
  readonly stubOf: string;
  readonly handler: StubHandler;
  readonly provider: string;
  readonly promptMode: PromptMode;
  readonly extraction: string;
  readonly way: string;
  /** What else than scoring symbols it can do. */
  readonly more: readonly Capability[];
  /** Top tokens that the server lists; `null`: every letter is asked for by name. */
  readonly listed: number | null;
}

const completion = { provider: "openai", promptMode: "completion" } as const;
const chat = { provider: "openai", promptMode: "chat" } as const;
const top = "top_logprobs";
const VLLM_MORE = ["token_scores", "completions", "embeddings"] as const;
const OPENAI_MORE = ["completions", "infill", "embeddings"] as const;
const HOST_MORE = ["completions", "embeddings"] as const;
const TGI_MORE = ["token_scores", "completions"] as const;

const CASES: readonly Case[] = [
  {
    stubOf: "OpenAI chat",
    handler: openai(),
    ...chat,
    extraction: top,
    way: "top_logprobs 20",
    more: OPENAI_MORE,
    listed: 20,
  },
  {
    stubOf: "OpenAI completions",
    handler: openai(),
    ...completion,
    extraction: top,
    way: "logprobs 5",
    more: OPENAI_MORE,
    listed: 5,
  },
  {
    stubOf: "vLLM with logprob_token_ids",
    handler: vllm({ hasTokenIds: true }),
    ...completion,
    extraction: "full",
    way: "logprob_token_ids",
    more: VLLM_MORE,
    listed: null,
  },
  {
    stubOf: "vLLM chat with logprob_token_ids",
    handler: vllm({ hasTokenIds: true }),
    ...chat,
    extraction: "full",
    way: "logprob_token_ids",
    more: VLLM_MORE,
    listed: null,
  },
  {
    stubOf: "vLLM whose decoder drops spaces",
    handler: vllm({ hasTokenIds: true, dropsSpaces: true }),
    ...completion,
    extraction: "full",
    way: "logprob_token_ids",
    more: VLLM_MORE,
    listed: null,
  },
  {
    stubOf: "vLLM with structured_outputs",
    handler: vllm(),
    ...completion,
    extraction: "guided",
    way: "structured_outputs",
    more: VLLM_MORE,
    listed: 20,
  },
  {
    stubOf: "vLLM chat with structured_outputs",
    handler: vllm(),
    ...chat,
    extraction: "guided",
    way: "structured_outputs",
    more: VLLM_MORE,
    listed: 20,
  },
  {
    stubOf: "old vLLM with guided_choice",
    handler: oldVllm("raw"),
    ...completion,
    extraction: "guided",
    way: "guided_choice",
    more: VLLM_MORE,
    listed: 20,
  },
  {
    stubOf: "Together's chats",
    handler: together(),
    provider: "together",
    promptMode: "chat",
    extraction: top,
    way: "top_logprobs 20",
    more: HOST_MORE,
    listed: 20,
  },
  {
    stubOf: "Together's completions",
    handler: together(),
    provider: "together",
    promptMode: "completion",
    extraction: top,
    way: "logprobs 20",
    more: [...HOST_MORE, "token_scores"],
    listed: 20,
  },
  {
    stubOf: "Fireworks' chats",
    handler: fireworks(),
    provider: "fireworks",
    promptMode: "chat",
    extraction: top,
    way: "top_logprobs 5",
    more: HOST_MORE,
    listed: 5,
  },
  {
    stubOf: "Fireworks' completions",
    handler: fireworks(),
    provider: "fireworks",
    promptMode: "completion",
    extraction: top,
    way: "logprobs 5",
    more: [...HOST_MORE, "token_scores"],
    listed: 5,
  },
  {
    stubOf: "TGI /generate",
    handler: tgi(),
    provider: "huggingface",
    promptMode: "completion",
    extraction: top,
    way: "TGI /generate, top_n_tokens 5",
    more: TGI_MORE,
    listed: 5,
  },
  {
    stubOf: "TGI chat",
    handler: tgi(),
    provider: "huggingface",
    promptMode: "chat",
    extraction: top,
    way: "chat completion, top_logprobs 5",
    more: TGI_MORE,
    listed: 5,
  },
];

const PROMPTS = Array.from({ length: 40 }, (_, i) =>
  i % 4 === 3 ? `A sentence, number ${i}, about the city of` : `Question ${i}?\n### Answer with the letter. Answer:\n`,
);
const SYMBOLS = ["A", "B", "C", "D"];

function open(
  { provider, promptMode }: Pick<Case, "provider" | "promptMode">,
  url: string,
  needs: readonly Capability[] = ["symbols"],
): Promise<Model> {
  const connection = { ...OPEN_OPTIONS.connection, baseUrls: [`${url}/v1`] };
  return openModel(resolveModel(`${provider}:stub`, new Map()), { ...OPEN_OPTIONS, promptMode, connection, needs });
}

describe.each(CASES)("stub of $stubOf", ({ handler, extraction, way, more, listed, ...how }) => {
  const needs = ["symbols", ...more] as const;

  let server: StubServer;
  let model: Model;

  beforeAll(async () => {
    server = await startStub(handler);
    model = await open(how, server.url, needs);
  });

  afterAll(async () => {
    await model.close();
    await server.stop();
  });

  modelContract(() => model, needs);

  it("is asked in the best way it offers", () => {
    expect(model.check?.chosen).toBe(way);
    expect(model.check?.forced).toBe(false);
  });

  it("gives the model's own log probabilities, and bounds for what it does not list", async () => {
    const replies = await repliesTo(
      model,
      PROMPTS.map((prompt, i) => requestFor(prompt, i)),
    );
    let known = 0;
    for (const [i, reply] of replies.entries()) {
      const numbers = nextTokens(how.promptMode === "chat" ? chatPrompt(PROMPTS[i]!) : PROMPTS[i]!);
      known += expectTruth(reply, { numbers, listed, extraction });
    }
    // Of 160 symbols: all where they are asked for by name, some in every way.
    if (listed === null) expect(known).toBe(160);
    else expect(known).toBeGreaterThan(40);
  });
});

interface Truth {
  readonly numbers: readonly StubToken[];
  readonly listed: number | null;
  readonly extraction: string;
}

/** Compares a reply to the distribution behind it; returns how many symbols were known. */
function expectTruth(reply: SymbolReply, { numbers, listed, extraction }: Truth): number {
  if (reply.status !== "scored") throw new Error(`expected scores, found ${JSON.stringify(reply)}`);
  expect(reply.extraction).toBe(extraction);
  let known = 0;
  for (const [symbol, score] of reply.scores) {
    // The sampled letter of a restricted answer is listed whatever its rank.
    const isListed = (token: StubToken, rank: number) =>
      listed === null || rank < listed || (extraction === "guided" && token === bestBare(numbers));
    const seen = numbers.filter(isListed).filter(({ text }) => text.trim() === symbol);
    if (score.status === "known") {
      known++;
      expect(Math.abs(score.logprob - symbolLogprob(seen, symbol))).toBeLessThan(1e-9);
    } else {
      expect(seen).toEqual([]);
      expect(score.upperBound).toBeGreaterThanOrEqual(symbolLogprob(numbers, symbol));
    }
  }
  return known;
}

/** What a restriction to A, B, C, D samples. */
function bestBare(numbers: readonly StubToken[]): StubToken | undefined {
  return numbers.find(({ text }) => SYMBOLS.includes(text));
}

describe("stub of vLLM that ignores logprob_token_ids", () => {
  it("is not taken for one that reports the letters by name", async () => {
    const server = await startStub(vllm({ hasTokenIds: false }));
    const model = await open(completion, server.url);
    try {
      expect(model.check?.ways[0]).toMatchObject({ way: "logprob_token_ids", status: "refused" });
      expect(model.check?.ways[0]?.notes.join()).toMatch(/did not report the tokens it was asked for by id/);
    } finally {
      await model.close();
      await server.stop();
    }
  });
});
