import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Model } from "../../../src/model/model.js";
import type { CompletionRequest } from "../../../src/model/requests.js";
import { temporaryFolder } from "../../fixtures/temporary-folder.js";
import { completed, REQUEST } from "../contract/completion.js";
import { SUFFIX } from "../contract/infill.js";
import { openChangedTiny, openTiny } from "./open-tiny.js";

const SIGNAL = new AbortController().signal;
const folder = temporaryFolder();
/** As the paper samples (§3.4), from the 50 most probable tokens. */
const SAMPLED = { ...REQUEST, temperature: 3.5, topK: 50, maxTokens: 6 };
const BEFORE = `${"x = 1\n".repeat(60)}def add(a, b):\n    return `;

describe("infills of the bundled model", () => {
  let model: Model;
  const fill = async (changes: Partial<CompletionRequest & { suffix: string }> = {}) =>
    completed(await model.infill!({ ...SAMPLED, prompt: BEFORE, suffix: SUFFIX, ...changes }, SIGNAL));

  beforeAll(async () => {
    model = await openTiny({ needs: ["infill"] });
  });

  afterAll(() => model.close());

  it("read prefix, suffix and the three marks, after BOS", async () => {
    const { promptTokens } = await fill({ prompt: "x = 1\n", suffix: "y = 2\n" });
    // Without BOS each part is as long as with it less one.
    const parts = Number(await model.countTokens!("x = 1\n")) - 1 + Number(await model.countTokens!("y = 2\n")) - 1;
    expect(promptTokens).toBe(1 + 3 + parts);
  });

  it("see what stands behind the gap", async () => {
    const texts = new Set<string>();
    for (const suffix of [")\n", '"""\n', "\n\n\nclass A:\n"]) {
      texts.add((await fill({ prompt: "value = call(", suffix, temperature: 0, topK: null })).text);
    }
    expect(texts.size).toBeGreaterThan(1);
  });

  it("evaluate a gap once: further samples cost their own tokens and two", async () => {
    const cost = async (seed: number) => {
      const before = model.evaluatedTokens!();
      const { tokens } = await fill({ seed, prompt: `${BEFORE}# once\n` });
      // The last token written is not evaluated.
      return { evaluated: model.evaluatedTokens!() - before, own: tokens! - 1 };
    };
    const first = await cost(1);
    expect(first.evaluated).toBeGreaterThan(300);
    for (let seed = 2; seed < 8; seed++) {
      const next = await cost(seed);
      expect(next.evaluated).toBe(next.own + 2);
    }
  });

  it("are drawn alike for a seed, from a full or an empty cache", async () => {
    const first = [];
    for (let seed = 0; seed < 5; seed++) first.push((await fill({ seed })).text);
    expect(new Set(first).size).toBeGreaterThan(1);
    await model.complete!({ ...REQUEST, prompt: BEFORE }, SIGNAL);
    const again = [];
    for (let seed = 4; seed >= 0; seed--) again.unshift((await fill({ seed })).text);
    expect(again).toEqual(first);
    const fresh = await openTiny({ needs: ["infill"], mode: "exact" });
    for (const [seed, text] of first.entries()) {
      const reply = await fresh.infill!({ ...SAMPLED, prompt: BEFORE, suffix: SUFFIX, seed }, SIGNAL);
      expect(completed(reply).text).toBe(text);
    }
    await fresh.close();
  });

  it("end at a special token", async () => {
    const ends = [];
    for (let seed = 0; seed < 20; seed++) ends.push((await fill({ seed, maxTokens: 60 })).end);
    expect(ends).toContain("end_of_text");
  });
});

describe("a model without fill-in-the-middle tokens", () => {
  const changes = Object.fromEntries(
    ["pre", "suf", "mid"].map((part) => [`tokenizer.ggml.fim_${part}_token_id`, undefined]),
  );
  /** llama.cpp also finds such tokens by their names. */
  const rename = (file: Buffer) => Buffer.from(file.toString("latin1").replace("<PRE>", "<XXX>"), "latin1");

  it("cannot fill gaps, and says which can when that is needed", async () => {
    const open = openChangedTiny(join(folder, "plain.gguf"), changes, ["completions", "infill"], rename);
    await expect(open).rejects.toMatchObject({
      code: "model_unavailable",
      message: expect.stringMatching(
        /^Expected a model that can fill a gap, found plain\.gguf, .* Qwen2\.5-Coder.* server/s,
      ),
    });
  });

  it("does all else", async () => {
    const model = await openChangedTiny(join(folder, "plain.gguf"), changes, ["completions", "token_scores"], rename);
    expect(model.infill).toBeUndefined();
    expect(completed(await model.complete!(REQUEST, SIGNAL)).text).not.toBe("");
    await model.close();
  });
});
