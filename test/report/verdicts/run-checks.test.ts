import { describe, expect, it } from "vitest";
import { runChecks } from "../../../src/report/verdicts/run-checks.js";
import { type JudgementState, judgementText } from "../../../src/verdict/judgement.js";
import type { RunVerdicts, VerdictForm } from "../../../src/verdict/verdict.js";
import { makeForm, makeJudgement, makeRunVerdicts, makeWrittenForm } from "../../fixtures/verdicts.js";

const run = (form: VerdictForm, changes: Partial<RunVerdicts> = {}) =>
  runChecks(makeRunVerdicts({ forms: [form], ...changes }));

/** The results of a form's checks, by name. */
function resultsOf(form: VerdictForm) {
  const [suite] = run(form).suites;
  return new Map(suite!.checks.map(({ name, result }) => [name, result]));
}

const judged = (state: JudgementState) =>
  makeForm({ judgement: makeJudgement({ state, floor: 1, floorRule: "majority" }) });
const said = (state: JudgementState) => judgementText(makeJudgement({ state }));
const statuses = (form: VerdictForm) => [...resultsOf(form).values()].map(({ status }) => status);
const records = (changes: Partial<VerdictForm["records"]>) => ({ records: { ...makeForm().records, ...changes } });

const [ALL, READ, FLOOR] = ["all answers came", "answers may be interpreted", "invariant accuracy is above its floor"];

describe("the checks of a form", () => {
  it("all pass where the score is above its floor", () => {
    const results = resultsOf(makeForm());
    expect([...results.keys()]).toEqual([ALL, READ, FLOOR]);
    expect(statuses(makeForm())).toEqual(["passed", "passed", "passed"]);
    expect(results.get(ALL)).toMatchObject({ text: "12 of 12 answers" });
    expect(results.get(FLOOR)).toHaveProperty(
      "text",
      `${said("above_floor")}\ninvariant accuracy 100.0 % (95 % interval 34.2 %–100.0 %, n = 2), floor 50.0 % (longest)`,
    );
  });

  it("have the verdict and every number that has a value as properties", () => {
    const measures = [
      ...makeForm().measures,
      { metric: "mcsb_p_value", value: 0.25, ciLow: null, ciHigh: null, n: 2 },
      { metric: "mean_margin", value: null, ciLow: null, ciHigh: null, n: 0 },
    ];
    const [suite] = run(makeForm({ measures })).suites;
    expect(suite?.name).toBe("scripted:oracle: CTR");
    expect(Object.fromEntries(suite!.properties)).toEqual({
      verdict: "above_floor",
      invariant_accuracy: "1",
      "invariant_accuracy.ci_low": "0.3424",
      "invariant_accuracy.ci_high": "1",
      "invariant_accuracy.n": "2",
      mcsb_p_value: "0.25",
      "mcsb_p_value.n": "2",
      "mean_margin.n": "0",
    });
  });

  it("fail where the answers cannot be read, and then do not judge the score", () => {
    const results = resultsOf(judged("unreadable"));
    expect(results.get(READ)).toMatchObject({ status: "failed", kind: "unreadable", message: said("unreadable") });
    expect(results.get(FLOOR)).toMatchObject({ status: "skipped" });
    expect(results.get(ALL)).toMatchObject({ status: "passed" });
  });

  it.each(["at_floor", "matches_words", "unsteady"] as const)(
    "fail the floor, but not the reading, where the score is %s",
    (state) => {
      const results = resultsOf(judged(state));
      expect(results.get(READ)).toMatchObject({ status: "passed" });
      expect(results.get(FLOOR)).toEqual({
        status: "failed",
        kind: state,
        message: said(state),
        text: "invariant accuracy 100.0 % (95 % interval 34.2 %–100.0 %, n = 2), floor 100.0 % (majority)",
      });
    },
  );

  it("are skipped, not passed, where it is not known what the score is worth", () => {
    const results = resultsOf(judged("unknown"));
    expect(results.get(READ)).toEqual({ status: "skipped", reason: said("unknown") });
    expect(results.get(FLOOR)).toEqual({ status: "skipped", reason: said("unknown") });
  });

  it("skip the reading, not the floor, where agreement was not measured and the score is at its floor", () => {
    const judgement = makeJudgement({ state: "at_floor", isBindingUnknown: true });
    expect(statuses(makeForm({ judgement }))).toEqual(["passed", "skipped", "failed"]);
  });

  it("are an error where records failed: the measurement is not whole", () => {
    const form = makeForm(records({ planned: 6, recorded: 6, failed: 2, failures: { unavailable: 2 } }));
    expect(resultsOf(form).get(ALL)).toMatchObject({
      status: "error",
      kind: "failed_answers",
      message: "2 of 6 answers failed.",
      text: expect.stringContaining("unavailable: 2"),
    });
  });

  it("say what helps where asking again does not, and whether others are asked again", () => {
    const lasting = { failures: 2, advice: "Ask anew with more room." };
    const textOf = (failures: Readonly<Record<string, number>>) =>
      resultsOf(makeForm(records({ planned: 6, recorded: 6, failed: 2, failures, lasting }))).get(ALL);
    expect(textOf({ context_overflow: 2 })).toHaveProperty(
      "text",
      "Of the whole run, by cause: context_overflow: 2.\nAsk anew with more room.",
    );
    expect(textOf({ context_overflow: 2, unavailable: 1 })).toHaveProperty(
      "text",
      "Of the whole run, by cause: context_overflow: 2, unavailable: 1.\nAsk anew with more room.\n" +
        "The same command asks the others again.",
    );
  });

  it("are an error where records are still to come, unless fewer are as it should be", () => {
    expect(resultsOf(makeForm(records({ planned: 18, recorded: 6 }))).get(ALL)).toMatchObject({
      status: "error",
      kind: "incomplete",
      message: "6 of 18 answers are recorded.",
      text: "The command that asks it goes on, with --resume results/run",
    });
    const stopped = makeForm(records({ planned: 6, recorded: 1, mayBeFewer: true }));
    expect(resultsOf(stopped).get(ALL)).toEqual({ status: "passed", text: "1 of 6 answers" });
  });

  it("are skipped where nothing was to be asked", () => {
    expect(statuses(makeForm(records({ planned: 0, recorded: 0 })))).toEqual(["skipped", "skipped", "skipped"]);
  });
});

describe("the checks of a form that can always be read", () => {
  it("are two, in the words of the form", () => {
    expect([...resultsOf(makeWrittenForm()).keys()]).toEqual([
      "all generations came",
      "exact match is above its floor",
    ]);
    expect(statuses(makeWrittenForm())).toEqual(["passed", "passed"]);
  });

  it("fail where no more match than if the code were repeated, and are an error where generations failed", () => {
    // One of two matches, as it would have unchanged.
    const form = makeWrittenForm({
      records: { ...makeWrittenForm().records, failed: 1, failures: { refused: 1 } },
      judgement: makeJudgement({ state: "at_floor", score: 0.5, floor: 0.5, floorRule: "copy" }),
      measures: [{ metric: "em", value: 0.5, ciLow: null, ciHigh: null, n: 2 }],
    });
    expect([...resultsOf(form).values()]).toMatchObject([
      { status: "error", message: "1 of 2 generations failed." },
      { status: "failed", message: said("at_floor"), text: "exact match 50.0 %, floor 50.0 % (copy)" },
    ]);
  });
});

describe("the check of a run as a whole", () => {
  it("passes with what the check of the server found", () => {
    const [server] = run(makeForm(), { model: "lab", server: { passed: true, text: "Its numbers are right." } }).suites;
    expect(server).toMatchObject({
      name: "lab: server",
      checks: [{ result: { status: "passed", text: "Its numbers are right." } }],
    });
  });

  it("fails when the server was refused and asked all the same, and for nothing else", () => {
    const refused = { passed: false, text: "FORCED: …" };
    const { suites } = run(makeForm(), { server: refused, warnings: ["FORCED: …", "Missing: …"] });
    expect(suites).toHaveLength(2);
    expect(suites[0]?.checks).toMatchObject([{ result: { status: "failed", kind: "forced", text: "FORCED: …" } }]);
    expect(run(makeForm(), { warnings: ["Missing: …"] }).suites).toHaveLength(1);
  });

  it("is none without a server", () => {
    expect(run(makeForm()).suites).toHaveLength(1);
  });

  it("says of which model, when and how long", () => {
    expect(run(makeForm())).toMatchObject({
      name: "scripted:oracle",
      timestamp: "2026-01-02T03:04:05.000Z",
      durationMs: 1500,
    });
  });
});

describe("what was asked for on the command line", () => {
  it("is a suite of its own, a check a finding", () => {
    const finding = { form: "CTR", option: "fail-under", wanted: "a score of at least 0.6" } as const;
    const findings = [
      { ...finding, found: "0.7500", passed: true },
      { ...finding, form: "CL hard", found: "0.5000", passed: false },
    ];
    const suite = runChecks(makeRunVerdicts({ forms: [makeForm()] }), findings).suites.at(-1);
    expect(suite?.name).toBe("scripted:oracle: asked for");
    expect(suite?.checks.map(({ name, result }) => [name, result.status])).toEqual([
      ["CTR: a score of at least 0.6", "passed"],
      ["CL hard: a score of at least 0.6", "failed"],
    ]);
    expect(suite?.checks[1]?.result).toMatchObject({
      kind: "fail_under",
      message: "Expected a score of at least 0.6 (--fail-under), found 0.5000",
    });
  });
});
