import { Hono } from "hono";
import { methodNotAllowed } from "hono/method-not-allowed";
import { secureHeaders } from "hono/secure-headers";
import { messageOf } from "../base/errors.js";
import { refuseForeign, requireToken } from "./guard.js";
import { refuse } from "./refuse.js";

/** What is served to the browser of this machine. */
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
  // What stands at "/" of the routes is found under the token and a slash.
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
