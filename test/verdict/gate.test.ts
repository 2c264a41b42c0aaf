import { describe, expect, it } from "vitest";
import { type Gate, gateText, judgeGate } from "../../src/verdict/gate.js";
import { judgementText } from "../../src/verdict/judgement.js";
import { makeForm, makeJudgement, makeRunVerdicts } from "../fixtures/verdicts.js";

const form = (name: string, score: number | null, state: "unreadable" | "at_floor" | "above_floor" | "unknown") =>
  makeForm({
    name,
    task: name.split(" ")[0] ?? name,
    ablation: name.includes("without") ? "review" : "none",
    judgement: makeJudgement({ score, state }),
  });

const RUN = makeRunVerdicts({
  forms: [
    form("CTR", 0.75, "above_floor"),
    form("CL easy", 0.6, "at_floor"),
    form("CL hard", 0.5999, "unreadable"),
    form("CL easy without review", 0.1, "at_floor"),
    form("ACR", null, "unknown"),
  ],
});

const judge = (gate: Partial<Gate>) => judgeGate(RUN, { thresholds: [], requirements: [], ...gate });
const passed = (gate: Partial<Gate>) => judge(gate).map((one) => [one.form, one.passed]);

describe("a threshold", () => {
  it("is kept by a score that equals it, and by none below", () => {
    expect(passed({ thresholds: [{ form: "CL", least: 0.6 }] })).toEqual([
      ["CL easy", true],
      ["CL hard", false],
    ]);
  });

  it("without a name holds for every form that withholds nothing; no score is not enough", () => {
    expect(passed({ thresholds: [{ form: null, least: 0 }] })).toEqual([
      ["CTR", true],
      ["CL easy", true],
      ["CL hard", true],
      ["ACR", false],
    ]);
  });

  it.each(["CL hard", "cl_hard", "CL_Hard"])("finds one form by its name, however it is typed: %s", (name) => {
    expect(passed({ thresholds: [{ form: name, least: 0.5 }] })).toEqual([["CL hard", true]]);
  });

  it("holds for a form that withholds something where it is named in full", () => {
    const thresholds = [{ form: "CL easy without review", least: 0.2 }];
    expect(passed({ thresholds })).toEqual([["CL easy without review", false]]);
  });

  it("is not kept by a name that the run does not have", () => {
    const [finding] = judge({ thresholds: [{ form: "SI", least: 0 }] });
    expect(finding).toMatchObject({ form: "SI", passed: false, wanted: "a form of this name" });
    expect(finding?.found).toContain("CL, CL easy, CL hard");
  });
});

it("a name that only another run of a matrix has asks nothing of this one; a name of both does", () => {
  const thresholds = ["SI", "si_hard", "CL hard"].map((name) => ({ form: name, least: 0.9 }));
  const elsewhere = ["SI hard", "CL hard"].map((name) => ({ task: name.slice(0, 2), name }));
  const found = judgeGate(RUN, { thresholds, requirements: [] }, elsewhere);
  expect(found.map(({ form: name, passed: isPassed }) => [name, isPassed])).toEqual([["CL hard", false]]);
});

describe("a requirement", () => {
  it("above_floor is met by that verdict alone", () => {
    expect(passed({ requirements: [{ form: null, requirement: "above_floor" }] })).toEqual([
      ["CTR", true],
      ["CL easy", false],
      ["CL hard", false],
      ["ACR", false],
    ]);
  });

  it("readable is met by every verdict on answers that can be read", () => {
    expect(passed({ requirements: [{ form: null, requirement: "readable" }] })).toEqual([
      ["CTR", true],
      ["CL easy", true],
      ["CL hard", false],
      ["ACR", false],
    ]);
  });
});

it("readable is not met where agreement was not measured and the form is at its floor", () => {
  const judgement = makeJudgement({ state: "at_floor", isBindingUnknown: true });
  const run = makeRunVerdicts({ forms: [makeForm({ judgement })] });
  const [finding] = judgeGate(run, { thresholds: [], requirements: [{ form: null, requirement: "readable" }] });
  expect(finding).toMatchObject({ passed: false, found: judgementText(judgement) });
});

it("a score just under the least one is told by all of its digits, not rounded up to it", () => {
  // 52 of 108 are right.
  const run = makeRunVerdicts({ forms: [makeForm({ judgement: makeJudgement({ score: 52 / 108 }) })] });
  const held = (least: number) => judgeGate(run, { thresholds: [{ form: null, least }], requirements: [] });
  expect(held(0.4815)).toMatchObject([{ passed: false, found: `${52 / 108}` }]);
  expect(held(0.5)).toMatchObject([{ passed: false, found: "0.4815" }]);
  expect(held(0.4814)).toMatchObject([{ passed: true, found: "0.4815" }]);
});

describe("gateText", () => {
  it("says of each that does not pass what was expected and found", () => {
    const findings = judge({
      thresholds: [{ form: "CL", least: 0.6 }],
      requirements: [{ form: "CL easy", requirement: "above_floor" }],
    });
    expect(gateText(findings)).toBe(
      "CL hard: expected a score of at least 0.6 (--fail-under), found 0.5999\n" +
        "CL easy: expected above_floor (--require), found judged at_floor: with its numbers\n",
    );
  });

  it("is empty where all pass, and where nothing was asked", () => {
    expect(gateText(judge({ thresholds: [{ form: "CTR", least: 0.75 }] }))).toBe("");
    expect(judge({})).toEqual([]);
  });
});
