import { expect, it } from "vitest";
import type { Model } from "../../../src/model/model.js";

const SIGNAL = new AbortController().signal;
const TEXTS = ["return a + b", "return b + a", "été 😀 \ud83d\r\n"];

/** What `embed` does for every provider. */
export function embeddingContract(getModel: () => Model): void {
  it("gives every text a vector of the same length, in numbers", async () => {
    const lengths = new Set<number>();
    for (const text of TEXTS) {
      const { vector, pooling } = await getModel().embed!(text, SIGNAL);
      expect(pooling).not.toBe("");
      expect(vector.every(Number.isFinite)).toBe(true);
      lengths.add(vector.length);
    }
    expect(lengths.size).toBe(1);
    expect([...lengths][0]).toBeGreaterThan(0);
  });

  it("gives the same text the same vector, and another text another", async () => {
    const [first, other] = [await getModel().embed!(TEXTS[0]!, SIGNAL), await getModel().embed!(TEXTS[1]!, SIGNAL)];
    expect(await getModel().embed!(TEXTS[0]!, SIGNAL)).toEqual(first);
    expect(other.vector).not.toEqual(first.vector);
  });

  it("ends when its signal is aborted", async () => {
    await expect(getModel().embed!("x", AbortSignal.abort())).rejects.toThrow(/abort/i);
  });
}
