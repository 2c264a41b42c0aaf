import { z } from "zod";
import { errorOfContent, RequestError } from "../http/request-error.js";
import type { CompletionReply, CompletionRequest, InfillRequest } from "../requests.js";
import { readCompletion, requireText, type WrittenCompletion } from "../wire/completion-reply.js";
import type { CompletionWay, InfillWay, WireReply } from "../wire/ways.js";
import type { Question, ServerChannel } from "./server-channel.js";

/** Has a prompt continued. */
export function complete(
  channel: ServerChannel,
  way: CompletionWay,
  request: CompletionRequest,
  signal: AbortSignal,
): Promise<CompletionReply> {
  return write(channel, completionQuestion(way, request), request, signal);
}

/** Has a gap filled. */
export function infill(
  channel: ServerChannel,
  way: InfillWay,
  request: InfillRequest,
  signal: AbortSignal,
): Promise<CompletionReply> {
  const prompt = request.prompt.toWellFormed();
  const suffix = request.suffix.toWellFormed();
  return write(channel, infillQuestion(way, { ...request, prompt, suffix }), request, signal);
}

async function write(
  channel: ServerChannel,
  question: Question<WrittenCompletion>,
  request: CompletionRequest,
  signal: AbortSignal,
): Promise<CompletionReply> {
  signal.throwIfAborted();
  const read = (reply: WireReply) => requireText(question.read(reply), request);
  const asked = await channel.ask({ ...question, read }, channel.pick(), signal);
  if (asked.status === "read") return { status: "completed", ...asked.value, durationMs: asked.durationMs };
  const { status, failure, detail } = asked;
  return { status, failure, detail };
}

/** Asks for a continuation. */
export function completionQuestion(way: CompletionWay, request: CompletionRequest): Question<WrittenCompletion> {
  return {
    prompt: request.prompt,
    kind: "prompt",
    request: (prompt) => way.request(prompt, request),
    read: (reply) => readCompletion(reply, request),
  };
}

/** Asks for what lies between a prompt and a suffix. */
export function infillQuestion(way: InfillWay, request: InfillRequest): Question<WrittenCompletion> {
  return {
    prompt: request.prompt,
    kind: "raw",
    request: () => way.request(request),
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
