import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../../../../src/base/language.js";
import type { Answer, AnswerOutcome } from "../../../../src/suites/codereviewqa/answer/answer.js";
import { decodeAnswer, encodeAnswer } from "../../../../src/suites/codereviewqa/answer/answer-record.js";
import { writtenRecord } from "../../../../src/suites/codereviewqa/answer/written-record.js";
import { choice, makeAnswer, TIE } from "../../../fixtures/answer.js";
import { A, B, C, logprob, option } from "../../../fixtures/symbols.js";

/** The line of an answer with some fields set to other values. */
function lineWith(changes: Record<string, unknown>, answer = makeAnswer()): string {
  const fields: unknown = JSON.parse(encodeAnswer(answer));
  return JSON.stringify({ ...(fields as Record<string, unknown>), ...changes });
}

const finite = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const text = fc.string({ unit: "binary" });
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
        expect(decodeAnswer(encodeAnswer(answer))).toEqual(answer);
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it("is one line, whatever the texts hold", () => {
    const detail = 'two\nlines\r\n"quoted" \u2028 \u0000 and a lone \ud800';
    const line = encodeAnswer(makeAnswer({ outcome: { status: "failed", failure: "bad_response", detail } }));
    expect(line).not.toMatch(/[\n\r]/);
    expect(decodeAnswer(line).outcome).toEqual({ status: "failed", failure: "bad_response", detail });
  });

  it("holds null for a log probability that is not known, and keeps it unknown", () => {
    const logprobs = [
      { symbol: A, logprob: logprob(-0.5) },
      { symbol: B, logprob: null },
    ];
    const line = encodeAnswer(makeAnswer({ logprobs }));
    expect(line).toContain('"logprobs":{"A":-0.5,"B":null}');
    expect(decodeAnswer(line).logprobs).toEqual(logprobs);
  });

  it("never turns NaN into 0", () => {
    const line = encodeAnswer(
      makeAnswer({ symbolMass: Number.NaN, logprobs: [{ symbol: A, logprob: logprob(Number.NaN) }] }),
    );
    expect(decodeAnswer(line)).toMatchObject({ symbolMass: null, logprobs: [{ symbol: A, logprob: null }] });
  });

  it("rounds the duration to microseconds", () => {
    expect(decodeAnswer(encodeAnswer(makeAnswer({ durationMs: 1.23456 }))).durationMs).toBe(1.235);
  });

  it("has no chosen symbol, option or margin unless one was chosen", () => {
    expect(JSON.parse(encodeAnswer(makeAnswer({ outcome: TIE })))).toMatchObject({
      status: "undecided",
      reason: "tie",
      chosen_symbol: null,
      chosen_option: null,
      margin: null,
      failure: null,
    });
  });

  it("derives correctness from the option: only option 0 is right", () => {
    expect(decodeAnswer(lineWith({ chosen_option: 0 })).outcome).toMatchObject({ correct: true });
    expect(decodeAnswer(lineWith({ chosen_option: 2 })).outcome).toMatchObject({ correct: false });
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
    expect(() => decodeAnswer(line)).toThrow(expected);
  });
});

/** A blank before a line is the same JSON, but not as `encodeAnswer` writes it: the schema reads it. */
function bySchema(line: string): string {
  return ` ${line}`;
}

/** What comes of a line: its answer, or that it is refused. */
function readingOf(line: string): Answer | "refused" {
  try {
    return decodeAnswer(line);
  } catch {
    return "refused";
  }
}

describe("a line as it is written", () => {
  it("is read without the schema where its texts have no escapes, to the same answer", () => {
    const outcome = { status: "failed" as const, failure: "bad_response", detail: "größer — 説明 {'a'}" };
    const logprobs = [
      { symbol: A, logprob: logprob(-0.25) },
      { symbol: B, logprob: logprob(-1.5e-7) },
      { symbol: C, logprob: null },
    ];
    const whole = { logprobs, symbolMass: 0.778, promptTokens: 12, cachedTokens: 0, durationMs: 1.5 };
    for (const changes of [{}, whole, { outcome }, { outcome: TIE, ablation: "both" as const }]) {
      const line = encodeAnswer(makeAnswer(changes));
      expect(writtenRecord(line)).not.toBeNull();
      expect(writtenRecord(bySchema(line))).toBeNull();
      expect(decodeAnswer(line)).toEqual(decodeAnswer(bySchema(line)));
    }
  });

  it("is read as the schema reads it, or refused as by the schema, whatever became of it", () => {
    const damage = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      removed: fc.nat(3),
      // What numbers, texts, names and ends of fields are made of.
      inserted: fc.string({ unit: fc.constantFrom(...'0019-.eE+"\\,:{}[] nulA_z\u0001é'), maxLength: 4 }),
    });
    fc.assert(
      fc.property(answers, fc.array(damage, { maxLength: 2 }), (answer, damages) => {
        let line = encodeAnswer(answer);
        for (const { at, removed, inserted } of damages) {
          const place = Math.floor(at * line.length);
          line = line.slice(0, place) + inserted + line.slice(place + removed);
        }
        expect(readingOf(line)).toEqual(readingOf(bySchema(line)));
      }),
      { seed: 1, numRuns: 3000 },
    );
  });

  it.each([
    ["a count with a zero before it", { permutation_index: 1 }, '"permutation_index":1', '"permutation_index":01'],
    ["a letter twice: the last counts", { logprobs: { A: -1 } }, '"logprobs":{"A":-1', '"logprobs":{"A":-2,"A":-1'],
    ["a number beyond all", { symbol_mass: 1 }, '"symbol_mass":1', '"symbol_mass":1e999'],
    ["a number below 0 for a time", { duration_ms: 1 }, '"duration_ms":1', '"duration_ms":-1'],
    ["a language that is none", {}, '"language":"', '"language":"klingon'],
  ])("is read as the schema reads it with %s", (_, changes, before, after) => {
    const line = lineWith(changes);
    expect(line).toContain(before);
    const changed = line.replace(before, after);
    expect(readingOf(changed)).toEqual(readingOf(bySchema(changed)));
  });
});
