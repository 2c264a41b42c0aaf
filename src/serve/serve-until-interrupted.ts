import { spawn } from "node:child_process";
import { randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { platform } from "node:process";
import { getRequestListener } from "@hono/node-server";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { methodNotAllowed } from "hono/method-not-allowed";
import { secureHeaders } from "hono/secure-headers";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { badInput, isSystemError, messageOf } from "../base/errors.js";
import { sha256 } from "../base/sha256.js";
import type { Console } from "../console/console.js";
import type { PageValues } from "./page-options.js";

/**
 * Serves a page until Ctrl-C. Its address is all that goes to standard output; a browser is opened where a person sits at
 * the terminal.
 * @throws ProbeError `bad_input` when the port cannot be had
 */
export async function serveUntilInterrupted(page: LocalPage, values: PageValues, console: Console): Promise<void> {
  const interrupt = new AbortController();
  const interrupted = once(interrupt.signal, "abort");
  const release = console.onInterrupt(() => interrupt.abort());
  try {
    const server = await serveLocally(page, values.port ?? 0);
    console.out(`${server.url}\n`);
    if (!values.noOpen && console.isTerminal) openBrowser(server.url);
    await interrupted;
    await server.close();
  } finally {
    release();
  }
}

const LOOPBACK_ADDRESS = "127.0.0.1";
const REQUEST_TIMEOUT_MS = 30_000;

export interface LocalServer {
  /** The page's address, with the token that opens it. */
  readonly url: string;
  /** Stops taking requests; resolves when those under way are answered. */
  readonly close: () => Promise<void>;
}

/**
 * Serves a page to the browser of this machine, and to nobody else.
 * @param port 0: one that is free
 * @throws ProbeError `bad_input` when the port cannot be had
 */
export async function serveLocally(page: LocalPage, port: number): Promise<LocalServer> {
  const token = randomBytes(24).toString("base64url");
  const listener = getRequestListener(localApp(page, token).fetch, { overrideGlobalObjects: false });
  const busy = new Set<ServerResponse>();
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    busy.add(response);
    response.on("close", () => busy.delete(response));
    void listener(request, response);
  });
  const taken = await listen(server, port);
  return { url: `http://${LOOPBACK_ADDRESS}:${taken}/${token}/`, close: () => stop(server, busy) };
}

/** @returns the port */
function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      const found = isSystemError(cause, "EADDRINUSE") ? "it taken by another program" : messageOf(cause);
      reject(badInput(`Expected port ${port} to be free, found ${found}. Leave --port out.`, cause));
    });
    server.listen(port, LOOPBACK_ADDRESS, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

/** Time for an answer under way once the server is to stop. */
const GRACE_MS = 2000;

/** Browsers hold connections open for later: they are cut when what is under way is answered. */
function stop(server: Server, busy: ReadonlySet<ServerResponse>): Promise<void> {
  return new Promise((resolve) => {
    const cut = () => server.closeAllConnections();
    const timer = setTimeout(cut, GRACE_MS);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    const cutWhenIdle = () => {
      if (busy.size === 0) cut();
    };
    for (const response of busy) response.on("close", cutWhenIdle);
    cutWhenIdle();
  });
}

/** Opens an address in the user's browser. Where that fails nothing happens: the address is printed anyway. */
export function openBrowser(url: string): void {
  const [command, ...args] = openerOf(url);
  const child = spawn(command, args, { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}

function openerOf(url: string): [string, ...string[]] {
  if (platform === "darwin") return ["open", url];
  // `start` takes its first quoted argument for a title.
  if (platform === "win32") return ["cmd", "/c", "start", '""', url];
  return ["xdg-open", url];
}

/** Page that is served to the browser of this machine. */
interface LocalPage {
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

/** Every reply with a status of 400 or above that is no page. */
export interface Refused {
  readonly error: string;
}

/** Says why a request is not served. */
export function refuse(
  context: Context,
  status: ContentfulStatusCode,
  error: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body: Refused = { error };
  return context.json(body, status, headers);
}
