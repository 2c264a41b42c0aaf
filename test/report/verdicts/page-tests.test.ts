import { expect, it } from "vitest";
import { pageTests } from "../../../src/report/verdicts/page-tests.js";
import { makeJudgement } from "../../fixtures/verdicts.js";

it("says how many of a page's verdicts chance would pass, and corrects each p for their number", () => {
  // 72 models by five forms, all at their floor but three: 360 tests at .01, 3.6 by chance.
  const lucky = [0.001, 0.002, 0.004].map((pValue) => makeJudgement({ pValue }));
  const others = Array.from({ length: 357 }, () => makeJudgement({ state: "at_floor", pValue: 0.5 }));
  const untested = makeJudgement({ state: "unknown" });
  const { sentence, qText } = pageTests([...others, ...lucky, untested]);
  expect(sentence).toContain("Of 360 verdicts of this page that rest on a test, 3 are above");
  expect(sentence).toContain("up to 3.6 would be so by chance");
  // 360/1 · .001 = .36, 360/2 · .002 = .36, 360/3 · .004 = .48; the rest 360/360 · .5.
  expect(lucky.map(qText)).toEqual(["; q 0.3600", "; q 0.3600", "; q 0.4800"]);
  expect(qText(untested)).toBe("");
  expect(pageTests([makeJudgement()]).sentence).toBeNull();
});
