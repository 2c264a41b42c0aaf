import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { z } from "zod";
import { messageOf } from "../base/errors.js";
import { refuse } from "../serve/refuse.js";
import { decisionRequest, noteRequest, questionRequest } from "./decision.js";
import { pageDocument } from "./review-page.js";
import type { Saved } from "./review-protocol.js";
import type { ReviewSession } from "./review-session.js";

/** Largest body that is read, in bytes: a note of the longest kind, in characters of four bytes, and what is around it. */
const MAX_BODY_BYTES = 64 * 1024;

/** The page's own scripts, compiled. */
const PAGE_FOLDER = join(import.meta.dirname, "page");

/** The review page, and what it asks for and tells. */
export async function reviewRoutes(session: ReviewSession): Promise<Hono> {
  const scripts = await loadScripts();
  const routes = new Hono();
  routes.get("/", sendDocument);
  routes.get("/page/:name", (context) => {
    const script = scripts.get(context.req.param("name"));
    if (script === undefined) return context.notFound();
    return context.body(script, 200, { "content-type": "text/javascript; charset=utf-8" });
  });
  routes.get("/api/state", (context) => context.json(session.state()));
  routes.get("/api/examples/:position{[0-9]{1,9}}", async (context) => {
    const shown = await session.show(Number(context.req.param("position")));
    return shown === null ? context.notFound() : context.json(shown);
  });
  routes.post(
    "/api/decisions",
    ...writing(session, decisionRequest, ({ example_id: id, note, ...choice }) => session.decide(id, choice, note)),
  );
  routes.post(
    "/api/questions",
    ...writing(session, questionRequest, ({ example_id: id, question, ...choice }) =>
      session.decideQuestion(id, question, choice),
    ),
  );
  routes.post("/api/notes", ...writing(session, noteRequest, ({ example_id: id, note }) => session.note(id, note)));
  return routes;
}

/** Checks what is to be saved, and saves it. */
function writing<T extends { readonly example_id: string }>(
  session: ReviewSession,
  schema: z.ZodType<T>,
  save: (asked: T) => Promise<Saved>,
): [MiddlewareHandler, MiddlewareHandler, (context: Context) => Promise<Response>] {
  const take = async (context: Context) => {
    const value: unknown = await context.req.json().catch(() => NOT_JSON);
    if (value === NOT_JSON) return refuse(context, 400, "Expected JSON.");
    const asked = schema.safeParse(value).data;
    if (asked === undefined || !session.has(asked.example_id)) {
      return refuse(context, 400, "Expected an example of this review and a known decision.");
    }
    try {
      return context.json(await save(asked));
    } catch (error) {
      return refuse(context, 500, `It could not be written: ${messageOf(error)}`);
    }
  };
  return [requireJson, withinLimit, take];
}

const NOT_JSON = Symbol("not JSON");

/** A form of another page cannot send this type without asking first. */
const requireJson: MiddlewareHandler = async (context, next) => {
  if (/^application\/json\b/i.test(context.req.header("content-type") ?? "")) return await next();
  return refuse(context, 415, "Expected a body of type application/json.");
};

const withinLimit = bodyLimit({
  maxSize: MAX_BODY_BYTES,
  onError: (context) => refuse(context, 413, `Expected at most ${MAX_BODY_BYTES} bytes.`, { connection: "close" }),
});

function sendDocument(context: Context): Response {
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
  return context.html(pageDocument(nonce), 200, { "content-security-policy": policy.join("; ") });
}

async function loadScripts(): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(PAGE_FOLDER)).filter((name) => name.endsWith(".js"));
  const files = names.map(async (name) => [name, await readFile(join(PAGE_FOLDER, name), "utf8")] as const);
  return new Map(await Promise.all(files));
}
