import { expect, it } from "vitest";
import { STATE_WORDS } from "../../../src/report/judgement-words.js";
import { renderMarkdown } from "../../../src/report/markdown.js";
import { overviewBlocks } from "../../../src/report/verdicts/overview-blocks.js";
import { linkRuns } from "../../../src/verdict/task-link.js";
import type { RunVerdicts } from "../../../src/verdict/verdict.js";
import { makeForm, makeJudgement, makeVerdict } from "../../fixtures/verdicts.js";

const COMMON = { folder: "", createdAt: "", durationMs: 0, server: null };

const agents: RunVerdicts = {
  ...COMMON,
  runId: "a",
  suite: "bench",
  model: "m",
  warnings: ["no cage"],
  forms: [
    makeForm({
      name: "plain",
      kind: "trial",
      items: "trials",
      score: { metric: "mended", title: "share mended" },
      judgement: makeJudgement({ state: "unknown", score: 0.5, floor: 0 }),
      measures: [{ metric: "mended", value: 0.5, ciLow: 0.0945, ciHigh: 0.9055, n: 2 }],
    }),
  ],
  verdicts: [true, false].map((passed, i) => makeVerdict({ form: "plain", item: `t${i}#0`, cluster: `t${i}`, passed })),
  reality: [
    { title: "tasks whose own tests hold", share: { value: 1, low: 0.34, high: 1 }, state: "good", text: "all 2" },
    { title: "mutants that hidden tests kill", share: null, state: "unknown", text: "not measured" },
  ],
};
const probes: RunVerdicts = {
  ...COMMON,
  runId: "p",
  suite: "codereviewqa",
  model: "m",
  warnings: [],
  forms: [makeForm({ name: "CL hard" }), makeForm({ name: "CL hard without review", ablation: "review" })],
  verdicts: ["t0#1", "t1#1"].map((item, i) => makeVerdict({ form: "CL hard", item, passed: i === 1 })),
};

it("has one table a model: comprehension, action with successes that are without comprehension, then reality", () => {
  const link = linkRuns(agents, probes);
  const rows = renderMarkdown(overviewBlocks([agents, probes], [{ run: agents, probes, link }]))
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .split("|")
        .map((cell) => cell.replaceAll("*", "").trim())
        .slice(1, 5),
    );
  const head = (name: string) => [name, "", "", ""];
  expect(rows.slice(2)).toEqual([
    head("COMPREHENSION"),
    ["CL hard", STATE_WORDS.above_floor.text, "100.0 % (34.2–100.0)", "50.0 %"],
    head("ACTION"),
    ["bench plain: mended", STATE_WORDS.unknown.text, "50.0 % (9.4–90.5)", "0.0 %"],
    // t0 alone succeeded, and was not understood: Wilson of 1 of 1 is 20.7 to 100.
    ["bench: successes without comprehension", "1 of 1 tasks", "100.0 % (20.7–100.0)", ""],
    head("REALITY"),
    ["bench: tasks whose own tests hold", "all 2", "100.0 % (34.0–100.0)", ""],
    // What was not measured stands together.
    ["bench: not known", "mutants that hidden tests kill: not measured", "–", ""],
    ["bench", "no cage", "–", ""],
  ]);
});

it("marks the scores of a judge that was not measured, and calls runs of one suite by their folders", () => {
  const [form] = agents.forms;
  const mark = { text: "judge?", tone: "warning" } as const;
  const marked = (folder: string): RunVerdicts => ({
    ...agents,
    folder,
    forms: [{ ...form!, judgement: { ...form!.judgement!, mark } }],
  });
  const shown = renderMarkdown(overviewBlocks([marked("results/one"), marked("results/two")], []));
  expect(shown).toContain("judge? 50.0 %");
  expect(shown).toContain("bench plain: mended · one");
  expect(shown).toContain("bench · two: tasks whose own tests hold");
  // Folders of one name: by their ids.
  expect(renderMarkdown(overviewBlocks([marked("x/one"), marked("y/one")], []))).toContain("mended · a");
});
