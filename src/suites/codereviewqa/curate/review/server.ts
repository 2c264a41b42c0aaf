import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { isSystemError, messageOf, ProbeError } from "../../../../base/errors.js";
import { decisionRequest, noteRequest, questionRequest } from "./decision.js";
import { pageDocument } from "./document.js";
import { isSameToken, refuseForeign } from "./guard.js";
import { MAX_BODY_BYTES, readJsonBody, refuse, reply, replyJson } from "./reply.js";
import type { ReviewSession } from "./session.js";

const LOOPBACK_ADDRESS = "127.0.0.1";

/** The page's own scripts, compiled. */
const PAGE_FOLDER = join(import.meta.dirname, "page");

export interface ReviewServer {
  /** The page's address, with the token that lets it write. */
  readonly url: string;
  /** Stops taking requests; resolves when those under way are answered. */
  readonly close: () => Promise<void>;
}

/**
 * Serves a review to the browser of this machine, and to nobody else.
 * @param port 0: one that is free
 * @throws ProbeError `bad_input` when the port cannot be had
 */
export async function serveReview(session: ReviewSession, port: number): Promise<ReviewServer> {
  const token = randomBytes(24).toString("base64url");
  const routes = new Routes(session, await loadScripts());
  const busy = new Set<ServerResponse>();
  const server = createServer({ requestTimeout: 30_000 }, (request, response) => {
    busy.add(response);
    response.on("close", () => busy.delete(response));
    answer(routes, token, request, response).catch((error: unknown) => fail(response, error));
  });
  await listen(server, port);
  const { port: taken } = server.address() as AddressInfo;
  return { url: `http://${LOOPBACK_ADDRESS}:${taken}/${token}/`, close: () => stop(server, busy) };
}

async function answer(
  routes: Routes,
  token: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const foreign = refuseForeign(request);
  if (foreign !== null) return refuse(response, foreign.status, foreign.error);
  const [, given = "", ...rest] = (request.url ?? "").split("?", 1).join("").split("/");
  if (given === "favicon.ico") return reply(response, 204, "text/plain", "");
  if (!isSameToken(given, token)) {
    return refuse(response, 404, "Expected the address that `probe dataset review` printed, found another.");
  }
  return routes.answer(rest.join("/"), request, response);
}

const WRITES: ReadonlySet<string> = new Set(["api/decisions", "api/questions", "api/notes"]);

/** What stands under the token. Paths are compared as they came, so that none leads to a file that is not listed. */
class Routes {
  readonly #session: ReviewSession;
  readonly #scripts: ReadonlyMap<string, Buffer>;

  constructor(session: ReviewSession, scripts: ReadonlyMap<string, Buffer>) {
    this.#session = session;
    this.#scripts = scripts;
  }

  async answer(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (WRITES.has(path)) return this.#save(path, request, response);
    if (request.method !== "GET") return refuse(response, 405, "Expected GET.", { allow: "GET" });
    const script = this.#scripts.get(path);
    if (script !== undefined) return reply(response, 200, "text/javascript", script);
    if (path === "") return sendDocument(response);
    if (path === "api/state") return replyJson(response, 200, this.#session.state());
    const position = /^api\/examples\/(\d{1,9})$/.exec(path)?.[1];
    const shown = position === undefined ? null : this.#session.show(Number(position));
    if (shown === null) return refuse(response, 404, "Expected a part of the review page, found nothing there.");
    return replyJson(response, 200, shown);
  }

  async #save(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== "POST") return refuse(response, 405, "Expected POST.", { allow: "POST" });
    // A form of another page cannot send this type without asking first.
    if (!/^application\/json\b/i.test(request.headers["content-type"] ?? "")) {
      return refuse(response, 415, "Expected a body of type application/json.");
    }
    const body = await readJsonBody(request);
    if (body.status === "too_large") {
      return refuse(response, 413, `Expected at most ${MAX_BODY_BYTES} bytes.`, { connection: "close" });
    }
    if (body.status === "not_json") return refuse(response, 400, "Expected JSON.");
    const save = this.#reader(path, body.value);
    if (save === null) return refuse(response, 400, "Expected an example of this review and a known decision.");
    try {
      replyJson(response, 200, await save());
    } catch (error) {
      refuse(response, 500, `It could not be written: ${messageOf(error)}`);
    }
  }

  #reader(path: string, value: unknown) {
    if (path === "api/notes") {
      const asked = noteRequest.safeParse(value).data;
      if (asked === undefined || !this.#session.has(asked.example_id)) return null;
      return () => this.#session.note(asked.example_id, asked.note);
    }
    if (path === "api/questions") {
      const asked = questionRequest.safeParse(value).data;
      if (asked === undefined || !this.#session.has(asked.example_id)) return null;
      const { example_id: id, question, ...choice } = asked;
      return () => this.#session.decideQuestion(id, question, choice);
    }
    const asked = decisionRequest.safeParse(value).data;
    if (asked === undefined || !this.#session.has(asked.example_id)) return null;
    const { example_id: id, note, ...choice } = asked;
    return () => this.#session.decide(id, choice, note);
  }
}

function sendDocument(response: ServerResponse): void {
  const nonce = randomBytes(16).toString("base64");
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  reply(response, 200, "text/html", pageDocument(nonce), { "content-security-policy": policy.join("; ") });
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy();
  else refuse(response, 500, `Unexpected error: ${messageOf(error)}`);
}

async function loadScripts(): Promise<ReadonlyMap<string, Buffer>> {
  const names = (await readdir(PAGE_FOLDER)).filter((name) => name.endsWith(".js"));
  const files = names.map(async (name) => [`page/${name}`, await readFile(join(PAGE_FOLDER, name))] as const);
  return new Map(await Promise.all(files));
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      const found = isSystemError(cause, "EADDRINUSE") ? "it taken by another program" : messageOf(cause);
      reject(
        new ProbeError("bad_input", `Expected port ${port} to be free, found ${found}. Leave --port out.`, { cause }),
      );
    });
    server.listen(port, LOOPBACK_ADDRESS, resolve);
  });
}

/** How long an answer under way may take once the server is to stop. */
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
