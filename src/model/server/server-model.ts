import { ProbeError } from "../../base/errors.js";
import type { ModelBatches } from "../batch/batch.js";
import type { CheckReport } from "../check/check-report.js";
import type { ServerApi } from "../dialect/dialect.js";
import { errorOfContent } from "../http/request-error.js";
import type { Model, ModelIdentity } from "../model.js";
import type { Completion, CompletionReply, CompletionRequest, FailedReply, TokenReply } from "../requests.js";
import { requireText, type WrittenCompletion } from "../wire/completion-reply.js";
import {
  completionQuestion,
  conversationQuestion,
  embeddingQuestion,
  infillQuestion,
  type Question,
  sequenceQuestion,
} from "../wire/questions.js";
import type { SequenceWay, UsedWays, WireReply } from "../wire/ways.js";
import type { ServerChannel } from "./server-channel.js";
import { type Sending, scoreGroup } from "./server-symbols.js";

interface ServerModelParts {
  readonly identity: ModelIdentity;
  readonly check: CheckReport;
  readonly ways: UsedWays;
  readonly channel: ServerChannel;
  readonly maxConcurrency: number;
  readonly countTokens: ServerApi["countTokens"];
  readonly sendsAgain?: true;
  /** Absent where it is asked question by question. */
  readonly batches?: ModelBatches;
  readonly close: () => void;
}

/** Groups of requests that share a prefix are about this large; so many open ones keep all places busy. */
const GROUP_SHARE = 8;

/** A model behind one or several servers. It has the methods that it was opened for and that its check found to work. */
export function serverModel(parts: ServerModelParts): Model {
  const { identity, check, channel, maxConcurrency, countTokens, batches, sendsAgain } = parts;
  const { symbols, token_scores, completions, infill, embeddings, conversations, tools } = parts.ways;
  const talk = tools ?? conversations;
  return {
    identity,
    check,
    // Requests other than those for symbols come one by one.
    maxOpenGroups: symbols === null ? maxConcurrency : Math.ceil(maxConcurrency / GROUP_SHARE) + 1,
    ...(symbols && { scoreSymbols: (group, signal, again) => scoreGroup(channel, symbols, group, { signal, again }) }),
    ...(token_scores && { scoreTokens: (text, signal) => scoreText(channel, token_scores, text, signal) }),
    ...(completions && {
      complete: (request, signal, again) =>
        write(channel, completionQuestion(completions, request), request, { signal, again }),
    }),
    ...(infill && {
      infill: (request, signal) => {
        const [prompt, suffix] = [request.prompt.toWellFormed(), request.suffix.toWellFormed()];
        return write(channel, infillQuestion(infill, { ...request, prompt, suffix }), request, { signal });
      },
    }),
    ...(embeddings && {
      async embed(text, signal) {
        const reply = await ask(channel, embeddingQuestion(embeddings, text.toWellFormed()), { signal });
        if (reply.status === "read") return reply.value;
        throw new ProbeError("model_unavailable", `Expected an embedding, found ${reply.detail}`);
      },
    }),
    ...(talk && {
      async converse(request, signal) {
        const reply = await ask(channel, conversationQuestion(talk, request), { signal });
        return reply.status === "read" ? { status: "said", ...reply.value, durationMs: reply.durationMs } : reply;
      },
    }),
    ...(countTokens && { countTokens }),
    ...(sendsAgain && { sendsAgain }),
    ...(batches && { batches }),
    close() {
      parts.close();
      return Promise.resolve();
    },
  };
}

type Asked<T> = { readonly status: "read"; readonly value: T; readonly durationMs: number } | FailedReply;

async function ask<T>(channel: ServerChannel, question: Question<T>, { signal, again }: Sending): Promise<Asked<T>> {
  signal.throwIfAborted();
  const asked = await channel.ask(question, channel.pick(), signal, again && (() => again(0)));
  if (asked.status === "read") return asked;
  const { status, failure, detail } = asked;
  return { status, failure, detail };
}

/** A question whose answer has a text, or needs none. */
export function withText(
  question: Question<WrittenCompletion>,
  request: CompletionRequest,
): Question<Omit<Completion, "durationMs">> {
  return { ...question, read: (reply) => requireText(question.read(reply), request) };
}

async function write(
  channel: ServerChannel,
  question: Question<WrittenCompletion>,
  request: CompletionRequest,
  sending: Sending,
): Promise<CompletionReply> {
  const asked = await ask(channel, withText(question, request), sending);
  return asked.status === "read" ? { status: "completed", ...asked.value, durationMs: asked.durationMs } : asked;
}

/** Scores a raw text; an empty one has no tokens, and servers refuse it. */
async function scoreText(
  channel: ServerChannel,
  way: SequenceWay,
  text: string,
  signal: AbortSignal,
): Promise<TokenReply> {
  signal.throwIfAborted();
  if (text === "") return { status: "scored", tokens: [], ends: [], logprobs: [], isGreedy: [] };
  const question = sequenceQuestion(way, text.toWellFormed());
  const read = (reply: WireReply) => {
    const reading = question.read(reply);
    if (reading.status === "fault") throw errorOfContent(`the server ${reading.fault}`, reply.text);
    return reading.scores;
  };
  const asked = await ask(channel, { ...question, read }, { signal });
  return asked.status === "read" ? { status: "scored", ...asked.value } : asked;
}
