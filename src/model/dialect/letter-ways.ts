import type { ChoiceSymbol } from "../../base/symbol.js";
import { isThinking, replyLimit, type Think, thoughtLimit } from "../requests.js";
import type { ThinkingStyle } from "../vendor/vendors.js";
import type { TalkThinking } from "../wire/chat-wire.js";
import { REASONING_ITEMS } from "../wire/responses-api.js";
import {
  type ExtractionWay,
  type Fields,
  type LetterForm,
  letterWay,
  type WirePrompt,
  type WireRequest,
} from "../wire/ways.js";

type Effort = "none" | Exclude<Think, object>;

/** An effort; none for a number of tokens, which has no parameter: the limit of the reply holds it. */
function effortFields(effort: Effort | null): Fields {
  return effort === null ? {} : { reasoning_effort: effort };
}

/** Parameters of thoughts, by the style in which they are asked for: of a number of tokens, or (`null`) of an effort. */
const STYLES: Readonly<Record<ThinkingStyle, (effort: Effort | null, tokens: number | null) => Fields>> = {
  effort: effortFields,
  number: (effort, tokens) => ({ reasoning_effort: tokens ?? effort }),
  template: (effort) => ({ chat_template_kwargs: { enable_thinking: effort !== "none" } }),
  reasoning: (effort, tokens) => ({ reasoning: tokens === null ? { effort } : { max_tokens: tokens } }),
  gemini: (effort, tokens) =>
    tokens === null
      ? { reasoning_effort: effort }
      : { extra_body: { google: { thinking_config: { thinking_budget: tokens } } } },
  switch: (effort) => ({
    thinking: { type: effort === "none" ? "disabled" : "enabled" },
    ...(effort !== "none" && effortFields(effort)),
  }),
  toggle: (effort) => ({
    reasoning: { enabled: effort !== "none" },
    ...(effort !== "none" && effortFields(effort)),
  }),
};

/** Parameters by which a model is asked to think, or not to; none where nothing is said. */
export function thinkFields(style: ThinkingStyle, think: Think | undefined): Fields {
  if (think === undefined) return {};
  if (typeof think === "object") return STYLES[style](null, think.tokens);
  return STYLES[style](think === "off" ? "none" : think, null);
}

/** Fields by which thoughts are handed back, by the documentation of each style; others drop them between messages. */
const HANDED_BACK: Readonly<Record<ThinkingStyle, readonly string[]>> = {
  effort: [REASONING_ITEMS],
  number: [],
  template: ["reasoning_content"],
  reasoning: ["reasoning_details"],
  gemini: ["extra_content"],
  switch: ["reasoning_content"],
  toggle: [],
};

/** Styles whose services refuse a call without them, also of models that think unasked. */
const REFUSED_WITHOUT: readonly ThinkingStyle[] = ["gemini", "switch"];

/** Thoughts before each message of a conversation. */
export function talkThinking(style: ThinkingStyle, think: Think | undefined): TalkThinking {
  const fields = thinkFields(style, think);
  const isOn = isThinking(think);
  return {
    fields,
    isAsked: isOn,
    keeps: isOn ? Object.keys(fields) : [],
    room: thoughtLimit(think),
    handedBack: isOn || (think === undefined && REFUSED_WITHOUT.includes(style)) ? HANDED_BACK[style] : [],
  };
}

interface LetterOptions {
  readonly model: string;
  readonly style: ThinkingStyle;
  /** Thoughts that will be asked for; absent: nothing is said of them. */
  readonly think: Think | undefined;
  /** Path and body of a chat completion. */
  readonly chat: (body: Fields) => WireRequest;
}

/**
 * Ways to a letter that is written, best first: by a JSON schema, as the argument of a forced call, and alone. All leave room
 * for thoughts, which come first or are hidden.
 */
export function letterWays({ model, style, think, chat }: LetterOptions): ExtractionWay[] {
  const isAsked = isThinking(think);
  const way = (name: string, form: LetterForm, own: (symbols: readonly ChoiceSymbol[]) => Fields, keeps: string[]) =>
    letterWay(
      name,
      form,
      (prompt: WirePrompt, symbols, asked = think) =>
        chat({
          model,
          messages: [{ role: "user", content: form === "letter" ? alone(prompt, symbols) : prompt }],
          max_tokens: replyLimit(asked),
          temperature: 0,
          ...thinkFields(style, asked),
          ...own(symbols),
        }),
      { isRoomy: true, keeps: [...keeps, ...(isAsked ? Object.keys(thinkFields(style, think)) : [])] },
    );
  return [
    way("letter by JSON schema", "json", (symbols) => ({ response_format: jsonFormat(symbols) }), ["response_format"]),
    way(
      "letter by a forced call",
      "call",
      (symbols) => ({ tools: [answerTool(symbols)], tool_choice: { type: "function", function: { name: "answer" } } }),
      ["tools"],
    ),
    way("generated letter after thoughts", "letter", () => ({}), []),
  ];
}

/** One letter and nothing else: chat models explain themselves otherwise. */
export function alone(prompt: WirePrompt, symbols: readonly ChoiceSymbol[]): string {
  return `${String(prompt)}\n\nWrite one letter (${symbols.join(", ")}) and nothing else.`;
}

/** Schema of an object with the letter. */
export function answerSchema(symbols: readonly ChoiceSymbol[]): Fields {
  return {
    type: "object",
    properties: { answer: { type: "string", enum: symbols } },
    required: ["answer"],
    additionalProperties: false,
  };
}

function jsonFormat(symbols: readonly ChoiceSymbol[]): Fields {
  return { type: "json_schema", json_schema: { name: "answer", strict: true, schema: answerSchema(symbols) } };
}

/** Words on the tool that takes the letter. */
export const ANSWER_TOOL = { name: "answer", description: "Takes the letter of the right answer." } as const;

function answerTool(symbols: readonly ChoiceSymbol[]): Fields {
  return { type: "function", function: { ...ANSWER_TOOL, parameters: answerSchema(symbols) } };
}
