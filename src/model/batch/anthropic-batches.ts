import { z } from "zod";
import { errorOfReply } from "../http/request-error.js";
import { readJsonReply } from "../server/server-reader.js";
import { chatReplyOfMessage, messagesHeaders } from "../wire/messages-api.js";
import {
  another,
  type BatchApi,
  type BatchResult,
  type BatchState,
  type Candidate,
  MOST_PAGES,
  oldest,
  parsedReply,
  remoteId,
  type SentBatch,
} from "./batch-api.js";
import { type BatchAccess, resultLines } from "./result-lines.js";

const PATH = "/messages/batches";

/**
 * Anthropic's Message Batches API (reference read in November 2026): one request makes a batch of all its requests. A batch
 * has no name; whose it is, the ids of its results alone say.
 */
export function anthropicBatches(access: BatchAccess): BatchApi {
  const { baseUrl, apiKey, redact, timeoutMs, fetch: send } = access;
  const headers = messagesHeaders(apiKey);

  async function ask(path: string, body?: string): Promise<unknown> {
    const init: RequestInit = {
      method: body === undefined ? "GET" : "POST",
      headers,
      signal: AbortSignal.timeout(timeoutMs),
      ...(body !== undefined && { body }),
    };
    return (await readJsonReply(() => send(`${baseUrl}${path}`, init), redact)).json;
  }

  return {
    line: (id, { body }) => JSON.stringify({ custom_id: id, params: body }),
    probe: async () => void parsedReply(listSchema, await ask(`${PATH}?limit=1`)),
    async candidates(sent) {
      const found: Candidate[] = [];
      let after = "";
      for (let count = 1; count <= MOST_PAGES; count++) {
        const { data, has_more: hasMore } = parsedReply(listSchema, await ask(`${PATH}?limit=100${after}`));
        const recent = data.filter(({ created_at: began }) => Date.parse(began) >= oldest(sent));
        for (const batch of recent) if (sizeOf(batch) === sent.requests) found.push({ id: batch.id, isOurs: null });
        const last = recent.at(-1);
        if (hasMore !== true || last === undefined || recent.length < data.length) break;
        after = `&after_id=${last.id}`;
      }
      return found;
    },
    async submit(sent, file) {
      const requests = file.split("\n").filter((line) => line !== "");
      const batch = parsedReply(batchSchema, await ask(PATH, `{"requests":[${requests.join(",")}]}`));
      return requireSame(batch, sent).id;
    },
    async look(id, sent) {
      const batch = parsedReply(batchSchema, await ask(`${PATH}/${id}`));
      if (batch.id !== id) throw another(id, batch.id);
      return stateOf(requireSame(batch, sent));
    },
    async *results({ id }) {
      const page = () => access.stream(`${baseUrl}${PATH}/${id}/results`, { method: "GET", headers });
      for await (const line of resultLines(page, access)) yield resultOf(line);
    },
  };
}

const count = z.number().int().nonnegative();
const batchSchema = z.looseObject({
  id: remoteId,
  processing_status: z.string(),
  request_counts: z.looseObject({
    processing: count,
    succeeded: count,
    errored: count,
    canceled: count,
    expired: count,
  }),
  created_at: z.string(),
  ended_at: z.string().nullish(),
});
type Batch = z.infer<typeof batchSchema>;
const listSchema = z.looseObject({ data: z.array(batchSchema), has_more: z.boolean().nullish() });

/** The counts of a batch always sum to its requests. */
function sizeOf({ request_counts: { processing, succeeded, errored, canceled, expired } }: Batch): number {
  return processing + succeeded + errored + canceled + expired;
}

function requireSame(batch: Batch, { mark, requests }: SentBatch): Batch {
  if (sizeOf(batch) === requests) return batch;
  throw another(`${mark}, of ${requests} requests`, `one of ${sizeOf(batch)} (${batch.id})`);
}

function stateOf({ id, processing_status: status, created_at: began, ended_at: ended }: Batch): BatchState {
  const tookMs = Date.parse(ended ?? "") - Date.parse(began);
  return {
    id,
    status: status === "ended" ? "ended" : "under_way",
    reason: status,
    isTooMuch: false,
    tookMs: Number.isFinite(tookMs) ? Math.max(0, tookMs) : 0,
    files: [],
  };
}

const resultLine = z.looseObject({
  custom_id: z.string(),
  result: z.discriminatedUnion("type", [
    z.looseObject({ type: z.literal("succeeded"), message: z.looseObject({}) }),
    z.looseObject({
      type: z.literal("errored"),
      error: z.looseObject({ error: z.looseObject({ type: z.string().nullish() }).nullish() }),
    }),
    z.looseObject({ type: z.enum(["canceled", "expired"]) }),
  ]),
});

/** Statuses that the API's errors have elsewhere, by their type; others are its own fault. */
const STATUSES = new Map([
  ["invalid_request_error", 400],
  ["invalid_request", 400],
  ["authentication_error", 401],
  ["permission_error", 403],
  ["not_found_error", 404],
  ["request_too_large", 413],
  ["rate_limit_error", 429],
  ["overloaded_error", 529],
]);

function resultOf(line: unknown): BatchResult {
  const { data } = resultLine.safeParse(line);
  if (data === undefined) return { id: "", status: "expired" };
  const { custom_id: id, result } = data;
  switch (result.type) {
    case "succeeded": {
      const text = JSON.stringify(result.message);
      return { id, status: "answered", reply: chatReplyOfMessage({ json: result.message, text }) };
    }
    case "errored": {
      const status = STATUSES.get(result.error.error?.type ?? "") ?? 500;
      return { id, status: "failed", error: errorOfReply(status, JSON.stringify(result.error), new Headers(), 0) };
    }
    default:
      return { id, status: result.type === "canceled" ? "cancelled" : "expired" };
  }
}
