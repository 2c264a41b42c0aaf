import { setMaxListeners } from "node:events";
import { ProbeError } from "../../base/errors.js";
import type { CheckReport } from "../check/check-report.js";
import type { HttpClient } from "../http/http-client.js";
import { EndpointPool } from "../http/pool.js";
import { publicUrl } from "../http/public-url.js";
import { RequestError } from "../http/request-error.js";
import type { Model, ModelIdentity, OpenModelOptions } from "../model.js";
import type { OfferedWays } from "../wire/ways.js";
import { type Connection, ServerChannel } from "./server-channel.js";
import { checkServer } from "./server-check.js";
import { ServerModel, type UsedWays } from "./server-model.js";
import type { ServerSettings } from "./server-settings.js";
import { patienceOf } from "./server-settings.js";

/** What a provider has found out about a server, and how it talks to it. */
interface ServerParts {
  readonly options: OpenModelOptions;
  readonly settings: ServerSettings;
  readonly baseUrls: readonly string[];
  readonly http: HttpClient;
  /** How requests are sent over a `fetch`. */
  readonly connect: (over: typeof fetch) => Connection;
  readonly ways: OfferedWays;
  readonly countTokens: ((prompt: string) => Promise<number>) | null;
  /** What the server says of itself. */
  readonly report: CheckReport["server"];
  readonly identity: ModelIdentity;
}

/**
 * Checks a server and opens the model behind it (spec §4.2).
 * @throws ProbeError `model_unavailable` when it cannot be reached, or CheckRefusal when it does not give what the model
 * is opened for
 */
export async function openServerModel(parts: ServerParts): Promise<Model> {
  const { options, settings, baseUrls, connect, http, report, countTokens } = parts;
  const patience = patienceOf(options, settings);
  const { maxConcurrency } = patience;
  const pool = new EndpointPool(baseUrls, {
    ...patience,
    maxConcurrency: Math.ceil(maxConcurrency / baseUrls.length),
  });
  const signal = options.signal ?? new AbortController().signal;
  // Every request of the check listens for the abort.
  setMaxListeners(0, signal);
  const freshConnection = connect(http.freshFetch);
  const connection = connect(http.fetch);
  try {
    const { ways, check } = await checkServer({
      ...{ options, settings, report, pool, signal },
      ways: parts.ways,
      connection: freshConnection,
    });
    const identity = { ...parts.identity, ...report, ...waysOf(ways, options), prompt_mode: options.promptMode };
    const channel = new ServerChannel({ pool, connection, freshConnection, refreshConnections: http.refresh });
    return new ServerModel({ identity, check, ways, channel, maxConcurrency, countTokens, close: http.close });
  } catch (error) {
    http.close();
    throw error instanceof RequestError ? unreachable(baseUrls, error) : error;
  }
}

/** By which ways the model gives what it was opened for: results by other ways are other results. */
function waysOf(
  { symbols, tokenScores, completions, infill, embeddings, conversations, tools }: UsedWays,
  { needs }: OpenModelOptions,
): ModelIdentity {
  return {
    ...(symbols && { extraction: symbols.name }),
    ...(tokenScores && needs.includes("token_scores") && { token_scores: tokenScores.name }),
    ...(completions && { completions: completions.name }),
    ...(infill && { infill: infill.name }),
    ...(embeddings && { embeddings: embeddings.name }),
    ...(conversations && needs.includes("conversations") && { conversations: conversations.name }),
    ...(tools && needs.includes("tools") && { tools: tools.name }),
  };
}

function unreachable(baseUrls: readonly string[], error: RequestError): ProbeError {
  return new ProbeError(
    "model_unavailable",
    `Expected a server at ${baseUrls.map(publicUrl).join(", ")}, found ${error.message}. Start it, or name another with --base-url.`,
    { cause: error },
  );
}
