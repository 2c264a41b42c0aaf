import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { firstTimes, startImport } from "../../../fixtures/forge-import.js";
import { useFreshFolder } from "../../../fixtures/fresh-folder.js";
import { startGitHubReplay } from "../../../fixtures/github-replay.js";
import * as replies from "../../../fixtures/github-replay-replies.js";
import { REPOSITORY } from "../../../fixtures/github-replay-world.js";

const folder = useFreshFolder();
const out = () => folder.path("out.jsonl");
const kept = () => readFileSync(out(), "utf8").trimEnd().split("\n").length;

it.each([
  ["the hourly limit is used up", () => replies.rateLimited(1), /the hourly limit is used up; waiting \d s, until /],
  ["requests come too fast", () => replies.secondaryLimited(1), /it asks for fewer requests; waiting 1 s, until /],
  ["a reply says so plainly", () => replies.tooManyRequests("1"), /it asks to wait; waiting 1 s, until /],
])("waits when %s, and says so", async (_, reply, says) => {
  const intercept = firstTimes(1, "/repos/octo-org/hello/pulls/3/comments", reply);
  const { messages, outcome } = await startImport(out(), { intercept });
  const began = performance.now();
  await outcome;
  expect(performance.now() - began).toBeGreaterThan(900);
  expect(messages.join("\n")).toMatch(says);
  expect(messages.join("\n")).toMatch(/With a token in GITHUB_TOKEN/);
  expect(kept()).toBe(3);
});

it("takes the limit's end by the server's own clock", async () => {
  // An hour after this machine's: by this one the limit would have lifted long ago, at each of six tries within a moment.
  const now = Math.floor(Date.now() / 1000) - 3600;
  const limited = replies.rateLimited(0);
  const headers = { date: new Date(now * 1000).toUTCString(), "x-ratelimit-reset": String(now + 99) };
  const told: string[] = [];
  const stop = new AbortController();
  const server = await startGitHubReplay(REPOSITORY, {
    intercept: () => ({ ...limited, headers: { ...limited.headers, ...headers } }),
  });
  const onMessage = (message: string) => {
    told.push(message);
    stop.abort();
  };
  const access = { apiUrl: server.url, token: null, signal: stop.signal, onMessage };
  const { outcome } = await startImport(out(), {}, { access });
  expect(await outcome).toMatchObject({ status: "interrupted" });
  expect(told[0]).toContain("the hourly limit is used up; waiting 100 s, until ");
});

it("stops waiting when it is interrupted", async () => {
  const stop = new AbortController();
  const server = await startGitHubReplay(REPOSITORY, { intercept: () => replies.rateLimited(3600) });
  const access = { apiUrl: server.url, token: null, signal: stop.signal, onMessage: () => stop.abort() };
  const { outcome } = await startImport(out(), {}, { access });
  expect(await outcome).toMatchObject({ status: "interrupted", pulls: 0 });
});
