import { z } from "zod";
import {
  openReplyBook,
  type RecordedReplies,
  type ReplyBook,
  readReplies,
  recordingConverse,
  thinkingIdentity,
} from "../agent/replies.js";
import { badInput, ProbeError } from "../base/errors.js";
import { namedModel } from "../console/named-model.js";
import type { Converse } from "../model/conversation.js";
import { publicUrl } from "../model/http/public-url.js";
import { type ConnectionOptions, type Model, type ModelIdentity, NO_CONNECTION } from "../model/model.js";
import { openModel } from "../model/open-model.js";
import { findPrice, type Price } from "../model/prices.js";
import type { Think } from "../model/requests.js";
import type { ResolvedModel } from "../model/resolved-model.js";
import type { ModelRequest, Opening, Performance } from "../run/suite.js";
import type { TrialValues } from "../trial/trial-options.js";

/** Part of a request that names the judge and the way to reach it. */
interface JudgeRequest extends Pick<ModelRequest, "model" | "connection" | "promptMode"> {
  readonly values: Pick<TrialValues, "replies" | "replay" | "seed"> & {
    readonly judge: string | null;
    readonly judgeBaseUrl: readonly string[];
    readonly judgeApiKeyEnv: string | null;
    readonly judgeThink: Think | null;
  };
  /** The run that is resumed, whose judge may have had servers of its own. */
  readonly resumed: object | null;
  readonly workingDirectory: string;
  readonly warn: (message: string) => void;
}

/** The model that is to judge, found but not opened. */
export interface NamedJudge {
  readonly label: string;
  /** `null`: its replies are all recorded, and nobody is asked. */
  readonly model: ResolvedModel | null;
  readonly connection: ConnectionOptions;
  readonly price: Price | null;
  readonly recorded: RecordedReplies | null;
  /** `true` where it is the run's own model, reached as that is. */
  readonly isShared: boolean;
  /** `null`: nothing is said of its thoughts. */
  readonly think: Think | null;
}

/**
 * The model that `--judge` names; `null`: none does. One that is the run's model too is reached as that is.
 * @throws ProbeError `bad_input` when it means nothing, or its replies are to be replayed and there are none
 */
export async function namedJudge(request: JudgeRequest): Promise<NamedJudge | null> {
  const { values, workingDirectory } = request;
  const { judge: label, replies, replay, judgeThink: think } = values;
  if (label === null) {
    requireJudge(values);
    return null;
  }
  if (replay !== "off" && replies === null)
    throw badInput(`Expected --replies FILE with --replay ${replay}, found none.`);
  const recorded = replies === null || replay === "off" ? null : await recordedOf(replies, request);
  if (replay === "only")
    return { label, model: null, connection: NO_CONNECTION, price: null, recorded, isShared: false, think };
  const own = judgeConnection(request);
  const isOwn = own === null && label === request.model.label && request.model.provider !== "none";
  const model = isOwn ? request.model : await namedModel({ model: label, modelArg: [] }, workingDirectory);
  const connection = isOwn ? request.connection : (own ?? NO_CONNECTION);
  return {
    label,
    model,
    connection,
    price: await findPrice(model, connection, workingDirectory),
    recorded,
    isShared: isOwn,
    think,
  };
}

/** @throws ProbeError `bad_input` for a server, or thoughts, of a judge that is not named */
function requireJudge({ judgeBaseUrl, judgeApiKeyEnv, judgeThink }: JudgeRequest["values"]): void {
  const given =
    judgeBaseUrl.length > 0
      ? "--judge-base-url"
      : judgeApiKeyEnv !== null
        ? "--judge-api-key-env"
        : judgeThink !== null
          ? "--judge-think"
          : null;
  if (given === null) return;
  throw badInput(`Expected --judge M with ${given}, found none. Name the model, such as openai:auto.`);
}

const judgedBefore = z.object({ judge: z.object({ base_urls: z.array(z.string()) }) });

/**
 * Servers and key of the judge; `null`: none are named. They are named each time: a run that was found sends no key anywhere.
 * @throws ProbeError `bad_input` where the run had servers of its judge, and none are named
 */
function judgeConnection({ values, resumed }: JudgeRequest): ConnectionOptions | null {
  const { judgeBaseUrl: baseUrls, judgeApiKeyEnv: apiKeyEnv } = values;
  const [before] = baseUrls.length > 0 ? [] : (judgedBefore.safeParse(resumed).data?.judge.base_urls ?? []);
  if (before !== undefined)
    throw badInput(
      `Expected --judge-base-url again, found none: the judge of this run was at ${before}, which only you may name.`,
    );
  return baseUrls.length === 0 && apiKeyEnv === null ? null : { ...NO_CONNECTION, baseUrls, apiKeyEnv };
}

/** Replies of a judge; where others can be asked, a file without any is told of. */
async function recordedOf(path: string, { values, warn }: JudgeRequest): Promise<RecordedReplies | null> {
  try {
    return await readReplies(path, "judge");
  } catch (error) {
    if (values.replay === "only" || !(error instanceof ProbeError)) throw error;
    warn(error.message);
    return null;
  }
}

/** A judge that can be asked, for one session. */
export interface OpenJudge {
  readonly identity: ModelIdentity;
  /** Questions that may be under way at once. */
  readonly atOnce: number;
  /** Asks where nothing is recorded; every reply is in `replies.jsonl` before it counts. */
  asking(session: Performance): Promise<{ readonly converse: Converse; close(): Promise<void> }>;
  /** The same with a `replies.jsonl` that is open already. */
  askingIn(book: ReplyBook): Converse;
  close(): Promise<void>;
}

/** @throws ProbeError `bad_input`, `model_unavailable` */
export async function openJudge(judge: NamedJudge, request: JudgeRequest, opening: Opening): Promise<OpenJudge> {
  const { values } = request;
  const { model: named, recorded, label, think } = judge;
  const model = named === null ? null : await opened(named, judge, request, opening);
  const identity = model?.identity ?? recorded?.model;
  if (identity === undefined) throw new Error(`Expected a judge or its replies, found neither: ${label}.`);
  const askingIn = (book: ReplyBook) =>
    recordingConverse({
      speaker: "judge",
      converse: model?.converse?.bind(model) ?? null,
      identity: thinkingIdentity(identity, think),
      recorded,
      mode: values.replay,
      book,
    });
  return {
    identity,
    atOnce: model?.maxOpenGroups ?? 1,
    askingIn,
    async asking({ folder, fingerprint }) {
      const book = await openReplyBook(folder, { fingerprint });
      return { converse: askingIn(book), close: () => book.close() };
    },
    close: async () => model?.close(),
  };
}

function opened(
  model: ResolvedModel,
  { connection, think }: Pick<NamedJudge, "connection" | "think">,
  { promptMode, values }: JudgeRequest,
  { onMessage, onDownload, signal }: Opening,
): Promise<Model> {
  const needs = ["conversations"] as const;
  return openModel(model, {
    promptMode,
    mode: "fast",
    seed: values.seed,
    connection,
    needs,
    onMessage,
    signal,
    ...(think !== null && { think }),
    ...(onDownload && { onDownload }),
  });
}

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** Judge, as `run.json` names it. */
export const judgeSchema = z.object({
  label: z.string(),
  identity: z.record(z.string(), scalar),
  /** Per million tokens; `null`: not known. */
  price: z.object({ currency: z.string(), input: z.number(), output: z.number() }).nullable(),
  /** Servers of its own, without secrets; absent: it has none. */
  base_urls: z.array(z.string()).optional(),
});

type JudgeRecord = z.infer<typeof judgeSchema>;

/** Record of an opened judge in `run.json`. */
export function judgeRecord({ label, price, connection, isShared }: NamedJudge, { identity }: OpenJudge): JudgeRecord {
  const rate = price && { currency: price.currency, input: price.inputPerMillion, output: price.outputPerMillion };
  const urls = isShared ? [] : connection.baseUrls.map(publicUrl);
  return { label, identity: { ...identity }, price: rate, ...(urls.length > 0 && { base_urls: urls }) };
}

/** Identity of a judge, besides its name, which is a parameter: a run is resumed with no other. */
export function judgeFacts({
  judge,
}: {
  readonly judge: JudgeRecord | null;
}): Readonly<Record<string, string | number | boolean | null>> {
  return Object.fromEntries(Object.entries(judge?.identity ?? {}).map(([name, value]) => [`judge ${name}`, value]));
}
