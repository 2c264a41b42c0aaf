import { z } from "zod";
import type { ChoiceSymbol } from "../../base/symbol.js";
import type { ConversationRequest, Said } from "../conversation.js";
import { errorOfContent, RequestError } from "../http/request-error.js";
import type { CompletionRequest, Embedding, InfillRequest, Think } from "../requests.js";
import { changed } from "./body-changes.js";
import { readSaid } from "./chat-wire.js";
import { readCompletion, type WrittenCompletion } from "./completion-reply.js";
import { readLetter, type WrittenLetter } from "./letter-reply.js";
import { type ReportedPosition, readPosition } from "./reported-tokens.js";
import type { SequenceReading } from "./sequence-scores.js";
import type {
  CompletionWay,
  ConversationWay,
  EmbeddingWay,
  ExtractionWay,
  InfillWay,
  LetterForm,
  SequenceWay,
  WirePrompt,
  WireReply,
  WireRequest,
} from "./ways.js";

/** A request to a server, and the reader of its reply. */
export interface Question<T> {
  readonly prompt: string;
  /**
   * `prompt`: written as prompts are, and the end of what a server repeats of it. `raw`: sent as it is, so without lone
   * surrogates, which servers cannot read.
   */
  readonly kind: "prompt" | "raw";
  readonly request: (prompt: WirePrompt) => WireRequest;
  /** Throws RequestError when the reply is not what was asked for. */
  readonly read: (reply: WireReply) => T;
}

/** Asks for the most probable tokens after a prompt; `null`: the reply has no log probabilities. */
export function symbolQuestion(
  way: ExtractionWay,
  prompt: string,
  symbols: readonly ChoiceSymbol[],
): Question<ReportedPosition | null> {
  return {
    prompt,
    kind: "prompt",
    request: (wirePrompt) => changed(way, way.request(wirePrompt, symbols)),
    read: ({ json }) => readPosition(json, way.tokenTexts),
  };
}

/** Asks for a letter that is written after thoughts, or without. */
export function letterQuestion(
  way: ExtractionWay & { readonly form: LetterForm },
  prompt: string,
  symbols: readonly ChoiceSymbol[],
  think?: Think,
): Question<WrittenLetter> {
  const isRoomy = way.isRoomy === true;
  return {
    prompt,
    kind: "prompt",
    request: (wirePrompt) => changed(way, way.request(wirePrompt, symbols, think)),
    read: (reply) => readLetter(reply, { form: way.form, symbols, isRoomy }),
  };
}

/** Asks for the scores of a text's tokens; a fault stands in their place. */
export function sequenceQuestion(way: SequenceWay, text: string): Question<SequenceReading> {
  return {
    prompt: text,
    kind: "raw",
    request: () => changed(way, way.request(text)),
    read: ({ json }) => way.read(json, text),
  };
}

/** Asks for a continuation. */
export function completionQuestion(way: CompletionWay, request: CompletionRequest): Question<WrittenCompletion> {
  return {
    prompt: request.prompt,
    kind: "prompt",
    request: (prompt) => changed(way, way.request(prompt, request)),
    read: (reply) => readCompletion(reply, request),
  };
}

/** Asks for the text between a prompt and a suffix. */
export function infillQuestion(way: InfillWay, request: InfillRequest): Question<WrittenCompletion> {
  return {
    prompt: request.prompt,
    kind: "raw",
    request: () => changed(way, way.request(request)),
    read: (reply) => {
      requireWhole(reply, request);
      return readCompletion(reply, request);
    },
  };
}

const repeated = z.looseObject({ prompt: z.string() });
/** Characters next to the gap by which a shortened prompt is told from another one. */
const NEAR = 20;

/** llama.cpp repeats the prompt: without a word it cuts a long one down to what fits its batch. */
function requireWhole({ json, text }: WireReply, { prompt, suffix }: InfillRequest): void {
  const shown = repeated.safeParse(json).data?.prompt;
  const shows = (part: string) => shown === undefined || fold(shown).includes(fold(part));
  if (shows(prompt) && shows(suffix)) return;
  if (!shows(prompt.slice(-NEAR)) || !shows(suffix.slice(0, NEAR)))
    throw errorOfContent("a reply to another prompt", text);
  const message = "HTTP 200, but the server cut the prompt short: start it with a larger --batch-size";
  throw new RequestError({ trouble: "permanent", failure: "context_overflow", status: 200, message });
}

/** A tokenizer may fold characters. */
function fold(text: string): string {
  return text.normalize("NFKC").replace(/\s+/g, " ").trim();
}

/** Asks for the vector of a text. */
export function embeddingQuestion(way: EmbeddingWay, text: string): Question<Embedding> {
  return {
    prompt: text,
    kind: "raw",
    request: () => changed(way, way.request(text)),
    read: (reply) => {
      const embedding = way.read(reply.json);
      if (embedding === null) throw errorOfContent("without one vector for the text", reply.text);
      return embedding;
    },
  };
}

/** Asks for the next message of a conversation. */
export function conversationQuestion(
  way: ConversationWay,
  request: ConversationRequest,
): Question<Omit<Said, "durationMs">> {
  return {
    prompt: "",
    kind: "raw",
    request: () => changed(way, way.request(request)),
    read: (reply) => readSaid(reply, way),
  };
}
