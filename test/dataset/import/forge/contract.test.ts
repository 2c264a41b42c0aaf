import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { MAX_BODY_BYTES } from "../../../../src/model/http/reply-body.js";
import { accessOf, firstTimes, startForgeImport, startImport } from "../../../fixtures/forge-import.js";
import { useFreshFolder } from "../../../fixtures/fresh-folder.js";
import type { Interception } from "../../../fixtures/github-replay.js";
import * as replies from "../../../fixtures/github-replay-replies.js";
import { sha } from "../../../fixtures/github-replay-world.js";
import { startHttpServer } from "../../../fixtures/http-server.js";

const folder = useFreshFolder();
const out = () => folder.path("out.jsonl");

type Fields = Record<string, string>;

function triplesIn(path: string): Fields[] {
  const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Fields);
}

const SECRET = "token-0123456789";

/** What both forges do. `list` is a path of the list of requests, `comments` one of the comments of the third. */
const FORGES = [
  {
    kind: "github",
    name: "GitHub",
    repository: "/repos/octo-org/hello",
    list: "/repos/octo-org/hello/pulls?",
    commentsOf: (request: number) => `/repos/octo-org/hello/pulls/${request}/comments`,
    lists: /\/(pulls|comments|commits)\?/,
    comment: {
      id: 1,
      path: "a.py",
      diff_hunk: "",
      original_commit_id: "a",
      html_url: "",
      created_at: "2025-03-03T10:00:00Z",
    },
  },
  {
    kind: "gitlab",
    name: "GitLab",
    repository: "/projects/octo-org%2Fhello",
    list: "/projects/81/merge_requests?",
    commentsOf: (request: number) => `/projects/81/merge_requests/${request}/discussions`,
    lists: /\/(merge_requests|discussions|versions|commits)\?/,
    comment: { notes: [] },
  },
] as const;

describe.each(FORGES)("an import from $name", ({ kind, name, repository, list, commentsOf, lists, comment }) => {
  const start = (...[options, asked, token]: DropFirstTwo<Parameters<typeof startForgeImport>>) =>
    startForgeImport(kind, out(), options, asked, token);

  it("gives the same codes and reviews as any other forge, whatever its API tells of a comment's place", async () => {
    await (await start()).outcome;
    const other = folder.path("other.jsonl");
    await (await startImport(other)).outcome;
    const content = ({ language, pre_review_code, code_review, post_review_code }: Fields) => {
      return { language, pre_review_code, code_review, post_review_code };
    };
    const commits = ({ pre_review_commit, post_review_commit }: Fields) => [pre_review_commit, post_review_commit];
    expect(triplesIn(out()).map(content)).toEqual(triplesIn(other).map(content));
    // By hand, from the world's comments 101, 104 and 301.
    expect(triplesIn(out()).map(commits)).toEqual([
      [sha("a"), sha("c")],
      [sha("b"), sha("d")],
      [sha("x"), sha("y")],
    ]);
  });

  it("counts every drop by its reason", async () => {
    const done = await (await start({}, {}, SECRET)).outcome;
    if (done.status !== "complete") throw new Error(done.status);
    const counts = done.funnel.drops.map(({ counts: each }) => Object.values(each).reduce((a, b) => a + b));
    // One of each of the fourteen reasons of the world.
    expect(done.funnel.kept).toEqual({ java: 1, python: 2 });
    expect([counts.length, new Set(counts)]).toEqual([14, new Set([1])]);
  });

  it.each([
    // Merged: 3 and 5 on the 3rd of March, 8 and 9 on the 4th; 7 was closed without a merge.
    ["all merged ones", {}, 4, 3],
    ["those merged since a day", { since: new Date("2025-03-04T00:00:00Z") }, 2, 1],
    ["those merged before a day", { until: new Date("2025-03-04T00:00:00Z") }, 2, 2],
    ["the first so many", { maxPulls: 1 }, 1, 2],
    ["none merged after the import began", { now: () => new Date("2025-03-03T12:00:00Z") }, 0, 0],
  ])("reads %s", async (_, asked, pulls, kept) => {
    expect(await (await start({}, asked)).outcome).toMatchObject({ status: "complete", pulls });
    expect(triplesIn(out())).toHaveLength(kept);
  });

  it("reads every page of every list, a hundred items each at most", async () => {
    const { server, outcome } = await start({ pageSize: 1 });
    await outcome;
    expect(triplesIn(out())).toHaveLength(3);
    const asked = server.requests.filter(({ path }) => lists.test(path));
    expect(asked.length).toBeGreaterThan(30);
    expect(asked.every(({ path }) => path.includes("per_page=100"))).toBe(true);
  });

  it("waits when a reply asks it to, and says so", async () => {
    const { messages, outcome } = await start({
      intercept: firstTimes(1, commentsOf(3), () => replies.tooManyRequests("1")),
    });
    const began = performance.now();
    await outcome;
    expect(performance.now() - began).toBeGreaterThan(900);
    expect(messages.join("\n")).toMatch(new RegExp(`${name}: .*; waiting 1 s, until \\d\\d:\\d\\d:\\d\\d UTC\\.`));
    expect(triplesIn(out())).toHaveLength(3);
  });

  it.each([
    ["a bad gateway", replies.badGateway],
    ["a cut connection", () => ({ status: 0, isCut: true })],
  ])("tries %s again", async (_, reply) => {
    await (await start({ intercept: firstTimes(1, commentsOf(3), reply) })).outcome;
    expect(triplesIn(out())).toHaveLength(3);
  });

  it("stops waiting when it is interrupted", async () => {
    const stop = new AbortController();
    const access = { signal: stop.signal, onMessage: () => stop.abort() };
    const { outcome } = await start({ intercept: () => replies.tooManyRequests("3600") }, { access });
    expect(await outcome).toMatchObject({ status: "interrupted", pulls: 0 });
  });

  it("keeps what was read, and goes on from there to the same bytes", async () => {
    await (await start()).outcome;
    const again = folder.path("again.jsonl");
    const partial = `${again}.partial.jsonl`;
    let isDenied = false;
    const intercept: Interception = ({ path }) => {
      if (!path.startsWith(commentsOf(8)) || isDenied) return null;
      // The header, when it began, and one request at least.
      isDenied = readFileSync(partial, "utf8").split("\n").length > 3;
      return isDenied ? replies.badCredentials() : replies.tooManyRequests("0.1");
    };
    const first = await startForgeImport(kind, again, { intercept });
    await expect(first.outcome).rejects.toThrow(/token/);
    expect([existsSync(again), existsSync(partial)]).toEqual([false, true]);
    const recorded = [...readFileSync(partial, "utf8").matchAll(/"pull":(\d+)/g)].map(([, pull]) => Number(pull));
    const asked = first.server.requests.length;
    const second = await startForgeImport(kind, again, {}, { access: accessOf(first.server.url) });
    expect(await second.outcome).toMatchObject({ status: "complete", pulls: 4 });
    const askedAgain = first.server.requests.slice(asked).map(({ path }) => path);
    expect(recorded.length).toBeGreaterThan(0);
    for (const pull of recorded) expect(askedAgain.some((path) => path.startsWith(commentsOf(pull)))).toBe(false);
    expect(readFileSync(again)).toEqual(readFileSync(out()));
    expect(existsSync(partial)).toBe(false);
  });

  const held = ({ headers }: { headers: object }) => JSON.stringify(headers).includes(SECRET);
  const startForeign = () =>
    startHttpServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end("[]");
    });

  it("refuses a list that has no end", async () => {
    let page = 1;
    const body = JSON.stringify([{ ...comment, filler: Array(1000).fill("x".repeat(10_000)) }]);
    const intercept: Interception = ({ path, headers }) => {
      if (!path.startsWith(commentsOf(3))) return null;
      const link = `<http://${headers.host}${commentsOf(3)}?page=${++page}>; rel="next"`;
      return { status: 200, headers: { link }, body };
    };
    const { outcome } = await start({ intercept });
    // The second page of ten million characters.
    await expect(outcome).rejects.toMatchObject({
      code: "model_unavailable",
      message: expect.stringMatching(/a list of more than 16777216 characters/),
    });
    expect(page).toBe(3);
  });

  it("follows a redirection to another server without the token", async () => {
    const foreign = await startForeign();
    const intercept: Interception = ({ path }) =>
      path.startsWith(commentsOf(3)) ? { status: 302, headers: { location: `${foreign.url}/elsewhere` } } : null;
    const { server, outcome } = await start({ intercept }, {}, SECRET);
    await outcome;
    expect(triplesIn(out())).toHaveLength(1);
    expect(server.requests.every(held)).toBe(true);
    expect([foreign.requests.length, foreign.requests.some(held)]).toEqual([1, false]);
  });

  it("shows the token to no other server that a next page is linked to", async () => {
    const foreign = await startForeign();
    const intercept: Interception = ({ path }) =>
      path.startsWith(list) && !path.includes("page=2")
        ? { status: 200, headers: { link: `<${foreign.url}${list}page=2>; rel="next"` }, body: [] }
        : null;
    const { server, outcome } = await start({ intercept }, {}, SECRET);
    expect(await outcome).toMatchObject({ status: "complete" });
    expect(server.requests.every(held)).toBe(true);
    expect(foreign.requests.some(held)).toBe(false);
  });

  it("follows its own server's redirection with the token", async () => {
    const intercept: Interception = ({ path }) =>
      path === repository || path === `${repository}?license=true`
        ? { status: 301, headers: { location: `${repository}?moved=1` } }
        : null;
    const { server, outcome } = await start({ intercept }, {}, SECRET);
    expect(await outcome).toMatchObject({ status: "complete", pulls: 4 });
    expect(server.requests.some(({ path }) => path.includes("moved"))).toBe(true);
    expect(server.requests.every(held)).toBe(true);
  });

  it.each([
    ["HTML", "<html>Sign in</html>", /not a (repository|project)|no JSON \(<html>Sign in/],
    ["JSON that nests too deep", "[".repeat(200_000), /JSON at most 100 deep/],
    ["a body that is too long", " ".repeat(MAX_BODY_BYTES + 1), /a body of at most 12582912 bytes, found a longer one/],
    ["JSON of another shape", '{"id":"none"}', /not a (repository|project) as (GitHub|GitLab) documents it/],
  ])("refuses %s, and leaves nothing", async (_, body, says) => {
    const { outcome } = await start({ intercept: () => ({ status: 200, body }) }, {}, SECRET);
    const error: unknown = await outcome.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "model_unavailable", message: expect.stringMatching(says) });
    expect(String(error)).not.toContain(SECRET);
    expect(existsSync(`${out()}.partial.jsonl`)).toBe(false);
  });

  it.each([
    ["that there is no such repository", 404, "bad_input", /octo-org\/hello on \w+, found none \(404\)/],
    ["that a token is not accepted", 401, "model_unavailable", /does not accept the one in \$\w+_TOKEN \(401\)/],
    ["what a refusal is about", 403, "model_unavailable", /found 403: No, \[token\]/],
  ])("says %s, without the token", async (_, status, code, says) => {
    const body = { message: `No, ${SECRET}` };
    const { outcome } = await start({ intercept: () => ({ status, body }) }, {}, SECRET);
    const error: unknown = await outcome.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code, message: expect.stringMatching(says) });
    expect(String(error)).not.toContain(SECRET);
  });

  it("says so without a wait when no server can be reached", async () => {
    const { server, outcome: done } = await start();
    await done;
    await server.stop();
    const messages: string[] = [];
    const access = { ...accessOf(server.url), onMessage: (message: string) => messages.push(message) };
    const { outcome } = await startForgeImport(kind, folder.path("b.jsonl"), {}, { access });
    await expect(outcome).rejects.toThrow(`Expected to reach ${name} at ${server.url}, found no network to it`);
    expect(messages.join("\n")).not.toContain("waiting");
  });
});

type DropFirstTwo<T extends readonly unknown[]> = T extends readonly [unknown, unknown, ...infer Rest] ? Rest : never;
