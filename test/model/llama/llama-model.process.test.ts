import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Model } from "../../../src/model/model.js";
import { OPEN_OPTIONS } from "../../fixtures/open-options.js";
import { temporaryFolder } from "../../fixtures/temporary-folder.js";
import { repliesTo, requestFor } from "../contract.js";
import { openTiny, TINY_FILE } from "./open-tiny.js";

describe("the bundled model", () => {
  let model: Model;

  beforeAll(async () => {
    model = await openTiny();
  });

  afterAll(() => model.close());

  it("puts BOS first, once", async () => {
    // "A" is one piece of the vocabulary; with BOS that makes two tokens.
    expect(await model.countTokens?.("A")).toBe(2);
  });

  it("reuses the prefix that prompts of a group share", async () => {
    const stem = "def add(a, b):\n    return a + b\n".repeat(10);
    const replies = await repliesTo(model, [requestFor(`${stem}A. x\n`), requestFor(`${stem}A. y\n`)]);
    const cached = replies.map(({ cachedTokens }) => cachedTokens ?? 0).sort((a, b) => a - b);
    // The second of the two finds at least the stem, but for the last tokens, in the cache.
    expect(cached[1]).toBeGreaterThan(Number(await model.countTokens?.(stem)) - 4);
  });

  it("fails a prompt that does not fit its context, and says by how much", async () => {
    // One token a word piece at least: 5,000 words do not fit 4,096 places.
    const [reply] = await repliesTo(model, [requestFor("word ".repeat(5000))]);
    expect(reply).toMatchObject({ status: "failed", failure: "context_overflow" });
    expect(reply).toHaveProperty("detail", expect.stringContaining("room for 4095"));
  });

  it("still answers after an overflow as it did before", async () => {
    const request = requestFor("\nAnswer:\n");
    const [before] = await repliesTo(model, [request]);
    await repliesTo(model, [requestFor("word ".repeat(5000))]);
    const [after] = await repliesTo(model, [request]);
    expect(after).toHaveProperty("scores", before?.status === "scored" ? before.scores : null);
  });

  it("scores a prompt alike whatever was in the cache", async () => {
    const asked = requestFor(`${"int x = 1;\n".repeat(40)}Answer:\n`);
    const [fresh] = await repliesTo(model, [asked]);
    await repliesTo(model, [requestFor(`${"int x = 1;\n".repeat(20)}return y;\n`)]);
    const [again] = await repliesTo(model, [asked]);
    expect(again).toHaveProperty("scores", fresh?.status === "scored" ? fresh.scores : null);
  });
});

describe("opening a model", () => {
  const folder = temporaryFolder();

  it("computes with one thread for a small file, under an alias or not", async () => {
    const { openLlama } = await import("../../../src/model/llama/open-llama.js");
    const byPath = await openLlama({ ...OPEN_OPTIONS, label: "tiny", name: TINY_FILE, settings: {} });
    await byPath.close();
    expect(byPath.threads).toBe(1);
  });

  it("scores alike with one thread and with two", async () => {
    const [one, two] = [await openTiny({}, { threads: 1 }), await openTiny({}, { threads: 2 })];
    const [ofOne] = await repliesTo(one, [requestFor("int x = 1;\nAnswer:\n")]);
    const [ofTwo] = await repliesTo(two, [requestFor("int x = 1;\nAnswer:\n")]);
    await Promise.all([one.close(), two.close()]);
    expect([one.threads, two.threads]).toEqual([1, 2]);
    expect(ofTwo).toHaveProperty("scores", ofOne?.status === "scored" ? ofOne.scores : null);
  });

  it("refuses a file whose hash is not the expected one", async () => {
    await expect(openTiny({}, { sha256: "0".repeat(64) })).rejects.toMatchObject({
      code: "model_unavailable",
      message: expect.stringContaining("SHA-256"),
    });
  });

  it("refuses a file that is not a model", async () => {
    const path = join(folder, "text.gguf");
    writeFileSync(path, "not a model");
    const { openLlama } = await import("../../../src/model/llama/open-llama.js");
    const open = openLlama({ ...OPEN_OPTIONS, label: path, name: path, settings: {} });
    await expect(open).rejects.toMatchObject({ code: "model_unavailable" });
  });

  it("names the three ways on when there is no file", async () => {
    const { openLlama } = await import("../../../src/model/llama/open-llama.js");
    const name = join(folder, "missing.gguf");
    const open = openLlama({ ...OPEN_OPTIONS, label: name, name, settings: {} });
    await expect(open).rejects.toThrow(/\(1\).*\.gguf.*\(2\).*--base-url.*\(3\).*--model tiny/s);
  });

  it("refuses chat mode for a model without a template, and says what to do", async () => {
    await expect(openTiny({ promptMode: "chat" })).rejects.toMatchObject({
      code: "bad_input",
      message: expect.stringContaining("--prompt-mode completion"),
    });
  });

  it("refuses a setting it does not know", async () => {
    await expect(openTiny({}, { kvcache: "F16" })).rejects.toThrow(/kvCache/);
  });

  it("takes the size of its context from the settings", async () => {
    const small = await openTiny({}, { contextSize: 256 });
    try {
      const [reply] = await repliesTo(small, [requestFor("word ".repeat(400))]);
      expect(reply).toMatchObject({ status: "failed", failure: "context_overflow" });
    } finally {
      await small.close();
    }
  });
});

describe("chat mode", () => {
  const chatTemplate = "{{ bos_token }}{% for m in messages %}User: {{ m.content | trim }}\n{% endfor %}Assistant:";
  let chat: Model;
  let plain: Model;

  beforeAll(async () => {
    chat = await openTiny({ promptMode: "chat" }, { chatTemplate });
    plain = await openTiny();
  });

  afterAll(async () => {
    await chat.close();
    await plain.close();
  });

  it("scores the prompt inside the template, with one BOS", async () => {
    // What the template makes of the message by hand: trimmed, between its two labels.
    const [inTemplate] = await repliesTo(chat, [requestFor("\nWhich letter?\n")]);
    const [byHand] = await repliesTo(plain, [requestFor("User: Which letter?\nAssistant:")]);
    expect(inTemplate?.promptTokens).toBe(byHand?.promptTokens);
    expect(inTemplate).toHaveProperty("scores", byHand?.status === "scored" ? byHand.scores : null);
  });

  it("does not read special tokens in the message", async () => {
    // As a special token <s> is one token; as text of a review it is several.
    const plainTokens = await plain.countTokens?.("User: a <s> b\nAssistant:");
    expect(await chat.countTokens?.("a <s> b")).toBe(plainTokens);
  });
});

describe("a chat template that came with a file", () => {
  const open = (chatTemplate: string) => openTiny({ promptMode: "chat" }, { chatTemplate });

  it.each([
    ["is no template", "{% for m in messages %}", "found that"],
    ["gives up", "{{ raise_exception('no system role') }}", "found that no system role"],
    ["does not show the message", "{{ messages[0].content | upper }}!", "to show the message unchanged"],
    [
      "makes a text without end",
      "{{ messages[0].content }}{{ 'x' * 1 }}{% for i in range(99999999) %}xxxxxxxx{% endfor %}",
      "found that",
    ],
  ])("is refused when it %s, with a way out", async (_, template, found) => {
    await expect(open(template)).rejects.toMatchObject({
      code: "bad_input",
      message: expect.stringContaining(found),
    });
    await expect(open(template)).rejects.toThrow(/completion/);
  });

  const LOOP = "{% for i in range(99999) %}{% for j in range(99999) %}{% set x = j %}{% endfor %}{% endfor %}";

  it("is refused after a while when it does not end", async () => {
    await expect(open(LOOP)).rejects.toThrow("it was not done after 10 s. Give another (--model-arg chatTemplate=…)");
  });

  it("is ended by an interrupt", async () => {
    const controller = new AbortController();
    const opening = openTiny({ promptMode: "chat", signal: controller.signal }, { chatTemplate: LOOP });
    const refused = expect(opening).rejects.toMatchObject({ name: "AbortError" });
    setTimeout(() => controller.abort(), 1500);
    await refused;
  });
});
