import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Model } from "../../../src/model/model.js";
import { temporaryFolder } from "../../fixtures/temporary-folder.js";
import { scoresOf } from "../contract/token-scores.js";
import { openChangedTiny, openTiny } from "./open-tiny.js";

const SIGNAL = new AbortController().signal;
const folder = temporaryFolder();
const TEXT = "return a + b\n";

describe("embeddings of the bundled model", () => {
  let model: Model;

  beforeAll(async () => {
    model = await openTiny({ needs: ["embeddings", "token_scores"] });
  });

  afterAll(() => model.close());

  it("are the mean of the tokens' states, as wide as the model, where the file names no pooling", async () => {
    const { vector, pooling } = await model.embed!(TEXT, SIGNAL);
    // 192: see models/tiny.md
    expect([vector.length, pooling]).toEqual([192, "mean"]);
    const mean = await openChangedTiny(join(folder, "named.gguf"), { "llama.pooling_type": 1 }, ["embeddings"]);
    expect((await mean.embed!(TEXT, SIGNAL)).vector).toEqual(vector);
    await mean.close();
  });

  it("leave other scores as they are", async () => {
    const before = await scoresOf(model, TEXT);
    await model.embed!(TEXT, SIGNAL);
    expect(await scoresOf(model, TEXT)).toEqual(before);
  });

  it("come to all who ask at the same time", async () => {
    const texts = [TEXT, "x", "y = 2"];
    const alone = [];
    for (const text of texts) alone.push(await model.embed!(text, SIGNAL));
    expect(await Promise.all(texts.map((text) => model.embed!(text, SIGNAL)))).toEqual(alone);
  });

  it("are refused for a text that is empty or too long, with the numbers", async () => {
    await expect(model.embed!("", SIGNAL)).rejects.toMatchObject({ code: "bad_input" });
    const tooLong = model.embed!("\n".repeat(4095), SIGNAL);
    // 4,095 lines and BOS for 4,095 places
    await expect(tooLong).rejects.toThrow("Expected a text of at most 4095 tokens to embed, found 4096.");
    expect((await model.embed!("\n".repeat(4094), SIGNAL)).vector).toHaveLength(192);
  });
});

describe("embeddings of a model that names a pooling", () => {
  it("are the mean of all tokens' states when it is the mean", async () => {
    const last = await openChangedTiny(join(folder, "last.gguf"), { "llama.pooling_type": 3 }, ["embeddings"]);
    expect((await last.embed!("x", SIGNAL)).pooling).toBe("last token");
    const mean = await openChangedTiny(join(folder, "mean.gguf"), { "llama.pooling_type": 1 }, ["embeddings"]);
    const { vector, pooling } = await mean.embed!("\n\n\n", SIGNAL);
    expect(pooling).toBe("mean");
    // The states of a text's tokens are the last states of its prefixes: BOS is not to be had alone, so it is what
    // makes up the difference between the means over 3 and 4 tokens.
    const states = [];
    for (const text of ["\n", "\n\n", "\n\n\n"]) states.push((await last.embed!(text, SIGNAL)).vector);
    const two = (await mean.embed!("\n\n", SIGNAL)).vector;
    for (const [i, value] of vector.entries()) {
      // 4 · mean of four = 3 · mean of three + the fourth
      expect(4 * value).toBeCloseTo(3 * two[i]! + states[2]![i]!, 3);
    }
    await Promise.all([last.close(), mean.close()]);
  });

  it("are of the whole text when it is longer than a batch", async () => {
    const mean = await openChangedTiny(join(folder, "mean.gguf"), { "llama.pooling_type": 1 }, ["embeddings"]);
    // 512 tokens are a batch elsewhere; were only the last pooled, the beginning would not matter much.
    const [a, b] = [
      await mean.embed!("a".repeat(400) + "\n".repeat(600), SIGNAL),
      await mean.embed!("\n".repeat(601), SIGNAL),
    ];
    const distance = Math.hypot(...a.vector.map((value, i) => value - b.vector[i]!));
    expect(distance).toBeGreaterThan(0.5);
    await mean.close();
  });

  it("are not to be had of a reranker", async () => {
    const path = join(folder, "rank.gguf");
    await expect(openChangedTiny(path, { "llama.pooling_type": 4 }, ["embeddings"])).rejects.toMatchObject({
      code: "model_unavailable",
      message: expect.stringContaining("embed a text"),
    });
  });
});

describe("an encoder", () => {
  it("can embed and nothing else, and says so", async () => {
    const path = join(folder, "encoder.gguf");
    const changes = { "llama.attention.causal": false };
    const model = await openChangedTiny(path, changes, ["embeddings"]);
    expect([model.scoreSymbols, model.scoreTokens, model.complete, model.infill]).toEqual(Array(4).fill(undefined));
    expect((await model.embed!(TEXT, SIGNAL)).vector).toHaveLength(192);
    await model.close();
    await expect(openChangedTiny(path, changes, ["symbols", "completions"])).rejects.toThrow(
      /score the letters of an answer and continue a prompt, found encoder\.gguf/,
    );
  });
});
