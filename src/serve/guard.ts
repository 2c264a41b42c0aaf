import { timingSafeEqual } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { sha256 } from "../base/sha256.js";
import { refuse } from "./refuse.js";

const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i;

/**
 * Refuses what another web page could have sent. A page whose name was pointed at this machine (DNS rebinding) is told
 * by its `Host`; a page that asks across origins by its `Origin`; both lack the token, which only the printed address
 * has.
 */
export const refuseForeign: MiddlewareHandler = async (context, next) => {
  const host = context.req.header("host");
  const origin = context.req.header("origin");
  if (host === undefined || !LOOPBACK.test(host)) {
    return refuse(context, 421, "Expected a request to 127.0.0.1 or localhost, found another host name.");
  }
  if (origin !== undefined && origin !== `http://${host}`) {
    return refuse(context, 403, "Expected a request of this page, found one of another.");
  }
  return await next();
};

/** Refuses an address that does not begin with the token, and a slash. */
export function requireToken(token: string, command: string): MiddlewareHandler {
  return async (context, next) => {
    const [, given = "", ...rest] = new URL(context.req.url).pathname.split("/");
    if (isSame(given, token) && rest.length > 0) return await next();
    return refuse(context, 404, `Expected the address that \`${command}\` printed, found another.`);
  };
}

/** Whether both are the same, in a time that tells nothing about where they differ. */
function isSame(given: string, token: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(token)));
}
