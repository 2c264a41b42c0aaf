import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../../../../src/base/language.js";
import {
  ANSWER_JOURNAL,
  type Answer,
  type AnswerOutcome,
  type AskedAs,
  requireSameQuestion,
} from "../../../../src/suites/codereviewqa/answer/answer.js";
import { choice, makeAnswer, TIE } from "../../../fixtures/answer.js";
import { ANY_CHARACTER } from "../../../fixtures/any-character.js";
import { A, B, C, logprob, option } from "../../../fixtures/symbols.js";

/** The line of an answer with some fields set to other values. */
function lineWith(changes: Record<string, unknown>, answer = makeAnswer()): string {
  const fields: unknown = JSON.parse(ANSWER_JOURNAL.encode(answer));
  return JSON.stringify({ ...(fields as Record<string, unknown>), ...changes });
}

const finite = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const text = fc.string({ unit: ANY_CHARACTER });
const absentOr = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null });
const outcomes: fc.Arbitrary<AnswerOutcome> = fc.oneof(
  fc
    .record({ chosenSymbol: fc.constantFrom(A, B, C), index: fc.nat(3), margin: absentOr(finite.map(Math.abs)) })
    .map(({ chosenSymbol, index, margin }) => ({
      status: "chosen" as const,
      chosenSymbol,
      chosenOption: option(index),
      correct: index === 0,
      margin,
    })),
  fc
    .constantFrom("tie" as const, "unknown_symbol" as const)
    .map((reason) => ({ status: "undecided" as const, reason })),
  fc.record({ status: fc.constant("failed" as const), failure: text, detail: text }),
);
const answers: fc.Arbitrary<Answer> = fc.record({
  questionIndex: fc.nat(),
  task: text,
  difficulty: fc.constantFrom(null, "easy" as const, "hard" as const),
  exampleId: text,
  language: fc.constantFrom(...LANGUAGES),
  changeType: fc.constantFrom("add" as const, "delete" as const, "modify" as const),
  permutationIndex: fc.nat(23),
  permutation: text,
  correctSymbol: fc.constantFrom(A, B, C),
  outcome: outcomes,
  logprobs: fc.tuple(absentOr(finite), absentOr(finite)).map(([a, b]) => [
    { symbol: A, logprob: a === null ? null : logprob(a) },
    { symbol: B, logprob: b === null ? null : logprob(b) },
  ]),
  symbolMass: absentOr(finite),
  extraction: absentOr(text),
  promptTokens: absentOr(fc.nat()),
  cachedTokens: absentOr(fc.nat()),
  durationMs: fc.nat(),
  promptSha256: text,
});

describe("a journal line", () => {
  it("gives back the answer it was made from", () => {
    fc.assert(
      fc.property(answers, (answer) => {
        expect(ANSWER_JOURNAL.decode(ANSWER_JOURNAL.encode(answer))).toEqual(answer);
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  // As commit 512442e wrote them.
  it("has the bytes that it always had", () => {
    const said = {
      questionIndex: 3,
      difficulty: "hard" as const,
      permutationIndex: 1,
      permutation: "021",
      logprobs: [
        { symbol: A, logprob: logprob(-0.5) },
        { symbol: B, logprob: null },
      ],
      symbolMass: 0.75,
      extraction: "full",
      promptTokens: 12,
      durationMs: 1.23456,
      promptSha256: "ab",
    };
    const line = (ablation: string, outcome: string) =>
      `{"kind":"answer","question_index":3,"task":"CTR","difficulty":"hard"${ablation},"example_id":"0123456789ab",` +
      '"language":"python","change_type":"modify","permutation_index":1,"permutation":"021","correct_symbol":"A",' +
      `${outcome},"logprobs":{"A":-0.5,"B":null},"symbol_mass":0.75,"extraction":"full","prompt_tokens":12,` +
      '"cached_tokens":null,"duration_ms":1.235,"prompt_sha256":"ab"}';
    const none = '"chosen_symbol":null,"chosen_option":null,"margin":null';
    expect(ANSWER_JOURNAL.encode(makeAnswer({ ...said, outcome: choice("012", A, 0.25) }))).toBe(
      line(
        "",
        '"status":"chosen","chosen_symbol":"A","chosen_option":0,"margin":0.25,"reason":null,"failure":null,"detail":null',
      ),
    );
    expect(ANSWER_JOURNAL.encode(makeAnswer({ ...said, ablation: "both", outcome: TIE }))).toBe(
      line(',"ablation":"both"', `"status":"undecided",${none},"reason":"tie","failure":null,"detail":null`),
    );
    const outcome = { status: "failed" as const, failure: "refused", detail: "no\nkey" };
    expect(ANSWER_JOURNAL.encode(makeAnswer({ ...said, outcome }))).toBe(
      line("", `"status":"failed",${none},"reason":null,"failure":"refused","detail":"no\\nkey"`),
    );
  });

  it("is one line, whatever the texts hold", () => {
    const detail = 'two\nlines\r\n"quoted" \u2028 \u0000 and a lone \ud800';
    const line = ANSWER_JOURNAL.encode(makeAnswer({ outcome: { status: "failed", failure: "bad_response", detail } }));
    expect(line).not.toMatch(/[\n\r]/);
    expect(ANSWER_JOURNAL.decode(line).outcome).toEqual({ status: "failed", failure: "bad_response", detail });
  });

  it("holds null for a log probability that is not known, and keeps it unknown", () => {
    const logprobs = [
      { symbol: A, logprob: logprob(-0.5) },
      { symbol: B, logprob: null },
    ];
    const line = ANSWER_JOURNAL.encode(makeAnswer({ logprobs }));
    expect(line).toContain('"logprobs":{"A":-0.5,"B":null}');
    expect(ANSWER_JOURNAL.decode(line).logprobs).toEqual(logprobs);
  });

  it("never turns NaN into 0", () => {
    const line = ANSWER_JOURNAL.encode(
      makeAnswer({ symbolMass: Number.NaN, logprobs: [{ symbol: A, logprob: logprob(Number.NaN) }] }),
    );
    expect(ANSWER_JOURNAL.decode(line)).toMatchObject({ symbolMass: null, logprobs: [{ symbol: A, logprob: null }] });
  });

  it("rounds the duration to microseconds", () => {
    expect(ANSWER_JOURNAL.decode(ANSWER_JOURNAL.encode(makeAnswer({ durationMs: 1.23456 }))).durationMs).toBe(1.235);
  });

  it("has no chosen symbol, option or margin unless one was chosen", () => {
    expect(JSON.parse(ANSWER_JOURNAL.encode(makeAnswer({ outcome: TIE })))).toMatchObject({
      status: "undecided",
      reason: "tie",
      chosen_symbol: null,
      chosen_option: null,
      margin: null,
      failure: null,
    });
  });

  it("derives correctness from the option: only option 0 is right", () => {
    expect(ANSWER_JOURNAL.decode(lineWith({ chosen_option: 0 })).outcome).toMatchObject({ correct: true });
    expect(ANSWER_JOURNAL.decode(lineWith({ chosen_option: 2 })).outcome).toMatchObject({ correct: false });
  });

  it.each([
    ["is not JSON", "{", /JSON/],
    ["is of another kind", lineWith({ kind: "header" }), /kind/],
    ["names a symbol that is none", lineWith({ chosen_symbol: "AB" }), /chosen_symbol/],
    ["has a text for a number", lineWith({ symbol_mass: "0.5" }), /symbol_mass/],
    ["lacks a field", lineWith({ prompt_sha256: undefined }), /prompt_sha256/],
    ["has a negative place", lineWith({ permutation_index: -1 }), /permutation_index/],
    ["was chosen, but not what", lineWith({ chosen_option: null }), /chosen_option/],
    ["has a negative margin", lineWith({ margin: -1 }, makeAnswer({ outcome: choice("012", A, 1) })), /margin/],
  ])("is refused when it %s", (_, line, expected) => {
    expect(() => ANSWER_JOURNAL.decode(line)).toThrow(expected);
  });
});

describe("a line of a record", () => {
  const glance = (line: string) => ANSWER_JOURNAL.glance?.(Buffer.from(line));

  it("tells its place and whether it failed by its beginning", () => {
    fc.assert(
      fc.property(answers, (answer) => {
        const line = ANSWER_JOURNAL.encode(answer);
        const found = glance(line);
        // Null only where texts are longer than what is looked at.
        if (found === null && line.length > 400) return;
        const { questionIndex: item, permutationIndex: place, outcome } = answer;
        expect(found).toEqual({ item, place, isFailed: outcome.status === "failed" });
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it("is not told by keys within a text, nor by a beginning that ends within a number", () => {
    const task = '"question_index":7,"permutation_index":8,"status":"failed"';
    expect(glance(ANSWER_JOURNAL.encode(makeAnswer({ task, questionIndex: 3, permutationIndex: 1 })))).toEqual({
      item: 3,
      place: 1,
      isFailed: false,
    });
    const long = ANSWER_JOURNAL.encode(makeAnswer({ exampleId: "x".repeat(400) }));
    expect(glance(long)).toBeNull();
    expect(glance(lineWith({ permutation_index: -1 }))).toBeNull();
  });

  it.each([
    [
      "a letter twice: the last counts",
      { logprobs: { A: -1 } },
      '"logprobs":{"A":-1',
      '"logprobs":{"A":-2,"A":-1',
      /^$/,
    ],
    ["a number beyond all", { symbol_mass: 1 }, '"symbol_mass":1', '"symbol_mass":1e999', /symbol_mass/],
    ["a number below 0 for a time", { duration_ms: 1 }, '"duration_ms":1', '"duration_ms":-1', /duration_ms/],
    ["a language that is none", {}, '"language":"', '"language":"klingon', /language to be one of/],
    [
      "a log probability beyond all",
      { logprobs: { A: -1 } },
      '"logprobs":{"A":-1',
      '"logprobs":{"A":-1e999',
      /logprobs/,
    ],
    ["a text for a status", {}, '"status":"', '"status":"un', /status to be one of chosen, undecided, failed/],
  ])("is read as JSON with %s", (_, changes, before, after, refusal) => {
    const line = lineWith(changes);
    expect(line).toContain(before);
    const changed = line.replace(before, after);
    if (refusal.source === "^$") expect(ANSWER_JOURNAL.decode(changed)).toEqual(ANSWER_JOURNAL.decode(line));
    else expect(() => ANSWER_JOURNAL.decode(changed)).toThrow(refusal);
  });
});

const ASKED = {
  task: "CL",
  difficulty: "easy",
  ablation: "review",
  exampleId: "a#1",
  language: "python",
  changeType: "modify",
  promptSha256: "00",
} satisfies AskedAs;

describe("requireSameQuestion", () => {
  it("passes a line about the same question, and does not look at a prompt that is not planned", () => {
    const { promptSha256, ...withoutPrompt } = ASKED;
    expect(() => requireSameQuestion("answers.jsonl", ASKED, { ...ASKED })).not.toThrow();
    expect(() => requireSameQuestion("answers.jsonl", { ...ASKED, promptSha256: "01" }, withoutPrompt)).not.toThrow();
  });

  it("takes nothing and null for the same, as lines leave out what is not withheld", () => {
    const { ablation, ...without } = ASKED;
    expect(() =>
      requireSameQuestion("answers.jsonl", { ...without, difficulty: null }, { ...without, difficulty: null }),
    ).not.toThrow();
  });

  it.each(Object.keys(ASKED))("names the %s where that alone differs", (field) => {
    const name = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    expect(() => requireSameQuestion("answers.jsonl", { ...ASKED, [field]: "another" }, ASKED)).toThrow(
      `with the ${name} another in the place of ${ASKED[field as keyof typeof ASKED]}`,
    );
  });
});
