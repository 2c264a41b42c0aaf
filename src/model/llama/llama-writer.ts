import type { LlamaContextSequence, LlamaGrammar, LlamaModel, Token } from "node-llama-cpp";
import { messageOf } from "../../base/errors.js";
import type { ConversationReply, ConversationRequest, Said } from "../conversation.js";
import {
  type Completion,
  type CompletionReply,
  type CompletionRequest,
  type FailedReply,
  firstStop,
} from "../requests.js";
import { saidOf, textRequest } from "../text-protocol.js";
import { type CachedSequence, overflow, type Turns } from "./cached-sequence.js";
import type { LlamaEngine } from "./engine.js";
import { importEngine } from "./package/find-engine.js";
import type { ReplyLead, TalkTokenizer } from "./prompt-tokenizer.js";
import type { TokenText } from "./token-text.js";

/** Parts of a model in this process that its writing and its scoring share. */
export interface LlamaParts {
  readonly model: LlamaModel;
  readonly cache: CachedSequence;
  readonly turns: Turns;
  readonly tokenText: TokenText;
}

/** A prompt to be continued, and the limits of the continuation. */
interface Writing extends Pick<CompletionRequest, "maxTokens" | "temperature" | "topK" | "seed" | "stop"> {
  readonly prompt: readonly Token[];
  /** Name of the prompt in messages. */
  readonly title: string;
  /** Part of the room after the prompt that the text may take, 0–1. */
  readonly share: number;
  /** `true` where special tokens end the text, not those alone that mark an end. */
  readonly endsAtSpecial: boolean;
  /** Grammar that the text follows; `null`: none. */
  readonly grammar: LlamaGrammar | null;
}

type Written = { readonly status: "written" } & Pick<Completion, "text" | "end" | "durationMs"> & {
    readonly tokens: number;
  };

/**
 * Continues a prompt up to a stop text, the model's own end, or the end of its room. The same request has the same reply
 * whatever was asked before (see `CachedSequence.startGenerating`).
 */
async function writeText(parts: LlamaParts, writing: Writing, signal: AbortSignal): Promise<Written | FailedReply> {
  signal.throwIfAborted();
  const { cache, turns } = parts;
  const { prompt, title, share } = writing;
  const started = performance.now();
  if (prompt.length > cache.room) return overflow(title, prompt.length, cache.room);
  // The last token generated is not evaluated, so it needs no place.
  const maxTokens = Math.min(writing.maxTokens, Math.ceil((cache.room - prompt.length + 1) * share));
  return orFailed(signal, async () => {
    const written = await turns.take(async () => {
      signal.throwIfAborted();
      const rest = await cache.startGenerating(prompt, signal);
      return generate(parts, rest, { ...writing, maxTokens }, signal);
    });
    return { status: "written", ...written, durationMs: performance.now() - started };
  });
}

/** Work of the engine; where that fails, a failed reply. */
async function orFailed<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | FailedReply> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    return { status: "failed", failure: "unavailable", detail: messageOf(error) };
  }
}

/** Continues a prompt of a completion, or of a gap, which special tokens end. */
export async function completePrompt(
  parts: LlamaParts,
  prompt: readonly Token[],
  request: CompletionRequest,
  options: { readonly signal: AbortSignal; readonly endsAtSpecial: boolean },
): Promise<CompletionReply> {
  const { signal, endsAtSpecial } = options;
  if (prompt.length === 0) {
    const detail = "the prompt is empty, and this model has no token to begin with";
    return { status: "failed", failure: "refused", detail };
  }
  const writing = { ...request, prompt, title: "the prompt", share: 1, endsAtSpecial, grammar: null };
  const written = await writeText(parts, writing, signal);
  if (written.status === "failed") return written;
  return { ...written, status: "completed", promptTokens: prompt.length };
}

/** Seeds of the engine; the number that follows the last of them asks it for a random one. */
const SEEDS = 0xffff_ffff;

/** Continues the text of the sequence and of the tokens after it, from the whole distribution or its top. */
async function generate(
  { model, cache: { sequence }, tokenText }: LlamaParts,
  tokens: Token[],
  writing: Writing,
  signal: AbortSignal,
): Promise<Pick<Written, "text" | "end" | "tokens">> {
  const { maxTokens, endsAtSpecial, stop } = writing;
  const generated: Token[] = [];
  if (maxTokens <= 0) return { text: "", tokens: 0, end: "length" };
  const sampling = { ...samplingOf(writing), ...(await grammarState(sequence, writing.grammar)) };
  for await (const token of sequence.evaluate(tokens, sampling)) {
    signal.throwIfAborted();
    generated.push(token);
    const text = tokenText.after(generated);
    const isEnd = model.isEogToken(token) || (endsAtSpecial && model.isSpecialToken(token));
    if (isEnd) return { text, tokens: generated.length, end: "end_of_text" };
    const cut = firstStop(text, stop);
    if (cut !== -1) return { text: text.slice(0, cut), tokens: generated.length, end: "stop" };
    if (generated.length >= maxTokens) return { text: wholeCharacters(text), tokens: generated.length, end: "length" };
  }
  throw new Error("The engine stopped before the text ended.");
}

/** Sampling without the engine's defaults, by which it would draw from 40 tokens, and of these from those that make up 0.95. */
export function samplingOf({ temperature, topK, seed }: Pick<Writing, "temperature" | "topK" | "seed">) {
  return {
    temperature,
    topK: topK ?? 0,
    topP: 1,
    minP: 0,
    seed: ((seed % SEEDS) + SEEDS) % SEEDS,
    yieldEogToken: true,
  };
}

/** Without a last character that the limit cut in two. */
function wholeCharacters(text: string): string {
  return text.replace(/\uFFFD{1,3}$/, "");
}

/** State of a text in its grammar: of one text alone. */
async function grammarState({ model }: LlamaContextSequence, grammar: LlamaGrammar | null) {
  if (grammar === null) return {};
  const { LlamaGrammarEvaluationState } = await importEngine();
  return { grammarEvaluationState: new LlamaGrammarEvaluationState({ model, grammar }) };
}

/** Thoughts before each message of a conversation. */
export interface MessageThoughts {
  readonly lead: ReplyLead;
  /** Thoughts behind a prompt, and the text that closes them; none with `off`. */
  thinkBehind(
    parts: LlamaParts,
    prompt: readonly Token[],
    seed: number,
    signal: AbortSignal,
  ): Promise<{ readonly tokens: readonly Token[]; readonly closing: readonly Token[] }>;
}

interface ConverserParts extends LlamaParts {
  readonly engine: LlamaEngine;
  readonly talk: TalkTokenizer;
  /** `null`: nothing is said of thoughts. */
  readonly thoughts: MessageThoughts | null;
}

/** End of a JSON text under a grammar: raw line ends cannot stand in it. */
const END_OF_JSON = "\n\n\n\n";

/**
 * Continues a conversation by one message. Tools are called by one JSON object under a grammar of them, so that every call
 * is one that there is, whatever the model's strength. A reply takes at most half of the room that is left, so that one can
 * follow. Thoughts come before it, and are none of what is said later.
 */
export async function converse(
  parts: ConverserParts,
  request: ConversationRequest,
  signal: AbortSignal,
): Promise<ConversationReply> {
  signal.throwIfAborted();
  const { engine, talk, thoughts, turns, cache } = parts;
  const prompt = await talk.tokenize(textRequest(request).messages, signal, thoughts?.lead);
  if (prompt.length > cache.room) return overflow("the conversation", prompt.length, cache.room);
  const grammar = await grammarOf(engine, request);
  const { maxTokens, temperature, seed } = request;
  const started = performance.now();
  const thought = await orFailed(signal, () =>
    turns.take(async () => thoughts?.thinkBehind(parts, prompt, seed, signal)),
  );
  if (thought !== undefined && "status" in thought) return thought;
  const { tokens: thinking, closing } = thought ?? { tokens: [], closing: [] };
  const writing = {
    prompt: [...prompt, ...thinking, ...closing],
    title: "the conversation",
    maxTokens,
    share: 0.5,
    temperature,
    seed,
    topK: null,
    stop: grammar === null ? [] : [END_OF_JSON],
    endsAtSpecial: grammar === null,
    grammar,
  };
  const written = await writeText(parts, writing, signal);
  if (written.status === "failed") return written;
  const { text, tokens, end } = written;
  const durationMs = performance.now() - started;
  const said = end === "length" ? cutReply(text, request) : saidOf({ text: text.trim() }, request);
  return {
    status: "said",
    ...said,
    promptTokens: prompt.length,
    completionTokens: thinking.length + tokens,
    durationMs,
  };
}

/** A call that the limit cut off is a call all the same, whose arguments are no JSON: the model is told so. */
function cutReply(text: string, { tools, messages }: ConversationRequest): Pick<Said, "text" | "toolCalls" | "end"> {
  const name = /^\s*\{\s*"tool"\s*:\s*"([^"]+)"/.exec(text)?.[1];
  if (name === undefined || tools.length === 0) return { text, toolCalls: [], end: "length" };
  return { text: null, toolCalls: [{ id: `call-${messages.length}`, name, arguments: "{cut off" }], end: "length" };
}

async function grammarOf(
  { llama }: LlamaEngine,
  { tools, toolChoice, responseFormat }: ConversationRequest,
): Promise<LlamaGrammar | null> {
  if (tools.length > 0 && toolChoice === "required") {
    const oneOf = tools.map(({ name, parameters }) => ({
      type: "object",
      properties: { tool: { const: name }, arguments: parameters },
      required: ["tool", "arguments"],
      additionalProperties: false,
    }));
    return llama.createGrammarForJsonSchema({ oneOf } as Parameters<typeof llama.createGrammarForJsonSchema>[0]);
  }
  return responseFormat === "json" ? llama.getGrammarFor("json") : null;
}
