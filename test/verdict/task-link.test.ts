import { describe, expect, it } from "vitest";
import { judgementText } from "../../src/verdict/judgement.js";
import { type LinkTable, linkRuns } from "../../src/verdict/task-link.js";
import { isHunkOfTask, sourceOfProbe, taskOfProbe } from "../../src/verdict/task-probe.js";
import type { RunVerdicts, Verdict } from "../../src/verdict/verdict.js";
import { makeForm, makeJudgement, makeVerdict } from "../fixtures/verdicts.js";

function runOf(suite: string, forms: RunVerdicts["forms"], verdicts: readonly Verdict[]): RunVerdicts {
  return {
    runId: suite,
    folder: suite,
    suite,
    model: "m",
    createdAt: "",
    durationMs: 0,
    warnings: [],
    server: null,
    forms,
    verdicts,
  };
}

const trial = (task: string, passed: boolean | null, rest: Partial<Verdict> = {}) =>
  makeVerdict({ form: "plain", item: `${task}#0`, cluster: task, passed, ...rest });
const probe = (item: string, passed: boolean | null, form = "CL hard") => makeVerdict({ form, item, passed });

const trialForm = (name: string) => makeForm({ name, kind: "trial", items: "trials" });
const agents = (verdicts: readonly Verdict[]) =>
  runOf("suite", [...new Set(verdicts.map(({ form }) => form))].map(trialForm), verdicts);
const probeForms = [makeForm({ name: "CL hard" }), makeForm({ name: "SI hard" })];
const answers = (verdicts: readonly Verdict[], forms = probeForms) => runOf("codereviewqa", forms, verdicts);

/** Twenty tasks: 12 with success and understood, 3 with success alone, 2 understood alone, 3 with neither. */
const CELLS = [
  ...Array.from({ length: 12 }, () => [true, true] as const),
  ...Array.from({ length: 3 }, () => [true, false] as const),
  ...Array.from({ length: 2 }, () => [false, true] as const),
  ...Array.from({ length: 3 }, () => [false, false] as const),
];
const TRIALS = CELLS.map(([success], i) => trial(`t${i}`, success));
const PROBES = CELLS.flatMap(([, understood], i) => [
  probe(`t${i}#1`, true),
  probe(`t${i}#1`, true, "SI hard"),
  // One wrong answer of three is enough.
  probe(`t${i}#2`, understood, "SI hard"),
]);

function tables(trials: readonly Verdict[], probes: readonly Verdict[], forms = probeForms): readonly LinkTable[] {
  const link = linkRuns(agents(trials), answers(probes, forms));
  if (link.status === "refused") throw new Error(link.reason);
  return link.tables;
}

describe("success held against comprehension", () => {
  it("counts each task once, and tests the four counts exactly", () => {
    const [table, ...others] = tables(TRIALS, PROBES);
    expect(others).toEqual([]);
    expect(table).toMatchObject({ both: 12, successOnly: 3, understoodOnly: 2, neither: 3 });
    // Margins 15 + 5 and 14 + 6. With k understood among the 5 failures, C(14, k) C(6, 5 − k) of C(20, 5) = 15504 ways:
    // k = 0: 6, 1: 14 · 15 = 210, 2: 91 · 20 = 1820, 3: 364 · 15 = 5460, 4: 1001 · 6 = 6006, 5: 2002. Found: k = 2; no more
    // probable are k = 0, 1, 2: 2036/15504.
    expect(table!.pValue).toBeCloseTo(2036 / 15504, 12);
    // 12 of 14, 3 of 6, and 3 of 15 successes.
    expect([table!.ifUnderstood?.value, table!.ifNot?.value, table!.without?.value]).toEqual([12 / 14, 0.5, 0.2]);
    // Wilson of 3 of 15: (.2 + z²/30 ± z √(.16/15 + z²/900))/(1 + z²/15), z² = 3.8415.
    expect(table!.without?.low).toBeCloseTo(0.0705, 4);
    expect(table!.without?.high).toBeCloseTo(0.4519, 4);
  });

  it("takes trials of a task as one case: success is more than half of the judged ones", () => {
    const trials = [
      trial("a", true),
      trial("a", true),
      trial("a", false),
      trial("b", true),
      trial("b", false),
      trial("c", true),
      trial("c", null),
    ];
    const [table] = tables(trials, [probe("a#1", true), probe("b#1", true), probe("c#1", true)]);
    expect(table!.cases.map(({ task, succeeded }) => [task, succeeded])).toEqual([
      ["a", true],
      ["b", false],
      ["c", true],
    ]);
  });

  it("has the same by condition where there are several", () => {
    const hinted = { form: "hinted" };
    const trials = [trial("a", true), trial("b", false), trial("a", true, hinted), trial("b", true, hinted)];
    const found = tables(trials, [probe("a#1", true), probe("b#1", false)]);
    expect(found.map(({ condition, both, successOnly, neither }) => [condition, both, successOnly, neither])).toEqual([
      // Of two trials under two conditions one is not more than half.
      [null, 1, 0, 1],
      ["plain", 1, 0, 1],
      ["hinted", 1, 1, 0],
    ]);
  });

  it("puts no task into a cell that has no probe, no judged trial, or answers that are missing and otherwise right", () => {
    const trials = [trial("a", true), trial("b", null), trial("c", true), trial("d", true), trial("e", true)];
    const probes = [
      probe("b#1", true),
      probe("c#1", true),
      probe("c#2", null),
      probe("d#1", false),
      probe("d#2", null),
      probe("e#1", true),
    ];
    const [table] = tables(trials, probes);
    expect(table).toMatchObject({ unprobed: 1, unjudged: 2, both: 1, successOnly: 1 });
    expect(table!.cases.map(({ task }) => task)).toEqual(["d", "e"]);
  });

  it("leaves out a form that is not above its floor, and says why", () => {
    const judgement = makeJudgement({ state: "at_floor" });
    const forms = [probeForms[0]!, makeForm({ name: "SI hard", judgement })];
    const link = linkRuns(agents(TRIALS), answers(PROBES, forms));
    expect(link).toMatchObject({
      status: "linked",
      forms: ["CL hard"],
      leftOut: [{ form: "SI hard", why: judgementText(judgement) }],
    });
    // All wrong answers were of that form.
    expect(link.status === "linked" && link.tables[0]?.both).toBe(15);
  });

  it("is refused in words where questions stopped at their first wrong order, however high their score", () => {
    const records = { name: "answers", planned: 24, recorded: 20, failed: 0, failures: {}, mayBeFewer: true };
    const link = linkRuns(agents(TRIALS), answers(PROBES, [makeForm({ name: "CL hard", records })]));
    expect(link).toMatchObject({ status: "refused", reason: expect.stringContaining("without --early-stop") });
  });

  it("is refused in words where no form is above its floor, none was asked, or none is about the tasks", () => {
    const judgement = makeJudgement({ state: "unreadable" });
    const forms = [makeForm({ name: "CL hard", judgement })];
    const refused = (probes: RunVerdicts) => {
      const link = linkRuns(agents(TRIALS), probes);
      return link.status === "refused" ? link.reason : link;
    };
    expect(refused(answers(PROBES, forms))).toBe(
      "No probe's score is above its floor, so right answers do not show comprehension, and success cannot be held " +
        `against it. CL hard: ${judgementText(judgement)}.`,
    );
    expect(refused(answers([], []))).toMatch(/^The run of probes asked no multiple-choice question/);
    expect(refused(answers([probe("other#1", true), probe("t0", true)]))).toMatch(
      /^No probe is about a task of the run/,
    );
  });
});

it("knows the task of a probe by its name, and of nothing else", () => {
  expect(taskOfProbe("owner/name/1234abcd#12")).toBe("owner/name/1234abcd");
  expect([taskOfProbe("owner/name#12/34"), taskOfProbe("#1"), taskOfProbe("a#b")]).toEqual([null, null, null]);
});

it("tells a hunk of a task from a review whose id looks like one, such as a pull request's", () => {
  const source = sourceOfProbe("codetaste", "owner/name/1234abcd", "src/a file.js", "gold");
  expect(isHunkOfTask("owner/name/1234abcd#12", source)).toBe(true);
  expect(isHunkOfTask("owner/name/1234abcd", source)).toBe(false);
  expect(isHunkOfTask("owner/name#42", source)).toBe(false);
  expect(isHunkOfTask("owner/name#42", "github.com/owner/name, review 7")).toBe(false);
  expect(isHunkOfTask("owner/name#42", "")).toBe(false);
});
