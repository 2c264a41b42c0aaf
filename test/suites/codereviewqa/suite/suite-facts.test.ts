import { expect, it } from "vitest";
import { suiteFact, suitePartName } from "../../../../src/suites/codereviewqa/suite/suite-facts.js";

const audit = (name: string) => ({
  model: { label: "m" },
  benchmarks: [{ name, sha256: "x" }],
  results: {
    memorised: [{ benchmark: name }],
    counts: [{ benchmark: name, forms: [{ scored: 3 }, { scored: 1 }] }],
  },
});

it("knows the suite, the part and the data of an audit by the name that its texts were given", () => {
  const name = suitePartName("swe-atlas", "gold", "0123456789abcdef", "fedcba9876543210");
  expect(name).toBe("swe-atlas-gold-01234567-fedcba98");
  expect(suiteFact("aud", audit(name))).toEqual([
    {
      ...{ folder: "aud", suite: "swe-atlas", model: "m", data: "01234567" },
      fact: {
        ...{ title: "gold code that looks memorised", state: "doubtful", text: "1 of 4 texts" },
        share: expect.objectContaining({ value: 0.25 }),
      },
    },
  ]);
});

it("has nothing to say of audits of other data", () => {
  expect(suiteFact("aud", audit("starter"))).toEqual([]);
});
