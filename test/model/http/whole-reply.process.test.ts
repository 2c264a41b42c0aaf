import { execFile } from "node:child_process";
import type http from "node:http";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { httpClient } from "../../../src/model/http/http-client.js";
import { MAX_BODY_BYTES, MAX_JSON_DEPTH, MAX_JSON_VALUES, WholeReply } from "../../../src/model/http/reply-body.js";
import { RequestError } from "../../../src/model/http/request-error.js";
import { startHttpServer } from "../../fixtures/http-server.js";

const HEAD = { status: 200, headers: [] as [string, string][], url: "http://127.0.0.1/" };
const MB = 1024 * 1024;

function write(response: http.ServerResponse, bytes: number): void {
  const chunk = Buffer.alloc(MB, 32);
  let left = bytes;
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left -= chunk.length;
      if (!response.write(chunk)) return void response.once("drain", more);
    }
    response.end();
  };
  more();
}

/** What a process of its own says that asks for the page, and how much memory it took for it, MB. */
async function ask(url: string): Promise<{ failure: string; message: string; grownMb: number }> {
  const script = `
    const { httpClient } = await import(${JSON.stringify(new URL("../../../dist/src/model/http/http-client.js", import.meta.url).href)});
    const http = httpClient(1);
    await http.fetch(${JSON.stringify(`${url}/small`)});
    const before = process.resourceUsage().maxRSS;
    const error = await http.fetch(${JSON.stringify(`${url}/large`)}).then(() => ({}), (error) => error);
    const grownMb = (process.resourceUsage().maxRSS - before) / 1024;
    console.log(JSON.stringify({ failure: error.failure, message: error.message, grownMb }));
    http.close();`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
  return JSON.parse(stdout);
}

describe("the limit of a body", () => {
  it.each([
    { name: "that never ends", headers: {}, bytes: Number.POSITIVE_INFINITY },
    { name: "of 500 MB", headers: { "content-length": 500 * MB }, bytes: 500 * MB },
    { name: "of 500 MB that says it is an error's", status: 500, headers: {}, bytes: 500 * MB },
  ])("cuts off a body $name, and memory stays flat", async ({ headers, bytes, status = 200 }) => {
    const server = await startHttpServer(({ path }, response) => {
      if (path === "/small") return void response.end("{}");
      response.writeHead(status, headers);
      write(response, bytes);
    });
    const { failure, message, grownMb } = await ask(server.url);
    expect(failure).toBe("bad_response");
    expect(message).toBe(`HTTP ${status}, but expected a body of at most 12582912 bytes, found a longer one`);
    expect(grownMb).toBeLessThan(100);
  });

  it("takes a body that is just as long as it may be", async () => {
    const server = await startHttpServer((_, response) => write(response, MAX_BODY_BYTES));
    const http = httpClient(1);
    onTestFinished(() => http.close());
    expect((await (await http.fetch(server.url)).text()).length).toBe(MAX_BODY_BYTES);
  });
});

const replyOf = (text: string) => new WholeReply(Buffer.from(text), HEAD);

describe("WholeReply", () => {
  const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

  it("takes JSON as deep as it may be", async () => {
    const text = nested(MAX_JSON_DEPTH);
    const reply = replyOf(text);
    expect(await reply.text()).toBe(text);
    expect(Array.isArray(await reply.json())).toBe(true);
  });

  it.each([
    nested(MAX_JSON_DEPTH + 1),
    "[".repeat(1_000_000),
    `${'{"a":'.repeat(101)}1${"}".repeat(101)}`,
    `{"a": "\\\\", "b": ${nested(101)}}`,
  ])("refuses JSON that nests deeper, before it is parsed: %.20s", (text) => {
    expect(() => replyOf(text)).toThrow(RequestError);
    expect(() => replyOf(text)).toThrow("expected JSON at most 100 deep, found it nested deeper");
  });

  it("refuses JSON of more values than it may have, which take many times its bytes of memory", async () => {
    // The list itself, and one value behind each comma but the first.
    const most = `[${"0,".repeat(MAX_JSON_VALUES - 2)}0]`;
    expect(await replyOf(most).json()).toHaveLength(MAX_JSON_VALUES - 1);
    const found = `expected JSON of at most ${MAX_JSON_VALUES} values, found more`;
    expect(() => replyOf(`[0,${most.slice(1)}`)).toThrow(found);
    expect(() => replyOf(`[${"{},".repeat(MAX_JSON_VALUES)}0]`)).toThrow(found);
  });

  it.each([
    JSON.stringify({ code: `"${nested(200)}\\` }),
    `[${Array(200).fill("[]").join(",")}]`,
    `no JSON ${nested(200)}`,
    '"',
    "",
  ])("takes brackets that do not nest: %.20s", async (text) => {
    expect(await replyOf(text).text()).toBe(text);
  });

  it("rejects when the text is no JSON", async () => {
    await expect(replyOf("<html>").json()).rejects.toThrow(SyntaxError);
  });
});
