import { expect, it } from "vitest";
import type { Model } from "../../../src/model/model.js";
import type { TokenScores } from "../../../src/model/requests.js";

const SIGNAL = new AbortController().signal;
const CODE = "def add(a, b):\n    return a + b\n";
const TEXTS = [
  CODE,
  "x",
  "été 😀👩‍💻 end",
  "a\r\n\tb\r\n",
  "half of a pair: \ud83d!",
  "if (a != b) c ? d : e ; it 's .\n",
];

/** The scores of a text; fails when there are none. */
export async function scoresOf(model: Model, text: string): Promise<TokenScores> {
  const reply = await model.scoreTokens!(text, SIGNAL);
  if (reply.status === "failed") throw new Error(`expected scores, found ${reply.failure}: ${reply.detail}`);
  return reply;
}

/** What `scoreTokens` does for every provider. */
export function tokenScoreContract(getModel: () => Model): void {
  it.each(TEXTS)("gives each token of %j a place, in order, to the end of the text", async (text) => {
    const { tokens, ends, logprobs, isGreedy } = await scoresOf(getModel(), text);
    expect(ends.length).toBeGreaterThan(0);
    expect(logprobs).toHaveLength(ends.length);
    expect(isGreedy).toHaveLength(ends.length);
    if (tokens !== null) expect(tokens).toHaveLength(ends.length);
    expect(ends).toEqual([...ends].sort((a, b) => a - b));
    expect(ends.at(-1)).toBe(text.length);
  });

  it("gives log probabilities that are at most 0, for all tokens but perhaps the first", async () => {
    for (const text of TEXTS) {
      const { logprobs, isGreedy } = await scoresOf(getModel(), text);
      for (const [i, logprob] of logprobs.entries()) {
        if (i > 0) expect(logprob).not.toBeNull();
        if (logprob !== null) expect(logprob).toBeLessThanOrEqual(0);
        else expect(isGreedy[i]).toBeNull();
      }
    }
  });

  it("says the same again when asked again", async () => {
    const first = await scoresOf(getModel(), CODE);
    await scoresOf(getModel(), `${CODE}# another text in between`);
    expect(await scoresOf(getModel(), CODE)).toEqual(first);
  });

  it("gives the tokens of a prefix what they have in the longer text", async () => {
    const long = await scoresOf(getModel(), CODE.repeat(3));
    // The prefix ends after a line: no token spans that place.
    const short = await scoresOf(getModel(), CODE);
    expect(long.ends.slice(0, short.ends.length)).toEqual(short.ends);
    for (const [i, logprob] of short.logprobs.entries()) {
      if (logprob === null) expect(long.logprobs[i]).toBeNull();
      else expect(Math.abs(logprob - long.logprobs[i]!)).toBeLessThan(1e-4);
    }
    expect(long.isGreedy.slice(0, short.isGreedy.length)).toEqual(short.isGreedy);
  });

  it("finds nothing in an empty text", async () => {
    const { tokens, ends, logprobs, isGreedy } = await scoresOf(getModel(), "");
    expect([ends, logprobs, isGreedy]).toEqual([[], [], []]);
    if (tokens !== null) expect(tokens).toEqual([]);
  });

  it("ends when its signal is aborted", async () => {
    await expect(getModel().scoreTokens!(CODE, AbortSignal.abort())).rejects.toThrow(/abort/i);
  });
}
