import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { runProbe, startProbe } from "../fixtures/cli.js";
import { startHttpServer } from "../fixtures/http-server.js";
import { MINI } from "../fixtures/reference.js";
import type { StubHandler } from "../fixtures/stub-server.js";
import { openai } from "../fixtures/stub-servers/openai.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const checkOf = (url: string, ...more: string[]) => [
  "models",
  "check",
  "openai:stub",
  "--base-url",
  `${url}/v1`,
  ...more,
];
const runOf = (url: string, name: string, ...more: string[]) => [
  "run",
  "--model",
  "openai:stub",
  "--base-url",
  `${url}/v1`,
  "--dataset",
  MINI,
  "--task",
  "CTR",
  "--limit",
  "1",
  "--out",
  join(folder, name),
  ...more,
];
const seconds = (since: number) => (performance.now() - since) / 1000;

/** A server that does something else in place of some of its replies. */
function serverThat(
  handler: StubHandler,
  instead: (number: number, path: string) => "cut" | "hang" | { retryAfter: number } | null,
) {
  let count = 0;
  return startHttpServer(({ method, path, body }, response) => {
    const fault = instead(++count, path);
    if (fault === "hang") return;
    if (fault === "cut") {
      response.writeHead(200, { "content-type": "application/json", "content-length": 100 });
      response.write('{"choices":', () => response.destroy());
      return;
    }
    const reply =
      fault === null
        ? (handler({ method, path, body: body === "" ? {} : (JSON.parse(body) as Record<string, unknown>) }) ?? null)
        : { status: 429, body: { error: { message: "slow down" } } };
    const headers = fault === null ? {} : { "retry-after": String(fault.retryAfter) };
    response.writeHead(reply?.status ?? 404, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(reply?.body ?? {}));
  });
}

describe("a server that says when to come again", () => {
  it.each(["check", "run"])("is obeyed by the check of %s, which says so off a terminal", async (command) => {
    const { url, requests } = await serverThat(openai(), (number) => (number === 2 ? { retryAfter: 12 } : null));
    const started = performance.now();
    const { code, stderr } = await runProbe(command === "check" ? checkOf(url) : runOf(url, "obeyed"));
    expect(stderr).toMatch(
      /Waiting for http:\/\/127\.0\.0\.1:\d+\/v1 since \d\d:\d\d:\d\d: HTTP 429: .*slow down.*\. Next try: \d\d:\d\d:\d\d\. Given up: \d\d:\d\d:\d\d\./,
    );
    expect(stderr).toMatch(/answers again, after \d{2,} s\./);
    expect(code).toBe(0);
    expect(seconds(started)).toBeGreaterThan(12);
    // Nothing was asked in between.
    expect(requests.length).toBeGreaterThan(5);
  });

  it("is not waited for longer than the patience lasts", async () => {
    const { url } = await serverThat(openai(), () => ({ retryAfter: 3600 }));
    const { code, stderr } = await runProbe(checkOf(url, "--model-arg", "patienceSeconds=3"));
    expect(code).toBe(3);
    expect(stderr).toContain("HTTP 429");
  });
});

describe("a server that never answers", () => {
  it.each(["check", "run"])("does not keep the check of %s from ending at the first Ctrl-C", async (command) => {
    const { url, requests } = await serverThat(openai(), () => "hang");
    const { child, result } = startProbe(command === "check" ? checkOf(url) : runOf(url, "hanging"));
    await expect.poll(() => requests.length).toBeGreaterThan(0);
    await sleep(200);
    child.kill("SIGINT");
    const { code, stderr } = await result;
    expect([code, stderr]).toEqual([130, expect.stringContaining("Stopped while the model was opened")]);
  });

  it("does not, when it falls silent behind its first pages", async () => {
    const { url, requests } = await serverThat(openai(), (_, path) => (path.includes("completions") ? "hang" : null));
    const { child, result } = startProbe(runOf(url, "silent"));
    await expect.poll(() => requests.some(({ path }) => path.includes("completions"))).toBe(true);
    // Off a terminal, that it is waited for is told all the same.
    let stderr = "";
    child.stderr?.on("data", (text: string) => {
      stderr += text;
    });
    await expect.poll(() => stderr).toMatch(/since .*: no reply yet\. Given up: /);
    child.kill("SIGINT");
    expect((await result).code).toBe(130);
  });
});

it("tries a request whose reply is cut short five times, as the docs say", async () => {
  const counts = new Map<string, number>();
  let isChecked = false;
  const handler = openai();
  const server = await startHttpServer(({ method, path, body }, response) => {
    const parsed = body === "" ? {} : (JSON.parse(body) as Record<string, unknown>);
    // What the check asks is about no review.
    if (body.includes("code review comprehension")) isChecked = true;
    if (isChecked && method === "POST") {
      counts.set(body, (counts.get(body) ?? 0) + 1);
      response.writeHead(200, { "content-length": 100 });
      response.write('{"choices":', () => response.destroy());
      return;
    }
    const reply = handler({ method, path, body: parsed });
    response.writeHead(reply?.status ?? 404, { "content-type": "application/json" });
    response.end(JSON.stringify(reply?.body ?? {}));
  });
  const { code, stderr } = await runProbe(runOf(server.url, "cut"));
  expect([code, stderr]).toEqual([4, expect.any(String)]);
  expect(Math.max(...counts.values())).toBe(5);
});
