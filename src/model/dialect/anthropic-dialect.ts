import { badInput } from "../../base/errors.js";
import type { ChoiceSymbol } from "../../base/symbol.js";
import type { OpenModelOptions } from "../model.js";
import { isThinking, replyLimit, type Think, thoughtLimit } from "../requests.js";
import type { Transport } from "../server/server-channel.js";
import { readJsonReply, type WireAccess } from "../server/server-reader.js";
import { chatReplyOfMessage, messagesHeaders, messagesOf, THINKING_BLOCKS, toolOf } from "../wire/messages-api.js";
import {
  type CompletionWay,
  type ConversationWay,
  type ExtractionWay,
  type Fields,
  generatedWay,
  letterWay,
  type WirePrompt,
  type WireRequest,
} from "../wire/ways.js";
import type { Dialect } from "./dialect.js";
import { ANSWER_TOOL, alone, answerSchema } from "./letter-ways.js";

/** Fewest tokens of thoughts that may be asked for. */
const LEAST_BUDGET = 1024;

/**
 * Anthropic's Messages API: no log probabilities, thoughts by budget or by effort. It is one request, so that the client that
 * there is sends it: with no tries of its own and no headers from the environment.
 */
export const anthropicDialect: Dialect = ({ options }) => {
  requireBudget(options);
  const { name: model, think } = options;
  const conversations = [talkWay(model, think)];
  return Promise.resolve({
    model,
    report: { kind: "anthropic" },
    ways: {
      symbols: symbolWays(model, think),
      token_scores: [],
      completions: [completionWay(model, think)],
      infill: [],
      embeddings: [],
      conversations,
      tools: conversations,
    },
    connect: (access) => ({ transport: transport(access), encode: (_, prompt) => Promise.resolve(prompt) }),
    countTokens: null,
    batches: async (access) => (await import("../batch/anthropic-batches.js")).anthropicBatches(access),
  });
};

/**
 * Fewer tokens are never asked for in the place of those that were named: a limit of cost reserves the named ones.
 * @throws ProbeError `bad_input`
 */
function requireBudget({ label, think }: Pick<OpenModelOptions, "label" | "think">): void {
  if (typeof think !== "object" || think.tokens >= LEAST_BUDGET) return;
  throw badInput(
    `Expected thoughts (--think, --judge-think) of at least ${LEAST_BUDGET} tokens for ${label}, found ${think.tokens}: ` +
      "Anthropic takes no fewer. Name more, or off, low, medium or high.",
  );
}

function transport({ apiKey, fetch: send, redact, timeoutMs }: WireAccess): Transport {
  return async (baseUrl, { path, body }, signal) => {
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const init = { method: "POST", headers: messagesHeaders(apiKey), body: JSON.stringify(body), signal: bounded };
    return chatReplyOfMessage(await readJsonReply(() => send(`${baseUrl}${path}`, init), redact));
  };
}

function request(model: string, body: Fields): WireRequest {
  return { path: "/messages", body: { model, ...body } };
}

function userTurn(content: WirePrompt | string): Fields {
  return { messages: [{ role: "user", content }] };
}

/** Parameters by which a model is asked to think, or not to. While it thinks, it is drawn at its own temperature. */
function thinkFields(think: Think | undefined): Fields {
  if (think === undefined) return { temperature: 0 };
  if (think === "off") return { thinking: { type: "disabled" }, temperature: 0 };
  if (typeof think === "object") return { thinking: { type: "enabled", budget_tokens: think.tokens } };
  return { thinking: { type: "adaptive" } };
}

/** Effort and format are parts of one parameter. */
function outputFields(think: Think | undefined, format: Fields | null): Fields {
  const config = {
    ...(format !== null && { format }),
    ...(typeof think === "string" && isThinking(think) && { effort: think }),
  };
  return Object.keys(config).length === 0 ? {} : { output_config: config };
}

/** Ways to a letter, best first: by a JSON schema, as the argument of a forced call (which excludes thoughts), and alone. */
function symbolWays(model: string, think: Think | undefined): ExtractionWay[] {
  const isAsked = isThinking(think);
  const keeps = ["max_tokens", "output_config", "tools", "tool_choice", ...(isAsked ? ["thinking"] : [])];
  const roomy = { isRoomy: true, keeps };
  const common = (asked: Think | undefined) => ({ max_tokens: replyLimit(asked), ...thinkFields(asked) });
  const tool = (symbols: readonly ChoiceSymbol[]) => ({
    tools: [toolOf({ ...ANSWER_TOOL, parameters: answerSchema(symbols) })],
    tool_choice: { type: "tool", name: ANSWER_TOOL.name },
  });
  const schema = (symbols: readonly ChoiceSymbol[]) => ({ type: "json_schema", schema: answerSchema(symbols) });
  return [
    ...(isAsked
      ? []
      : [generatedWay((prompt) => request(model, { ...userTurn(prompt), max_tokens: 1, ...thinkFields(think) }))]),
    letterWay(
      "letter by JSON schema",
      "json",
      (prompt, symbols, asked = think) =>
        request(model, { ...userTurn(prompt), ...common(asked), ...outputFields(asked, schema(symbols)) }),
      roomy,
    ),
    letterWay(
      "letter by a forced call",
      "call",
      (prompt, symbols, asked = think) =>
        request(model, { ...userTurn(prompt), ...common(asked), ...outputFields(asked, null), ...tool(symbols) }),
      roomy,
    ),
    letterWay(
      "generated letter after thoughts",
      "letter",
      (prompt, symbols, asked = think) =>
        request(model, { ...userTurn(alone(prompt, symbols)), ...common(asked), ...outputFields(asked, null) }),
      roomy,
    ),
  ];
}

function completionWay(model: string, think: Think | undefined): CompletionWay {
  const isAsked = isThinking(think);
  return {
    name: "messages",
    request: (prompt, { maxTokens, temperature, topK, stop }) =>
      request(model, {
        ...userTurn(prompt),
        max_tokens: maxTokens + thoughtLimit(think),
        ...thinkFields(think),
        ...outputFields(think, null),
        ...(!isAsked && { temperature: Math.min(1, temperature), ...(topK !== null && { top_k: topK }) }),
        // A stop text of blanks alone is refused.
        ...(stop.some((each) => each.trim() !== "") && { stop_sequences: stop.filter((each) => each.trim() !== "") }),
      }),
    keeps: ["max_tokens", ...(isAsked ? ["thinking", "output_config"] : [])],
  };
}

/** While it thinks no call can be forced, and the thoughts before a call go back with it. */
function talkWay(model: string, think: Think | undefined): ConversationWay {
  const isAsked = isThinking(think);
  return {
    name: "messages with tools",
    request: (asked) =>
      request(model, {
        ...messagesOf(isAsked && asked.toolChoice === "required" ? { ...asked, toolChoice: "auto" } : asked),
        max_tokens: asked.maxTokens + thoughtLimit(think),
        ...thinkFields(think),
        ...outputFields(think, null),
        ...(!isAsked && { temperature: Math.min(1, asked.temperature) }),
      }),
    keeps: ["max_tokens", ...(isAsked ? ["thinking", "output_config"] : [])],
    thinks: isAsked,
    handedBack: isAsked ? [THINKING_BLOCKS] : [],
  };
}
