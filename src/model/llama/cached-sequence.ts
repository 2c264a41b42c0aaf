import type { LlamaContext, LlamaContextSequence, Token } from "node-llama-cpp";
import type { FailedReply } from "../requests.js";

/** Tokens of a prompt that are evaluated anew each time: one alone would be evaluated by another kernel. */
const TAIL = 2;

/**
 * The engine's one sequence, and the owner of its cache. Scoring evaluates batches of two tokens and more, and may
 * reuse what another scoring left. Generating evaluates tokens one at a time, which differs by up to 1.5e-3 nats: what
 * it left is reused for the same prompt only.
 */
export class CachedSequence {
  readonly sequence: LlamaContextSequence;
  readonly contextSize: number;
  readonly batchSize: number;
  readonly #fromScratch: boolean;
  /** The beginning of the prompt that was generated from last; `null` after a scoring. */
  #head: readonly Token[] | null = null;

  constructor(context: LlamaContext, fromScratch: boolean) {
    this.sequence = context.getSequence();
    this.contextSize = context.contextSize;
    this.batchSize = context.batchSize;
    this.#fromScratch = fromScratch;
  }

  /**
   * The most tokens that may be evaluated: one place is kept, as a sequence that fills the context makes the engine drop
   * its beginning.
   */
  get room(): number {
    return this.contextSize - 1;
  }

  /** Count of the engine's own meter, which has those whose logits were asked for apart. */
  get evaluatedTokens(): number {
    const { usedInputTokens, usedOutputTokens } = this.sequence.tokenMeter;
    return usedInputTokens + usedOutputTokens;
  }

  /**
   * Prepares the cache for a scoring.
   * @param reuse `true` where it can use the tokens that another scoring left
   */
  async startScoring(reuse: boolean): Promise<void> {
    if (this.#fromScratch || !reuse || this.#head !== null) await this.sequence.clearHistory();
    this.#head = null;
  }

  /**
   * Makes the cache hold a prompt but for its last tokens, which are returned. It is evaluated in the same batches
   * whatever was in the cache, and found there only if it was evaluated so before: the same prompt has the same future to
   * the bit.
   */
  async startGenerating(prompt: readonly Token[], signal: AbortSignal): Promise<Token[]> {
    const head = prompt.length < 2 * TAIL ? [] : prompt.slice(0, -TAIL);
    if (!(await this.#keep(head))) {
      await this.sequence.clearHistory();
      let start = 0;
      for (const size of batchSizes(head.length, this.batchSize)) {
        signal.throwIfAborted();
        await this.sequence.controlledEvaluate(head.slice(start, start + size));
        start += size;
      }
    }
    this.#head = head;
    return prompt.slice(head.length);
  }

  /** Cuts the cache back to this head; `false` when it does not hold it. */
  async #keep(head: readonly Token[]): Promise<boolean> {
    const held = this.#head;
    // Until the head is whole again the cache is nobody's.
    this.#head = null;
    if (this.#fromScratch || held?.length !== head.length || !held.every((token, i) => token === head[i])) return false;
    // `false`: cells are never shifted to other positions, which would change the result.
    await this.sequence.adaptStateToTokens([...head], false);
    return this.sequence.nextTokenIndex === head.length;
  }
}

/**
 * Cuts `count` tokens into batches of at most `batchSize`, none of a single token: the engine evaluates one token with
 * another kernel, whose result differs from a batch's by up to 1.5e-3 nats.
 * @returns sizes that sum to `count`; each at least 2 where `count` >= 2 and `batchSize` >= 3
 */
export function batchSizes(count: number, batchSize: number): number[] {
  const sizes: number[] = [];
  let left = count;
  while (left > batchSize) {
    const size = left - batchSize === 1 ? batchSize - 1 : batchSize;
    sizes.push(size);
    left -= size;
  }
  if (left > 0) sizes.push(left);
  return sizes;
}

/** Lets one piece of work at a time at what cannot be shared, in the order of asking. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Does the work when all before it is done, however that ended. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

/** The reply for what does not fit the context: never shortened, never shifted. */
export function overflow(what: string, tokens: number, room: number): FailedReply {
  const detail = `${what} has ${tokens} tokens, the context has room for ${room}`;
  return { status: "failed", failure: "context_overflow", detail };
}
