import type { LlamaGrammar } from "node-llama-cpp";
import type { ConversationReply, ConversationRequest, Said } from "../conversation.js";
import { saidOf, textRequest } from "../text-protocol.js";
import type { LlamaEngine } from "./engine.js";
import { type LlamaParts, writeText } from "./llama-writer.js";
import type { TalkTemplate } from "./prompt-tokenizer.js";

interface ConverserParts extends LlamaParts {
  readonly engine: LlamaEngine;
  readonly talk: TalkTemplate;
}

/** End of a JSON text under a grammar: raw line ends cannot stand in it. */
const END_OF_JSON = "\n\n\n\n";

/**
 * Continues a conversation by one message. Tools are called by one JSON object under a grammar of them, so that every call
 * is one that there is, whatever the model's strength. A reply takes at most half of the room that is left, so that one can
 * follow.
 */
export async function converse(
  parts: ConverserParts,
  request: ConversationRequest,
  signal: AbortSignal,
): Promise<ConversationReply> {
  signal.throwIfAborted();
  const { engine, talk } = parts;
  const prompt = await talk.tokenize(textRequest(request).messages, signal);
  const grammar = await grammarOf(engine, request);
  const { maxTokens, temperature, seed } = request;
  const writing = {
    prompt,
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
  const { text, tokens, end, durationMs } = written;
  const said = end === "length" ? cutReply(text, request) : saidOf({ text: text.trim() }, request);
  return { status: "said", ...said, promptTokens: prompt.length, completionTokens: tokens, durationMs };
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
