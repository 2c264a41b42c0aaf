import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { platform } from "node:process";
import { getRequestListener } from "@hono/node-server";
import { isSystemError, messageOf, ProbeError } from "../base/errors.js";
import type { Console } from "../console/console.js";
import { type LocalPage, localApp } from "./local-app.js";
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
      reject(
        new ProbeError("bad_input", `Expected port ${port} to be free, found ${found}. Leave --port out.`, { cause }),
      );
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
