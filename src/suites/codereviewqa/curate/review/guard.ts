import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { sha256 } from "../../../../base/sha256.js";

/** Why a request is not served. */
interface Refusal {
  readonly status: number;
  readonly error: string;
}

const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i;

/**
 * Refuses what another web page could have sent. A page whose name was pointed at this machine (DNS rebinding) is told
 * by its `Host`; a page that posts across origins by its `Origin`; both lack the token, which only the printed address
 * has.
 * @returns `null` when the request may be served
 */
export function refuseForeign(request: IncomingMessage): Refusal | null {
  const { host, origin } = request.headers;
  if (host === undefined || !LOOPBACK.test(host)) {
    return { status: 421, error: "Expected a request to 127.0.0.1 or localhost, found another host name." };
  }
  if (origin !== undefined && origin !== `http://${host}`) {
    return { status: 403, error: "Expected a request of this page, found one of another." };
  }
  return null;
}

/** Whether both are the same, in a time that tells nothing about where they differ. */
export function isSameToken(given: string, token: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(token)));
}
