import { timingSafeEqual } from "node:crypto";
import { Hono, type MiddlewareHandler } from "hono";
import { methodNotAllowed } from "hono/method-not-allowed";
import { secureHeaders } from "hono/secure-headers";
import { messageOf } from "../base/errors.js";
import { sha256 } from "../base/sha256.js";
import { refuse } from "./refuse.js";

/** Page that is served to the browser of this machine. */
export interface LocalPage {
  /** The command that serves it, such as `probe view`. */
  readonly command: string;
  readonly routes: Hono;
}

/**
 * The routes of a page behind the guards that all pages have: its address begins with a token, other pages cannot ask for
 * anything, and nothing is kept by the browser. A reply without a content security policy of its own may do nothing.
 */
export function localApp({ command, routes }: LocalPage, token: string): Hono {
  // Routes for "/" are found under the token and a slash.
  const app = new Hono({ strict: false });
  app.use(
    secureHeaders({
      contentSecurityPolicy: { defaultSrc: ["'none'"] },
      xFrameOptions: "DENY",
      // The address is no https one.
      strictTransportSecurity: false,
      overwrite: false,
    }),
    async (context, next) => {
      await next();
      context.header("cache-control", "no-store");
    },
    refuseForeign,
  );
  app.get("/favicon.ico", (context) => context.body(null, 204));
  app.use(
    "/:token/*",
    requireToken(token, command),
    methodNotAllowed({
      app,
      onMethodNotAllowed: (context, methods) =>
        refuse(context, 405, `Expected ${methods.join(" or ")}.`, { allow: methods.join(", ") }),
    }),
  );
  app.route("/:token", routes);
  app.notFound((context) => refuse(context, 404, "Expected a part of the page, found nothing there."));
  app.onError((error, context) => refuse(context, 500, `Unexpected error: ${messageOf(error)}`));
  return app;
}

const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i;

/**
 * Refuses what another web page could have sent. A page whose name was pointed at this machine (DNS rebinding) is told
 * by its `Host`; a page that asks across origins by its `Origin`; both lack the token, which only the printed address
 * has.
 */
const refuseForeign: MiddlewareHandler = async (context, next) => {
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
function requireToken(token: string, command: string): MiddlewareHandler {
  return async (context, next) => {
    const [, given = "", ...rest] = new URL(context.req.url).pathname.split("/");
    if (isSame(given, token) && rest.length > 0) return await next();
    return refuse(context, 404, `Expected the address that \`${command}\` printed, found another.`);
  };
}

/** Tests for equality, in a time that tells nothing about the place of a difference. */
function isSame(given: string, token: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(token)));
}
