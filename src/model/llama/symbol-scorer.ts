import type { LlamaModel, Token } from "node-llama-cpp";
import { messageOf } from "../../base/errors.js";
import { type ChoiceSymbol, type Logprob, SYMBOLS } from "../../base/symbol.js";
import { asLogprob, isLogSum } from "../extraction/reported-numbers.js";
import type { IndexedReply, SymbolReply, SymbolRequest, SymbolScore } from "../model.js";
import type { CachedSequence } from "./cached-sequence.js";
import { scoreNextToken } from "./next-token.js";
import { overflow } from "./overflow.js";
import { findSymbolTokens, type SymbolTokens } from "./symbol-tokens.js";
import { depthFirstOrder } from "./token-tree.js";
import type { PromptTokenizer } from "./tokenize.js";
import type { Turns } from "./turns.js";

/** Scores symbols as the next token after prompts, over the whole vocabulary. */
export class SymbolScorer {
  readonly #cache: CachedSequence;
  readonly #turns: Turns;
  readonly #tokenizer: PromptTokenizer;
  readonly #symbolTokens: SymbolTokens;

  constructor(model: LlamaModel, cache: CachedSequence, turns: Turns, tokenizer: PromptTokenizer) {
    this.#cache = cache;
    this.#turns = turns;
    this.#tokenizer = tokenizer;
    this.#symbolTokens = findSymbolTokens(model, SYMBOLS);
  }

  async *score(group: readonly SymbolRequest[], signal: AbortSignal): AsyncGenerator<IndexedReply> {
    const prompts = await Promise.all(group.map(({ prompt }) => this.#tokenizer.tokenize(prompt, signal)));
    for (const index of depthFirstOrder(prompts)) {
      signal.throwIfAborted();
      const [request, tokens] = [group[index], prompts[index]];
      if (request !== undefined && tokens !== undefined)
        yield { index, reply: await this.#turns.take(() => this.#reply(request, tokens)) };
    }
  }

  async #reply(request: SymbolRequest, prompt: readonly Token[]): Promise<SymbolReply> {
    const started = performance.now();
    const meter = (cachedTokens: number | null) => ({
      promptTokens: prompt.length,
      cachedTokens,
      durationMs: performance.now() - started,
    });
    const { room, sequence, batchSize } = this.#cache;
    if (prompt.length > room) return { ...overflow("the prompt", prompt.length, room), ...meter(null) };
    const wanted = request.symbols.flatMap((symbol) => this.#symbolTokens.get(symbol) ?? []);
    try {
      await this.#cache.startScoring(true);
      const { logprobs, cachedTokens } = await scoreNextToken(sequence, prompt, wanted, batchSize);
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
    if (logprob === Number.NEGATIVE_INFINITY) return { status: "unknown", upperBound: null };
    if (!isLogSum(logprob)) throw new Error(`Expected a log probability from the engine, found ${logprob}.`);
    return { status: "known", logprob: asLogprob(logprob) };
  }
}
