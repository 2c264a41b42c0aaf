import { readFileSync } from "node:fs";
import { join } from "node:path";
import { getLlama, type Llama, type LlamaContextSequence, LlamaLogLevel, type Token } from "node-llama-cpp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readDataset } from "../../../src/dataset/dataset-file.js";
import type { Example } from "../../../src/dataset/example.js";
import type { Model } from "../../../src/model/model.js";
import { commonStem, fillTemplate, loadTemplate } from "../../../src/question/prompt.js";
import { MINI, referenceSequences } from "../../fixtures/reference.js";
import { temporaryFolder } from "../../fixtures/temporary-folder.js";
import { completed, REQUEST } from "../contract/completion.js";
import { scoresOf } from "../contract/token-scores.js";
import { repliesTo, requestFor } from "../contract.js";
import { openChangedTiny, openTiny, TINY_FILE } from "./open-tiny.js";

const SIGNAL = new AbortController().signal;
/** A text of code, of some 1,000 tokens: four of it fill the context, and more than one batch. */
const SOURCE = readFileSync(join(import.meta.dirname, "../../../src/model/llama/cached-sequence.ts"), "utf8").slice(
  0,
  3000,
);
const folder = temporaryFolder();

describe("token scores of the bundled model", () => {
  let model: Model;

  beforeAll(async () => {
    model = await openTiny({ needs: ["token_scores", "completions", "symbols"] });
  });

  afterAll(() => model.close());

  it("are what PyTorch computed for the ACR prompt with the post-review code after it", async () => {
    const template = await loadTemplate("ACR");
    const references = new Map(referenceSequences().map((reference) => [reference.example_id, reference]));
    for await (const line of readDataset(MINI)) {
      if (line.status !== "valid") throw new Error("expected a valid record");
      const { example } = line;
      const reference = references.get(example.id)!;
      references.delete(example.id);
      const { logprobs } = await scoresOf(model, fillTemplate(template, commonStem(example)) + solutionOf(example));
      expect(logprobs).toHaveLength(reference.tokens);
      const nll = -logprobs.reduce<number>((sum, logprob) => sum + logprob!, 0);
      // float32 sums of 200 tokens: 1e-5 a token.
      expect(Math.abs(nll - reference.nll)).toBeLessThan(1e-5 * reference.tokens);
      expect(Math.abs(Math.exp(nll / reference.tokens) / reference.perplexity - 1)).toBeLessThan(1e-4);
    }
    expect(references.size).toBe(0);
  });

  it("say where greedy generation goes on as the text does", async () => {
    // A greedy continuation is the text's own next five tokens if and only if each is the most probable one there.
    const prompt = "class Stack:\n";
    const greedy = completed(await model.complete!({ ...REQUEST, prompt, maxTokens: 12 }, SIGNAL));
    const own = await scoresOf(model, prompt + greedy.text);
    const before = (await scoresOf(model, prompt)).ends.length;
    expect(own.isGreedy.slice(before)).toEqual(Array(12).fill(true));
    const other = await scoresOf(model, `${prompt}${greedy.text.slice(0, -1)}#`);
    expect(other.isGreedy.at(-1)).toBe(false);
  });

  it("fail for a text that does not fit the context, and say by how much", async () => {
    // A token a word at least: 5,000 words do not fit 4,096 places.
    const text = "word ".repeat(5000);
    const reply = await model.scoreTokens!(text, SIGNAL);
    expect(reply).toMatchObject({ status: "failed", failure: "context_overflow" });
    expect(reply).toHaveProperty("detail", expect.stringMatching(/^the text has \d+ tokens, .* room for 4095$/));
  });

  it("are those of the whole text up to the last place of the context", async () => {
    const small = await openTiny({ needs: ["token_scores"] }, { contextSize: 256 });
    try {
      // One token each, so BOS and 254 of them fill the 255 places there are.
      const fits = "\n".repeat(254);
      const { logprobs } = await scoresOf(small, fits);
      const elsewhere = await scoresOf(model, fits);
      for (const [i, logprob] of logprobs.entries()) expect(logprob).toBeCloseTo(elsewhere.logprobs[i]!, 4);
      expect(await small.scoreTokens!(`${fits}\n`, SIGNAL)).toMatchObject({ failure: "context_overflow" });
    } finally {
      await small.close();
    }
  });

  it("neither depend on what was asked before nor change what is asked next", async () => {
    const request = requestFor(`${SOURCE.slice(0, 400)}\nAnswer:\n`);
    const [symbols, scores] = [await repliesTo(model, [request]), await scoresOf(model, SOURCE)];
    await model.complete!({ ...REQUEST, prompt: SOURCE.slice(0, 400) }, SIGNAL);
    expect(await scoresOf(model, SOURCE)).toEqual(scores);
    const [before, after] = [symbols[0], (await repliesTo(model, [request]))[0]];
    expect(after).toHaveProperty("scores", before?.status === "scored" ? before.scores : null);
  });

  it("come to all who ask at the same time", async () => {
    const texts = ["a = 1\n", SOURCE, "b = 2\n"];
    const alone = [];
    for (const text of texts) alone.push(await scoresOf(model, text));
    expect(await Promise.all(texts.map((text) => scoresOf(model, text)))).toEqual(alone);
  });

  it("end when the signal is aborted between batches", async () => {
    const controller = new AbortController();
    const asked = model.scoreTokens!(SOURCE.repeat(4), controller.signal);
    setTimeout(() => controller.abort(), 5);
    await expect(asked).rejects.toThrow(/abort/i);
  });

  it("take no memory that stays", async () => {
    const text = SOURCE.slice(0, 100);
    const megabytes = async (rounds: number) => {
      for (let i = 0; i < rounds; i++) await scoresOf(model, text);
      return process.memoryUsage.rss() / 2 ** 20;
    };
    const warm = await megabytes(100);
    // Some 30 tokens a text: a leak of one vocabulary of logits (16 kB) a token would be 100 MB.
    expect((await megabytes(200)) - warm).toBeLessThan(50);
  });
});

/** The post-review code: its lines, not numbered, without a line end after the last. */
function solutionOf({ postReviewLines }: Example): string {
  return postReviewLines.join("\n");
}

describe("token scores, computed one token at a time from scratch", () => {
  let llama: Llama;
  let sequence: LlamaContextSequence;
  let model: Model;

  beforeAll(async () => {
    model = await openTiny({ needs: ["token_scores"] });
    llama = await getLlama({ gpu: false, build: "never", skipDownload: true, logLevel: LlamaLogLevel.disabled });
    const context = await (await llama.loadModel({ modelPath: TINY_FILE })).createContext({
      contextSize: 512,
      flashAttention: false,
      threads: 1,
      experimentalKvCacheKeyType: "F32",
      experimentalKvCacheValueType: "F32",
    });
    sequence = context.getSequence();
  });

  afterAll(async () => {
    await model.close();
    await llama.dispose();
  });

  it.each([SOURCE.slice(0, 160), "été 😀\r\n", "x"])("are the same: %j", async (text) => {
    const { tokens, logprobs, isGreedy } = await scoresOf(model, text);
    const BOS = 1;
    for (const [i, token] of tokens!.entries()) {
      const probabilities = await nextProbabilities(sequence, [BOS, ...tokens!.slice(0, i)] as Token[]);
      const best = [...probabilities].reduce((a, b) => (b[1] > a[1] ? b : a))[0];
      expect(Math.abs(logprobs[i]! - Math.log(probabilities.get(token as Token)!))).toBeLessThan(1e-4);
      expect(isGreedy[i]).toBe(best === token);
    }
  });
});

async function nextProbabilities(sequence: LlamaContextSequence, prefix: Token[]): Promise<Map<Token, number>> {
  await sequence.clearHistory();
  const last = prefix.at(-1)!;
  const output = await sequence.controlledEvaluate([
    ...prefix.slice(0, -1),
    [last, { generateNext: { probabilities: true } }],
  ]);
  return output.at(-1)!.next.probabilities!;
}

describe("token scores of a model without BOS", () => {
  it("have none for the first token", async () => {
    const model = await openChangedTiny(join(folder, "no-bos.gguf"), { "tokenizer.ggml.add_bos_token": false }, [
      "token_scores",
    ]);
    const [one, two] = [await scoresOf(model, "x"), await scoresOf(model, "x = 1\n")];
    expect(one).toMatchObject({ logprobs: [null], isGreedy: [null], ends: [1] });
    expect(two.logprobs[0]).toBeNull();
    expect(two.logprobs.slice(1).every((logprob) => logprob !== null && logprob < 0)).toBe(true);
    await model.close();
  });
});
