import { readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DecisionStore, readDecisions } from "../../src/review/decisions-file.js";
import { type ReviewExample, readReviewExamples } from "../../src/review/review-examples.js";
import { ReviewSession, reviewRoutes } from "../../src/review/review-session.js";
import { type LocalServer, serveLocally } from "../../src/serve/serve-until-interrupted.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";
import { jsonl } from "../fixtures/jsonl.js";
import { rawTripleWith } from "../fixtures/raw-triple.js";

const folder = useFreshFolder();
const DATASET = { path: "data.jsonl", sha256: "a".repeat(64), examples: 2 };
const KEEP = { example_id: "x", decision: "keep", reason: null, note: "" };

let server: LocalServer;
let examples: ReviewExample[];
let store: DecisionStore;
let base: URL;

beforeEach(async () => {
  const file = folder.path("data.jsonl");
  writeFileSync(
    file,
    jsonl(
      rawTripleWith({ id: "x", repo: "o/r", post_review_code: "one\nreturn 2\nthree" }),
      rawTripleWith({ id: "y" }),
    ),
  );
  examples = [];
  for await (const line of readReviewExamples(file)) if (line.status === "example") examples.push(line.example);
  store = await DecisionStore.open({
    path: folder.path("decisions.jsonl"),
    dataset: DATASET,
    annotator: "ada",
    now: () => new Date(0),
  });
  const nothing = { questionsOf: () => [], origins: new Map(), earlier: [] };
  const session = new ReviewSession({ file, annotator: "ada", examples, store, ...nothing });
  server = await serveLocally({ command: "probe dataset review", routes: await reviewRoutes(session) }, 0);
  base = new URL(server.url);
});

afterEach(async () => {
  await server.close();
  await store.close();
});

interface Sent {
  readonly method?: string;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body?: string;
}

/** Sends the path as it stands: `fetch` would tidy it up, and set its own `Host`. */
async function send(path: string, { method = "GET", headers = {}, body }: Sent = {}) {
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const options = { host: base.hostname, port: base.port, path, method, headers, agent: false };
    http.request(options, resolve).on("error", reject).end(body);
  });
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

const post = (path: string, value: unknown, headers: http.OutgoingHttpHeaders = {}) =>
  send(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof value === "string" ? value : JSON.stringify(value),
  });

/** Behind the header of the file. */
const lines = () => readFileSync(folder.path("decisions.jsonl"), "utf8").split("\n").length - 2;

describe("the review server", () => {
  it("listens on 127.0.0.1 alone", () => {
    expect(base.hostname).toBe("127.0.0.1");
    expect(base.pathname).toMatch(/^\/[\w-]{32}\/$/);
  });

  it("has a decision on disk when it says so", async () => {
    const { status, body } = await post(`${base.pathname}api/decisions`, { ...KEEP, note: "clear" });
    expect([status, JSON.parse(body)]).toEqual([
      200,
      { saved: true, verdict: { decision: "keep", reason: null, note: "clear" } },
    ]);
    expect(readFileSync(folder.path("decisions.jsonl"), "utf8")).toContain('"example_id":"x","decision":"keep"');
  });

  it("shows an example with its decision and note, and how far the review is", async () => {
    await post(`${base.pathname}api/decisions`, { ...KEEP, decision: "drop", reason: "wrong_linking", note: "n" });
    const shown = JSON.parse((await send(`${base.pathname}api/examples/0`)).body) as object;
    const verdict = { decision: "drop", reason: "wrong_linking", note: "n" };
    expect(shown).toMatchObject({ id: "x", language: "Python", repo: "o/r", note: "n", verdict });
    // Line 2 becomes `return 2`: a keyword of 6 letters, and a number of one at place 7.
    expect(shown).toMatchObject({ rows: [{}, {}, { kind: "added", colours: "k0.6 n7.1" }, {}] });
    const state = JSON.parse((await send(`${base.pathname}api/state`)).body) as object;
    expect(state).toMatchObject({
      file: "data.jsonl",
      annotator: "ada",
      examples: [
        { id: "x", verdict },
        { id: "y", verdict: null },
      ],
    });
  });

  it("sends a page that may load nothing but its own style and script", async () => {
    const { headers, body } = await send(base.pathname);
    const nonce = /<script type="module" nonce="([^"]+)"/.exec(body)?.[1] ?? "";
    expect(headers["content-security-policy"]).toBe(
      `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; ` +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({ "referrer-policy": "no-referrer", "x-content-type-options": "nosniff" });
    // Another nonce each time, and no address of another machine anywhere.
    expect((await send(base.pathname)).body).not.toContain(nonce);
    expect(body).not.toMatch(/https?:|\/\//);
  });
});

describe("a request of another web page", () => {
  it.each(["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example", "10.0.0.1"])(
    "under the host name %j is refused: the name was pointed at this machine",
    async (host) => {
      expect((await send(base.pathname, { headers: { host } })).status).toBe(421);
      expect((await post(`${base.pathname}api/decisions`, KEEP, { host })).status).toBe(421);
      expect(lines()).toBe(1);
    },
  );

  it("may use another name of this machine", async () => {
    for (const host of [`localhost:${base.port}`, `[::1]:${base.port}`, "127.0.0.1:9999"]) {
      expect((await send(base.pathname, { headers: { host } })).status).toBe(200);
    }
  });

  it("is refused for its origin", async () => {
    for (const origin of ["http://evil.example", "null", `https://${base.host}`, "http://127.0.0.1:1"]) {
      expect((await post(`${base.pathname}api/decisions`, KEEP, { origin })).status).toBe(403);
    }
    expect(lines()).toBe(1);
    expect((await post(`${base.pathname}api/decisions`, KEEP, { origin: base.origin })).status).toBe(200);
  });

  it("is refused without the token, which it cannot know", async () => {
    const paths = ["/", "/api/decisions", "/api/state", "//api/decisions", `/${"x".repeat(32)}/api/decisions`];
    for (const path of paths) {
      expect((await post(path, KEEP)).status).toBe(404);
      expect((await send(path)).status).toBe(404);
    }
    expect(lines()).toBe(1);
  });

  it("is refused as a form, which needs no leave to be sent", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
      expect((await post(`${base.pathname}api/decisions`, KEEP, { "content-type": type })).status).toBe(415);
    }
    expect(lines()).toBe(1);
  });
});

describe("a wrong request", () => {
  it("for a file outside the page finds nothing, however it is written", async () => {
    const paths = ["../../../package.json", "page/../server.js", "page/..%2fserver.js", "%2e%2e/server.js", "page/"];
    for (const path of paths) expect((await send(base.pathname + path)).status).toBe(404);
    for (const path of ["api/examples/2", "api/examples/-1", "api/examples/0x1", "api/examples/", "api"]) {
      expect((await send(base.pathname + path)).status).toBe(404);
    }
  });

  it("by the wrong method is told the right one", async () => {
    for (const method of ["GET", "PUT", "DELETE", "OPTIONS"]) {
      const { status, headers } = await send(`${base.pathname}api/decisions`, { method });
      expect([status, headers.allow]).toEqual([405, "POST"]);
    }
    for (const method of ["POST", "DELETE"]) {
      expect((await send(`${base.pathname}api/state`, { method })).headers.allow).toBe("GET, HEAD");
    }
  });

  it.each([
    ["not JSON", "{"],
    ["no object", "null"],
    ["an unknown example", { ...KEEP, example_id: "z" }],
    ["a drop without a reason", { ...KEEP, decision: "drop" }],
    ["a keep with a reason", { ...KEEP, reason: "wrong_linking" }],
    ["an unknown reason", { ...KEEP, decision: "drop", reason: "boring" }],
    ["a note that is too long", { ...KEEP, note: "x".repeat(5001) }],
    ["no note", { ...KEEP, note: undefined }],
  ])("with %s saves nothing", async (_, value) => {
    expect((await post(`${base.pathname}api/decisions`, value)).status).toBe(400);
    expect(lines()).toBe(1);
  });

  it("with a body that is too long is cut off, in one piece or in many", async () => {
    const long = JSON.stringify({ ...KEEP, note: "x".repeat(64 * 1024) });
    expect((await post(`${base.pathname}api/decisions`, long)).status).toBe(413);
    expect((await post(`${base.pathname}api/decisions`, long, { "transfer-encoding": "chunked" })).status).toBe(413);
    expect(lines()).toBe(1);
  });

  it("that cannot be saved is told so", async () => {
    writeFileSync(folder.path("decisions.jsonl"), "");
    const { status, body } = await post(`${base.pathname}api/decisions`, KEEP);
    expect(status).toBe(500);
    expect(body).toMatch(
      /It could not be written: Expected .* to have \d+ bytes, found 0 bytes: another program changed it/,
    );
    const state = JSON.parse((await send(`${base.pathname}api/state`)).body) as { examples: { verdict: unknown }[] };
    expect(state.examples[0]?.verdict).toBeNull();
  });
});

it("shows who resolves a conflict which questions the others dropped: those stand again unless dropped there", async () => {
  const path = folder.path("bob.jsonl");
  const bob = await DecisionStore.open({ path, dataset: DATASET, annotator: "bob", now: () => new Date(0) });
  await bob.decide("x", { decision: "keep", reason: null }, "");
  await bob.decideQuestion("x", "CL hard", { decision: "drop", reason: "also_right" });
  await bob.decideQuestion("x", "SI easy", { decision: "drop", reason: "absurd" });
  await bob.decideQuestion("x", "SI easy", { decision: "keep", reason: null });
  await bob.close();
  const earlier = [await readDecisions(path)];
  const request = { file: "data.jsonl", annotator: "both", examples, store, questionsOf: () => [], origins: new Map() };
  expect((await new ReviewSession({ ...request, earlier }).show(0))?.earlier).toEqual([
    {
      annotator: "bob",
      decision: "keep",
      reason: null,
      note: "",
      questions: [{ form: "CL hard", reason: "also_right" }],
    },
  ]);
});
