import type { ControlledEvaluateInputItem, LlamaContextSequence, LlamaModel, Token } from "node-llama-cpp";
import { messageOf } from "../../base/errors.js";
import type { Logprob } from "../../base/symbol.js";
import type { Model, ModelIdentity } from "../model.js";
import type { CompletionReply, CompletionRequest, TokenReply } from "../requests.js";
import { asLogprob, isLogprob } from "../wire/reported-tokens.js";
import { tokenEnds } from "../wire/token-ends.js";
import { batchSizes } from "./batches.js";
import { CachedSequence } from "./cached-sequence.js";
import { converse } from "./converse.js";
import { Embedder, poolingOf } from "./embedder.js";
import type { LlamaEngine } from "./engine.js";
import { generate } from "./generate.js";
import { overflow } from "./overflow.js";
import type { LlamaSettings } from "./settings.js";
import { SymbolScorer } from "./symbol-scorer.js";
import { TalkTemplate } from "./talk-template.js";
import { type TokenText, tokenTextOf } from "./token-text.js";
import { beginning, type PromptTokenizer } from "./tokenize.js";
import { Turns } from "./turns.js";

interface LlamaParts {
  readonly engine: LlamaEngine;
  readonly identity: ModelIdentity;
  readonly settings: LlamaSettings;
  readonly tokenizer: PromptTokenizer;
  /** Whether every prompt is evaluated from scratch. */
  readonly fromScratch: boolean;
}

/** A GGUF model in this process. It has one sequence: what is asked at the same time is answered in turn. */
export function llamaModel(parts: LlamaParts): Model {
  const { engine, identity, settings, tokenizer } = parts;
  const turns = new Turns();
  const talk = new TalkTemplate(engine.model, settings.chatTemplate);
  const pooling = poolingOf(engine.model);
  const embedder = pooling === null ? null : new Embedder(engine, settings, pooling, turns);
  return {
    identity,
    threads: engine.threads.most,
    maxOpenGroups: 1,
    countTokens: async (prompt) => (await tokenizer.tokenize(prompt, new AbortController().signal)).length,
    ...(predictsNextToken(engine.model) && predictions(parts, turns, talk)),
    ...(embedder !== null && { embed: (text, signal) => embedder.embed(text, signal) }),
    async close() {
      await tokenizer.close();
      await talk.close();
      await embedder?.close();
      engine.threads.close();
      await engine.context.dispose();
      await engine.model.dispose();
      await engine.llama.dispose();
    },
  };
}

/** Encoders, such as BERT, read a text and predict nothing after it; those of T5 are half of a model. */
function predictsNextToken({ fileInsights, fileInfo }: LlamaModel): boolean {
  return !fileInsights.hasEncoder && fileInfo.architectureMetadata.attention?.causal !== false;
}

type Predictions = Pick<Model, "scoreSymbols" | "scoreTokens" | "complete" | "infill" | "converse" | "evaluatedTokens">;

function predictions({ engine, tokenizer, fromScratch }: LlamaParts, turns: Turns, talk: TalkTemplate): Predictions {
  const { model, context } = engine;
  const cache = new CachedSequence(context, fromScratch);
  const scorer = new SymbolScorer(model, cache, turns, tokenizer);
  const parts = { model, cache, turns, tokenText: tokenTextOf(model) };
  const fim = fimTokensOf(model);
  return {
    scoreSymbols: (group, signal) => scorer.score(group, signal),
    scoreTokens: (text, signal) => scoreText(parts, text, signal),
    async complete(request, signal) {
      const prompt = await tokenizer.tokenize(request.prompt, signal);
      return continuePrompt(parts, prompt, request, { signal, endsAtSpecial: false });
    },
    ...(fim !== null && {
      infill: (request, signal) => {
        const prompt = [...beginning(model), ...fimPrompt(model, fim, request.prompt, request.suffix)];
        return continuePrompt(parts, prompt, request, { signal, endsAtSpecial: true });
      },
    }),
    converse: (request, signal) => converse({ ...parts, engine, talk }, request, signal),
    evaluatedTokens: () => cache.evaluatedTokens,
  };
}

interface CompleterParts {
  readonly model: LlamaModel;
  readonly cache: CachedSequence;
  readonly turns: Turns;
  readonly tokenText: TokenText;
}

/**
 * Continues a prompt up to a stop text, the model's own end, or the end of the context. The same request has the same reply
 * whatever was asked before (see `CachedSequence.startGenerating`).
 */
async function continuePrompt(
  { model, cache, turns, tokenText }: CompleterParts,
  prompt: readonly Token[],
  request: CompletionRequest,
  options: { readonly signal: AbortSignal; readonly endsAtSpecial: boolean },
): Promise<CompletionReply> {
  const { signal, endsAtSpecial } = options;
  signal.throwIfAborted();
  const started = performance.now();
  if (prompt.length === 0) {
    const detail = "the prompt is empty, and this model has no token to begin with";
    return { status: "failed", failure: "refused", detail };
  }
  if (prompt.length > cache.room) return overflow("the prompt", prompt.length, cache.room);
  const limits = {
    ...request,
    // The last token generated is not evaluated, so it needs no place.
    maxTokens: Math.min(request.maxTokens, cache.room - prompt.length + 1),
    textOf: (tokens: readonly Token[]) => tokenText.after(tokens),
    isEnd: (token: Token) => model.isEogToken(token) || (endsAtSpecial && model.isSpecialToken(token)),
  };
  try {
    const generation = await turns.take(async () => {
      signal.throwIfAborted();
      return generate(cache.sequence, await cache.startGenerating(prompt, signal), limits, signal);
    });
    const durationMs = performance.now() - started;
    return { status: "completed", ...generation, promptTokens: prompt.length, durationMs };
  } catch (error) {
    signal.throwIfAborted();
    return { status: "failed", failure: "unavailable", detail: messageOf(error) };
  }
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

interface TextScorerParts {
  readonly model: LlamaModel;
  readonly cache: CachedSequence;
  readonly turns: Turns;
  readonly tokenText: TokenText;
}

/** Scores the tokens of a raw text, teacher-forced and from scratch (spec §8): what was asked before has no say. */
async function scoreText(parts: TextScorerParts, text: string, signal: AbortSignal): Promise<TokenReply> {
  signal.throwIfAborted();
  const { model, cache, turns } = parts;
  const tokens = model.tokenize(text);
  if (tokens.length === 0) return { status: "scored", tokens: [], ends: [], logprobs: [], isGreedy: [] };
  const before = beginning(model);
  const sequence = [...before, ...tokens];
  if (sequence.length > cache.room) return overflow("the text", sequence.length, cache.room);
  const aligned = endsOf(parts, text, tokens);
  if (aligned.status === "differs") {
    const detail = `the model's ${tokens.length} tokens do not spell the text: they differ from character ${aligned.at + 1} on`;
    return { status: "failed", failure: "bad_response", detail };
  }
  try {
    const scores = await turns.take(async () => {
      signal.throwIfAborted();
      await cache.startScoring(false);
      return tokenLogprobs(cache.sequence, sequence, cache.batchSize, signal);
    });
    // A model without BOS predicts nothing before its first token.
    const first = before.length === 0 ? [null] : [];
    return {
      status: "scored",
      tokens,
      ends: aligned.ends,
      logprobs: [...first, ...scores.logprobs],
      isGreedy: [...first, ...scores.isGreedy],
    };
  } catch (error) {
    signal.throwIfAborted();
    return { status: "failed", failure: "unavailable", detail: messageOf(error) };
  }
}

function endsOf({ tokenText }: TextScorerParts, text: string, tokens: readonly Token[]) {
  return tokenEnds(text, tokens.length, (start, end) => {
    const part = tokens.slice(start, end);
    return start === 0 ? tokenText.atStart(part) : tokenText.after(part);
  });
}

/** Larger batches save nothing here: their logits no longer fit the processor's cache. */
const MAX_BATCH = 256;

/** Entry `i` is about token `i + 1`, given all before. */
interface TokenLogprobs {
  /** Nats, over the whole vocabulary. */
  readonly logprobs: readonly Logprob[];
  /** Whether greedy generation would choose it. */
  readonly isGreedy: readonly boolean[];
}

/**
 * Teacher-forced log probabilities of all tokens but the first, on an empty sequence. All tokens are evaluated, the last
 * too: in batches of at least two, see `batchSizes`.
 */
async function tokenLogprobs(
  sequence: LlamaContextSequence,
  tokens: readonly Token[],
  batchSize: number,
  signal: AbortSignal,
): Promise<TokenLogprobs> {
  const logprobs: Logprob[] = [];
  const isGreedy: boolean[] = [];
  let start = 0;
  for (const size of batchSizes(tokens.length, Math.min(batchSize, MAX_BATCH))) {
    signal.throwIfAborted();
    const end = start + size;
    const items = tokens.slice(start, end).map((token, i) => asked(token, tokens[start + i + 1]));
    const output = await sequence.controlledEvaluate(items);
    for (const [i, next] of tokens.slice(start + 1, end + 1).entries()) {
      const scored = scoreOf(next, output[i]?.next);
      logprobs.push(scored.logprob);
      isGreedy.push(scored.isGreedy);
    }
    start = end;
  }
  return { logprobs, isGreedy };
}

/** Asks for the logits of the next token and of the most probable one: at temperature 0 that is the one selected. */
function asked(token: Token, next: Token | undefined): ControlledEvaluateInputItem {
  if (next === undefined) return token;
  const logits = { filter: { tokens: [next], includeSelected: true } };
  return [token, { generateNext: { logits, totalLogitWeight: true, options: SAMPLING } }];
}

/** Nothing of it is used at temperature 0; the defaults would make the engine set up samplers, anew every second. */
const SAMPLING = { temperature: 0, topK: 1, topP: 1, seed: 0 };

interface NextOutput {
  readonly logits?: ReadonlyMap<Token, number>;
  readonly totalLogitWeight?: number;
}

function scoreOf(token: Token, output: NextOutput | undefined): { logprob: Logprob; isGreedy: boolean } {
  const logit = output?.logits?.get(token);
  if (output?.logits === undefined || output.totalLogitWeight === undefined || logit === undefined)
    throw new Error("The engine returned no logits.");
  // The total weight is the sum of exp(logit - largest).
  const logprob = logit - Math.max(...output.logits.values()) - Math.log(output.totalLogitWeight);
  if (!isLogprob(logprob))
    throw new Error(`Expected a log probability from the engine, found ${logprob}: its logits are not numbers.`);
  return { logprob: asLogprob(logprob), isGreedy: output.logits.size === 1 };
}
