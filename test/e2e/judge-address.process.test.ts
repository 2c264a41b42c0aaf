import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { type HttpServer, startHttpServer } from "../fixtures/http-server.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const KEY = "judge-0123456789abcdef";
const env = { XDG_CACHE_HOME: join(folder, "cache"), JUDGE_KEY: KEY, OPENAI_API_KEY: "other-0123456789abcdef" };
const ASKED = "suite run swe-atlas -q --agent scripted:gold --limit 1 --judge openai:auto".split(" ");
const probe = (...more: readonly string[]) => runProbe([...ASKED, ...more], { cwd: folder, env });

/** A judge behind OpenAI's API that finds everything met. */
function startJudge(): Promise<HttpServer> {
  let count = 0;
  return startHttpServer(({ path }, response) => {
    const isChat = path === "/v1/chat/completions";
    response.writeHead(isChat || path === "/v1/models" ? 200 : 404, { "content-type": "application/json" });
    const message = { role: "assistant", content: '{"status": "pass", "justification": "so it is"}' };
    const chat = { id: `chat-${count++}-of-many`, choices: [{ index: 0, message, finish_reason: "stop" }] };
    response.end(JSON.stringify(isChat ? chat : { data: [{ id: "acme/judge-1", object: "model" }] }));
  });
}

const judgeOf = (run: string) =>
  (JSON.parse(readFileSync(join(folder, run, "run.json"), "utf8")) as { judge: object }).judge;

it("a judge is asked at its own server, with its own key, and known by its own name", async () => {
  const server = await startJudge();
  const url = `${server.url}/v1`;
  const { code, stdout } = await probe("--judge-base-url", url, "--judge-api-key-env", "JUDGE_KEY", "--out", "judged");
  expect(code).toBe(0);
  expect(stdout).toContain("judged by acme/judge-1");
  expect(judgeOf("judged")).toMatchObject({
    label: "openai:auto",
    identity: { name: "acme/judge-1" },
    base_urls: [url],
  });
  const chats = server.requests.filter(({ path }) => path === "/v1/chat/completions");
  expect(chats.length).toBeGreaterThan(1);
  for (const { headers } of chats) expect(headers.authorization).toBe(`Bearer ${KEY}`);
  for (const file of ["run.json", "replies.jsonl"])
    expect(readFileSync(join(folder, "judged", file), "utf8")).not.toContain(KEY);
  // A run that was found names no server: it is named again.
  const before = server.requests.length;
  const again = ["suite", "run", "swe-atlas", "--resume", "judged", "-q", "--agent", "scripted:gold"];
  const resumed = await runProbe(again, { cwd: folder, env });
  expect([resumed.code, resumed.stderr]).toEqual([
    2,
    expect.stringContaining("Expected --judge-base-url again, found none"),
  ]);
  expect(server.requests).toHaveLength(before);
});

it("needs the name of the judge", async () => {
  const args = [
    "suite",
    "run",
    "swe-atlas",
    "--agent",
    "scripted:gold",
    "--limit",
    "1",
    "--judge-base-url",
    "http://127.0.0.1:9/v1",
  ];
  const { code, stderr } = await runProbe([...args, "--out", "none"], { cwd: folder, env });
  expect([code, stderr]).toEqual([2, expect.stringContaining("Expected --judge M with --judge-base-url, found none")]);
});
