import type { ChoiceSymbol } from "../../base/symbol.js";
import { replyLimit, type Think } from "../requests.js";
import type { ThinkingStyle } from "../vendor/vendors.js";
import { type ExtractionWay, type LetterForm, letterWay, type WirePrompt, type WireRequest } from "../wire/ways.js";

type Fields = Readonly<Record<string, unknown>>;

/** Parameters by which a model is asked to think, or not to; none where nothing is said. */
export function thinkFields(style: ThinkingStyle, think: Think | undefined): Fields {
  if (think === undefined) return {};
  const effort = think === "off" ? "none" : typeof think === "object" ? null : think;
  switch (style) {
    case "template":
      return { chat_template_kwargs: { enable_thinking: think !== "off" } };
    case "reasoning":
      return { reasoning: effort === null && typeof think === "object" ? { max_tokens: think.tokens } : { effort } };
    case "gemini":
      return typeof think === "object"
        ? { extra_body: { google: { thinking_config: { thinking_budget: think.tokens } } } }
        : { reasoning_effort: effort };
    case "switch":
      return {
        thinking: { type: think === "off" ? "disabled" : "enabled" },
        ...(effort !== null && think !== "off" && { reasoning_effort: effort }),
      };
    case "effort":
      // A number of tokens has no parameter: the limit of the reply holds it.
      return effort === null ? {} : { reasoning_effort: effort };
  }
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
  const isAsked = think !== undefined && think !== "off";
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
