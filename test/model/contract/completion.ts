import { expect, it } from "vitest";
import type { Model } from "../../../src/model/model.js";
import type { Completion, CompletionReply, CompletionRequest } from "../../../src/model/requests.js";

const SIGNAL = new AbortController().signal;
const REFERENCE = "    return a + b\n\n\ndef sub(a, b):\n    return a - b\n";

/** A greedy request without stop texts. */
export const REQUEST: CompletionRequest = {
  prompt: "def add(a, b):\n",
  maxTokens: 24,
  stop: [],
  temperature: 0,
  topK: null,
  seed: 1,
  key: { task: "ACR", exampleId: "x", reference: REFERENCE },
};

/** What was written; fails when there is none. */
export function completed(reply: CompletionReply): Completion {
  if (reply.status === "failed") throw new Error(`expected a text, found ${reply.failure}: ${reply.detail}`);
  return reply;
}

/** What `complete` does for every provider. */
export function completionContract(getModel: () => Model): void {
  completionRules(async (changes, signal = SIGNAL) =>
    completed(await getModel().complete!({ ...REQUEST, ...changes }, signal)),
  );
}

type Write = (changes: Partial<CompletionRequest>, signal?: AbortSignal) => Promise<Completion>;

/** What holds for all that write a text. */
export function completionRules(write: Write): void {
  it("writes the same again when asked again, whatever was asked in between", async () => {
    const first = await write({});
    await write({ prompt: "another prompt" });
    expect((await write({})).text).toBe(first.text);
  });

  it("writes no more tokens than it may", async () => {
    for (const maxTokens of [1, 2, 7]) {
      const { tokens, end } = await write({ maxTokens });
      if (tokens === null) continue;
      expect(tokens).toBeLessThanOrEqual(maxTokens);
      if (end === "length") expect(tokens).toBe(maxTokens);
    }
  });

  it("leaves out a stop text and what follows it, wherever in its tokens it begins", async () => {
    const { text } = await write({});
    // A text that may be empty has no stop text to try.
    for (let start = 0; start + 3 <= text.length; start++) {
      const stop = text.slice(start, start + 3);
      const stopped = await write({ stop: ["\u0001 never", stop] });
      expect([stopped.text, stopped.end]).toEqual([text.slice(0, text.indexOf(stop)), "stop"]);
    }
  });

  it("draws the same text for the same seed", async () => {
    const first = await write({ temperature: 1.5, topK: 20, seed: 7 });
    await write({ temperature: 1.5, topK: 20, seed: 8 });
    expect((await write({ temperature: 1.5, topK: 20, seed: 7 })).text).toBe(first.text);
  });

  it("measures tokens and time, or leaves them absent", async () => {
    const { promptTokens, durationMs } = await write({});
    expect(durationMs).toBeGreaterThanOrEqual(0);
    if (promptTokens !== null) expect(promptTokens).toBeGreaterThan(0);
  });

  it("ends when its signal is aborted", async () => {
    await expect(write({}, AbortSignal.abort())).rejects.toThrow(/abort/i);
  });
}
