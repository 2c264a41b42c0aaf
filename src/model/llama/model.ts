import type { Llama, LlamaContext, LlamaContextSequence, LlamaModel, Token } from "node-llama-cpp";
import { messageOf } from "../../domain/errors.js";
import { type ChoiceSymbol, type Logprob, MAX_OPTIONS, symbolsFor } from "../../domain/symbol.js";
import type { IndexedReply, Model, ModelIdentity, SymbolReply, SymbolRequest, SymbolScore } from "../model.js";
import { scoreNextToken } from "./next-token.js";
import { findSymbolTokens, type SymbolTokens } from "./symbol-tokens.js";
import { depthFirstOrder } from "./token-tree.js";
import type { TokenizePrompt } from "./tokenize.js";

export interface LlamaEngine {
  readonly llama: Llama;
  readonly model: LlamaModel;
  readonly context: LlamaContext;
}

/** A GGUF model in this process. One sequence, so one group at a time. */
export class LlamaInProcess implements Model {
  readonly maxOpenGroups = 1;
  readonly identity: ModelIdentity;
  readonly #engine: LlamaEngine;
  readonly #sequence: LlamaContextSequence;
  readonly #tokenize: TokenizePrompt;
  readonly #symbolTokens: SymbolTokens;
  readonly #fromScratch: boolean;

  constructor(engine: LlamaEngine, identity: ModelIdentity, tokenize: TokenizePrompt, fromScratch: boolean) {
    this.#engine = engine;
    this.identity = identity;
    this.#tokenize = tokenize;
    this.#fromScratch = fromScratch;
    this.#sequence = engine.context.getSequence();
    this.#symbolTokens = findSymbolTokens(engine.model, symbolsFor(MAX_OPTIONS));
  }

  countTokens(prompt: string): number {
    return this.#tokenize(prompt).length;
  }

  evaluatedTokens(): number {
    return this.#sequence.tokenMeter.usedInputTokens;
  }

  async *scoreSymbols(group: readonly SymbolRequest[], signal: AbortSignal): AsyncGenerator<IndexedReply> {
    const prompts = group.map(({ prompt }) => this.#tokenize(prompt));
    for (const index of depthFirstOrder(prompts)) {
      signal.throwIfAborted();
      const [request, tokens] = [group[index], prompts[index]];
      if (request !== undefined && tokens !== undefined) yield { index, reply: await this.#score(request, tokens) };
    }
  }

  async #score(request: SymbolRequest, prompt: readonly Token[]): Promise<SymbolReply> {
    const started = performance.now();
    const meter = (cachedTokens: number | null) => ({
      promptTokens: prompt.length,
      cachedTokens,
      durationMs: performance.now() - started,
    });
    const room = this.#engine.context.contextSize;
    // One place is kept for the answer: a sequence that fills the context makes the engine drop its beginning.
    if (prompt.length + 1 > room) {
      const detail = `the prompt has ${prompt.length} tokens, the context has room for ${room - 1}`;
      return { status: "failed", failure: "context_overflow", detail, ...meter(null) };
    }
    const wanted = request.symbols.flatMap((symbol) => this.#symbolTokens.get(symbol) ?? []);
    try {
      const options = { batchSize: this.#engine.context.batchSize, fromScratch: this.#fromScratch };
      const { logprobs, cachedTokens } = await scoreNextToken(this.#sequence, prompt, wanted, options);
      const scores = new Map(request.symbols.map((symbol) => [symbol, this.#sum(symbol, logprobs)]));
      return { status: "scored", scores, extraction: "full", ...meter(cachedTokens) };
    } catch (error) {
      return { status: "failed", failure: "unavailable", detail: messageOf(error), ...meter(null) };
    }
  }

  /** Total probability of all tokens that decode to the symbol; unknown when the vocabulary has none. */
  #sum(symbol: ChoiceSymbol, logprobs: ReadonlyMap<Token, Logprob>): SymbolScore {
    const variants = (this.#symbolTokens.get(symbol) ?? []).map(
      (token) => logprobs.get(token) ?? Number.NEGATIVE_INFINITY,
    );
    const logprob = Math.log(variants.reduce((sum, variant) => sum + Math.exp(variant), 0));
    // A sum over several variants can pass 1 by a rounding.
    return Number.isFinite(logprob)
      ? { status: "known", logprob: Math.min(0, logprob) as Logprob }
      : { status: "unknown", upperBound: null };
  }

  async close(): Promise<void> {
    await this.#engine.context.dispose();
    await this.#engine.model.dispose();
    await this.#engine.llama.dispose();
  }
}
