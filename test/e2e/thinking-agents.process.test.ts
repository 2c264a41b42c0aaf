import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { startHttpServer } from "../fixtures/http-server.js";
import { journalRecords } from "../fixtures/journal-file.js";
import { readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const probe = (...args: readonly string[]) => runProbe(args, { cwd: folder });
const ASKED = "suite run swe-atlas -q --limit 1 --attempts 1".split(" ");
const RUN = "results/run";
const THOUGHTS = "This is about the loop.";

interface Chat {
  readonly tools?: readonly object[];
  readonly messages: readonly {
    readonly role: string;
    readonly content: string;
    readonly tool_calls?: readonly object[];
    readonly reasoning_content?: string;
  }[];
}

/**
 * A model that thinks for 150 tokens before each message, and refuses a call that comes back without its thoughts: it looks
 * at the files, and is done. Without tools it judges that all is met.
 */
function startThinker() {
  let count = 0;
  return startHttpServer(({ path, body }, response) => {
    const send = (status: number, document: object) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(document));
    };
    if (path === "/v1/models") return send(200, { data: [{ id: "thinker-1", object: "model" }] });
    if (path !== "/v1/chat/completions") return send(404, {});
    const { tools, messages } = JSON.parse(body) as Chat;
    const isLost = messages.some(({ tool_calls, reasoning_content: back }) => tool_calls && back !== THOUGHTS);
    if (isLost) return send(400, { error: { message: "Missing `reasoning_content` field in the assistant message" } });
    const word = /with the word (\w+)\./.exec(messages.at(-1)?.content ?? "")?.[1];
    const next = messages.some(({ role }) => role === "tool")
      ? ["finish", { success: true, summary: "done" }]
      : ["list_files", {}];
    const [name, given] = word === undefined ? next : ["pick", { word }];
    const call = { id: "c1", type: "function", function: { name, arguments: JSON.stringify(given) } };
    const said = tools
      ? { content: null, tool_calls: [call] }
      : { content: '{"status": "pass", "justification": "so it is"}' };
    send(200, {
      id: `chat-${count++}`,
      choices: [{ index: 0, message: { ...said, reasoning_content: THOUGHTS }, finish_reason: "stop" }],
      usage: { prompt_tokens: 10, completion_tokens: 155, completion_tokens_details: { reasoning_tokens: 150 } },
    });
  });
}

it("an agent and a judge think as they are told, which is counted, recorded and resumed without asking again", async () => {
  const { url, requests } = await startThinker();
  const at = ["--base-url", `${url}/v1`, "--judge-base-url", `${url}/v1`];
  const models = ["--model", "deepseek:auto", "--judge", "deepseek:auto"];
  const run = await probe(...ASKED, ...models, ...at, "--think", "low", "--judge-think", "high", "--out", RUN);
  expect([run.code, run.stderr]).toEqual([0, ""]);
  const record = JSON.parse(readFileSync(join(folder, RUN, "run.json"), "utf8"));
  expect(record.parameters).toMatchObject({ think: "low", judge_think: "high" });
  const [trial] = readTable(join(folder, RUN), "trials.csv");
  // Two turns of 10 and 155 tokens.
  expect([trial?.["prompt_tokens"], trial?.["completion_tokens"]]).toEqual(["20", "310"]);
  const bodies = requests.flatMap(({ path, body }) => (path === "/v1/chat/completions" ? [JSON.parse(body)] : []));
  const efforts = (hasTools: boolean) =>
    new Set(bodies.filter(({ tools }) => (tools !== undefined) === hasTools).map((body) => body.reasoning_effort));
  expect([efforts(true), efforts(false)]).toEqual([new Set(["low"]), new Set(["high"])]);

  // As a kill leaves it: the trial is lost, its replies are on disk.
  const journal = join(folder, RUN, "trials.jsonl");
  const [header = ""] = readFileSync(journal, "utf8").split("\n");
  writeFileSync(journal, `${header}\n`);
  const replies = journalRecords(join(folder, RUN, "replies.jsonl")).length;
  const before = requests.length;
  const resumed = await probe("suite", "run", "swe-atlas", "-q", "--resume", RUN, ...at);
  expect([resumed.code, resumed.stderr]).toEqual([0, ""]);
  expect(readTable(join(folder, RUN), "trials.csv")[0]?.["completion_tokens"]).toBe("310");
  expect(journalRecords(join(folder, RUN, "replies.jsonl"))).toHaveLength(replies);
  // The checks of both models, and no more: their messages are known.
  const asked = requests.slice(before).filter(({ path }) => path === "/v1/chat/completions");
  for (const { body } of asked) expect(body).toMatch(/Say: hello|Call the tool pick/);

  const other = await probe(...ASKED, ...models, ...at, "--think", "high", "--judge-think", "high", "--out", RUN);
  expect([other.code, other.stderr]).toEqual([
    2,
    expect.stringContaining('think: the run has "low", this command "high"'),
  ]);

  // What trials with other thoughts would take is not known by these.
  const dry = async (think: string) =>
    (await probe(...ASKED, "--model", "deepseek:auto", "--think", think, "--dry-run")).stdout.replace(/[│\s]+/g, " ");
  expect(await dry("high")).toContain("None of these was asked to think like this (--think high)");
  expect(await dry("low")).toMatch(/^(?!.*None of these).*generated tokens 1 310 310 310/s);
});

it.each([
  [["--agent", "scripted:gold", "--think", "low"], "Expected --model M with --think, found --agent"],
  [["--agent", "scripted:gold", "--judge-think", "low"], "Expected --judge M with --judge-think, found none"],
  [["--agent", "scripted:gold", "--think", "much"], "off, low, medium, high or a number of tokens from 1"],
])("%j is refused", async (more, found) => {
  const { code, stderr } = await probe(...ASKED, ...more, "--out", "refused");
  expect([code, stderr]).toEqual([2, expect.stringContaining(found)]);
});
