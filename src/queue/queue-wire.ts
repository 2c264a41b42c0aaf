import { z } from "zod";
import { programIdentity } from "../base/program-identity.js";
import { type ChoiceSymbol, faultOfLogprobs, isLogprob, type Logprob } from "../base/symbol.js";
import { jsonValue } from "../base/text.js";
import { conversationReply, conversationRequest } from "../model/conversation.js";
import { PROMPT_MODES } from "../model/model.js";
import {
  CAPABILITIES,
  choiceSymbol,
  completionReply,
  completionRequest,
  extraction,
  failedFields,
  type IndexedReply,
  meterFields,
  type SymbolReply,
  type SymbolScore,
  symbolRequest,
  think,
  thoughtFields,
} from "../model/requests.js";
import { differences, type WorkIdentity } from "../store/identity.js";

/** Contents of a queue: data alone. Nothing of it is ever run, and anything that does not fit these shapes is refused. */
const workSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("symbols"), requests: z.array(symbolRequest).min(1).readonly() }).readonly(),
  z.strictObject({ kind: z.literal("completion"), request: completionRequest }).readonly(),
  z.strictObject({ kind: z.literal("conversation"), request: conversationRequest }).readonly(),
]);

/** Work for a model, as it travels. */
export type Work = z.infer<typeof workSchema>;

/** Natural logs; what JSON has no number for is a word. */
const logprob = z
  .union([z.number().refine(isLogprob), z.literal("-inf")])
  .transform((value) => (value === "-inf" ? Number.NEGATIVE_INFINITY : value) as Logprob);
const score = z.discriminatedUnion("status", [
  z.strictObject({ status: z.literal("known"), logprob, upperBound: logprob.exactOptional() }),
  z.strictObject({ status: z.literal("unknown"), upperBound: logprob.nullable() }),
]);

/** Numbers of a worker are held to the rule of a server's: parts of one distribution, a letter once. */
function soundScores({ value, issues }: z.core.ParsePayload<[ChoiceSymbol, SymbolScore][]>): void {
  const known = value.flatMap(([, own]) =>
    own.status === "known" && own.logprob > Number.NEGATIVE_INFINITY ? own.logprob : [],
  );
  const isTwice = new Set(value.map(([letter]) => letter)).size < value.length;
  const fault = isTwice ? "reported a letter twice" : faultOfLogprobs(known);
  if (fault !== null) issues.push({ code: "custom", input: value, message: `a worker ${fault}` });
}

const scores = z
  .array(z.tuple([choiceSymbol, score]))
  .check(soundScores)
  .transform((pairs): ReadonlyMap<ChoiceSymbol, SymbolScore> => new Map(pairs));

const spent = {
  ...meterFields,
  thoughts: z
    .strictObject({
      ...thoughtFields,
      trace: z
        .array(z.strictObject({ tokens: z.int().nonnegative(), scores }).readonly())
        .readonly()
        .exactOptional(),
    })
    .readonly()
    .exactOptional(),
};

const symbolReply = z.discriminatedUnion("status", [
  z.strictObject({ status: z.literal("scored"), scores, extraction, ...spent }),
  z.strictObject({ status: z.literal("named"), symbol: choiceSymbol, extraction, ...spent }),
  z.strictObject({ ...failedFields, ...spent }),
]);

const resultSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("symbols"),
    replies: z.array(z.strictObject({ index: z.int().nonnegative(), reply: symbolReply }).readonly()).readonly(),
  }),
  z.strictObject({ kind: z.literal("completion"), reply: completionReply }),
  z.strictObject({ kind: z.literal("conversation"), reply: conversationReply }),
]);

/** Result of work. */
export type Result = z.infer<typeof resultSchema>;

/** Work that came; `null`: it is something else. */
export function readWork(value: unknown): Work | null {
  return workSchema.safeParse(value).data ?? null;
}

/** JSON of a result. */
export function encodeResult(result: Result): object {
  if (result.kind !== "symbols") return result;
  return { kind: "symbols", replies: result.replies.map(({ index, reply }) => ({ index, reply: encodeReply(reply) })) };
}

function encodeReply(reply: SymbolReply): object {
  const trace = reply.thoughts?.trace?.map((point) => ({ tokens: point.tokens, scores: encodeScores(point.scores) }));
  const told = trace === undefined ? reply : { ...reply, thoughts: { ...reply.thoughts, trace } };
  return reply.status === "scored" ? { ...told, scores: encodeScores(reply.scores) } : told;
}

function encodeScores(known: ReadonlyMap<ChoiceSymbol, SymbolScore>): object[] {
  return [...known].map(([letter, own]) => [
    letter,
    Object.fromEntries(
      Object.entries(own).map(([name, value]) => [name, value === Number.NEGATIVE_INFINITY ? "-inf" : value]),
    ),
  ]);
}

/**
 * A result that came for some work: of its kind, and with one reply to each of its requests.
 * @throws Error for anything else
 */
export function parseResult(value: unknown, work: Work): Result {
  const result = resultSchema.parse(value);
  if (result.kind !== work.kind) throw new Error(`expected a result of kind ${work.kind}, found ${result.kind}`);
  if (result.kind === "symbols" && work.kind === "symbols") requireEach(result.replies, work.requests.length);
  return result;
}

function requireEach(replies: readonly IndexedReply[], count: number): void {
  const indices = new Set(replies.map(({ index }) => index));
  const isWhole = indices.size === count && replies.length === count;
  if (!isWhole || [...indices].some((index) => index >= count))
    throw new Error(`expected a reply to each of ${count} requests, found others`);
}

/** Beginning of all keys of a queue. */
export const PREFIX = "probe";

/** A run that is there says so again and again; one that was not heard of for so long is gone. */
export const BEAT_MS = 3_000;
export const SILENT_MS = 20_000;

/** Key of the notice of a run. */
export function runKey(run: string): string {
  return `${PREFIX}:run:${run}`;
}

/** Key of the set of runs there are. Those that were killed are taken out by workers. */
export const RUNS_KEY = `${PREFIX}:runs`;
export const RUN_NAME = /^[0-9a-f]{16}$/;

/** Key of the notices of workers that have a run's model open; a set, so that each may be said again. */
export function helloKey(run: string): string {
  return `${PREFIX}:hellos:${run}`;
}

/** Key of the reasons for which workers were refused; a set too. */
export function refusedKey(run: string): string {
  return `${PREFIX}:refusals:${run}`;
}

/** Stands in place of the notice of a run that ended. */
export const OVER = '"over"';

/** Deliveries of a piece of work before it is given up: it is taken for what ends its workers. */
export const MOST_DELIVERIES = 3;

/**
 * The queues of a run. Work whose worker ended goes from the first to the second, of which a worker takes one piece at a
 * time: so what ends workers is told from what was under way beside it. Deliveries count over both.
 */
export const STAGES = ["usual", "alone"] as const;
export type Stage = (typeof STAGES)[number];

export function queueName(run: string, stage: Stage): string {
  return `${run}-${stage}`;
}

/** Number of workers that may end with a piece of work of a queue before it is taken out of it. */
export const STALLS: Readonly<Record<Stage, number>> = { usual: 0, alone: MOST_DELIVERIES - 2 };

const identity = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** Facts that a run and its workers must share. */
const facts = {
  program: z.strictObject({ name: z.string(), version: z.string(), commit: z.string().nullable() }),
  label: z.string(),
  /** `key=value` settings of the model. */
  settings: z.array(z.string()),
};

/** Notice of a run on a queue: who may work for it, and how the model is opened. */
export const runNotice = z.strictObject({
  ...facts,
  opening: z.strictObject({
    promptMode: z.enum(PROMPT_MODES),
    mode: z.enum(["fast", "exact"]),
    seed: z.int().nonnegative(),
    optionCount: z.int().positive().nullable(),
    think: think.exactOptional(),
    offByDefault: z.literal(true).exactOptional(),
    needs: z.array(z.enum(CAPABILITIES)),
  }),
  /** Identity of the model; `null` until the first worker said it. */
  identity: identity.nullable(),
});

export type RunNotice = z.infer<typeof runNotice>;

/** Notice of a worker that has the model of a run open. */
export const workerNotice = z.strictObject({
  ...facts,
  identity,
  /** Name for messages, such as `worker-1 (pid 4711)`. */
  name: z.string().max(300),
});

export type WorkerNotice = z.infer<typeof workerNotice>;

/** The facts of this process, for a notice of it. */
export function ownFacts(
  label: string,
  settings: readonly string[],
): Pick<RunNotice, "program" | "label" | "settings"> {
  const { name, version, commit } = programIdentity();
  return { program: { name, version, commit }, label, settings: [...settings] };
}

/** A notice as it was read; `null`: another version of the program wrote it, or something else. */
export function readNotice<T>(schema: z.ZodType<T>, text: string): T | null {
  return schema.safeParse(jsonValue(text)).data ?? null;
}

/** Differences between a worker and a run's needs, a line each; none: it may work for it. */
export function refusals(run: RunNotice, worker: Omit<WorkerNotice, "name">): string[] {
  const shown = (notice: Pick<RunNotice, "program" | "label" | "settings" | "identity">): WorkIdentity => ({
    program: `${notice.program.name} ${notice.program.version}`,
    "program commit": notice.program.commit,
    model: notice.label,
    "model settings": notice.settings,
    ...Object.fromEntries(Object.entries(notice.identity ?? {}).map(([name, value]) => [`model ${name}`, value])),
  });
  const own = shown(run.identity === null ? { ...worker, identity: null } : worker);
  return differences(shown(run), own, "the run", "this worker");
}
