import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OfficialRecord } from "../../src/dataset/official-record.js";
import { IN_DOUBT } from "../../src/distractors/written-misses.js";
import { runProbe } from "../fixtures/cli.js";
import { jsonl } from "../fixtures/jsonl.js";
import { ok, type StubRequest, type StubServer, startStub } from "../fixtures/stub-server.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);

/** One changed name: code and review tell no two near misses of it. */
const REVIEWS = ["x", "y", "z"].map((name) => ({
  id: name,
  pre_review_code: `def ${name}(old_items):\n    return old_items\n`,
  code_review: "Only the first one is wanted.",
  post_review_code: `def ${name}(old_items):\n    return old_items[0]\n`,
  language: "python",
}));

/** A check that knows the revision that was made, and takes all that nobody wrote for unlikely. */
function checked(prompt: string): string {
  const parts = prompt.split(/^(\d+)\.\n/m);
  return parts
    .flatMap((number, i) => {
      const shown = parts[i + 1] ?? "";
      if (i % 2 === 0) return [];
      if (/return old_items\[0\]$/m.test(shown)) return `${number} right`;
      return `${number} fault ${/old_items\[1\]|sorted_old_items\[0\]/.test(shown) ? 5 : 1}`;
    })
    .join("\n");
}

/** The answer to a question of somebody who knows the revision that was made. */
function keyed(prompt: string): string {
  const parts = prompt.split(/^([A-D])\.\n/m);
  const line = (letter: string, shown = "") => `${letter} ${/return old_items\[0\]$/m.test(shown) ? "made" : "wrong"}`;
  return [...parts.flatMap((letter, i) => (i % 2 === 0 ? [] : [line(letter, parts[i + 1])])), "clear"].join("\n");
}

/** The same request of revisions of which none is the one that was made, as a check would see it that holds it for wrong. */
function doubted(request: StubRequest): StubRequest {
  return {
    ...request,
    body: JSON.parse(JSON.stringify(request.body).replaceAll("old_items[0]", "old_items[9]")) as StubRequest["body"],
  };
}

/** A writer that makes two faults of each revision, or talks about something else. */
function writer(isAble: boolean) {
  return ({ path, body }: StubRequest) => {
    if (path.endsWith("/models")) return ok({ object: "list", data: [{ id: "writer", object: "model" }] });
    const [{ content = "" } = {}] = (body["messages"] ?? []) as { content?: string }[];
    const faults = [
      { line: 2, from: "[0]", to: "[1]" },
      { line: 2, from: "return old", to: "return sorted_old" },
    ];
    const judged = content.startsWith("You check") ? checked(content) : keyed(content);
    const reply = content.includes("[WRITTEN BEFORE]") ? jsonl(...faults) : judged;
    const text = isAble && content.includes("[CODE REVIEW]") ? reply : "The weather is fine.";
    return ok({
      id: "1",
      object: "chat.completion",
      created: 0,
      model: "writer",
      choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
      usage: { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 },
    });
  };
}

const build = (url: string, ...args: string[]) =>
  runProbe(["dataset", "build", at("in.jsonl"), "--writer", "openai:writer", "--base-url", `${url}/v1`, ...args]);

function linesOf<Line>(path: string): Line[] {
  const text = readFileSync(path, "utf8").trimEnd();
  return text.split("\n").map((line) => JSON.parse(line) as Line);
}

describe("probe dataset build --writer", () => {
  let able: StubServer;
  let idle: StubServer;

  beforeAll(async () => {
    writeFileSync(at("in.jsonl"), jsonl(...REVIEWS));
    [able, idle] = [await startStub(writer(true), 50), await startStub(writer(false))];
  });

  afterAll(async () => {
    await able.stop();
    await idle.stop();
  });

  it("makes squares of what the model wrote, several revisions at once, in the order of the input", async () => {
    const { code, stdout } = await build(able.url, "--out", at("written.jsonl"));
    expect(code).toBe(0);
    expect(stdout).toContain("Near misses of the writer: two in 6 of 6 SI questions, one in 0.");
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("its own score says nothing");
    expect(stdout).not.toContain("without a writer");
    expect(able.mostAtOnce()).toBeGreaterThan(1);
    const records = linesOf<OfficialRecord>(at("written.jsonl"));
    expect(records.map(({ id }) => id)).toEqual(["x", "y", "z"]);
    const line = (code: string) => `2 -     return old_items\n2 +     return ${code}`;
    for (const record of records) {
      expect(record.solution_correct).toBe(line("old_items[0]"));
      const wrong = [line("old_items[1]"), line("sorted_old_items[0]"), line("sorted_old_items[1]")];
      expect(record.solution_wrong_easy?.toSorted()).toEqual(wrong);
      expect(record.solution_wrong_hard?.toSorted()).toEqual(wrong);
    }
  });

  it("says in the side files who wrote them, and what was asked", () => {
    const [first] = linesOf<{ writer: string; squares: { a: { kind: string } }[] }>(at("written.distractors.jsonl"));
    expect(first).toMatchObject({ writer: "openai:writer", squares: [{ a: { kind: "written" } }, {}] });
    const description = JSON.parse(readFileSync(at("written.build.json"), "utf8")) as Record<string, unknown>;
    expect(description).toMatchObject({ writer: "openai:writer", written: { both: 6, one: 0, none: 0 } });
    for (const prompt of ["writer", "check", "question"])
      expect(description[`${prompt}_prompt_sha256`]).toMatch(/^[\da-f]{64}$/);
  });

  it("makes the same again by the same command, and says who goes without", async () => {
    const again = await build(able.url, "--out", at("again.jsonl"));
    expect(again.code).toBe(0);
    expect(readFileSync(at("again.jsonl"), "utf8")).toBe(readFileSync(at("written.jsonl"), "utf8"));
    const without = await build(idle.url, "--out", at("idle.jsonl"));
    expect(without.code).toBe(0);
    expect(without.stdout).toContain("Expected near misses of the writer in SI questions, found none");
  });

  it("has no question of a revision that the model does not take for right, and says so", async () => {
    const answer = writer(true);
    const doubting = await startStub((request) => {
      const prompt = JSON.stringify(request.body);
      // That of `x` alone, whichever stands where.
      return answer(prompt.includes("[REVISIONS]") && prompt.includes("def x(") ? doubted(request) : request);
    });
    try {
      const { code, stdout } = await build(doubting.url, "--out", at("doubted.jsonl"));
      expect(code).toBe(0);
      expect(stdout).toContain(`no SI: ${IN_DOUBT}`);
      const [x, y] = linesOf<OfficialRecord>(at("doubted.jsonl"));
      expect([x?.not_built?.SI, x?.solution_wrong_easy, y?.not_built?.SI]).toEqual([IN_DOUBT, undefined, undefined]);
      expect(y?.solution_wrong_easy).toHaveLength(3);
    } finally {
      await doubting.stop();
    }
  });

  it("ends at a server that is gone with what is built, and goes on by the same command to the same bytes", async () => {
    let [asked, isDown] = [0, true];
    const answer = writer(true);
    const failing = await startStub((request) => {
      const isWork = JSON.stringify(request.body).includes("[CODE REVIEW]");
      // Three each: of two at once, one is whole after six.
      return isWork && isDown && ++asked > 6 ? { status: 401, body: { error: { message: "no" } } } : answer(request);
    });
    try {
      const args = ["--out", at("failed.jsonl"), "--concurrency", "2"];
      const first = await build(failing.url, ...args);
      expect(first.code).not.toBe(0);
      expect(first.stderr).toContain("the same command goes on");
      isDown = false;
      const second = await build(failing.url, ...args);
      expect([second.code, second.stderr]).toEqual([0, expect.stringContaining("Going on: ")]);
      expect(readFileSync(at("failed.jsonl"), "utf8")).toBe(readFileSync(at("written.jsonl"), "utf8"));
    } finally {
      await failing.stop();
    }
  });

  it("refuses a second way of making near misses beside it, before a model is asked", async () => {
    const asked = able.requests.length;
    for (const other of [
      ["--surrogate", "tiny"],
      ["--method", "paper"],
    ]) {
      const { code, stderr } = await build(able.url, "--out", at("other.jsonl"), ...other);
      expect(code).toBe(2);
      expect(stderr).toContain(`Expected --writer alone, found ${other[0]}`);
    }
    expect(able.requests).toHaveLength(asked);
  });
});
