import { describe, expect, it } from "vitest";
import type { ChoiceSymbol, Logprob } from "../../src/base/symbol.js";
import type { Model } from "../../src/model/model.js";
import type { SymbolRequest } from "../../src/model/requests.js";
import {
  encodeResult,
  parseResult,
  type RunNotice,
  readWork,
  refusals,
  type Work,
  type WorkerNotice,
} from "../../src/queue/queue-wire.js";
import { workOn } from "../../src/queue/take-work.js";

const [A, B] = ["A", "B"] as ChoiceSymbol[] as [ChoiceSymbol, ChoiceSymbol];
const logprob = (value: number) => value as Logprob;
const KEY = { task: "CTR", difficulty: null, exampleId: "x", permutationIndex: 0, permutation: "01", correctSymbol: A };
const REQUEST: SymbolRequest = { prompt: "Which?", symbols: [A, B], key: KEY };
const SYMBOLS: Work = { kind: "symbols", requests: [REQUEST, REQUEST] };
const CONVERSATION: Work = {
  kind: "conversation",
  request: {
    messages: [
      { role: "system", content: "You work." },
      { role: "assistant", content: null, toolCalls: [{ id: "1", name: "finish", arguments: "{}" }] },
      { role: "tool", callId: "1", name: "finish", content: "done" },
    ],
    tools: [{ name: "finish", description: "ends it", parameters: { type: "object" } }],
    toolChoice: "required",
    maxTokens: 10,
    temperature: 0,
    seed: 0,
    responseFormat: null,
  },
};
const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const signal = new AbortController().signal;

describe("work in a queue", () => {
  it("comes out as it went in, without what a key has besides", () => {
    const more = { ...SYMBOLS, requests: [{ ...REQUEST, key: { ...KEY, questionIndex: 7 } }] };
    expect(readWork(throughJson(more))).toEqual({ kind: "symbols", requests: [REQUEST] });
    expect(readWork(throughJson(CONVERSATION))).toEqual(CONVERSATION);
    const thinking: SymbolRequest = { ...REQUEST, think: { tokens: 512 }, trace: 8, repeat: 2 };
    expect(readWork(throughJson({ kind: "symbols", requests: [thinking] }))).toEqual({
      kind: "symbols",
      requests: [thinking],
    });
  });

  it("is refused in any other shape, and nothing of it is run", async () => {
    const model = { identity: {}, maxOpenGroups: 1, close: () => Promise.resolve() } satisfies Model;
    const others = [null, "rm -rf /", { kind: "shell", command: "true" }, { ...SYMBOLS, requests: [] }];
    for (const other of [...others, { ...SYMBOLS, extra: 1 }, { kind: "completion", request: { prompt: 1 } }]) {
      await expect(workOn(model, other, signal)).rejects.toThrow("expected work for a model, found something else");
    }
    await expect(workOn(model, SYMBOLS, signal)).rejects.toThrow("expected a model that can score symbols");
  });
});

describe("a result in a queue", () => {
  it("comes out as it went in: log probabilities to the last bit, and one of no probability", () => {
    const meter = { promptTokens: 3, cachedTokens: null, durationMs: 1.5 };
    const scores = new Map([
      [A, { status: "known", logprob: logprob(-0.1234567890123456) }],
      [B, { status: "known", logprob: logprob(Number.NEGATIVE_INFINITY) }],
    ] as const);
    const thoughts = { text: "A?", tokens: 2, end: "closed", trace: [{ tokens: 2, scores }] } as const;
    const replies = [
      { index: 1, reply: { status: "scored", scores, extraction: "full", ...meter, completionTokens: 3, thoughts } },
      { index: 0, reply: { status: "failed", failure: "thought_too_long", detail: "no", ...meter } },
    ] as const;
    expect(parseResult(throughJson(encodeResult({ kind: "symbols", replies })), SYMBOLS)).toEqual({
      kind: "symbols",
      replies,
    });
  });

  it.each([
    { logprob: 5, durationMs: 1 },
    { logprob: -1, durationMs: 1e306 },
  ])("is refused with numbers that no journal can hold: %j", ({ logprob: value, durationMs }) => {
    const score = { status: "known", logprob: value };
    const meter = { promptTokens: 3, cachedTokens: null, durationMs };
    const reply = { status: "scored", scores: [["A", score]], extraction: "full", ...meter };
    const work: Work = { kind: "symbols", requests: [REQUEST] };
    expect(() => parseResult({ kind: "symbols", replies: [{ index: 0, reply }] }, work)).toThrow();
    const sound = { ...reply, scores: [["A", { status: "known", logprob: -1 }]], durationMs: 1 };
    expect(() => parseResult({ kind: "symbols", replies: [{ index: 0, reply: sound }] }, work)).not.toThrow();
  });

  it.each([
    // e^-0.01 + e^-0.02 + e^-0.01 + e^-0.03 = 3.93: no letters of one distribution.
    [[-0.01, -0.02, -0.01, -0.03], "sum to 3.931, more than 1"],
    [[Number.NaN, -1], "received NaN"],
  ])("is refused with numbers that a server would be refused for: %j", (numbers, fault) => {
    const scores = numbers.map((value, i) => ["ABCD"[i], { status: "known", logprob: value }]);
    const meter = { promptTokens: 3, cachedTokens: null, durationMs: 1 };
    const reply = { status: "scored", scores, extraction: "full", ...meter };
    const work: Work = { kind: "symbols", requests: [REQUEST] };
    expect(() => parseResult({ kind: "symbols", replies: [{ index: 0, reply }] }, work)).toThrow(fault);
    const twice = { ...reply, scores: [scores[1], scores[1]] };
    expect(() => parseResult({ kind: "symbols", replies: [{ index: 0, reply: twice }] }, work)).toThrow(
      "a letter twice",
    );
  });

  it("is refused where it is of other work: another kind, a request without a reply, one with two, one that was not asked", () => {
    const failed = {
      status: "failed",
      failure: "refused",
      detail: "",
      promptTokens: null,
      cachedTokens: null,
      durationMs: 0,
    };
    const of = (...indices: number[]) => ({
      kind: "symbols",
      replies: indices.map((index) => ({ index, reply: failed })),
    });
    for (const other of [of(0), of(0, 0), of(0, 2), of(0, 1, 2)]) {
      expect(() => parseResult(other, SYMBOLS)).toThrow("expected a reply to each of 2 requests");
    }
    expect(() => parseResult(of(0, 1), CONVERSATION)).toThrow("expected a result of kind conversation, found symbols");
    expect(() =>
      parseResult({ kind: "symbols", replies: [{ index: 0, reply: { status: "scored" } }] }, SYMBOLS),
    ).toThrow();
  });
});

const WORKER: WorkerNotice = {
  program: { name: "probe", version: "1.0.0", commit: "abc" },
  label: "mine",
  settings: ["contextSize=4096"],
  identity: { provider: "llama", sha256: "aa" },
  name: "w",
};
const RUN: RunNotice = {
  program: WORKER.program,
  label: "mine",
  settings: ["contextSize=4096"],
  identity: WORKER.identity,
  opening: { promptMode: "completion", mode: "fast", seed: 0, optionCount: 4, needs: ["symbols"] },
};

describe("refusals", () => {
  it("has none for the same model, settings and program, or while a run does not know its model yet", () => {
    expect(refusals(RUN, WORKER)).toEqual([]);
    expect(refusals({ ...RUN, identity: null }, { ...WORKER, identity: { provider: "llama", sha256: "bb" } })).toEqual(
      [],
    );
  });

  it("names what differs: file, settings, version, commit", () => {
    const of = (other: Partial<WorkerNotice>) => refusals(RUN, { ...WORKER, ...other });
    expect(of({ identity: { provider: "llama", sha256: "bb" } })).toEqual([
      'model sha256: the run has "aa", this worker "bb"',
    ]);
    expect(of({ settings: [] })).toEqual(['model settings: the run has ["contextSize=4096"], this worker []']);
    expect(of({ program: { ...WORKER.program, version: "1.0.1" } })).toEqual([
      'program: the run has "probe 1.0.0", this worker "probe 1.0.1"',
    ]);
    expect(of({ program: { ...WORKER.program, commit: "def" } })).toEqual([
      'program commit: the run has "abc", this worker "def"',
    ]);
  });
});
