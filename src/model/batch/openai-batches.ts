import OpenAI, { toFile } from "openai";
import { z } from "zod";
import { badInput, ProbeError } from "../../base/errors.js";
import { openaiClient } from "../dialect/openai-client.js";
import { errorOfConnection, errorOfReply, RequestError } from "../http/request-error.js";
import type { Vendor } from "../vendor/vendors.js";
import { chatReplyOf } from "../wire/responses-api.js";
import {
  another,
  type BatchApi,
  type BatchResult,
  type BatchState,
  MOST_PAGES,
  oldest,
  parsedReply,
  remoteId,
  type SentBatch,
} from "./batch-api.js";
import { type BatchAccess, resultLines } from "./result-lines.js";

/**
 * OpenAI's Batch API (reference read in November 2026): a file of requests is uploaded, and a batch made of it. The file's
 * name and the batch's metadata say whose they are, and both can be listed.
 */
export function openaiBatches(access: BatchAccess, vendor: Vendor): BatchApi {
  const client = openaiClient(access.baseUrl, { ...access, fetch: withTextBody(access.fetch) }, { vendor });
  const streaming = openaiClient(access.baseUrl, { ...access, fetch: access.stream }, { vendor });
  const { redact } = access;

  async function upload(sent: SentBatch, file: string): Promise<string> {
    const content = await toFile(Buffer.from(file), fileName(sent), { type: "application/jsonl" });
    return parsedReply(identified, await client.files.create({ file: content, purpose: "batch" })).id;
  }

  async function findFile(sent: SentBatch): Promise<string | null> {
    const pages = await client.files.list({ purpose: "batch", order: "desc", limit: 1000 });
    const name = fileName(sent);
    return (await findIn(pages, sent, identified.extend({ filename: z.literal(name) })))?.id ?? null;
  }

  return {
    line: (id, { path, body }) => JSON.stringify({ custom_id: id, method: "POST", url: endpointOf(path), body }),
    probe: () => told(redact, async () => void (await client.batches.list({ limit: 1 }))),
    candidates: (sent) =>
      told(redact, async () => {
        const pages = await client.batches.list({ limit: 100 });
        const ours = batchSchema.extend({ metadata: z.looseObject({ probe_batch: z.literal(sent.mark) }) });
        const found = await findIn(pages, sent, ours);
        return found === null ? [] : [{ id: requireSame(found, sent).id, isOurs: true }];
      }),
    submit: (sent, file, mayBeThere) =>
      told(redact, async () => {
        const known = mayBeThere ? await findFile(sent) : null;
        const batch = await client.batches.create({
          input_file_id: known ?? (await upload(sent, file)),
          endpoint: endpointOf(sent.path),
          completion_window: "24h",
          metadata: { probe_batch: sent.mark, sha256: sent.sha256 },
        });
        return requireSame(parsedReply(batchSchema, batch), sent).id;
      }),
    look: (id, sent) =>
      told(redact, async () => {
        const batch = parsedReply(batchSchema, await client.batches.retrieve(id));
        if (batch.id !== id) throw another(id, batch.id);
        return stateOf(requireSame(batch, sent));
      }),
    async *results({ files }) {
      for (const file of files)
        for await (const line of resultLines(() => streaming.files.content(file), access)) yield resultOf(line);
    },
  };
}

/** The package sends files as a form; here every request has a text. */
function withTextBody(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    if (!(init?.body instanceof FormData)) return send(input, init);
    const packed = new Response(init.body);
    const headers = new Headers(init.headers);
    headers.set("content-type", packed.headers.get("content-type") ?? "");
    return send(input, { ...init, headers, body: await packed.text() });
  };
}

/** The errors of the package, as those of any request. */
async function told<T>(redact: BatchAccess["redact"], ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof RequestError || error instanceof ProbeError) throw error;
    if (!(error instanceof OpenAI.APIError) || typeof error.status !== "number") throw errorOfConnection(error, redact);
    const said: unknown = error.error;
    const body = said === undefined ? error.message : JSON.stringify({ error: said });
    throw errorOfReply(error.status, redact(body), new Headers(error.headers ?? {}), Date.now());
  }
}

type Endpoint = OpenAI.BatchCreateParams["endpoint"];
const ENDPOINTS: readonly Endpoint[] = ["/v1/responses", "/v1/chat/completions", "/v1/completions"];

function endpointOf(path: string): Endpoint {
  const endpoint = ENDPOINTS.find((each) => each === `/v1${path}`);
  if (endpoint !== undefined) return endpoint;
  throw badInput(`Expected requests to one of ${ENDPOINTS.join(", ")} for --batch, found ${path}.`);
}

function fileName({ mark, sha256 }: SentBatch): string {
  return `${mark}-${sha256.slice(0, 16)}.jsonl`;
}

interface Pages {
  readonly data: readonly unknown[];
  hasNextPage(): boolean;
  getNextPage(): Promise<Pages>;
}

const dated = z.looseObject({ created_at: z.number() });

/** The first entry of a list, newest first, that fits; `null`: none of so long before. */
async function findIn<T>(pages: Pages, sent: SentBatch, wanted: z.ZodType<T>): Promise<T | null> {
  let page = pages;
  for (let count = 1; ; count++) {
    const found = page.data.map((entry) => wanted.safeParse(entry)).find(({ success }) => success)?.data;
    if (found !== undefined) return found;
    const isOld = page.data.some((entry) => (dated.safeParse(entry).data?.created_at ?? 0) * 1000 < oldest(sent));
    if (isOld || count >= MOST_PAGES || !page.hasNextPage()) return null;
    page = await page.getNextPage();
  }
}

const identified = z.looseObject({ id: remoteId });
const seconds = z.number().nonnegative().nullish();
const file = remoteId.nullish();
const batchSchema = z.looseObject({
  id: remoteId,
  status: z.string(),
  endpoint: z.string(),
  metadata: z.looseObject({ probe_batch: z.string().optional(), sha256: z.string().optional() }).nullish(),
  request_counts: z.looseObject({ total: z.number() }).nullish(),
  errors: z
    .looseObject({
      data: z.array(z.looseObject({ code: z.string().nullish(), message: z.string().nullish() })).nullish(),
    })
    .nullish(),
  output_file_id: file,
  error_file_id: file,
  created_at: seconds,
  completed_at: seconds,
  expired_at: seconds,
  cancelled_at: seconds,
});
type Batch = z.infer<typeof batchSchema>;

/** @throws ProbeError `model_unavailable` for a batch of other requests, whoever says that it is this one */
function requireSame(batch: Batch, { mark, sha256, requests, path }: SentBatch): Batch {
  const { metadata, endpoint, request_counts: counts } = batch;
  const total = counts?.total ?? 0;
  const isSame =
    metadata?.probe_batch === mark &&
    metadata.sha256 === sha256 &&
    endpoint === endpointOf(path) &&
    (total === 0 || total === requests);
  if (!isSame) throw another(mark, `one of other requests (${batch.id})`);
  return batch;
}

/** Refusal of a batch whose tokens are more than an account may have waiting. */
const TOO_MUCH = "token_limit_exceeded";
const ENDS = new Map<string, BatchState["status"]>([
  ["completed", "ended"],
  ["expired", "ended"],
  ["cancelled", "ended"],
  ["failed", "refused"],
]);

function stateOf(batch: Batch): BatchState {
  const { id, status, errors, created_at: began } = batch;
  const ended = batch.completed_at ?? batch.expired_at ?? batch.cancelled_at ?? null;
  const found = errors?.data ?? [];
  return {
    id,
    status: ENDS.get(status) ?? "under_way",
    reason: found.map(({ code, message }) => `${code ?? ""} ${message ?? ""}`.trim()).join("; ") || status,
    isTooMuch: found.some(({ code }) => code === TOO_MUCH),
    tookMs: ended === null || began == null ? 0 : Math.max(0, (ended - began) * 1000),
    files: [batch.output_file_id, batch.error_file_id].flatMap((each) => each ?? []),
  };
}

const resultLine = z.looseObject({
  custom_id: z.string(),
  response: z.looseObject({ status_code: z.number().int(), body: z.unknown() }).nullish(),
  error: z.looseObject({ code: z.string().nullish(), message: z.string().nullish() }).nullish(),
});
const UNDONE = new Map<string, "expired" | "cancelled">([
  ["batch_expired", "expired"],
  ["batch_cancelled", "cancelled"],
]);

function resultOf(line: unknown): BatchResult {
  const { data } = resultLine.safeParse(line);
  if (data === undefined) return { id: "", status: "expired" };
  const { custom_id: id, response, error } = data;
  const undone = UNDONE.get(error?.code ?? "");
  if (undone !== undefined) return { id, status: undone };
  const text = JSON.stringify(response?.body ?? error ?? null);
  const status = response?.status_code ?? 500;
  if (status === 200) return { id, status: "answered", reply: chatReplyOf({ json: response?.body, text }) };
  return { id, status: "failed", error: errorOfReply(status, text, new Headers(), 0) };
}
