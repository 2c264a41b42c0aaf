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

it("stops waiting when it is interrupted", async () => {
  const stop = new AbortController();
  const server = await startGitHubReplay(REPOSITORY, { intercept: () => replies.rateLimited(3600) });
  const access = { apiUrl: server.url, token: null, signal: stop.signal, onMessage: () => stop.abort() };
  const { outcome } = await startImport(out(), {}, { access });
  expect(await outcome).toMatchObject({ status: "interrupted", pulls: 0 });
});
