import { describe, expect, it } from "vitest";
import { symbolsFor } from "../../src/base/symbol.js";
import type { Model } from "../../src/model/model.js";
import type { Capability, SymbolReply, SymbolRequest } from "../../src/model/requests.js";
import { completionContract } from "./contract/completion.js";
import { conversationContract, toolContract } from "./contract/conversation.js";
import { embeddingContract } from "./contract/embedding.js";
import { infillContract } from "./contract/infill.js";
import { tokenScoreContract } from "./contract/token-scores.js";

/** A request for A–D after a prompt; its place in a run is made up. */
export function requestFor(prompt: string, permutationIndex = 0): SymbolRequest {
  const symbols = symbolsFor(4);
  const [correctSymbol = symbols[0]!] = symbols;
  const key = { task: "CL", difficulty: "easy", exampleId: "x", permutationIndex, permutation: "0123", correctSymbol };
  return { prompt, symbols, key };
}

/** All replies to a group, in the order of its requests. */
export async function repliesTo(model: Model, group: readonly SymbolRequest[]): Promise<SymbolReply[]> {
  const replies: SymbolReply[] = [];
  for await (const { index, reply } of model.scoreSymbols!(group, new AbortController().signal)) {
    expect(replies[index]).toBeUndefined();
    replies[index] = reply;
  }
  return replies;
}

const CONTRACTS: Readonly<Record<Capability, readonly [title: string, contract: (getModel: () => Model) => void]>> = {
  symbols: ["scoring symbols", symbolContract],
  token_scores: ["scoring the tokens of a text", tokenScoreContract],
  completions: ["continuing a prompt", completionContract],
  infill: ["filling a gap", infillContract],
  embeddings: ["embedding a text", embeddingContract],
  conversations: ["taking part in a conversation", conversationContract],
  tools: ["calling tools", toolContract],
};

/** What every provider's models do that can do these things, whatever they talk to. */
export function modelContract(getModel: () => Model, capabilities: readonly Capability[] = ["symbols"]): void {
  it("describes itself in values that JSON keeps", () => {
    const { identity } = getModel();
    expect(JSON.parse(JSON.stringify(identity))).toEqual(identity);
    expect(identity["provider"]).toBeTypeOf("string");
  });

  for (const capability of capabilities) {
    const [title, contract] = CONTRACTS[capability];
    describe(title, () => contract(getModel));
  }
}

function symbolContract(getModel: () => Model): void {
  const prompts = [
    "\n### Question\nA. one\nB. two\nAnswer:\n",
    "\n### Question\nA. two\nB. one\nAnswer:\n",
    "été 😀 \ud800?\n",
  ];
  const group = prompts.map((prompt, i) => requestFor(prompt, i));

  it("answers every request of a group once", async () => {
    expect(await repliesTo(getModel(), group)).toHaveLength(group.length);
  });

  it("says the same again when asked again", async () => {
    const strip = ({ cachedTokens: _c, durationMs: _d, ...rest }: SymbolReply) => rest;
    const first = (await repliesTo(getModel(), group)).map(strip);
    const second = (await repliesTo(getModel(), group)).map(strip);
    expect(second).toEqual(first);
  });

  it("gives log probabilities that are at most 0 and together at most 1, or names a symbol", async () => {
    for (const reply of await repliesTo(getModel(), group)) {
      if (reply.status === "named") expect(symbolsFor(4)).toContain(reply.symbol);
      if (reply.status !== "scored") continue;
      const logprobs = [...reply.scores.values()].flatMap((score) => (score.status === "known" ? [score.logprob] : []));
      expect(Math.max(...logprobs)).toBeLessThanOrEqual(0);
      expect(logprobs.reduce((mass, logprob) => mass + Math.exp(logprob), 0)).toBeLessThanOrEqual(1 + 1e-6);
    }
  });

  it("ends when its signal is aborted", async () => {
    const controller = new AbortController();
    controller.abort();
    const ask = async () => {
      for await (const _ of getModel().scoreSymbols!(group, controller.signal));
    };
    await expect(ask()).rejects.toThrow();
  });

  it("measures tokens and time, or leaves them absent", async () => {
    for (const { promptTokens, cachedTokens, durationMs } of await repliesTo(getModel(), group)) {
      expect(durationMs).toBeGreaterThanOrEqual(0);
      if (promptTokens !== null) expect(promptTokens).toBeGreaterThan(0);
      if (cachedTokens !== null) expect(cachedTokens).toBeLessThan(promptTokens ?? 0);
    }
  });
}
