import { expect, it } from "vitest";
import { knownData, suiteFact, suitePartName } from "../../../../src/suites/codereviewqa/audit/known-audits.js";

const run = { model: { label: "m", identity: {} }, dataset: { sha256: "own" } };

function audit(sha256: string, memorised: number, label = "m") {
  return {
    model: { label, identity: {} },
    benchmarks: [
      { name: "first", sha256: "other" },
      { name: "second", sha256 },
    ],
    results: {
      memorised: [...Array.from({ length: memorised }, () => ({ benchmark: "second" })), { benchmark: "first" }],
      counts: [
        { benchmark: "first", forms: [{ scored: 99 }] },
        { benchmark: "second", forms: [{ form: "ACR", scored: 6 }, { scored: 4 }, { form: "ACR_RENAMED", scored: 6 }] },
      ],
    },
  };
}

it("tells how many texts of the same data look memorised, wherever they stand in the audit", () => {
  const found = knownData(run, [audit("elsewhere", 5), audit("own", 2)]);
  expect(found).toMatchObject({ share: { value: 0.2 }, state: "doubtful", text: "2 of 10 texts of second" });
  expect(knownData(run, [audit("own", 0)]).state).toBe("good");
});

it("knows nothing by an audit of other data, or of another model", () => {
  for (const audits of [[], [audit("elsewhere", 0)], [audit("own", 0, "other")]])
    expect(knownData(run, audits)).toMatchObject({ share: null, state: "unknown" });
});

const knownAudit = (name: string) => ({
  model: { label: "m", identity: {} },
  benchmarks: [{ name, sha256: "x" }],
  results: {
    memorised: [{ benchmark: name }],
    counts: [{ benchmark: name, forms: [{ scored: 3 }, { scored: 1 }] }],
  },
});

it("knows the suite, the part and the data of an audit by the name that its texts were given", () => {
  const name = suitePartName("swe-atlas", "gold", "0123456789abcdef", "fedcba9876543210");
  expect(name).toBe("swe-atlas-gold-01234567-fedcba98");
  expect(suiteFact("aud", knownAudit(name))).toEqual([
    {
      folder: "aud",
      suite: "swe-atlas",
      model: "m",
      data: "01234567",
      fact: {
        title: "gold code that looks memorised",
        state: "doubtful",
        text: "1 of 4 texts",
        share: expect.objectContaining({ value: 0.25 }),
      },
    },
  ]);
});

it("has nothing to say of audits of other data", () => {
  expect(suiteFact("aud", knownAudit("starter"))).toEqual([]);
});
