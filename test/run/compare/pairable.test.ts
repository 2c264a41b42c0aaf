import { describe, expect, it } from "vitest";
import { type NamedRun, requirePairable, requireSameItems } from "../../../src/run/compare/compare-runs.js";
import type { AnySuite, SuiteScore } from "../../../src/run/suite.js";
import type { RunFile } from "../../../src/suites/codereviewqa/record/run-file.js";
import { suite as reviews } from "../../../src/suites/codereviewqa/suite/questions-suite.js";
import type { Verdict } from "../../../src/verdict/verdict.js";
import { OTHER_SELECTIONS } from "../../fixtures/other-selection.js";
import { makeRunFile } from "../../fixtures/run-file.js";
import { makeScoredRun } from "../../fixtures/scored-run.js";
import { makeForm, makeRunVerdicts, makeVerdict, makeWrittenForm } from "../../fixtures/verdicts.js";

const suite: AnySuite = reviews;
const dataset = makeRunFile().dataset;

function named(name: string, changes: Partial<RunFile> = {}): NamedRun {
  return {
    folder: `results/${name}`,
    path: `/results/${name}`,
    suite,
    run: makeRunFile({ run_id: name, status: "complete", ...changes }),
  };
}
const first = named("a");
const second = (changes: Partial<RunFile>) => named("b", changes);

describe("requirePairable", () => {
  it("lets runs pass that asked the same, whatever the model and however it was asked", async () => {
    const parameters = { ...makeRunFile().parameters, prompt_mode: "chat", early_stop: true };
    await expect(requirePairable(first, second({ parameters }))).resolves.toBeUndefined();
  });

  it.each(OTHER_SELECTIONS)("refuses $name, naming it", async ({ changes, says }) => {
    await expect(requirePairable(first, second(changes))).rejects.toThrow(says);
  });

  it("refuses one run twice: the same folder by another name, or a copy", async () => {
    const again: NamedRun = { ...first, folder: "results/../results/a" };
    await expect(requirePairable(first, again)).rejects.toThrow(
      /found one of them twice: results\/a and .*\(one folder\)/,
    );
    await expect(requirePairable(first, second({ run_id: "a" }))).rejects.toThrow(/both have the run id a/);
  });

  it("refuses runs of different suites, naming them", async () => {
    const other: NamedRun = { ...named("b"), suite: { ...suite, name: "arithmetic" } };
    await expect(requirePairable(first, other)).rejects.toThrow(
      /runs of one suite, found codereviewqa in results\/a and arithmetic in results\/b/,
    );
  });

  it("names what differs as it is: the console makes visible what a terminal would obey", async () => {
    const changes = { dataset: { ...dataset, source: "\u001b[2J", sha256: "99".repeat(32) } };
    await expect(requirePairable(first, second(changes))).rejects.toThrow("\u001b[2J");
  });
});

describe("requireSameItems", () => {
  const FORMS = [makeForm(), makeForm({ name: "CL hard" }), makeWrittenForm()];
  const run = (name: string, verdicts: readonly Verdict[], changes: Partial<SuiteScore> = {}) =>
    makeScoredRun(name, makeRunVerdicts({ forms: FORMS, verdicts }), {}, changes);
  const one = run("a", [makeVerdict()]);

  it("lets equal items pass, whatever came of them", () => {
    const other = makeVerdict({ passed: false, lost: true, values: {} });
    expect(() => requireSameItems(one, run("b", [other]), "probe run")).not.toThrow();
  });

  it("does not mind a form that found nothing to ask about", () => {
    const verdicts = makeRunVerdicts({ forms: [makeForm()], verdicts: [makeVerdict()] });
    expect(() => requireSameItems(one, makeScoredRun("b", verdicts), "probe run")).not.toThrow();
  });

  it("lets the same items pass in another order, as --task names the forms", () => {
    const [ctr, hard] = [makeVerdict(), makeVerdict({ form: "CL hard" })];
    expect(() => requireSameItems(run("a", [ctr, hard]), run("b", [hard, ctr]), "probe run")).not.toThrow();
  });

  it("refuses an unfinished run, saying how to finish it", () => {
    const open = run("b", [makeVerdict()], { unfinished: "3 of 36 questions with orders that have no answer yet" });
    expect(() => requireSameItems(one, open, "probe run")).toThrow(
      /finished run in results\/b, found 3 of 36 questions .* Finish it first: probe run --resume results\/b/,
    );
    const spaced = { ...open, folder: "results/my b" };
    expect(() => requireSameItems(one, spaced, "probe run")).toThrow(/ --resume 'results\/my b'$/);
  });

  it("refuses other forms and another number of items, naming them", () => {
    const hard = [1, 2, 3, 4].map((i) => makeVerdict({ form: "CL hard", item: `${i}` }));
    expect(() => requireSameItems(one, run("b", hard), "probe run")).toThrow(
      /differ:\n {2}probe CTR: 1 questions and not asked\n {2}probe CL hard: not asked and 4 questions\n/,
    );
    const more = run("b", [makeVerdict(), makeVerdict({ item: "x" })]);
    expect(() => requireSameItems(one, more, "probe run")).toThrow(/probe CTR: 1 questions and 2 questions/);
    const written = run("a", [makeVerdict({ form: "ACR" })]);
    expect(() => requireSameItems(written, run("b", []), "probe run")).toThrow(
      /probe ACR: 1 generations and not asked/,
    );
  });

  it("refuses other items, naming the first", () => {
    const other = run("b", [makeVerdict({ item: "ba9876543210" })]);
    expect(() => requireSameItems(one, other, "probe run")).toThrow(/item 1: CTR 0123456789ab and CTR ba9876543210/);
  });

  it("refuses items whose prompts differ, though run.json says the same", () => {
    const texts = (...prompts: (string | null)[]) =>
      prompts.map((prompt, i) => makeVerdict({ form: "ACR", item: `${i}`, asked: prompt?.repeat(32) ?? null }));
    expect(() => requireSameItems(run("a", texts("ab", "ab")), run("b", texts("ab", "99")), "probe run")).toThrow(
      /text of item 2 \(ACR 1\): prompt sha256 abababababab… and 999999999999…/,
    );
    // Stopped early, before the order whose text is held against the other's.
    expect(() => requireSameItems(run("a", texts("ab")), run("b", texts(null)), "probe run")).not.toThrow();
  });
});
