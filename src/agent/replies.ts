import { join } from "node:path";
import { z } from "zod";
import { badInput } from "../base/errors.js";
import { sha256 } from "../base/sha256.js";
import { shorten } from "../base/text.js";
import type { ConversationReply, ConversationRequest, Converse, Message } from "../model/conversation.js";
import type { ModelIdentity } from "../model/model.js";
import { failureKind, recordedThink, type Think } from "../model/requests.js";
import type { WorkIdentity } from "../store/identity.js";
import type { FolderCodec } from "../store/journal/codec.js";
import { jsonRecord } from "../store/journal/codec.js";
import { JournalWriter } from "../store/journal/journal-writer.js";
import { readJournal } from "../store/journal/read-journal.js";

/** `off`: everything is asked. `prefer`: what is not recorded is asked. `only`: nothing is asked. */
type ReplayMode = "off" | "prefer" | "only";

const call = z.object({ id: z.string(), name: z.string(), arguments: z.string() });
const tokens = z.int().nonnegative().nullable();
const replySchema = z.discriminatedUnion("status", [
  z.object({
    status: z.literal("said"),
    text: z.string().nullable(),
    toolCalls: z.array(call),
    thoughts: z.record(z.string(), z.unknown()).exactOptional(),
    promptTokens: tokens,
    completionTokens: tokens,
    end: z.enum(["stop", "tool_calls", "length"]),
    durationMs: z.number().nonnegative(),
  }),
  z.object({
    status: z.literal("failed"),
    failure: failureKind,
    detail: z.string(),
  }),
]);

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
/** Everybody who replies. */
const SPEAKERS = ["agent", "judge"] as const;
/** Speaker of a reply: a model that works, or one that judges. */
type Speaker = (typeof SPEAKERS)[number];

const recordSchema = z.object({
  speaker: z.enum(SPEAKERS).default("agent"),
  /** SHA-256 of all that the reply may depend on. */
  request_sha256: z.string().length(64),
  model: z.record(z.string(), scalar),
  task_id: z.string().nullable(),
  condition: z.string().nullable(),
  trial: z.int().nullable(),
  attempt: z.int().nullable(),
  turn: z.int().nullable(),
  /** Last message of the request, shortened; the whole conversation is in the transcript. */
  last_message: z.unknown(),
  reply: replySchema,
});

/** A request and its reply, as `replies.jsonl` holds them. */
export type ReplyRecord = z.infer<typeof recordSchema>;

/** `replies.jsonl` of a run. */
export const REPLIES: FolderCodec<ReplyRecord> = {
  kind: "replies",
  file: "replies.jsonl",
  journal: "the replies of a model",
  record: "a reply of a model",
  onDamage: "Remove that line: its request is asked again, or unknown to a replay.",
  version1: "record",
  ...jsonRecord(recordSchema),
  placeOf: () => null,
  isFailed: () => false,
};

/** Recorded replies by the hash of their requests. */
export interface RecordedReplies {
  readonly model: ModelIdentity;
  readonly byRequest: ReadonlyMap<string, ConversationReply>;
}

/**
 * Reads the replies of a file that one speaker gave; of several to the same request the last one counts.
 * @throws ProbeError `bad_input` when there are none, or they are of several models
 */
export async function readReplies(path: string, speaker: Speaker = "agent"): Promise<RecordedReplies> {
  const byRequest = new Map<string, ConversationReply>();
  let model: ModelIdentity | null = null;
  for await (const { record } of readJournal(path, REPLIES)) {
    if (record.speaker !== speaker) continue;
    if (model !== null && JSON.stringify(model) !== JSON.stringify(record.model))
      throw badInput(`Expected the replies of one model in ${path}, found those of several.`);
    model = record.model;
    byRequest.set(record.request_sha256, record.reply);
  }
  if (model !== null) return { model, byRequest };
  throw badInput(
    `Expected recorded replies in ${path}, found none of ${speaker === "agent" ? "an" : "a"} ${speaker}. Name the replies.jsonl of a run.`,
  );
}

/** `replies.jsonl` of a run, for as long as its session takes. */
export interface ReplyBook {
  /** Replies to each speaker in sessions before this one, by the hash of the requests: none is asked for again. */
  readonly before: Readonly<Record<Speaker, ReadonlyMap<string, ConversationReply>>>;
  /** Resolves when the record is on disk. */
  append(record: ReplyRecord): Promise<void>;
  /** Gives the file back. */
  close(): Promise<void>;
}

/** @throws ProbeError `bad_input` as `JournalWriter.open` */
export async function openReplyBook(folder: string, identity: WorkIdentity): Promise<ReplyBook> {
  const path = join(folder, REPLIES.file);
  const journal = await JournalWriter.open(path, REPLIES, identity);
  const before = { agent: new Map<string, ConversationReply>(), judge: new Map<string, ConversationReply>() };
  for await (const { record } of readJournal(path, REPLIES))
    before[record.speaker].set(record.request_sha256, record.reply);
  return { before, append: (record) => journal.append(record), close: () => journal.close() };
}

interface RecordingOptions {
  /** The agent unless told otherwise. */
  readonly speaker?: Speaker;
  /** `null`: nobody can be asked. */
  readonly converse: Converse | null;
  readonly identity: ModelIdentity;
  readonly recorded: RecordedReplies | null;
  readonly mode: ReplayMode;
  readonly book: Pick<ReplyBook, "before" | "append">;
}

/** A model that is asked only what neither this run nor, as the mode says, another recorded, and whose replies are recorded. */
export function recordingConverse(options: RecordingOptions): Converse {
  const { converse, identity, recorded, mode, book, speaker = "agent" } = options;
  return async (request, signal) => {
    const key = requestHash(identity, request);
    const own = book.before[speaker].get(key);
    if (own !== undefined) return own;
    const known = mode === "off" ? undefined : recorded?.byRequest.get(key);
    if (known === undefined && (converse === null || mode === "only"))
      return { status: "failed", failure: "unavailable", detail: `no recorded reply to request ${key.slice(0, 12)}` };
    const reply = known ?? (await converse?.(request, signal)) ?? UNASKED;
    if (isLasting(reply)) await book.append({ speaker, ...recordOf(key, identity, request, reply) });
    return reply;
  };
}

const UNASKED: ConversationReply = { status: "failed", failure: "unavailable", detail: "nobody was asked" };

/** Tests for replies that would come again; a server that is down may be up the next time. */
function isLasting(reply: ConversationReply): boolean {
  return reply.status === "said" || reply.failure === "context_overflow" || reply.failure === "refused";
}

/** A model with the thoughts that it is asked for: with others, other replies are recorded. */
export function thinkingIdentity(identity: ModelIdentity, think: Think | null): ModelIdentity {
  return think === null ? identity : { ...identity, think: recordedThink(think) };
}

/** Trial and attempt are part of it: else a repetition would be the same reply again, and Pass^3 equal Pass@1. */
function requestHash(identity: ModelIdentity, { key, ...request }: ConversationRequest): string {
  return sha256(JSON.stringify([identity, request, key?.trial ?? 0, key?.attempt ?? 0]));
}

function recordOf(
  hash: string,
  model: ModelIdentity,
  request: ConversationRequest,
  reply: ConversationReply,
): Omit<ReplyRecord, "speaker"> {
  const { key, messages } = request;
  return {
    request_sha256: hash,
    model: { ...model },
    task_id: key?.taskId ?? null,
    condition: key?.condition ?? null,
    trial: key?.trial ?? null,
    attempt: key?.attempt ?? null,
    turn: key?.turn ?? null,
    last_message: shortened(messages.at(-1)),
    reply: reply.status === "failed" ? reply : { ...reply, toolCalls: reply.toolCalls.map((each) => ({ ...each })) },
  };
}

/** Characters of a message that are recorded: what a judge is shown may be 20 MB, and a line of a journal may not. */
const MOST_CHARACTERS = 1_000_000;

function shortened(message: Message | undefined): Message | null {
  if (message === undefined) return null;
  const { content } = message;
  return content === null || content.length <= MOST_CHARACTERS
    ? message
    : { ...message, content: shorten(content, MOST_CHARACTERS) };
}
