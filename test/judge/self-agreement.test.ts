import { describe, expect, it } from "vitest";
import { judgeControl } from "../../src/judge/judge-controls.js";
import type { VerdictRecord } from "../../src/judge/rating-records.js";
import { judgeReality, selfAgreement, uncontrolled } from "../../src/judge/self-agreement.js";
import { makeVerdict } from "../fixtures/verdict-record.js";

const vote = (criterion_id: string, place: number, score: 0 | 1 | null): VerdictRecord =>
  makeVerdict({ criterion_id, vote: place, score, status: score === null ? "unreadable" : "read" });

describe("whether a judge agrees with itself", () => {
  it("is the share of rubrics on which all its votes are the same", () => {
    const votes = [
      vote("a", 0, 1),
      vote("a", 1, 1),
      vote("b", 0, 1),
      vote("b", 1, 0),
      vote("c", 0, 0),
      vote("c", 1, null),
    ];
    // Of c one vote alone can be read.
    expect(selfAgreement(votes)).toMatchObject({ n: 2, excluded: 1, share: { value: 0.5 } });
  });

  it("is not known of one that was asked once", () => {
    expect(selfAgreement([vote("a", 0, 1), vote("b", 0, 0)])).toBeNull();
  });
});

describe("a judge that nobody measured", () => {
  it("is marked, and what is missing is said", () => {
    expect(uncontrolled("m", null)).toEqual([
      "whether the judge m tells right from wrong was not measured: add --controls",
    ]);
    expect(judgeReality("m", null, null).map(({ share, state, text }) => [share, state, text])).toEqual([
      [null, "unknown", "not measured: --controls"],
      [null, "unknown", "not measured: --controls"],
      [null, "unknown", "not measured: --judge-votes 2"],
    ]);
  });

  it("is not marked where right and empty solutions were judged", () => {
    const of = (agent: string, score: 0 | 1) =>
      Array.from({ length: 6 }, (_, i) => makeVerdict({ agent, task_id: `t${i}`, score }));
    const control = judgeControl("m", [...of("scripted:gold", 1), ...of("scripted:noop", 0)]);
    expect(uncontrolled("m", control)).toEqual([]);
    expect(judgeReality("m", control, null).map(({ share, state }) => [share?.value, state])).toEqual([
      [1, "good"],
      [0, "good"],
      [undefined, "unknown"],
    ]);
  });
});
