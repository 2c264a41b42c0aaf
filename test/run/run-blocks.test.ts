import { describe, expect, it } from "vitest";
import type { GivenOptions } from "../../src/console/option.js";
import { CHOICE_SENTENCES, WORTH_QUESTION } from "../../src/report/judgement-words.js";
import { plainText } from "../../src/report/terminal.js";
import { nextBlocks, nextSteps, runBlocks, runMarkdown } from "../../src/run/run-blocks.js";
import type { ScoredRun } from "../../src/run/score-folder.js";
import type { RunFile } from "../../src/suites/codereviewqa/record/run-file.js";
import { resultBlocks, summaryFacts } from "../../src/suites/codereviewqa/report/run-summary.js";
import { summarise } from "../../src/suites/codereviewqa/suite/summarise.js";
import { runVerdicts } from "../../src/suites/codereviewqa/suite/verdicts.js";
import { judgementText } from "../../src/verdict/judgement.js";
import { makeFailedGeneration, makeScoredGeneration } from "../fixtures/generation.js";
import { makeScore } from "../fixtures/question-score.js";
import { makeRunFile, makeRunModel } from "../fixtures/run-file.js";
import { makeScoredRun } from "../fixtures/scored-run.js";
import { A } from "../fixtures/symbols.js";

/** A run of one question that a model always answers with A. */
async function scoredOf(changes: Partial<RunFile> = {}) {
  const run = makeRunFile({ counts: { chosen: 6, undecided: 0, failed: 0, failures: {} }, ...changes });
  const score = makeScore({ pluralityAgreement: 2 / 6, invariantCorrect: false, symbolCounts: new Map([[A, 6]]) });
  const generations = run.generations === 0 ? [] : [makeScoredGeneration({}, { em: true }), makeFailedGeneration()];
  const summary = await summarise(run, { questions: [score], generations, floors: new Map() });
  const verdicts = await runVerdicts({ folder: "r", run, summary, questions: [], generations: [], unfinished: null });
  const blocks = await resultBlocks(run, summary);
  return { ...makeScoredRun("r", verdicts, run, { facts: summaryFacts(run), blocks }), run };
}
const markdownOf = async (changes: Partial<RunFile> = {}) => runMarkdown(await scoredOf(changes));

/** Cells of a table row; escaped bars do not end one. */
const cells = (line: string) => line.split(/(?<!\\)\|/).slice(1, -1);

describe("runMarkdown", () => {
  it("shows scores, and says when they mean nothing", async () => {
    const markdown = await markdownOf();
    expect(markdown).toContain("## probe: scripted:oracle\n\n1 example · 6 answers · run 20260102T030405Z");
    const row = markdown.split("\n").find((line) => line.startsWith("| CTR |"))!;
    // One question, wrong, with the mean accuracy of the fixture: Wilson's interval is 0 to z²/(1+z²) = 0.793.
    expect(cells(row).slice(0, 5)).toEqual([" CTR ", " 1 ", " 0.0 % (0.0–79.3) ", " – ", " 100.0 % "]);
    // The same letter under all six orders: two of them for each of three options.
    const guessed = { agreement: 2 / 6, guessing: 2358 / 729 / 6 };
    const sentence = CHOICE_SENTENCES.unreadable(guessed, { symbol: "A", share: 1 }, null);
    expect(markdown).toContain(`\n- CTR: ${judgementText({ sentence })}\n`);
  });

  it("has a table of generations", async () => {
    const forms = [...makeRunFile().forms, { task: "ACR", difficulty: null, questions: 2, skipped: 0 }];
    const counts = { complete: 1, truncated: 0, empty: 0, failed: 1, failures: { refused: 1 } };
    const markdown = await markdownOf({ forms, generations: 2, generation_counts: counts });
    // One of two: Wilson's interval is 0.5 ± 0.405.
    expect(markdown).toContain("| character for character | 2 | 50.0 % (9.5–90.5) |");
    expect(markdown).toContain("**Failed generations: 1 (refused 1). The same command asks them again.**");
  });

  it("says what is missing", async () => {
    const counts = { chosen: 2, undecided: 1, failed: 1, failures: { unavailable: 1 } };
    const model = { ...makeRunModel("lab", {}), check: { forced: true } };
    const markdown = await markdownOf({ counts, model });
    expect(markdown).toContain("**FORCED:");
    expect(markdown).toContain("**Incomplete: 4 of 6 answers. It goes on by: probe run --resume FOLDER**");
    expect(markdown).toContain("**Failed answers: 1 (unavailable 1). The same command asks them again.**");
    expect(markdown).toContain("Undecided answers: 1 (a tie");
    expect(await markdownOf({ parameters: { early_stop: true }, counts })).not.toContain("Incomplete");
  });

  it("lets no name make a table, a link, a heading or HTML of the page", async () => {
    const label = "evil|name\n# heading <img src=x> [a](http://b) `code` **bold** @team";
    const markdown = await markdownOf({ model: makeRunModel(label, {}), run_id: "a|b<script>" });
    expect(markdown).not.toMatch(/<img|<script|^# heading/m);
    expect(markdown).toContain(
      "evil\\|name\\\\u000a# heading &lt;img src=x&gt; \\[a\\](http\\://b) \\`code\\` \\*\\*bold\\*\\* \\@team",
    );
    const table = markdown.split("\n").filter((line) => line.startsWith("|"));
    expect(new Set(table.map((line) => cells(line).length))).toEqual(new Set([13]));
  });
});

describe("runBlocks", () => {
  it("open with model and facts, warn before the scores, and end with the folder", async () => {
    const model = { ...makeRunModel("lab", {}), check: { forced: true } };
    const text = plainText(runBlocks(await scoredOf({ model })));
    const lines = text.split("\n");
    expect(lines[0]).toBe("lab · 1 example · 6 answers");
    expect(text.indexOf("FORCED:")).toBeGreaterThan(0);
    expect(text.indexOf("FORCED:")).toBeLessThan(text.indexOf(WORTH_QUESTION));
    expect(lines.slice(-2)).toEqual(["Results: results/r", ""]);
  });
});

/** What next steps read of a run: two forms in one state, one in another, and a control. */
function scored(label: string, ablate: readonly string[] = []): ScoredRun {
  const form = (name: string, state: string | null) => ({
    kind: "choice",
    name,
    task: name.slice(0, 2),
    judgement: state === null ? null : { state, clusters: 5 },
  });
  const forms = [
    form("CL easy", "unsteady"),
    form("CL hard", "unsteady"),
    form("SI hard", "unknown"),
    form("CL hard, no review", null),
  ];
  return {
    folder: "results/a run",
    run: { model: { label }, parameters: { ablate } },
    score: { verdicts: { forms } },
  } as unknown as ScoredRun;
}

/** A command with the options that it has in place of those of the run. */
const again = (instead: GivenOptions): string => `probe run ${JSON.stringify(instead)} --dataset own.jsonl`;

it("the forms of a state have its meaning once, and the page is the first of what comes next", () => {
  const text = plainText(nextSteps(scored("qwen"), again));
  expect(text.match(/CL easy, CL hard: unsteady: it understands/g)).toHaveLength(1);
  expect(text).toContain("SI hard: unknown: too few questions");
  expect(text).not.toContain("no review:");
  expect(text).toMatch(/Next\n {2}probe report 'results\/a run': /);
});

it("a bundled or scripted model leads to one of one's own, any other to its control, a run with controls to a comparison", () => {
  expect(plainText(nextSteps(scored("tiny"), again))).toContain(
    'probe run {"model":"path/to/model.gguf"} --dataset own.jsonl: the same',
  );
  expect(plainText(nextSteps(scored("qwen"), again))).toContain(
    'probe run {"ablate":"review"} --dataset own.jsonl: does it need',
  );
  expect(plainText(nextSteps(scored("qwen", ["review"]), again))).toContain("probe compare RUN RUN");
});

it("puts npx before the commands where npm called this one so", () => {
  const lines = ["probe report r: the page", "probe-demo/report.html: the page"];
  // A file is no command.
  expect(plainText(nextBlocks(lines, { npm_command: "exec" }))).toContain("npx probe report r: the page");
  expect(plainText(nextBlocks(lines, { npm_command: "exec" }))).not.toContain("npx probe-demo");
  expect(plainText(nextBlocks(lines, { npm_command: "run-script" }))).not.toContain("npx");
});
