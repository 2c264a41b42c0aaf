import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { z } from "zod";
import { messageOf } from "../base/errors.js";
import { refuse } from "../serve/refuse.js";
import { decisionRequest, MAX_NOTE_CHARACTERS, noteRequest, questionRequest } from "./decision.js";
import { PAGE_STYLE } from "./page-style.js";
import type { Saved } from "./protocol.js";
import type { ReviewSession } from "./session.js";

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
  routes.get("/api/examples/:position{[0-9]{1,9}}", (context) => {
    const shown = session.show(Number(context.req.param("position")));
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

/**
 * The page. It holds nothing of the data: its script fetches that and sets it as text.
 * @param nonce lets this style and this script through the content security policy, and no other
 */
function pageDocument(nonce: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Review</title>
<style nonce="${nonce}">${PAGE_STYLE}</style>
<script type="module" nonce="${nonce}" src="page/app.js"></script>
</head>
<body>
<header>
  <div class="bar">
    <p class="what"><strong id="file"></strong> <span>reviewed by <span id="annotator"></span></span></p>
    <nav aria-label="Examples">
      <button id="previous" title="previous example"><kbd>←</kbd><span class="wide">Previous</span></button>
      <output id="position"></output>
      <button id="next" title="next example"><span class="wide">Next</span><kbd>→</kbd></button>
      <button id="undecided" title="first undecided example"><kbd>u</kbd><span class="wide">First undecided</span></button>
      <button id="open-help" title="keys and reasons"><kbd>?</kbd><span class="wide">Help</span></button>
    </nav>
    <p class="counts"><b class="kept" id="kept-count">0</b> kept <b class="dropped" id="dropped-count">0</b> dropped
      <b id="left-count">0</b> left</p>
  </div>
  <div class="progress" aria-hidden="true"><i id="kept-bar"></i><i id="dropped-bar"></i></div>
</header>
<div id="alert" role="alert" hidden>
  <div><strong id="alert-title"></strong><p id="alert-text"></p></div>
  <button id="retry"><kbd>r</kbd>Try again</button>
</div>
<main>
  <article id="example" aria-label="Example"><noscript>This page needs JavaScript.</noscript></article>
  <aside aria-label="Decision">
    <h2>Decision <span id="verdict" class="verdict undecided">undecided</span></h2>
    <button id="keep" class="choice keep" data-choice="keep"><kbd>k</kbd>
      <span class="words"><strong>keep</strong><small>a clear request that the revision carries out</small></span></button>
    <h3>Drop, because …</h3>
    <div id="reasons"></div>
    <label for="note">Note <kbd>n</kbd></label>
    <textarea id="note" rows="3" maxlength="${MAX_NOTE_CHARACTERS}"></textarea>
    <div class="under"><small>Saved with the decision, or by Enter.</small><button id="save-note">Save note</button></div>
    <p id="status" role="status"></p>
  </aside>
</main>
<dialog id="help" aria-labelledby="help-title">
  <h2 id="help-title">Keys</h2>
  <dl class="keys">
    <div><dt><kbd>k</kbd></dt><dd>keep, and go on to the next undecided example</dd></div>
    <div><dt><kbd>1</kbd> to <kbd>7</kbd></dt><dd>drop for that reason, and go on likewise</dd></div>
    <div><dt><kbd>n</kbd></dt><dd>write a note; <kbd>Enter</kbd> saves it, <kbd>Esc</kbd> leaves the field</dd></div>
    <div><dt><kbd>j</kbd> or <kbd>→</kbd></dt><dd>next example</dd></div>
    <div><dt><kbd>h</kbd> or <kbd>←</kbd></dt><dd>previous example</dd></div>
    <div><dt><kbd>u</kbd></dt><dd>first undecided example</dd></div>
    <div><dt><kbd>r</kbd></dt><dd>try again what could not be saved</dd></div>
    <div><dt><kbd>?</kbd></dt><dd>this help; <kbd>Esc</kbd> closes it</dd></div>
  </dl>
  <p>Every decision is on disk before the next example appears, in <code id="saved-to"></code>. A decision can be
    changed at any time: the last one counts. Ctrl-C in the terminal ends the review, and the same command goes on with
    it.</p>
  <p>The buttons under a question drop that question alone, and take it back when pressed again: the example stays.</p>
  <p>Keep what asks clearly for a meaningful change that the revision carries out. Reasons 1 to 4 are noise (Appendix A
    of the CodeReviewQA paper), 5 to 7 are reviews unfit for the task (Appendix B).</p>
  <button id="close-help">Close</button>
</dialog>
</body>
</html>
`;
}
