import { setMaxListeners } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { badInput, modelUnavailable, type ProbeError } from "../../base/errors.js";
import type { ModelBatches } from "../batch/batch-api.js";
import type { BatchParts } from "../batch/open-batches.js";
import type { Dialect, ServerApi } from "../dialect/dialect.js";
import type { PatienceOptions } from "../http/endpoint.js";
import { type HttpClient, httpClient } from "../http/http-client.js";
import { EndpointPool } from "../http/pool.js";
import { publicUrl } from "../http/public-url.js";
import { errorOfContent, RequestError } from "../http/request-error.js";
import { redactor, replyRedactor } from "../http/secrets.js";
import type { Model, ModelIdentity, OpenModelOptions } from "../model.js";
import { parseServerSettings, type ServerSettings } from "../model-settings.js";
import {
  CAPABILITIES,
  type Completion,
  type CompletionReply,
  type CompletionRequest,
  type FailedReply,
  type TokenReply,
} from "../requests.js";
import { lineOf, needsBaseUrl } from "../resolved-model.js";
import type { DialectName, Vendor } from "../vendor/vendors.js";
import { changeFacts } from "../wire/body-changes.js";
import { requireText, type WrittenCompletion } from "../wire/completion-reply.js";
import {
  completionQuestion,
  conversationQuestion,
  embeddingQuestion,
  infillQuestion,
  type Question,
  sequenceQuestion,
} from "../wire/questions.js";
import type { OfferedWays, SequenceWay, UsedWays, WireReply } from "../wire/ways.js";
import { chooseServers, type ServerAccess, serverAccess } from "./server-access.js";
import { ServerChannel } from "./server-channel.js";
import { checkServer } from "./server-check.js";
import { serverReader } from "./server-reader.js";
import { replyQuestion, type Sending, scoreGroup } from "./server-symbols.js";

/** Each dialect's module, with the packages it needs, loads when a server is spoken to, not before. */
const DIALECTS: Readonly<Record<DialectName, () => Promise<Dialect>>> = {
  anthropic: async () => (await import("../dialect/anthropic-dialect.js")).anthropicDialect,
  huggingface: async () => (await import("../dialect/huggingface-dialect.js")).huggingfaceDialect,
  openai: async () => (await import("../dialect/openai-dialect.js")).openaiDialect,
};

/**
 * Opens a model behind one or several servers: finds out who is asked with which key, what the servers are, and whether
 * they give what it is opened for (spec §4.2).
 * @throws ProbeError `bad_input`; `model_unavailable` when a server cannot be reached; CheckRefusal when it does not give
 * what the model is opened for
 */
export async function openServer(vendor: Vendor, options: OpenModelOptions): Promise<Model> {
  const settings = parseServerSettings(options.settings);
  requireServer(vendor, options, settings);
  requirePromptMode(vendor, options, settings);
  const access = await serverAccess(options, settings, vendor);
  const http = httpClient(options.connection.concurrency ?? DEFAULT_CONCURRENCY, replyRedactor(access.secrets));
  try {
    return await openWith(http, { vendor, options, settings, access });
  } catch (error) {
    http.close();
    throw error instanceof RequestError ? unreachable(access.baseUrls, error) : error;
  }
}

/** @throws ProbeError `bad_input` where each user has a server of another name, and none is named */
function requireServer(
  { name, service, baseUrl, keyVariable }: Vendor,
  options: OpenModelOptions,
  settings: ServerSettings,
) {
  if (!needsBaseUrl(baseUrl) || chooseServers(options, settings, baseUrl)[0]?.url !== baseUrl) return;
  throw badInput(
    `Expected --base-url with your own address at ${service}, found none. Such as --model ${name}:${options.name} ` +
      `--base-url ${baseUrl} --api-key-env ${keyVariable ?? ""}`,
  );
}

/** @throws ProbeError `bad_input` where raw text would be sent to a service that takes chat alone */
function requirePromptMode(vendor: Vendor, options: OpenModelOptions, settings: ServerSettings): void {
  const { needs, promptMode } = options;
  const isPrompted = needs.length === 0 || needs.includes("symbols") || needs.includes("completions");
  if (vendor.rawTextNeeds === undefined || promptMode === "chat" || !isPrompted) return;
  if (chooseServers(options, settings, vendor.baseUrl)[0]?.url !== vendor.baseUrl) return;
  throw badInput(
    `Expected --prompt-mode chat for ${vendor.service}, found completion: raw text needs ${vendor.rawTextNeeds}. ` +
      `Such as ${lineOf(vendor, options.name)}`,
  );
}

interface Opening {
  readonly vendor: Vendor;
  readonly options: OpenModelOptions;
  readonly settings: ServerSettings;
  readonly access: ServerAccess;
}

async function openWith(http: HttpClient, { vendor, options, settings, access }: Opening): Promise<Model> {
  const { baseUrls, key: apiKey, secrets } = access;
  const [baseUrl = vendor.baseUrl] = baseUrls;
  const patience = patienceOf(options, settings);
  const { maxConcurrency } = patience;
  const signal = options.signal ?? new AbortController().signal;
  // Every request of the check listens for the abort.
  setMaxListeners(0, signal);
  const wire = { apiKey, redact: redactor(secrets), timeoutMs: settings.timeoutSeconds * 1000 };
  const read = serverReader(baseUrl, { ...wire, fetch: http.freshFetch, patience, signal });
  const dialect = await DIALECTS[vendor.dialect]();
  const isOwnService = baseUrl === vendor.baseUrl;
  const api = await dialect({ vendor, options, settings, isOwnService, read });
  const pool = new EndpointPool(baseUrls, {
    ...patience,
    maxConcurrency: Math.ceil(maxConcurrency / baseUrls.length),
  });
  const connection = api.connect({ ...wire, fetch: http.fetch });
  const freshConnection = api.connect({ ...wire, fetch: http.freshFetch });
  const { report, countTokens, sendsAgain } = api;
  const offered = waysWithout(api.ways, vendor);
  const checking = { options, settings, ways: offered, report, pool, connection: freshConnection, signal };
  const { ways, check } = await checkServer(checking);
  const channel = new ServerChannel({ pool, connection, freshConnection, refreshConnections: http.refresh });
  const identity = identityOf(vendor, api, ways, options);
  const batching = { vendor, baseUrls, api, ways, access: { ...wire, fetch: http.fetch, stream: http.stream } };
  const batches = options.batch ? await batchesOf({ ...batching, patience, settings, signal }) : null;
  const facts = {
    identity,
    check,
    ...(countTokens && { countTokens }),
    ...(sendsAgain && { sendsAgain }),
    ...(batches && { batches }),
  };
  return serverModel({ ...facts, ways, channel, maxConcurrency, close: http.close });
}

type Batching = Pick<BatchParts, "vendor" | "baseUrls" | "access" | "patience" | "signal"> & {
  readonly api: ServerApi;
  readonly ways: UsedWays;
  readonly settings: ServerSettings;
};

/** The batches of the service, for what is asked of the model in a run. */
async function batchesOf({ api, ways, settings, ...parts }: Batching): Promise<ModelBatches> {
  const { openBatches } = await import("../batch/open-batches.js");
  const { symbols, completions } = ways;
  return openBatches({
    ...parts,
    batches: api.batches,
    pollMs: settings.batchPollSeconds * 1000,
    symbols: symbols && ((request) => replyQuestion(symbols, request)),
    complete: completions && ((request) => withText(completionQuestion(completions, request), request)),
  });
}

/** Requests under way at once, at most, unless `--concurrency` says otherwise. */
const DEFAULT_CONCURRENCY = 64;

/** Patience with a model's servers, and the listener for waits. */
function patienceOf(
  { connection, onMessage }: OpenModelOptions,
  { patienceSeconds, timeoutSeconds }: ServerSettings,
): PatienceOptions {
  return {
    maxConcurrency: connection.concurrency ?? DEFAULT_CONCURRENCY,
    patienceMs: patienceSeconds * 1000,
    timeoutMs: timeoutSeconds * 1000,
    now: () => performance.now(),
    sleep: (ms, signal) => wait(ms, undefined, { signal }),
    random: Math.random,
    ...(onMessage && { onMessage }),
  };
}

function waysWithout(ways: OfferedWays, { lacks = [] }: Vendor): OfferedWays {
  return { ...ways, ...Object.fromEntries(lacks.map((capability) => [capability, []])) };
}

/** Facts of the model, and the ways to what it was opened for: results by other ways are other results. */
function identityOf(
  { name: provider }: Vendor,
  { model, report }: ServerApi,
  ways: UsedWays,
  { needs, promptMode }: OpenModelOptions,
): ModelIdentity {
  const used = CAPABILITIES.flatMap((capability) => {
    const way = needs.includes(capability) ? ways[capability] : null;
    return way === null ? [] : [{ fact: capability === "symbols" ? "extraction" : capability, way }];
  });
  const named = Object.fromEntries(used.map(({ fact, way }) => [fact, way.name]));
  const facts = { ...named, ...changeFacts(used.map(({ way }) => way)) };
  return { provider, name: model, ...report, ...facts, prompt_mode: promptMode };
}

function unreachable(baseUrls: readonly string[], error: RequestError): ProbeError {
  return modelUnavailable(
    `Expected a server at ${baseUrls.map(publicUrl).join(", ")}, found ${error.message}. Start it, or name another with --base-url.`,
    error,
  );
}

/** What a model is beside what it can be asked, and the means to ask it. */
interface ServerModelParts extends Omit<Model, "maxOpenGroups" | "close"> {
  readonly ways: UsedWays;
  readonly channel: ServerChannel;
  readonly maxConcurrency: number;
  readonly close: () => void;
}

/** Groups of requests that share a prefix are about this large; so many open ones keep all places busy. */
const GROUP_SHARE = 8;

/** A model behind one or several servers. It has the methods that it was opened for and that its check found to work. */
function serverModel({ ways, channel, maxConcurrency, close, ...facts }: ServerModelParts): Model {
  const { symbols, token_scores, completions, infill, embeddings, conversations, tools } = ways;
  const talk = tools ?? conversations;
  return {
    ...facts,
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
        throw modelUnavailable(`Expected an embedding, found ${reply.detail}`);
      },
    }),
    ...(talk && {
      async converse(request, signal) {
        const reply = await ask(channel, conversationQuestion(talk, request), { signal });
        return reply.status === "read" ? { status: "said", ...reply.value, durationMs: reply.durationMs } : reply;
      },
    }),
    close: async () => close(),
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
function withText(
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
