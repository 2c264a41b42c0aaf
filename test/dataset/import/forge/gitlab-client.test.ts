import { expect, it } from "vitest";
import { z } from "zod";
import { ForgeClient, forgeApiUrl } from "../../../../src/dataset/import/forge/forge-client.js";
import { GITLAB, GITLAB_DIALECT } from "../../../../src/dataset/import/forge/gitlab.js";
import { collect } from "../../../fixtures/collect.js";
import { type Answer, startHttpServer } from "../../../fixtures/http-server.js";

const ANYTHING = { shape: z.unknown(), what: "a list" };

async function start(answer: Answer) {
  const server = await startHttpServer(answer);
  const messages: string[] = [];
  const stop = new AbortController();
  const token = { variable: "GITLAB_TOKEN", secret: "glpat-1" };
  const onMessage = (message: string) => messages.push(message);
  const client = new ForgeClient({ apiUrl: server.url, token, signal: stop.signal, onMessage }, GITLAB_DIALECT);
  return { server, client, messages, stop };
}

it("goes from page to page by X-Next-Page where there are no links, with the token in its own header", async () => {
  const { server, client } = await start(({ path }, response) => {
    const page = Number(new URLSearchParams(path.split("?")[1]).get("page") ?? "1");
    response.setHeader("x-next-page", page < 3 ? String(page + 1) : "").end(`[${page}]`);
  });
  expect(await collect(client.pages({ path: "projects/1/x", query: { sort: "asc" }, ...ANYTHING }))).toEqual([
    [1],
    [2],
    [3],
  ]);
  expect(server.requests[1]?.path).toBe("/projects/1/x?sort=asc&per_page=100&page=2");
  expect(server.requests.map(({ headers }) => headers["private-token"])).toEqual(["glpat-1", "glpat-1", "glpat-1"]);
});

it("takes the cursor of a link, not its host, and ends where a page is linked again", async () => {
  const { server, client } = await start((_, response) => {
    response
      .setHeader("link", '<http://inner:8080/y?cursor=a%3D>; rel="next", <http://inner/y>; rel="first"')
      .end("[]");
  });
  expect(await collect(client.pages({ path: "x", ...ANYTHING }))).toEqual([[], []]);
  expect(server.requests.map(({ path }) => path)).toEqual(["/x?per_page=100", "/x?cursor=a%3D"]);
});

it("waits until the time that RateLimit-Reset tells", async () => {
  let asked = 0;
  const { client, messages } = await start((_, response) => {
    const headers = { "ratelimit-reset": String(Math.ceil(Date.now() / 1000) + 1) };
    if (++asked === 1) response.writeHead(429, headers).end("Retry later");
    else response.end("{}");
  });
  expect(await client.get("x", z.unknown(), "anything")).toEqual({});
  expect(messages).toEqual([expect.stringMatching(/^GitLab: it answered 429; waiting [12] s, until /)]);
});

it("takes that time by the server's own clock", async () => {
  // An hour after this machine's.
  const now = Math.floor(Date.now() / 1000) - 3600;
  const headers = { date: new Date(now * 1000).toUTCString(), "ratelimit-reset": String(now + 100) };
  const { client, messages, stop } = await start((_, response) => void response.writeHead(429, headers).end());
  const reply = client.get("x", z.unknown(), "anything");
  await expect.poll(() => messages).toEqual([expect.stringContaining("waiting 100 s")]);
  stop.abort();
  await expect(reply).rejects.toThrow("aborted");
});

it("waits a minute where a limit tells nothing, and stops waiting when it is interrupted", async () => {
  const { client, messages, stop } = await start((_, response) => void response.writeHead(429).end());
  const reply = client.get("x", z.unknown(), "anything");
  await expect.poll(() => messages).toEqual([expect.stringContaining("waiting 60 s")]);
  stop.abort();
  await expect(reply).rejects.toThrow("aborted");
});

it("gives up after some tries", async () => {
  const { server, client } = await start((_, response) => {
    response.writeHead(503, { "retry-after": "0" }).end("<html>down</html>");
  });
  await expect(client.get("x", z.unknown(), "anything")).rejects.toMatchObject({
    status: 503,
    message: "<html>down</html>",
  });
  expect(server.requests).toHaveLength(6);
});

it.each([
  ["the public one", {}, "https://gitlab.com/api/v4"],
  ["that of GitLab's CI", { CI_API_V4_URL: "https://ci/api/v4" }, "https://ci/api/v4"],
  [
    "one's own first",
    { CI_API_V4_URL: "https://ci/api/v4", GITLAB_API_URL: "http://own/api/v4/" },
    "http://own/api/v4",
  ],
])("uses the address of the API: %s", (_, environment, url) => {
  expect(forgeApiUrl(GITLAB, environment)).toBe(url);
});

it.each([
  "gitlab.com",
  "ftp://gitlab.com",
  "https://me:secret@host/api/v4",
  "https://host/api/v4?private_token=secret",
])("refuses the address %s, without showing it", (address) => {
  expect(() => forgeApiUrl(GITLAB, { GITLAB_API_URL: address })).toThrow(/in \$GITLAB_API_URL, found/);
  expect(() => forgeApiUrl(GITLAB, { GITLAB_API_URL: address })).not.toThrow("secret");
});
