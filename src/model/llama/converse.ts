import type { LlamaGrammar, Token } from "node-llama-cpp";
import { messageOf } from "../../base/errors.js";
import type { ConversationReply, ConversationRequest, Said } from "../conversation.js";
import { saidOf, textRequest } from "../text-protocol.js";
import type { CachedSequence } from "./cached-sequence.js";
import type { LlamaEngine } from "./engine.js";
import { generate } from "./generate.js";
import { overflow } from "./overflow.js";
import type { TalkTemplate } from "./talk-template.js";
import type { TokenText } from "./token-text.js";
import type { Turns } from "./turns.js";

interface ConverserParts {
  readonly engine: LlamaEngine;
  readonly cache: CachedSequence;
  readonly turns: Turns;
  readonly tokenText: TokenText;
  readonly talk: TalkTemplate;
}

/** What ends a JSON text under a grammar: raw line ends cannot stand in it. */
const END_OF_JSON = "\n\n\n\n";

/**
 * Goes on with a conversation. Tools are called by one JSON object under a grammar of them, so that every call is one that
 * there is, whatever the model's strength. A reply takes at most half of the room that is left, so that one can follow.
 */
export async function converse(
  parts: ConverserParts,
  request: ConversationRequest,
  signal: AbortSignal,
): Promise<ConversationReply> {
  signal.throwIfAborted();
  const started = performance.now();
  const { engine, cache, turns, tokenText, talk } = parts;
  const { model } = engine;
  const prompt = await talk.tokenize(textRequest(request).messages, signal);
  if (prompt.length > cache.room) return overflow("the conversation", prompt.length, cache.room);
  const grammar = await grammarOf(engine, request);
  const maxTokens = Math.min(request.maxTokens, Math.ceil((cache.room - prompt.length + 1) / 2));
  const { temperature, seed } = request;
  const options = {
    ...{ maxTokens, temperature, seed, topK: null },
    stop: grammar === null ? [] : [END_OF_JSON],
    textOf: (tokens: readonly Token[]) => tokenText.after(tokens),
    isEnd: (token: Token) => model.isEogToken(token) || (grammar === null && model.isSpecialToken(token)),
    ...(grammar !== null && { grammar }),
  };
  try {
    const generation = await turns.take(async () => {
      signal.throwIfAborted();
      return generate(cache.sequence, await cache.startGenerating(prompt, signal), options, signal);
    });
    const { text, tokens, end } = generation;
    const said: Pick<Said, "text" | "toolCalls" | "end"> =
      end === "length" ? cutReply(text, request) : saidOf({ text: text.trim() }, request);
    const meter = { promptTokens: prompt.length, completionTokens: tokens, durationMs: performance.now() - started };
    return { status: "said", ...said, ...meter };
  } catch (error) {
    signal.throwIfAborted();
    return { status: "failed", failure: "unavailable", detail: messageOf(error) };
  }
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
