import { describe, expect, it } from "vitest";
import { leaderboardTables, modelNames } from "../../src/verdict/leaderboard.js";
import type { RunVerdicts } from "../../src/verdict/verdict.js";
import { makeForm, makeJudgement, makeRunVerdicts, makeVerdict } from "../fixtures/verdicts.js";

/** A run of one question in C and one in Python. */
function run(model: string, passed: readonly [c: boolean, python: boolean], changes: Partial<RunVerdicts> = {}) {
  const right = passed.filter((each) => each).length;
  const measures = [{ metric: "invariant_accuracy", value: right / 2, ciLow: 0.1, ciHigh: 0.9, n: 2 }];
  const state = right === 2 ? "above_floor" : "at_floor";
  return makeRunVerdicts({
    model,
    runId: `run-${model}`,
    forms: [makeForm({ measures, judgement: makeJudgement({ state, score: right / 2 }) })],
    verdicts: [
      makeVerdict({ item: "one", groups: { language: "c" }, passed: passed[0] }),
      makeVerdict({ item: "two", groups: { language: "python" }, passed: passed[1] }),
    ],
    ...changes,
  });
}

const ORACLE = run("oracle", [true, true]);
const HALF = run("half", [true, false]);
const NONE = run("none", [false, false]);

describe("leaderboardTables", () => {
  it("has a row a run, with the share passed, its interval and the share of each group", () => {
    const [table] = leaderboardTables([ORACLE, HALF]);
    expect(table).toMatchObject({ form: { name: "CTR" }, groups: ["c", "python"] });
    const [, half] = table!.rows;
    expect(half).toMatchObject({ model: "half", n: 2, overall: { value: 0.5, ciLow: 0.1, ciHigh: 0.9 } });
    expect(Object.fromEntries(half!.byGroup)).toEqual({ c: 1, python: 0 });
  });

  it("is sorted by score, whatever the order of the runs; of equal scores by what they are worth", () => {
    const unknown = run("unknown", [true, true], {
      forms: [
        makeForm({
          measures: [{ metric: "invariant_accuracy", value: 1, ciLow: null, ciHigh: null, n: 2 }],
          judgement: makeJudgement({ state: "unknown" }),
        }),
      ],
    });
    const unreadable = run("unreadable", [true, true], {
      forms: [makeForm({ judgement: makeJudgement({ state: "unreadable" }) })],
    });
    const unsteady = run("unsteady", [true, true], {
      forms: [makeForm({ judgement: makeJudgement({ state: "unsteady" }) })],
    });
    const [table] = leaderboardTables([unknown, unreadable, unsteady, NONE, HALF, ORACLE]);
    // All right: oracle (above its floor), unsteady, unreadable and unknown; then one of two, then none.
    expect(table!.rows.map(({ model }) => model)).toEqual([
      "oracle",
      "unsteady",
      "unreadable",
      "unknown",
      "half",
      "none",
    ]);
  });

  it("has one floor for runs with the same, and another for one of other questions", () => {
    const [same] = leaderboardTables([ORACLE, HALF]);
    expect(same!.floors).toEqual([{ model: null, value: 0.5, rule: "longest", byGroup: new Map() }]);
    const other = run("other", [true, true], { forms: [makeForm({ judgement: makeJudgement({ floor: 0.25 }) })] });
    const [apart] = leaderboardTables([ORACLE, other]);
    expect(apart!.floors.map(({ model, value }) => [model, value])).toEqual([
      ["oracle", 0.5],
      ["other", 0.25],
    ]);
    const [some] = leaderboardTables([ORACLE, other, HALF]);
    expect(some!.floors.map(({ model, value }) => [model, value])).toEqual([
      ["oracle, half", 0.5],
      ["other", 0.25],
    ]);
  });

  it("has a table a form of any run, and rows only for runs that recorded something of it", () => {
    const hard = makeForm({ name: "CL hard" });
    const planned = makeForm({ name: "CL hard", records: { ...makeForm().records, recorded: 0 } });
    const tables = leaderboardTables([
      { ...ORACLE, forms: [...ORACLE.forms, hard] },
      { ...HALF, forms: [...HALF.forms, planned] },
    ]);
    expect(tables.map(({ form, rows }) => [form.name, rows.map(({ model }) => model)])).toEqual([
      ["CTR", ["oracle", "half"]],
      ["CL hard", ["oracle"]],
    ]);
    expect(leaderboardTables([{ ...HALF, forms: [planned] }])).toEqual([]);
  });

  it("keeps forms of the same name apart that are of different suites", () => {
    const other = { ...HALF, suite: "arithmetic" };
    expect(leaderboardTables([ORACLE, other]).map(({ rows }) => rows.map(({ model }) => model))).toEqual([
      ["oracle"],
      ["half"],
    ]);
  });

  it("counts what was judged alone, and has no groups where a form has none", () => {
    const verdicts = [makeVerdict({ item: "one" }), makeVerdict({ item: "two", passed: null })];
    const [table] = leaderboardTables([
      makeRunVerdicts({ verdicts, forms: [makeForm({ groupBy: null, measures: [] })] }),
    ]);
    expect(table).toMatchObject({ groups: [], rows: [{ n: 1, overall: { value: null, ciLow: null, ciHigh: null } }] });
  });
});

describe("modelNames", () => {
  it("adds the run to a name that several have", () => {
    expect(modelNames([ORACLE, { ...ORACLE, runId: "again" }, HALF])).toEqual([
      "oracle · run-oracle",
      "oracle · again",
      "half",
    ]);
  });

  it("says of a run that it is unfinished", () => {
    expect(modelNames([ORACLE, { ...HALF, isUnfinished: true }])).toEqual(["oracle", "half (unfinished)"]);
  });
});
