import type { IncomingMessage, ServerResponse } from "node:http";
import type { Refused } from "./protocol.js";

/** Largest body that is read, in bytes: a note of the longest kind, in characters of four bytes, and what is around it. */
export const MAX_BODY_BYTES = 64 * 1024;

const HEADERS = {
  "cache-control": "no-store",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** Answers with a whole body. */
export function reply(
  response: ServerResponse,
  status: number,
  type: string,
  body: string | Buffer,
  more: Readonly<Record<string, string>> = {},
): void {
  response
    .writeHead(status, {
      ...HEADERS,
      "content-type": `${type}; charset=utf-8`,
      "content-security-policy": "default-src 'none'",
      ...more,
      "content-length": Buffer.byteLength(body),
    })
    .end(body);
}

export function replyJson(response: ServerResponse, status: number, value: object): void {
  reply(response, status, "application/json", JSON.stringify(value));
}

export function refuse(
  response: ServerResponse,
  status: number,
  error: string,
  more: Readonly<Record<string, string>> = {},
): void {
  const body: Refused = { error };
  reply(response, status, "application/json", JSON.stringify(body), more);
}

/** The body of a request as JSON, or why it is none. */
type Body =
  | { readonly status: "read"; readonly value: unknown }
  | { readonly status: "too_large" }
  | { readonly status: "not_json" };

export async function readJsonBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  let length = 0;
  // Left whole when the body is too long: its socket is still to carry the refusal.
  const body = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) return { status: "too_large" };
    chunks.push(chunk);
  }
  try {
    return { status: "read", value: JSON.parse(Buffer.concat(chunks).toString("utf8")) as unknown };
  } catch {
    return { status: "not_json" };
  }
}
