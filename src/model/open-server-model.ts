import { setTimeout as wait } from "node:timers/promises";
import { ProbeError } from "../domain/errors.js";
import { MAX_OPTIONS, symbolsFor } from "../domain/symbol.js";
import { checkSequence, type SequenceWay } from "./check/echo.js";
import { CheckRefusal, type CheckReport } from "./check/report.js";
import { checkWay, checkWays, type WayCheck } from "./check/run-check.js";
import { sameNumbers } from "./check/same-numbers.js";
import { readPosition } from "./extraction/reported-tokens.js";
import type { ExtractionWay } from "./extraction/way.js";
import type { HttpClient } from "./http/http-client.js";
import { EndpointPool } from "./http/pool.js";
import { RequestError } from "./http/request-error.js";
import { publicUrl } from "./http/secrets.js";
import type { Model, ModelIdentity, OpenModelOptions } from "./model.js";
import { type Connection, ServerModel, type ServerModelParts } from "./server-model.js";
import type { ServerSettings } from "./server-settings.js";

/** Requests under way at once, at most, unless `--concurrency` says otherwise. */
export const DEFAULT_CONCURRENCY = 64;
/** Before a run, a server that refuses connections is not waited for as long as in a run. */
const CHECK_PATIENCE_MS = 5_000;

/** What a provider has found out about a server, and how it talks to it. */
export interface ServerParts extends Pick<ServerModelParts, "countTokens" | "embed"> {
  readonly options: OpenModelOptions;
  readonly settings: ServerSettings;
  readonly baseUrls: readonly string[];
  readonly http: HttpClient;
  /** How requests are sent over a `fetch`. */
  readonly connect: (over: typeof fetch) => Connection;
  /** Best first. */
  readonly ways: readonly ExtractionWay[];
  /** The letter the server writes. */
  readonly generated: ExtractionWay;
  /** How whole texts are scored; `null` where the API has no such request. */
  readonly sequenceWay: SequenceWay | null;
  /** What the server says of itself. */
  readonly report: CheckReport["server"];
  readonly identity: ModelIdentity;
}

/**
 * Checks a server and opens the model behind it (spec §4.2).
 * @throws ProbeError `model_unavailable` when it cannot be reached, or CheckRefusal when no way to take answers works
 */
export async function openServerModel(parts: ServerParts): Promise<Model> {
  const { options, settings, baseUrls } = parts;
  const maxConcurrency = options.connection.concurrency ?? DEFAULT_CONCURRENCY;
  const pool = new EndpointPool(baseUrls, {
    maxConcurrency: Math.ceil(maxConcurrency / baseUrls.length),
    patienceMs: settings.patienceSeconds * 1000,
    now: () => performance.now(),
    sleep: (ms, signal) => wait(ms, undefined, { signal }),
    random: Math.random,
  });
  try {
    const { way, check } = await findWay(parts, pool);
    const identity = { ...parts.identity, ...parts.report, extraction: way.name, prompt_mode: options.promptMode };
    const { countTokens, embed, http } = parts;
    return new ServerModel({
      identity,
      check,
      way,
      pool,
      connection: parts.connect(http.fetch),
      freshConnection: parts.connect(http.freshFetch),
      refreshConnections: http.refresh,
      maxConcurrency,
      countTokens,
      embed,
      close: http.close,
    });
  } catch (error) {
    parts.http.close();
    throw error instanceof RequestError ? unreachable(baseUrls, error) : error;
  }
}

function unreachable(baseUrls: readonly string[], error: RequestError): ProbeError {
  return new ProbeError(
    "model_unavailable",
    `Expected a server at ${baseUrls.map(publicUrl).join(", ")}, found ${error.message}. Start it, or name another with --base-url.`,
    { cause: error },
  );
}

/** The best way that works, and what was found out on the way to it. */
async function findWay(parts: ServerParts, pool: EndpointPool): Promise<{ way: ExtractionWay; check: CheckReport }> {
  const { options, settings, report } = parts;
  if (options.purpose === "count_tokens") return uncheckedWay(parts, pool);
  const ways = parts.ways.filter(({ extraction }) => (settings.extraction ?? extraction) === extraction);
  for (const endpoint of pool.endpoints)
    endpoint.setPatience(Math.min(CHECK_PATIENCE_MS, settings.patienceSeconds * 1000));
  const checks = await checkWays(ways, askAt(parts, pool, 0));
  const found = checks.find(({ result }) => result.status === "works");
  if (found !== undefined) await requireSameModel(parts, pool, found);
  const sequence = parts.sequenceWay === null ? [] : [await checkSequence(parts.sequenceWay, askSequence(parts, pool))];
  for (const endpoint of pool.endpoints) endpoint.setPatience(settings.patienceSeconds * 1000);
  const fallback = found === undefined ? fallbackWay(parts, checks) : null;
  const way = found?.way ?? fallback?.way ?? null;
  const check: CheckReport = {
    endpoints: pool.endpoints.map(({ baseUrl }) => publicUrl(baseUrl)),
    server: report,
    ways: [...checks.map(({ result }) => result), ...(fallback?.row ?? []), ...sequence],
    chosen: way?.name ?? null,
    forced: fallback?.isForced === true,
    request: way === null ? null : way.request("{prompt}", symbolsFor(MAX_OPTIONS)),
  };
  if (way === null) throw new CheckRefusal(options.label, check, "answers");
  const lacksSequence = settings.sequence === "required" && sequence.every(({ status }) => status !== "works");
  if (lacksSequence) throw new CheckRefusal(options.label, { ...check, chosen: null }, "sequence");
  return { way, check };
}

/** For counting tokens: no question is asked, so none is checked. */
function uncheckedWay(
  { ways, generated, report }: ServerParts,
  pool: EndpointPool,
): { way: ExtractionWay; check: CheckReport } {
  const endpoints = pool.endpoints.map(({ baseUrl }) => publicUrl(baseUrl));
  const check: CheckReport = { endpoints, server: report, ways: [], chosen: null, forced: false, request: null };
  return { way: ways[0] ?? generated, check };
}

interface Fallback {
  readonly way: ExtractionWay;
  readonly isForced: boolean;
  readonly row: CheckReport["ways"];
}

/** What is left when no way works: the written letter, if it was asked for; or a refused way, if that was forced. */
function fallbackWay({ options, settings, generated }: ServerParts, checks: readonly WayCheck[]): Fallback | null {
  if (options.connection.allowGenerated || settings.extraction === "generated") {
    const notes = ["no log probabilities: no margin, no symbol mass"];
    const row = {
      way: generated.name,
      extraction: generated.extraction,
      status: "works",
      notes,
      measures: null,
    } as const;
    return { way: generated, isForced: false, row: [row] };
  }
  const refused =
    checks.find(({ result }) => result.status === "refused") ??
    checks.find(({ result }) => result.status === "not_offered");
  return options.connection.force && refused !== undefined ? { way: refused.way, isForced: true, row: [] } : null;
}

function askSequence({ connect, http }: ServerParts, pool: EndpointPool): Parameters<typeof checkSequence>[1] {
  const endpoint = pool.pick();
  const { transport } = connect(http.freshFetch);
  const { signal } = new AbortController();
  return async (request) => (await endpoint.send((inner) => transport(endpoint.baseUrl, request, inner), signal)).json;
}

/** The check gives every request a connection of its own: it must not judge a reply to another. */
function askAt(
  { connect, http }: ServerParts,
  pool: EndpointPool,
  endpointIndex: number,
): Parameters<typeof checkWays>[1] {
  const endpoint = pool.endpoints[endpointIndex] ?? pool.pick();
  const { transport, encode } = connect(http.freshFetch);
  const { signal } = new AbortController();
  return async (way, prompt, symbols) => {
    const send = async (inner: AbortSignal) => {
      const wire = way.request(await encode(endpoint.baseUrl, prompt, inner), symbols);
      return readPosition((await transport(endpoint.baseUrl, wire, inner)).json, way.tokenTexts);
    };
    return endpoint.send(send, signal);
  };
}

/** Servers that share the load must report the same numbers. */
async function requireSameModel(parts: ServerParts, pool: EndpointPool, found: WayCheck): Promise<void> {
  const [first, ...others] = pool.endpoints;
  for (const [i, endpoint] of others.entries()) {
    const check = await checkWay(found.way, askAt(parts, pool, i + 1));
    if (check.result.status === "works" && sameNumbers(found.replies, check.replies)) continue;
    throw new ProbeError(
      "model_unavailable",
      `Expected ${publicUrl(endpoint.baseUrl)} to serve the same model as ${publicUrl(first?.baseUrl ?? "")}, found ` +
        `${check.result.status === "works" ? "other log probabilities for the same prompts" : check.result.notes.join("; ")}. Leave it out.`,
    );
  }
}
