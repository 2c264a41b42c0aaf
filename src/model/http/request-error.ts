import { messageOf } from "../../base/errors.js";
import { shorten, visibleLine } from "../../base/text.js";
import type { FailureKind } from "../requests.js";

/**
 * Kind of trouble that a request met.
 * - `down`: the server cannot serve now (refused, reset, timed out, 408, 429, 502–504): worth waiting for
 * - `fault`: it answered with an error or with nonsense (500, HTML, half a JSON): worth a few tries
 * - `permanent`: the same request will fail the same way
 */
type Trouble = "down" | "fault" | "permanent";

/** One failed try of a request. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly trouble: Trouble;
  readonly failure: FailureKind;
  /** 0: there was no reply. */
  readonly status: number;
  /** `true` where it came to nothing that was or may have been worked on, and may so be paid for. */
  readonly mayBePaid: boolean;
  readonly retryAfterMs: number | null;
  /** Names that a parameter may be refused by (see `refusedNames`). */
  readonly refused: readonly string[];
  /** Equal for errors that are the same again. */
  readonly signature: string;

  constructor(
    fields: Pick<RequestError, "trouble" | "failure" | "status" | "message"> & {
      retryAfterMs?: number | null;
      refused?: readonly string[];
      isUnsent?: boolean;
      cause?: unknown;
    },
  ) {
    super(fields.message, { cause: fields.cause });
    this.trouble = fields.trouble;
    this.failure = fields.failure;
    this.status = fields.status;
    this.mayBePaid = PAID_STATUSES.has(fields.status) && fields.isUnsent !== true;
    this.retryAfterMs = fields.retryAfterMs ?? null;
    this.refused = fields.refused ?? [];
    // Request ids aside: a server that puts one into every error still errs alike.
    this.signature = `${fields.status} ${fields.message.replace(/[0-9a-f-]{8,}/gi, "#")}`;
  }
}

const BODY_EXCERPT = 300;
/** A reply that is not what it should be, one that a gateway did not wait for (524: Cloudflare's), and none. */
const PAID_STATUSES = new Set([200, 504, 524, 0]);
/** Errors of connections that never were. */
const UNSENT = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);
const DOWN_STATUSES = new Set([408, 425, 429, 502, 503, 504, 529]);
const OVERFLOW =
  /context (length|window|size)|context_length|exceed_context|maximum.{0,20}(tokens|length)|too (many tokens|long)|`?inputs`? (tokens \+|must have less than)/i;
const FILTERED = /content.{0,3}filter|content_policy|moderation/i;

/** The error of a reply with an error status. */
export function errorOfReply(status: number, body: string, headers: Headers, now: number): RequestError {
  const message = `HTTP ${status}: ${visibleLine(shorten(body.trim(), BODY_EXCERPT))}`;
  const retryAfterMs = readRetryAfter(headers, now);
  // First: a rate limit may speak of "too many tokens" as well.
  if (DOWN_STATUSES.has(status))
    return new RequestError({ trouble: "down", failure: "unavailable", status, message, retryAfterMs });
  if (status >= 400 && status < 500 && OVERFLOW.test(body)) {
    return new RequestError({ trouble: "permanent", failure: "context_overflow", status, message });
  }
  // 501 says that there is no such thing here, now or later.
  if (status >= 500 && status !== 501)
    return new RequestError({ trouble: "fault", failure: "unavailable", status, message, retryAfterMs });
  if (FILTERED.test(body)) return new RequestError({ trouble: "permanent", failure: "refused", status, message });
  const refused = refusedNames(status, body);
  return new RequestError({ trouble: "permanent", failure: "unavailable", status, message, refused });
}

/** A reply that came whole with status 200, but is not what it should be. */
export function errorOfContent(found: string, body: string): RequestError {
  const message = `HTTP 200, but ${found}: ${visibleLine(shorten(body.trim(), BODY_EXCERPT))}`;
  return new RequestError({ trouble: "fault", failure: "bad_response", status: 200, message });
}

/** No reply: refused, reset, timed out. */
export function errorOfConnection(error: unknown, redact = (text: string) => text): RequestError {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  // A reply that was refused while it came.
  for (const known of [error, cause]) if (known instanceof RequestError) return known;
  const code = cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : null;
  const found = `${code === null ? "" : `${code}: `}${visibleLine(shorten(redact(messageOf(cause)), BODY_EXCERPT))}`;
  // A reply that is no HTTP is an answer all the same, and no outage.
  if (cause instanceof Error && cause.name === "HTTPParserError") {
    const message = `a reply that is no HTTP: ${found}`;
    return new RequestError({ trouble: "fault", failure: "bad_response", status: 0, message, cause: error });
  }
  return new RequestError({
    trouble: "down",
    failure: "unavailable",
    status: 0,
    message: `no reply: ${found}`,
    isUnsent: code !== null && UNSENT.has(code),
    cause: error,
  });
}

/** Milliseconds that `Retry-After` (seconds or a date) or `retry-after-ms` ask for; `null` without. */
export function readRetryAfter(headers: Headers, now: number): number | null {
  const milliseconds = Number(headers.get("retry-after-ms") ?? Number.NaN);
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return milliseconds;
  const text = headers.get("retry-after");
  if (text === null) return null;
  const seconds = Number(text);
  if (text.trim() !== "" && Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - sentAt(headers, now));
}

/**
 * When a reply was sent, ms since 1970, by its server's own clock: times that it tells are of that one.
 * @param now by this machine's clock, for a server that does not say
 */
export function sentAt(headers: Headers, now: number): number {
  const told = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(told) ? now : told;
}

/** A word between quotes of any kind, or at the head of a message: `seed: Extra inputs are not permitted`. */
const QUOTED = /["'`]([A-Za-z]\w*)(?:\.[\w.]+)?["'`]/g;
const HEAD = /"(?:message|msg|detail)"\s*:\s*"([a-z_]+)(?:\.[\w.]+)?:\s/g;
const PARAM = /"param"\s*:\s*"([A-Za-z]\w*)(?:\.[\w.]+)?"/;
/** Words behind which a name stands without quotes: `temperature is not supported with this model`. */
const REFUSING =
  /not support|unsupported|not (?:allowed|permitted|available)|unknown|unrecogni[sz]ed|unexpected|deprecated|only/i;
const PLAIN = /\b[a-z]+(?:[_A-Z][A-Za-z]*)*\b/g;

/**
 * Names that a reply with an error status may refuse a parameter by, the likeliest first: `error.param` (OpenAI and those
 * that speak as it does), the words between quotes, the head of the message; at last every word of a message that speaks
 * of a refusal. Most are no parameters: whoever knows what was sent chooses among them.
 */
export function refusedNames(status: number, body: string): readonly string[] {
  if (status !== 400 && status !== 422) return [];
  // A message within a message has its quotes escaped.
  const text = body.replaceAll('\\"', '"');
  const named = [PARAM.exec(text)?.[1] ?? [], ...found(text, HEAD), ...found(text, QUOTED)].flat();
  const plain = REFUSING.test(text) ? [...text.matchAll(PLAIN)].map(([word]) => word) : [];
  return [...new Set([...named, ...plain].map(snakeCase))];
}

function found(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name = ""]) => name);
}

/** `reasoningEffort` → `reasoning_effort`. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter, at: number) => `${at === 0 ? "" : "_"}${letter.toLowerCase()}`);
}
