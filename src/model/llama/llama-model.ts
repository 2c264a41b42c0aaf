import type { LlamaModel, Token } from "node-llama-cpp";
import type { Model, ModelIdentity } from "../model.js";
import type { LlamaSettings } from "../model-settings.js";
import type { Think } from "../requests.js";
import { CachedSequence, Turns } from "./cached-sequence.js";
import { embedderOf, poolingOf } from "./embedder.js";
import type { LlamaEngine } from "./engine.js";
import { completePrompt, converse, type LlamaParts } from "./llama-writer.js";
import { beginning, type PromptTokenizer, type TalkTokenizer, talkTokenizer } from "./prompt-tokenizer.js";
import { promptTokens, symbolScorer } from "./symbol-scorer.js";
import { scoreText } from "./text-scorer.js";
import { type ThinkTokenizer, thinkTokenizer } from "./think-tokenizer.js";
import { messageThoughts } from "./thinker.js";
import { tokenTextOf } from "./token-text.js";

interface OpenedFile {
  readonly engine: LlamaEngine;
  readonly identity: ModelIdentity;
  readonly settings: LlamaSettings;
  /** Card and its share of the layers; `null`: the processor alone. */
  readonly device: string | null;
  readonly tokenizer: PromptTokenizer;
  /** Thoughts before each message of a conversation; absent: nothing is said of them. */
  readonly think?: Think;
  /** Seed of thoughts. */
  readonly seed: number;
  /** `true` to evaluate every prompt from scratch. */
  readonly fromScratch: boolean;
}

/** A GGUF model in this process. It has one sequence: what is asked at the same time is answered in turn. */
export function llamaModel(parts: OpenedFile): Model {
  const { engine, identity, settings, tokenizer } = parts;
  const turns = new Turns();
  const talk = talkTokenizer(engine.model, settings.chatTemplate);
  const mind = new Mind(engine.model, settings);
  const tokenize = promptTokens(tokenizer, { tokenizer: () => mind.tokenizer() });
  const pooling = poolingOf(engine.model);
  const embedder = pooling === null ? null : embedderOf(engine, settings, pooling, turns);
  return {
    identity,
    threads: engine.threads.most,
    ...(parts.device !== null && { device: parts.device }),
    maxOpenGroups: 1,
    countTokens: async (prompt, think) => {
      const tokens = await tokenize({ prompt, ...(think !== undefined && { think }) }, new AbortController().signal);
      return tokens.length;
    },
    ...(predictsNextToken(engine.model) && predictions(parts, turns, { talk, mind })),
    ...(embedder !== null && { embed: (text, signal) => embedder.embed(text, signal) }),
    async close() {
      await tokenizer.close();
      await talk.close();
      await mind.close();
      await embedder?.close();
      engine.threads.close();
      await engine.context.dispose();
      await engine.model.dispose();
      await engine.llama.dispose();
    },
  };
}

/** Tokenizer of thoughts, made when it is first needed. */
class Mind {
  readonly #make: () => ThinkTokenizer;
  #made: ThinkTokenizer | null = null;

  constructor(model: LlamaModel, settings: LlamaSettings) {
    this.#make = () => thinkTokenizer(model, settings);
  }

  tokenizer(): ThinkTokenizer {
    this.#made ??= this.#make();
    return this.#made;
  }

  async close(): Promise<void> {
    await this.#made?.close();
  }
}

/** Encoders, such as BERT, read a text and predict nothing after it; those of T5 are half of a model. */
function predictsNextToken({ fileInsights, fileInfo }: LlamaModel): boolean {
  return !fileInsights.hasEncoder && fileInfo.architectureMetadata.attention?.causal !== false;
}

type Predictions = Pick<Model, "scoreSymbols" | "scoreTokens" | "complete" | "infill" | "converse" | "evaluatedTokens">;

function predictions(
  { engine, tokenizer, fromScratch, settings, seed, think }: OpenedFile,
  turns: Turns,
  { talk, mind }: { readonly talk: TalkTokenizer; readonly mind: Mind },
): Predictions {
  const { model, context } = engine;
  const cache = new CachedSequence(context, fromScratch);
  const parts: LlamaParts = { model, cache, turns, tokenText: tokenTextOf(model) };
  const thinks = { tokenizer: () => mind.tokenizer(), temperature: settings.thinkTemperature, seed };
  const scoreGroup = symbolScorer(parts, tokenizer, thinks);
  const fim = fimTokensOf(model);
  return {
    scoreSymbols: scoreGroup,
    scoreTokens: (text, signal) => scoreText(parts, text, signal),
    async complete(request, signal) {
      const prompt = await tokenizer.tokenize(request.prompt, signal);
      return completePrompt(parts, prompt, request, { signal, endsAtSpecial: false });
    },
    ...(fim !== null && {
      infill: (request, signal) => {
        const prompt = [...beginning(model), ...fimPrompt(model, fim, request.prompt, request.suffix)];
        return completePrompt(parts, prompt, request, { signal, endsAtSpecial: true });
      },
    }),
    converse: (request, signal) => {
      const temperature = settings.thinkTemperature;
      const thoughts =
        think === undefined ? null : messageThoughts({ tokenizer: mind.tokenizer(), temperature }, think);
      return converse({ ...parts, engine, talk, thoughts }, request, signal);
    },
    evaluatedTokens: () => cache.evaluatedTokens,
  };
}

/** The special tokens that mark the parts of a fill-in-the-middle prompt. */
interface FimTokens {
  readonly prefix: Token;
  readonly suffix: Token;
  readonly middle: Token;
}

/** `null` for a model that was not made to fill gaps. */
function fimTokensOf(model: LlamaModel): FimTokens | null {
  const { prefix, suffix, middle } = model.tokens.infill;
  return prefix === null || suffix === null || middle === null ? null : { prefix, suffix, middle };
}

/**
 * The prompt for what stands between `before` and `after`: prefix, suffix, middle, as the models are trained. A
 * tokenizer that puts a space before a text does so before the first part only, as Code Llama's own code does.
 */
function fimPrompt(model: LlamaModel, fim: FimTokens, before: string, after: string): Token[] {
  const suffix = model.tokenize(after, false, "trimLeadingSpace");
  return [fim.prefix, ...model.tokenize(before), fim.suffix, ...suffix, fim.middle];
}
