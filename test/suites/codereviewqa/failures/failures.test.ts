import { mkdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Difficulty } from "../../../../src/dataset/example.js";
import { failureBlocks } from "../../../../src/suites/codereviewqa/failures/failure-blocks.js";
import { failureComparison } from "../../../../src/suites/codereviewqa/failures/failure-comparison.js";
import { analyseFailures, failureGroups, failureRuns } from "../../../../src/suites/codereviewqa/failures/failures.js";
import { type RunFile, writeRunFile } from "../../../../src/suites/codereviewqa/record/run-file.js";
import type { NamedRun } from "../../../../src/suites/codereviewqa/record/stored-run.js";
import { makeOutcome } from "../../../fixtures/example-outcome.js";
import { useFreshFolder } from "../../../fixtures/fresh-folder.js";
import { makeScore } from "../../../fixtures/question-score.js";
import { makeRunFile, makeRunModel } from "../../../fixtures/run-file.js";
import { makeStoredRun } from "../../../fixtures/stored-run.js";

const PROBES = ["CTR", "CL easy", "CL hard", "SI easy", "SI hard"];
const ALL = [...PROBES, "ACR"];

/** A run that holds these forms. */
function holding(name: string, forms: readonly string[], changes: Partial<RunFile> = {}): NamedRun {
  const entries = forms.map((form) => {
    const [task = "", difficulty] = form.split(" ");
    return { task, difficulty: (difficulty as Difficulty | undefined) ?? null, questions: 1, skipped: 0 };
  });
  return makeStoredRun(name, undefined, { forms: entries, ...changes });
}

/** The runs of each analysis. */
const namesOf = (runs: readonly NamedRun[]) =>
  failureRuns(runs).map((unit) => unit.runs.map(({ run }) => run.run_id).join("+"));

describe("failureRuns", () => {
  it("lets runs that hold everything stand alone, also of the same model", () => {
    expect(namesOf([holding("a", ALL), holding("b", ALL)])).toEqual(["a", "b"]);
  });

  it("joins runs that fill each other's lack, whatever stands between them", () => {
    const other = { model: makeRunModel("other", {}) };
    const named = [
      holding("acr", ["ACR"]),
      holding("other-probes", PROBES, other),
      holding("probes", PROBES),
      holding("whole", ALL),
      holding("other-acr", ["ACR"], other),
    ];
    expect(namesOf(named)).toEqual(["acr+probes", "other-probes+other-acr", "whole"]);
  });

  it("reads a form that several hold from the first", () => {
    const [unit] = failureRuns([holding("a", ["CTR", "CL easy", "ACR"]), holding("b", PROBES)]);
    expect([...unit!.sources].map(([form, { run }]) => `${form} ${run.run_id}`)).toEqual([
      "CTR a",
      "CL easy a",
      "ACR a",
      "CL hard b",
      "SI easy b",
      "SI hard b",
    ]);
  });

  it("takes a form that no example suits for held", () => {
    const forms = holding("a", ALL).run.forms.map((form) => ({ ...form, questions: form.task === "SI" ? 0 : 1 }));
    expect(namesOf([holding("a", ALL, { forms })])).toEqual(["a"]);
  });

  const identity = (changes: RunFile["model"]["identity"]) => ({
    model: makeRunModel("m", { provider: "openai", model: "qwen", ...changes }),
  });

  it("joins runs of one server model that used different ways for different things", () => {
    const named = [
      holding("acr", ["ACR"], identity({ completions: "completions" })),
      holding("probes", PROBES, identity({ extraction: "top_logprobs" })),
    ];
    expect(namesOf(named)).toEqual(["acr+probes"]);
  });

  const { dataset, parameters } = makeRunFile();
  it.each<[string, Partial<RunFile>]>([
    ["model file", identity({ model: "llama" })],
    ["dataset", { dataset: { ...dataset, sha256: "99".repeat(32) } }],
    ["selection", { dataset: { ...dataset, selection_sha256: "99".repeat(32) } }],
    ["prompt mode", { parameters: { ...parameters, prompt_mode: "chat" } }],
    ["prompt", { prompts: [{ id: "paper/CTR", sha256: "99".repeat(32) }] }],
  ])("does not join runs with another %s", (_, changes) => {
    const same = identity({});
    const probes = holding("probes", PROBES, { ...same, ...changes });
    expect(() => failureRuns([holding("acr", ["ACR"], same), probes])).toThrow(
      /found results\/acr without CTR, CL easy, CL hard, SI easy, SI hard\./,
    );
  });

  it("names what is lacking, and the commands that get it", () => {
    const run = holding("r", ["CTR", "CL easy", "SI easy"], {
      parameters: { languages: ["go", "ruby"], sample: null, seed: 0, limit: 20, early_stop: false },
    });
    expect(() => failureRuns([run])).toThrow(
      "found results/r without CL hard, SI hard, ACR.\n" +
        "Ask for the rest, then name both runs:\n" +
        "  probe run --model scripted:oracle --task CL,SI,ACR --difficulty hard --dataset data.jsonl " +
        "--language go,ruby --limit 20 --out results/r-rest\n" +
        "  probe failures results/r results/r-rest",
    );
  });

  it("asks for both difficulties where both are lacking", () => {
    expect(() => failureRuns([holding("r/", ["CTR", "CL easy", "ACR"])])).toThrow(
      /without CL hard, SI easy, SI hard\.[\s\S]*--task CL,SI --dataset data.jsonl --out results\/r-rest\n/,
    );
  });

  it("refuses runs whose probes were asked under other orders: being right under fewer is easier", () => {
    // Three options of CTR in three rotations, of 3! orders.
    const under = (orders: number, run: NamedRun): NamedRun => {
      const forms = run.run.forms.map((form) => (form.task === "CTR" ? { ...form, orders } : form));
      return { ...run, run: { ...run.run, forms } };
    };
    const alone = (runs: readonly NamedRun[]) => () => failureRuns(runs);
    expect(alone([holding("a", ALL), under(3, holding("b", ALL))])).toThrow(
      "Expected runs with the same --orders, found CTR under all orders in results/a, under 3 in results/b: ",
    );
    expect(alone([holding("a", ["CTR", "ACR"]), under(3, holding("b", PROBES))])).toThrow("the same --orders");
    // ACR has no orders.
    expect(namesOf([holding("acr", ["ACR"]), under(3, holding("b", PROBES))])).toEqual(["acr+b"]);
  });

  it("takes as many orders for the same, however --orders said it", () => {
    const said = (orders: string) => ({ parameters: { ...parameters, orders } });
    expect(namesOf([holding("a", ALL), holding("b", ALL, said("24"))])).toEqual(["a", "b"]);
  });

  it("refuses a run that was asked until decided: a step that was not asked is not right", () => {
    const raced = { parameters: { ...parameters, until: "decided" } };
    expect(() => failureRuns([holding("a", ALL, raced)])).toThrow(
      "Expected all questions asked, found results/a, in which they may not be (--until decided).",
    );
    expect(namesOf([holding("acr", ["ACR"], raced), holding("probes", PROBES)])).toEqual(["acr+probes"]);
  });

  it("refuses a folder that is named twice", () => {
    expect(() => failureRuns([holding("a", ALL), holding("a", ALL)])).toThrow(/one of them twice: results\/a/);
  });
});

const examples = [
  makeOutcome("a", "rrrrr", { language: "ruby", changeType: "add" }),
  makeOutcome("b", "wrrrr", { language: "go", match: false }),
  makeOutcome("c", "rrrrr", { language: "ruby", match: false }),
];

describe("failureGroups", () => {
  it("has all examples together alone unless groups are asked for", () => {
    expect(failureGroups(examples, null).map(({ group, examples: n }) => [group, n])).toEqual([["all", 3]]);
  });

  it.each([
    ["language", ["go", 1, 1], ["ruby", 2, 1]],
    ["change_type", ["add", 1, 0], ["modify", 2, 2]],
  ] as const)("goes on with each %s, in alphabetical order", (by, ...expected) => {
    const groups = failureGroups(examples, by).slice(1);
    // Examples, and non-matches among them.
    expect(groups.map(({ group, examples: n, rows }) => [group, n, rows[0]!.n])).toEqual(expected);
    expect(groups.every(({ groupBy }) => groupBy === by)).toBe(true);
  });
});

describe("the tables of failures", () => {
  const folder = useFreshFolder();
  const captionsOf = async (permutations: number) => {
    await writeRunFile(folder.path(), holding("a", ALL).run);
    const { analyses } = await analyseFailures(
      { folders: [folder.path()], match: "em", by: null },
      {
        scores: async () => [makeScore({ task: "CTR", difficulty: null, permutations })],
        revisions: async function* () {
          yield { ...makeOutcome("a", ""), task: "ACR" };
        },
      },
    );
    return failureComparison(analyses).map(({ caption }) => caption);
  };

  it.each([
    [
      { think: 100 },
      { think: "off" },
      "The runs were asked for other thoughts, --think 100 in PATH/acr, off in PATH/probes.",
    ],
    [{ think: "off" }, {}, null],
  ])("say of runs asked with %o and %o that thoughts differ: %s", async (written, chosen, says) => {
    const { parameters } = makeRunFile();
    const held = [
      ["acr", ["ACR"], written],
      ["probes", PROBES, chosen],
    ] as const;
    for (const [name, forms, think] of held) {
      mkdirSync(folder.path(name));
      const { run } = holding(name, forms, { parameters: { ...parameters, ...think } });
      await writeRunFile(folder.path(name), run);
    }
    const report = await analyseFailures(
      { folders: ["acr", "probes"].map((name) => folder.path(name)), match: "em", by: null },
      { scores: async () => [], revisions: async function* () {} },
    );
    const shown = JSON.stringify(failureBlocks(report)).replaceAll(folder.path(), "PATH");
    expect(/The runs were asked for other thoughts[^"]*/.exec(shown)?.[0] ?? null).toBe(says);
  });

  it("name forms that were not asked under all orders, with their number", async () => {
    expect(await captionsOf(3)).toEqual([
      "Share of ACR non-matches that fails a probe, in percent (CTR, 3 of 6 orders)",
      "Share of ACR matches that fails a probe, in percent (CTR, 3 of 6 orders)",
    ]);
    expect(await captionsOf(6)).toEqual([
      "Share of ACR non-matches that fails a probe, in percent",
      "Share of ACR matches that fails a probe, in percent",
    ]);
  });
});
