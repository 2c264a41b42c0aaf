import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Model } from "../../../src/model/model.js";
import type { CompletionRequest } from "../../../src/model/requests.js";
import { temporaryFolder } from "../../fixtures/temporary-folder.js";
import { completed, REQUEST } from "../contract/completion.js";
import { scoresOf } from "../contract/token-scores.js";
import { repliesTo, requestFor } from "../contract.js";
import { openChangedTiny, openTiny } from "./open-tiny.js";

const SIGNAL = new AbortController().signal;
const SAMPLED = { temperature: 3.5, topK: 50 } as const;
const LONG = "def add(a, b):\n    return a + b\n\n\n".repeat(20);
const folder = temporaryFolder();

describe("completions of the bundled model", () => {
  let model: Model;
  const write = async (changes: Partial<CompletionRequest>, of = model) =>
    completed(await of.complete!({ ...REQUEST, ...changes }, SIGNAL));

  beforeAll(async () => {
    model = await openTiny({ needs: ["completions", "token_scores", "symbols"] });
  });

  afterAll(() => model.close());

  it("count the prompt's tokens with BOS, and those written", async () => {
    const { promptTokens, tokens, end } = await write({ prompt: LONG, maxTokens: 5 });
    expect([promptTokens, tokens, end]).toEqual([await model.countTokens!(LONG), 5, "length"]);
  });

  it("write nothing when they may not", async () => {
    expect(await write({ maxTokens: 0 })).toMatchObject({ text: "", tokens: 0, end: "length" });
  });

  it("go on with the most probable token of the whole vocabulary, each time", async () => {
    const { text } = await write({ maxTokens: 20 });
    const before = (await scoresOf(model, REQUEST.prompt)).ends.length;
    expect((await scoresOf(model, REQUEST.prompt + text)).isGreedy.slice(before)).toEqual(Array(20).fill(true));
  });

  it("are greedy when only one token may be drawn from", async () => {
    expect((await write({ temperature: 3.5, topK: 1 })).text).toBe((await write({})).text);
  });

  it("draw from the whole vocabulary, and with a limit from the most probable only", async () => {
    const ranks = async (topK: number | null) => {
      const found: boolean[] = [];
      for (let seed = 0; seed < 60; seed++) {
        const { text } = await write({ temperature: 5, topK, seed, maxTokens: 1 });
        found.push(text !== "" && TOP.has(text));
      }
      return found;
    };
    // What greedy decoding with a limit of two can draw, by its own log probabilities.
    const TOP = new Set<string>();
    for (let seed = 0; seed < 40; seed++) TOP.add((await write({ temperature: 1, topK: 2, seed, maxTokens: 1 })).text);
    expect(TOP.size).toBe(2);
    expect((await ranks(2)).every(Boolean)).toBe(true);
    // At temperature 5 two of 4,096 tokens are drawn now and then, but never 60 times in a row.
    expect((await ranks(null)).every(Boolean)).toBe(false);
  });

  it("are drawn alike for a seed, whatever was asked before, and differently for another", async () => {
    const first = await write({ ...SAMPLED, prompt: LONG, seed: 7 });
    expect((await write({ ...SAMPLED, prompt: LONG, seed: 8 })).text).not.toBe(first.text);
    await repliesTo(model, [requestFor(`${LONG}Answer:\n`)]);
    await scoresOf(model, LONG.slice(0, 100));
    expect((await write({ ...SAMPLED, prompt: LONG, seed: 7 })).text).toBe(first.text);
    // Another process, so to say: nothing in the cache.
    const fresh = await openTiny({ needs: ["completions"], mode: "exact" });
    expect((await write({ ...SAMPLED, prompt: LONG, seed: 7 }, fresh)).text).toBe(first.text);
    await fresh.close();
  });

  it("take any whole number for a seed, and never one by chance", async () => {
    // 2^32 - 1 would ask the engine for a random seed.
    for (const seed of [2 ** 32 - 1, 2 ** 32, -1, 2 ** 40 + 3]) {
      expect((await write({ ...SAMPLED, seed })).text).toBe((await write({ ...SAMPLED, seed })).text);
    }
    expect((await write({ ...SAMPLED, seed: -1 })).text).not.toBe((await write({ ...SAMPLED, seed: -2 })).text);
  });

  it("show characters of several tokens whole, and none that the limit cuts", async () => {
    // In this vocabulary an emoji is four tokens of a byte: the model begins another one here.
    const prompt = 'emoji = "😀😀😀😀😀😀😀😀';
    const texts = [];
    for (let maxTokens = 1; maxTokens <= 8; maxTokens++) texts.push((await write({ prompt, maxTokens })).text);
    expect(texts[0]).toBe("");
    // Were a cut character shown, as U+FFFD, a longer text would not begin with the shorter ones.
    for (const [i, text] of texts.slice(1).entries()) expect(text.startsWith(texts[i]!)).toBe(true);
  });

  it("do not see special tokens in the prompt", async () => {
    const { promptTokens } = await write({ prompt: "a </s> b", maxTokens: 1 });
    expect(promptTokens).toBeGreaterThan(5);
  });

  it("fail for a prompt that leaves no place, and end where the context does", async () => {
    const small = await openTiny({ needs: ["completions"] }, { contextSize: 256 });
    try {
      // BOS and 254 lines fill 255 places; what is written after them is not evaluated.
      const full = await write({ prompt: "\n".repeat(254), maxTokens: 50, stop: [] }, small);
      expect([full.promptTokens, full.tokens]).toEqual([255, 1]);
      const nearly = await write(
        { prompt: "\n".repeat(244), maxTokens: 50, temperature: 3.5, topK: 20, seed: 3 },
        small,
      );
      if (nearly.end !== "end_of_text") expect([nearly.tokens, nearly.end]).toEqual([11, "length"]);
      const over = await small.complete!({ ...REQUEST, prompt: "\n".repeat(255) }, SIGNAL);
      expect(over).toMatchObject({ status: "failed", failure: "context_overflow" });
      expect(over).toHaveProperty("detail", "the prompt has 256 tokens, the context has room for 255");
    } finally {
      await small.close();
    }
  });

  it("end between two tokens when the signal is aborted", async () => {
    const controller = new AbortController();
    const asked = model.complete!({ ...REQUEST, ...SAMPLED, maxTokens: 3000 }, controller.signal);
    setTimeout(() => controller.abort(), 60);
    await expect(asked).rejects.toThrow(/abort/i);
    // And the model is as it was.
    expect((await write({ maxTokens: 3 })).tokens).toBe(3);
  });

  it("come to all who ask at the same time", async () => {
    const seeds = [1, 2, 3, 4];
    const alone = [];
    for (const seed of seeds) alone.push((await write({ ...SAMPLED, seed })).text);
    const together = await Promise.all(seeds.map((seed) => write({ ...SAMPLED, seed })));
    expect(together.map(({ text }) => text)).toEqual(alone);
  });
});

describe("completions in chat mode", () => {
  it("continue the model's own template", async () => {
    const chatTemplate = "{{ bos_token }}{% for m in messages %}# {{ m.content | trim }}\n{% endfor %}def ";
    const chat = await openTiny({ promptMode: "chat", needs: ["completions"] }, { chatTemplate });
    const plain = await openTiny({ needs: ["completions"] });
    const inTemplate = completed(await chat.complete!({ ...REQUEST, prompt: "\nadd two numbers\n" }, SIGNAL));
    const byHand = completed(await plain.complete!({ ...REQUEST, prompt: "# add two numbers\ndef " }, SIGNAL));
    expect([inTemplate.text, inTemplate.promptTokens]).toEqual([byHand.text, byHand.promptTokens]);
    await Promise.all([chat.close(), plain.close()]);
  });
});

describe("completions of a model without BOS", () => {
  it("are refused for an empty prompt, which gives it nothing to go on from", async () => {
    const path = join(folder, "no-bos.gguf");
    const model = await openChangedTiny(path, { "tokenizer.ggml.add_bos_token": false }, ["completions"]);
    expect(await model.complete!({ ...REQUEST, prompt: "" }, SIGNAL)).toMatchObject({
      status: "failed",
      failure: "refused",
    });
    expect(completed(await model.complete!({ ...REQUEST, prompt: "\n" }, SIGNAL)).promptTokens).toBe(1);
    await model.close();
  });
});
