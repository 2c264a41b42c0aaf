import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Model } from "../../../src/model/model.js";
import type { SymbolReply, SymbolRequest, Think } from "../../../src/model/requests.js";
import { repliesTo, requestFor } from "../contract.js";
import { openTiny } from "./open-tiny.js";

/** A template that opens thoughts itself (Jinja drops its last line end), and one that leaves it to the model unless it is told not to think. */
const OPENED = "{% for m in messages %}{{ m.content }}{% endfor %}<think>\n";
const SWITCHED =
  "{% for m in messages %}{{ m.content }}{% endfor %}{% if not enable_thinking %}<think>\n\n</think>\n\n{% endif %}";
const PROMPT = "\nWhich line is changed?\nA. line 1\nB. line 2\nC. line 3\n";

const request = (changes: Partial<SymbolRequest> = {}) => ({ ...requestFor(PROMPT), ...changes });
const scoresOf = (reply: SymbolReply | undefined) =>
  reply?.status === "scored"
    ? [...reply.scores.values()].map((score) => (score.status === "known" ? score.logprob : Number.NaN))
    : [];

describe("a model in process that thinks", () => {
  let model: Model;
  const think = { tokens: 40 };
  const ask = async (changes: Partial<SymbolRequest>, of = model) => (await repliesTo(of, [request(changes)]))[0];

  beforeAll(async () => {
    model = await openTiny({}, { chatTemplate: OPENED });
  });

  afterAll(() => model.close());

  it("spends its budget, is closed, and then names a letter with the log probabilities that its text has", async () => {
    const reply = await ask({ think });
    expect(reply?.thoughts).toMatchObject({ tokens: 40, end: "forced" });
    expect(reply?.completionTokens).toBe(41);
    // The same text as a raw prompt: the bundled model's tokens of it are the same.
    const thought = reply?.thoughts?.text ?? "";
    const text = `${PROMPT}<think>${thought}${thought.endsWith("\n") ? "" : "\n"}</think>\n\n`;
    const [plain] = await repliesTo(model, [requestFor(text)]);
    for (const [i, logprob] of scoresOf(plain).entries()) expect(scoresOf(reply)[i]).toBeCloseTo(logprob, 4);
  });

  it("has the same thoughts and scores again, whatever was asked between, and from scratch", async () => {
    const before = await ask({ think });
    await ask({ think: { tokens: 7 }, prompt: "Another one.\n" });
    const after = await ask({ think });
    expect(after).toMatchObject({ thoughts: before?.thoughts, scores: before?.status === "scored" && before.scores });
    const exact = await openTiny({ mode: "exact" }, { chatTemplate: OPENED });
    const fresh = await ask({ think }, exact);
    await exact.close();
    expect(fresh?.thoughts).toEqual(before?.thoughts);
    for (const [i, logprob] of scoresOf(before).entries()) expect(scoresOf(fresh)[i]).toBeCloseTo(logprob, 5);
  });

  it("is followed along its thoughts: a point a part, and the last is the answer", async () => {
    const traced = await ask({ think, trace: 4 });
    const { trace = [], ...thoughts } = traced?.thoughts ?? { trace: [] };
    expect(trace.map(({ tokens }) => tokens)).toEqual([10, 20, 30, 40]);
    expect(trace.at(-1)?.scores).toEqual(traced?.status === "scored" ? traced.scores : null);
    // Looking changes nothing.
    const plain = await ask({ think });
    expect(plain?.thoughts).toEqual(thoughts);
    expect(scoresOf(plain)).toEqual(scoresOf(traced));
    // A shorter budget has the beginning of the same thoughts, and so the point there.
    const cut = await ask({ think: { tokens: 20 } });
    for (const [i, logprob] of scoresOf(cut).entries())
      expect([...(trace[1]?.scores.values() ?? [])][i]).toMatchObject({ logprob: expect.closeTo(logprob, 5) });
  });

  it("stops where it closes its thoughts itself, which end before the mark", async () => {
    const { thoughts: whole } = (await ask({ think })) ?? {};
    // A mark that stands in what it writes: the third character from the end of its first ten.
    const text = whole?.text ?? "";
    const mark = text.slice(8, 10);
    const other = await openTiny({}, { chatTemplate: OPENED, thinkOpen: "<think>", thinkClose: mark });
    const reply = await ask({ think }, other);
    await other.close();
    expect(reply?.thoughts).toMatchObject({ text: text.slice(0, text.indexOf(mark)), end: "closed" });
    expect(reply?.status).toBe("scored");
  });

  it("draws thoughts by seed where its temperature says so: other times, other thoughts; the same time, the same", async () => {
    const warm = await openTiny({}, { chatTemplate: OPENED, thinkTemperature: 1 });
    const at = async (repeat: number) => (await ask({ think, repeat }, warm))?.thoughts?.text;
    const [first, second, again] = [await at(0), await at(1), await at(0)];
    await warm.close();
    expect(first).not.toBe(second);
    expect(again).toBe(first);
  });

  it("does not think where it is told not to: its thoughts are empty and closed", async () => {
    for (const [chatTemplate, promptMode] of [
      [OPENED, "chat"],
      [SWITCHED, "chat"],
    ] as const) {
      const chat = await openTiny({ promptMode }, { chatTemplate });
      const off = await ask({ think: "off" }, chat);
      await chat.close();
      const [plain] = await repliesTo(model, [requestFor(`${PROMPT}<think>\n\n</think>\n\n`)]);
      expect(off?.thoughts).toBeUndefined();
      expect(scoresOf(off)).toEqual(scoresOf(plain));
    }
  });

  it("fails where the prompt leaves no room to think", async () => {
    const reply = await ask({ think, prompt: "word ".repeat(4090) });
    expect(reply).toMatchObject({ status: "failed", failure: "context_overflow" });
  });

  it("refuses a template without thoughts, and says how to name their marks", async () => {
    const plain = await openTiny({}, { chatTemplate: "{% for m in messages %}{{ m.content }}{% endfor %}" });
    await expect(ask({ think }, plain)).rejects.toThrow("--model-arg thinkOpen=… --model-arg thinkClose=…");
    await plain.close();
  });
});

describe("messages of a model in process that thinks", () => {
  const PICK = {
    name: "pick",
    description: "Picks.",
    parameters: { type: "object", properties: { word: { type: "string", enum: ["a", "b"] } }, required: ["word"] },
  };
  const asked = {
    messages: [{ role: "user" as const, content: "Pick a word." }],
    tools: [PICK],
    toolChoice: "required" as const,
    maxTokens: 60,
    temperature: 0,
    seed: 0,
    responseFormat: null,
  };
  const say = async (think: Think | null) => {
    const needs = ["conversations"] as const;
    const model = await openTiny({ needs, ...(think !== null && { think }) }, { chatTemplate: SWITCHED });
    const said = await model.converse!(asked, new AbortController().signal);
    await model.close();
    if (said.status === "failed") throw new Error(said.detail);
    return said;
  };

  it("fail as a reply does where the engine does, in the thoughts as in the text", async () => {
    for (const think of [{ tokens: 5000 }, "off"] as const) {
      const model = await openTiny({ needs: ["conversations"], think }, { chatTemplate: SWITCHED });
      const before = model.evaluatedTokens!();
      const saying = model.converse!({ ...asked, maxTokens: 5000, tools: [] }, new AbortController().signal);
      // The engine is closed under what it thinks, or writes.
      while (model.evaluatedTokens!() === before) await sleep(5);
      await model.close();
      expect(await saying).toMatchObject({ status: "failed", failure: "unavailable" });
    }
  });

  it("come behind thoughts, whose tokens are counted and whose words are none of the message", async () => {
    const [plain, off, short, long] = [
      await say(null),
      await say("off"),
      await say({ tokens: 10 }),
      await say({ tokens: 30 }),
    ];
    // The grammar of the calls holds behind thoughts too.
    for (const { toolCalls } of [plain, off, short, long]) expect(toolCalls).toMatchObject([{ name: "pick" }]);
    // The template shuts the model's thoughts unless it is told that it may think; `off` says so too.
    expect(off.promptTokens).toBe(plain.promptTokens);
    // The bundled model closes no thoughts: all of its budget is spent, and a call is as long as before or longer.
    expect(short.completionTokens).toBeGreaterThan(10);
    expect(long.completionTokens).toBeGreaterThan(30);
    expect(short.promptTokens).toBe(long.promptTokens);
    expect(short.promptTokens).not.toBe(off.promptTokens);
  });
});
