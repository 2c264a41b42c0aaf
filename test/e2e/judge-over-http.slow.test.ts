import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { runProbe, startProbe } from "../fixtures/cli.js";
import { startHttpServer } from "../fixtures/http-server.js";
import { readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const env = { XDG_CACHE_HOME: join(folder, "cache") };
const TALK = join(import.meta.dirname, "../../datasets/suites/swe-atlas/judge.jsonl");
const ASKED = ["suite", "run", "swe-atlas", "-q", "--agent", "scripted:gold", "--controls", "--judge", "judge"];
const REPLY_MS = 30;
/** Questions that were asked when it is killed, each time in another run of the same command. */
const KILLS = process.env["PROBE_SLOW_TESTS"] === "1" ? [2, 8, 9] : [8];

interface Line {
  readonly when?: readonly string[];
  readonly says: string;
}

/** A judge behind OpenAI's API that says what the scripted one says. */
function startJudge() {
  const talk = readFileSync(TALK, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
  return startHttpServer(async ({ path, body }, response) => {
    const isChat = path === "/v1/chat/completions";
    response.writeHead(isChat || path === "/v1/models" ? 200 : 404, { "content-type": "application/json" });
    if (!isChat) return void response.end(JSON.stringify({ object: "list", data: [{ id: "judge", object: "model" }] }));
    await wait(REPLY_MS);
    const text = (JSON.parse(body) as { messages: { content: string }[] }).messages.map((each) => each.content).join();
    const content = talk.find(({ when = [] }) => when.every((word) => text.includes(word)))?.says ?? "";
    const message = { role: "assistant", content };
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    response.end(
      JSON.stringify({
        id: "1",
        object: "chat.completion",
        choices: [{ index: 0, message, finish_reason: "stop" }],
        usage,
      }),
    );
  });
}

const chats = (requests: readonly { readonly path: string; readonly body: string }[]) =>
  requests.flatMap(({ path, body }) => (path === "/v1/chat/completions" ? [body] : []));

const tables = (run: string) =>
  ["trials.csv", "verdicts.csv", "control_verdicts.csv", "summary.csv"].map((table) =>
    readTable(join(folder, run), table).map(({ run_id: _, duration_ms: __, grading_ms: ___, ...rest }) => rest),
  );

it("a judge behind a server, killed with its questions under way, is asked none again whose reply was recorded", async () => {
  const judge = await startJudge();
  const settings = { baseUrl: `${judge.url}/v1` };
  writeFileSync(
    join(folder, "probe.config.json"),
    JSON.stringify({ models: { judge: { model: "openai:judge", settings } } }),
  );
  const whole = await runProbe([...ASKED, "--out", "whole"], { cwd: folder, env });
  expect(whole.code).toBe(0);
  expect(whole.stdout).toContain("tells right from wrong: it finds 100.0 % of the rubrics met by right solutions");
  const questions = new Set(chats(judge.requests)).size;
  const asked = judge.requests.length;
  for (const enough of KILLS) {
    const before = judge.requests.length;
    const { child, result } = startProbe([...ASKED, "--out", "killed"], { cwd: folder, env });
    while (chats(judge.requests.slice(before)).length < enough) await wait(5);
    child.kill("SIGKILL");
    expect((await result).signal).toBe("SIGKILL");
  }
  // What was sent right before the last kill may still be on its way.
  await wait(300);
  const onDisk = readFileSync(join(folder, "killed/replies.jsonl"), "utf8").split("\n").slice(1).filter(isWhole);
  const lost = chats(judge.requests.slice(asked)).length - onDisk.length;
  const last = await runProbe([...ASKED, "--out", "killed"], { cwd: folder, env });
  expect([last.code, last.stderr]).toEqual([0, expect.not.stringContaining("Error")]);
  expect(tables("killed")).toEqual(tables("whole"));
  const all = chats(judge.requests.slice(asked));
  expect(new Set(all).size).toBe(questions);
  // Only what was under way in a kill is asked again: as many as came without a reply on disk.
  expect(all.length - questions).toBe(lost);
});

function isWhole(line: string): boolean {
  return line.endsWith("}");
}
