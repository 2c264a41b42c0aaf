import { z } from "zod";
import { shorten, visibleLine } from "../../base/text.js";
import { errorOfContent, RequestError } from "../http/request-error.js";
import { type Completion, type CompletionRequest, type FailureKind, firstStop } from "../requests.js";
import { KNOWN_MARKS, type ThinkMarks, type WireReply } from "./ways.js";

/** Completion as a server wrote it. */
export interface WrittenCompletion extends Omit<Completion, "text" | "durationMs"> {
  /** `null`: it wrote none that is shown. */
  readonly text: string | null;
  /** `true` where it wrote down its reasoning apart from the text. */
  readonly isReasoned: boolean;
}

/** Tokens that a server tells, or not. */
export const toldCount = z.number().int().nonnegative().nullish();
/** What a chat completion says. */
export const chatMessage = z.looseObject({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish(),
});
/** A text of OpenAI's API, of either endpoint. */
export const writtenChoice = z.looseObject({
  text: z.string().nullish(),
  message: chatMessage.nullish(),
  finish_reason: z.string().nullish(),
  /** Of routers: what became of the service behind them. */
  error: z.unknown().optional(),
  /** vLLM: the stop text that was met; `null`, or a token's id, at the end of the text. */
  stop_reason: z.union([z.string(), z.number()]).nullish(),
});
/** Tokens of a reply of OpenAI's API, where it tells any. */
export const toldUsage = z.looseObject({
  prompt_tokens: toldCount,
  completion_tokens: toldCount,
  total_tokens: toldCount,
  completion_tokens_details: z.looseObject({ reasoning_tokens: toldCount }).nullish(),
});
export const usage = toldUsage.nullish();

/** Tokens that were generated, thoughts included, also where a service leaves them out (xAI) or hides them: the total tells. */
export function generatedTokens(told: z.infer<typeof usage>): number | null {
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = told ?? {};
  if (completion == null) return null;
  return prompt == null || total == null ? completion : Math.max(completion, total - prompt);
}

/** Thoughts that a message tells apart from its text; `null`: none. */
export function thoughtsApart(message: z.infer<typeof chatMessage> | null | undefined): string | null {
  return [message?.reasoning_content, message?.reasoning].find((each) => (each ?? "") !== "") ?? null;
}

/**
 * A text apart from the thoughts that stand in front of it, be their beginning part of the prompt. Nothing was begun there
 * where thoughts came apart: a mark in the text is the text's own then.
 */
export function withoutThoughts(
  content: string,
  apart: string | null = null,
): { readonly text: string; readonly thoughts: string; readonly isOpen: boolean } {
  let text = content;
  let thoughts = apart ?? "";
  for (let next = frontThought(text, apart === null); next !== null; next = frontThought(text, false)) {
    thoughts += next.thought;
    if (next.rest === null) return { text: "", thoughts, isOpen: true };
    text = next.rest;
  }
  return { text, thoughts, isOpen: false };
}

/** The thought in front of a text and what follows; `rest` is `null` where nobody closed it. */
function frontThought(text: string, mayBeBegun: boolean): { thought: string; rest: string | null } | null {
  const front = text.trimStart();
  const opened = KNOWN_MARKS.find(({ open }) => front.startsWith(open));
  if (opened !== undefined) return upTo(opened.close, front.slice(opened.open.length));
  // Code may hold both marks.
  const isEnd = ({ open, close }: ThinkMarks) =>
    text.includes(close) && !text.slice(0, text.indexOf(close)).includes(open);
  const begun = mayBeBegun ? KNOWN_MARKS.find(isEnd) : undefined;
  return begun === undefined ? null : upTo(begun.close, text);
}

function upTo(close: string, text: string): { thought: string; rest: string | null } {
  const at = text.indexOf(close);
  if (at === -1) return { thought: text, rest: null };
  return { thought: text.slice(0, at), rest: text.slice(at + close.length) };
}

const openaiReply = z.looseObject({ choices: z.array(writtenChoice).min(1), usage });
const llamaReply = z.looseObject({
  content: z.string(),
  stop_type: z.string(),
  tokens_predicted: toldCount,
  tokens_evaluated: toldCount,
});
const tgiReply = z.looseObject({
  generated_text: z.string(),
  details: z.looseObject({ finish_reason: z.string(), generated_tokens: toldCount }),
});

/**
 * Reads the completion of a server, in any of the shapes that servers use: legacy and chat completions of OpenAI's API,
 * llama.cpp's own `/completion`, TGI's `/generate`. A stop text, and what a server wrote after it, is cut off.
 * @throws RequestError `refused`, or `bad_response` when it is none of these
 */
export function readCompletion(reply: WireReply, request: CompletionRequest): WrittenCompletion {
  const written = readLlama(reply.json) ?? readTgi(reply.json) ?? readOpenai(reply, request);
  if (written === null) throw errorOfContent("without a completion", reply.text);
  const { text } = written;
  if (text !== null && text.length > request.maxTokens * MOST_CHARACTERS_A_TOKEN)
    throw errorOfContent(
      `a completion of ${text.length} characters for at most ${request.maxTokens} tokens`,
      reply.text,
    );
  const at = text === null ? -1 : firstStop(text, request.stop);
  return text === null || at === -1 ? written : { ...written, text: text.slice(0, at), end: "stop" };
}

/** The longest tokens of vocabularies are runs of some hundred blanks. */
const MOST_CHARACTERS_A_TOKEN = 1000;

function readLlama(json: unknown): WrittenCompletion | null {
  const { data } = llamaReply.safeParse(json);
  const end = data === undefined ? undefined : LLAMA_ENDS.get(data.stop_type);
  if (data === undefined || end === undefined) return null;
  const { content, tokens_predicted: tokens, tokens_evaluated: promptTokens } = data;
  return { text: content, isReasoned: false, tokens: tokens ?? null, promptTokens: promptTokens ?? null, end };
}

const LLAMA_ENDS = new Map<string, Completion["end"]>([
  ["word", "stop"],
  ["eos", "end_of_text"],
  ["limit", "length"],
]);

function readTgi(json: unknown): WrittenCompletion | null {
  const { data } = tgiReply.safeParse(json);
  const end = data === undefined ? undefined : API_ENDS.get(data.details.finish_reason);
  if (data === undefined || end === undefined) return null;
  return {
    text: data.generated_text,
    isReasoned: false,
    tokens: data.details.generated_tokens ?? null,
    promptTokens: null,
    end,
  };
}

/** Ends of a completion in the words of OpenAI's API and TGI. `stop` alone may be either a stop text or the end. */
const API_ENDS = new Map<string, Completion["end"]>([
  ["stop", "stop"],
  ["stop_sequence", "stop"],
  ["eos_token", "end_of_text"],
  ["eos", "end_of_text"],
  ["length", "length"],
  ["max_tokens", "length"],
]);

function readOpenai({ json, text }: WireReply, request: CompletionRequest): WrittenCompletion | null {
  const { data } = openaiReply.safeParse(json);
  const first = data?.choices[0];
  if (data === undefined || first === undefined) return null;
  const reason = first.finish_reason ?? "";
  requireAnswered(first, text);
  const end = API_ENDS.get(reason);
  if (end === undefined)
    throw errorOfContent(`a completion that ended for an unknown reason (${excerptOf(reason)})`, text);
  const content = first.message?.content ?? null;
  // Of a message alone: a text that is continued is as the model wrote it.
  const final = withoutThoughts(content ?? "", thoughtsApart(first.message));
  return {
    text: first.text ?? (content === null ? null : final.text),
    isReasoned: final.thoughts !== "" || final.isOpen,
    tokens: generatedTokens(data.usage),
    promptTokens: data.usage?.prompt_tokens ?? null,
    end: end === "stop" ? endOfStop(first, request) : end,
  };
}

/** `stop` is the end of the text where no stop text was asked for, or vLLM says that none was met. */
function endOfStop(first: z.infer<typeof writtenChoice>, { stop }: CompletionRequest): Completion["end"] {
  const isStopText = stop.length > 0 && (first.stop_reason === undefined || typeof first.stop_reason === "string");
  return isStopText ? "stop" : "end_of_text";
}

/**
 * The text of a completion. Empty where the model ended at once; otherwise no text means that what was generated is not
 * shown, which is no answer.
 * @throws RequestError `bad_response`
 */
export function requireText(
  { text, isReasoned, ...written }: WrittenCompletion,
  request: CompletionRequest,
): Omit<Completion, "durationMs"> {
  const { tokens, end } = written;
  if (text !== null && text !== "") return { text, ...written };
  // The end of the text is one token, which some servers count; a stop text may be several.
  const most = end === "stop" && request.stop.length > 0 ? Number.POSITIVE_INFINITY : 1;
  const isNothing = !isReasoned && end !== "length" && (text === null ? tokens === 0 : (tokens ?? 0) <= most);
  if (isNothing) return { text: "", ...written };
  const hidden = tokens === null ? "" : `, though it generated ${tokens} tokens`;
  if (isReasoned && end === "length")
    throw permanent("thought_too_long", `the reply ended in its thoughts${hidden}: allow more (--think TOKENS)`);
  throw permanent("bad_response", `the reply has no text${hidden}${isReasoned ? ": it is all thoughts" : ""}`);
}

/** What tells if a text or message of OpenAI's API is an answer. */
interface Ending extends Pick<z.infer<typeof writtenChoice>, "finish_reason" | "error"> {
  readonly message?: Pick<z.infer<typeof chatMessage>, "refusal"> | null | undefined;
}

/** End by a filter; Gemini's says which, such as `content_filter: PROHIBITED_CONTENT`. */
const FILTERED = /^content_filter\b/;

/**
 * That a server answered.
 * @throws RequestError `refused` where it did not, or a filter of it; `bad_response`, to be tried again, where it says of
 * itself in a reply of status 200 that it failed
 */
export function requireAnswered({ finish_reason: reason, message, error }: Ending, text: string): void {
  if (reason === "error" || error != null) throw errorOfContent("an error of the server", text);
  const refusal = message?.refusal;
  const isRefused = (refusal ?? "") !== "";
  if (isRefused || FILTERED.test(reason ?? ""))
    throw permanent("refused", `the server refused to answer: ${excerptOf(isRefused ? refusal : reason)}`);
}

/** The same of a reply of OpenAI's API; one of another says nothing of it. */
export function requireAnsweredReply({ json, text }: WireReply): void {
  const first = openaiReply.safeParse(json).data?.choices[0];
  if (first !== undefined) requireAnswered(first, text);
}

/** The same request would fare the same again. */
function permanent(failure: FailureKind, found: string): RequestError {
  return new RequestError({ trouble: "permanent", failure, status: 200, message: `HTTP 200, but ${found}` });
}

function excerptOf(text: string | null | undefined): string {
  return visibleLine(shorten(text ?? "", 200));
}
