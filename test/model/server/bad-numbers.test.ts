import { describe, expect, it } from "vitest";
import { openModel } from "../../../src/model/open-model.js";
import type { SymbolReply } from "../../../src/model/requests.js";
import { resolveModel } from "../../../src/model/resolved-model.js";
import { OPEN_OPTIONS } from "../../fixtures/open-options.js";
import { startStub } from "../../fixtures/stub-server.js";
import { type BadNumbers, turnsBad } from "../../fixtures/stub-servers/turns-bad.js";
import { A, B, C, D } from "../../fixtures/symbols.js";

/** Completions that the check asks for: six canaries, and two texts by `echo`. */
const CHECK = 8;

/** The answers to three questions one by one, of a server that turns bad before the second of them. */
async function answersOf(kind: BadNumbers): Promise<SymbolReply[]> {
  const server = await startStub(turnsBad(kind, CHECK + 1));
  const connection = { ...OPEN_OPTIONS.connection, baseUrls: [`${server.url}/v1`] };
  const model = await openModel(resolveModel("openai:stub", new Map()), { ...OPEN_OPTIONS, connection });
  const replies: SymbolReply[] = [];
  for (const i of [1, 2]) {
    const group = [{ key: `q${i}`, prompt: `Question ${i}. Answer:`, symbols: [A, B, C, D] }];
    for await (const { reply } of model.scoreSymbols!(group as never, new AbortController().signal))
      replies.push(reply);
  }
  await model.close();
  await server.stop();
  return replies;
}

describe("a server that turns bad in mid-run", () => {
  const KINDS: readonly [BadNumbers, RegExp][] = [
    ["a log probability above 0", /reported a log probability above 0 \(5.5\)/],
    ["a chosen token above 0", /reported a log probability above 0 \(0.7\)/],
    ["null in place of a number", /without log probabilities/],
    ["NaN", /not JSON/],
    ["probabilities that sum to 1.87", /reported probabilities that sum to 1.871, more than 1/],
    ["another shape", /without log probabilities/],
    ["strings in place of numbers", /without log probabilities/],
  ];

  it.concurrent.each(KINDS)("gives failures and no numbers: %s", async (kind, detail) => {
    const [good, bad] = await answersOf(kind);
    expect(good?.status).toBe("scored");
    expect(bad).toMatchObject({ status: "failed", failure: "bad_response", detail: expect.stringMatching(detail) });
    expect(bad).not.toHaveProperty("scores");
  });
});
