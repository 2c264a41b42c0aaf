import { isSystemError } from "../../base/errors.js";

const UNREACHABLE = ["ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ENETUNREACH", "EHOSTUNREACH", "ENETDOWN"] as const;

/** Whether no server could be reached at all: no network, no such host, nothing listening. Asking again is no use. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (UNREACHABLE.some((code) => isSystemError(error, code))) return true;
  // Several addresses were tried (`AggregateError`), or `fetch` wrapped it.
  const inner: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  return inner.some(isUnreachable) || (error.cause !== undefined && isUnreachable(error.cause));
}

/** Seconds that a `Retry-After` header (seconds or a date) asks for; `null` without. */
export function retryAfterSeconds(header: string | null | undefined, now: number): number | null {
  if (header === null || header === undefined || header.trim() === "") return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000));
}
