import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Attempt } from "../../src/agent/agent.js";
import { MOST_RESULT, runLoop } from "../../src/agent/agent-loop.js";
import { defineTool, finishTool } from "../../src/agent/tool.js";
import type { ConversationReply, ConversationRequest, Said } from "../../src/model/conversation.js";
import type { Cage } from "../../src/workspace/cage.js";
import type { Workspace } from "../../src/workspace/workspace.js";

const PRICE = { currency: "USD", inputPerMillion: 1, outputPerMillion: 10, asOf: "2026-01-01" };
const echo = defineTool("echo", "Says it again.", { text: z.string() }, async ({ text }) => text);
const tools = [echo, finishTool("finish", "Ends the task.")];

function attempt(limits: Partial<Attempt["limits"]> = {}): Attempt & { readonly notes: object[] } {
  const notes: object[] = [];
  return {
    key: { taskId: "t", condition: "c", trial: 0, attempt: 0 },
    // The loop does nothing with the tree itself, and runs no command.
    workspace: {} as Workspace,
    cage: {} as Cage,
    system: "S",
    user: "U",
    instruction: "",
    tools,
    gold: null,
    outputFolder: "/nowhere",
    seed: 0,
    limits: { maxCalls: 50, timeLimitMs: null, budgetUsd: null, ...limits },
    note: (entry) => notes.push(entry),
    signal: new AbortController().signal,
    notes,
  };
}

const said = (rest: Partial<Said>): ConversationReply => ({
  status: "said",
  text: null,
  toolCalls: [],
  promptTokens: 100,
  completionTokens: 10,
  end: "stop",
  durationMs: 1,
  ...rest,
});
const call = (name: string, given: object | string) =>
  said({
    toolCalls: [{ id: "1", name, arguments: typeof given === "string" ? given : JSON.stringify(given) }],
    end: "tool_calls",
  });
const done = call("finish", { success: true, summary: "ok" });

/** Replies in order, the last one for ever; and what was asked. */
function scripted(...replies: ConversationReply[]) {
  const asked: ConversationRequest[] = [];
  const converse = async (request: ConversationRequest) => {
    asked.push(request);
    return replies[Math.min(asked.length, replies.length) - 1]!;
  };
  return { asked, converse };
}

describe("the loop", () => {
  it("forces a call each turn at temperature 0, and ends when the model says that it is done", async () => {
    const { asked, converse } = scripted(call("echo", { text: "a" }), done);
    const result = await runLoop(attempt(), { converse, price: PRICE });
    // 2 × 100 tokens at 1 and 2 × 10 tokens at 10 dollars a million.
    expect(result).toMatchObject({
      status: "done",
      end: "finished",
      reportedSuccess: true,
      calls: 2,
      promptTokens: 200,
      completionTokens: 20,
      costUsd: 400 / 1e6,
    });
    expect(asked[0]).toMatchObject({ toolChoice: "required", temperature: 0, key: { turn: 0 } });
    expect(asked[1]!.messages.slice(2)).toEqual([
      { role: "assistant", content: null, toolCalls: [{ id: "1", name: "echo", arguments: '{"text":"a"}' }] },
      { role: "tool", callId: "1", name: "echo", content: "a" },
    ]);
  });

  it("ends with the signal's reason when the run is stopped, be it in the middle of a reply", async () => {
    const stop = new AbortController();
    const reason = new Error("stopped");
    const converse = (_: ConversationRequest, signal: AbortSignal) =>
      new Promise<ConversationReply>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        stop.abort(reason);
      });
    const running = runLoop({ ...attempt(), signal: stop.signal }, { converse, price: null });
    await expect(running).rejects.toBe(reason);
  });

  it("hands a model its mistakes back as texts, which count as calls", async () => {
    const { asked, converse } = scripted(call("echo", { txt: 1 }), call("nope", {}), call("echo", "{cut"), done);
    expect(await runLoop(attempt(), { converse, price: null })).toMatchObject({ calls: 4, costUsd: null });
    const results = asked[3]!.messages.flatMap((message) => (message.role === "tool" ? [message.content] : []));
    expect(results[0]).toMatch(/^Error: the arguments of echo do not fit: .*expected string/s);
    expect(results[1]).toBe('Error: there is no tool "nope". Tools: echo, finish');
    expect(results[2]).toMatch(/^Error: the arguments are no JSON object/);
  });

  it("reminds a model that calls nothing, and gives it up at the third time in a row", async () => {
    const silent = said({ text: "hm" });
    const late = scripted(silent, silent, call("echo", { text: "" }), silent, done);
    expect(await runLoop(attempt(), { converse: late.converse, price: null })).toMatchObject({ end: "finished" });
    const never = scripted(silent);
    const result = await runLoop(attempt(), { converse: never.converse, price: null });
    expect(result).toMatchObject({ end: "no_tool_call", reportedSuccess: false, calls: 0 });
    expect(never.asked).toHaveLength(3);
    expect(never.asked[1]!.messages.at(-1)).toMatchObject({ role: "user", content: expect.stringMatching(/no call/) });
  });

  it("stops at its limits of calls, time and money", async () => {
    const { converse } = scripted(call("echo", { text: "a" }));
    expect(await runLoop(attempt({ maxCalls: 3 }), { converse, price: null })).toMatchObject({
      end: "max_calls",
      calls: 3,
      reportedSuccess: false,
    });
    // A reply costs 200 millionths: the third exceeds 500.
    const money = attempt({ budgetUsd: 500 / 1e6 });
    expect(await runLoop(money, { converse, price: PRICE })).toMatchObject({ end: "budget", calls: 3 });
    const slow = async (_: ConversationRequest, signal: AbortSignal): Promise<ConversationReply> =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    expect(await runLoop(attempt({ timeLimitMs: 50 }), { converse: slow, price: null })).toMatchObject({
      end: "time_limit",
      promptTokens: null,
    });
  });

  it("neither takes a reply that comes behind its limit of time nor makes a call there, and pays for both", async () => {
    const late = async () => {
      await setTimeout(60);
      return done;
    };
    const ended = { end: "time_limit", reportedSuccess: false, promptTokens: 100, completionTokens: 10 };
    const tried = await runLoop(attempt({ timeLimitMs: 30 }), { converse: late, price: PRICE });
    expect(tried).toMatchObject({ ...ended, calls: 0 });
    const left: number[] = [];
    const sleep = defineTool("sleep", "Takes all the time.", {}, async (_, leftMs) => {
      left.push(leftMs);
      await setTimeout(leftMs + 30);
      return "slept";
    });
    const calls = [sleep.definition.name, "finish"].map((name) => ({ id: name, name, arguments: "{}" }));
    const both = scripted(said({ toolCalls: calls, end: "tool_calls" }));
    const slow = { ...attempt({ timeLimitMs: 500 }), tools: [sleep, ...tools] };
    expect(await runLoop(slow, { ...both, price: PRICE })).toMatchObject({ ...ended, calls: 1 });
    expect(left).toHaveLength(1);
    expect(left[0]).toBeLessThanOrEqual(500);
  });

  it("holds a budget at the most that a reply may cost where its tokens are not told, and says so", async () => {
    const untold = { ...call("echo", { text: "a" }), promptTokens: null, completionTokens: null };
    // 8192 tokens a reply at 10 dollars a million are 81,920 millionths; the prompts have some hundred bytes each.
    const money = attempt({ budgetUsd: 100_000 / 1e6 });
    const result = await runLoop(money, { ...scripted(untold), price: PRICE });
    expect(result).toMatchObject({ end: "budget", calls: 2, costUsd: null });
    expect(result).toMatchObject({ detail: expect.stringContaining("did not tell all tokens") });
  });

  it("counts thoughts that are not told at the most that they may be", async () => {
    const untold = { ...call("echo", { text: "a" }), completionTokens: null };
    // 8192 + 30,000 tokens at 10 dollars a million: one reply may be the whole budget of 0.381920.
    const result = await runLoop(attempt({ budgetUsd: 381_920 / 1e6 }), {
      ...scripted(untold),
      price: PRICE,
      mostThoughts: 30_000,
    });
    // And 100 tokens of the prompt, which are told, at 1 dollar a million.
    expect(result).toMatchObject({ end: "budget", calls: 1, costUsd: null, mostUsd: 382_020 / 1e6 });
  });

  it("tells what an attempt that was refused may have cost", async () => {
    const refused = { status: "failed", failure: "refused", detail: "why" } as const;
    const asked = scripted(call("echo", { text: "a" }), refused);
    const result = await runLoop(attempt(), { ...asked, price: PRICE });
    expect(result).toMatchObject({ end: "refused", promptTokens: null, completionTokens: null, costUsd: null });
    // Told: 100 and 10 tokens. Not told: the bytes of the second prompt with its tools, and 8192 tokens.
    const { messages, tools } = asked.asked[1]!;
    const most = 100 + Buffer.byteLength(JSON.stringify([messages, tools])) + 10 * (10 + 8192);
    expect(result).toMatchObject({ mostUsd: most / 1e6 });
  });

  it("tells a model that is down from one whose context is full or that refuses", async () => {
    const failed = (failure: "unavailable" | "context_overflow" | "refused") =>
      runLoop(attempt(), { ...scripted({ status: "failed", failure, detail: "why" }), price: PRICE });
    expect(await failed("unavailable")).toEqual({ status: "unreachable", detail: "why" });
    const told = (tokens: number | null) => ({ promptTokens: tokens, completionTokens: tokens, costUsd: tokens });
    // Nothing was worked on; a refusal may be paid for.
    expect(await failed("context_overflow")).toMatchObject({ status: "done", end: "context_overflow", ...told(0) });
    expect(await failed("refused")).toMatchObject({ status: "done", end: "refused", ...told(null) });
  });

  it("cuts long results, and knows no sum of which it does not know a part", async () => {
    const unknown = said({ toolCalls: [{ id: "1", name: "echo", arguments: "{}" }], promptTokens: null });
    const { asked, converse } = scripted(call("echo", { text: "x".repeat(20_000) }), unknown, done);
    const result = await runLoop(attempt(), { converse, price: PRICE });
    expect(result).toMatchObject({ promptTokens: null, completionTokens: 30, costUsd: null });
    const shown = asked[1]!.messages.at(-1)!.content!;
    expect(shown).toBe(`${"x".repeat(MOST_RESULT)}\n… cut: 20000 characters in all`);
  });
});
