import { describe, expect, it } from "vitest";
import { summarise } from "../../../../src/suites/codereviewqa/ask/score.js";
import type { RunFile } from "../../../../src/suites/codereviewqa/record/run-file.js";
import { runMarkdown } from "../../../../src/suites/codereviewqa/report/run-summary.js";
import { makeFailedGeneration, makeScoredGeneration } from "../../../fixtures/generation.js";
import { makeScore } from "../../../fixtures/question-score.js";
import { makeRunFile, makeRunModel } from "../../../fixtures/run-file.js";
import { A } from "../../../fixtures/symbols.js";

async function markdownOf(changes: Partial<RunFile> = {}): Promise<string> {
  const run = makeRunFile({ counts: { chosen: 6, undecided: 0, failed: 0, failures: {} }, ...changes });
  const score = makeScore({ pluralityAgreement: 2 / 6, invariantCorrect: false, symbolCounts: new Map([[A, 6]]) });
  const generations = run.generations === 0 ? [] : [makeScoredGeneration({}, { em: true }), makeFailedGeneration()];
  return runMarkdown({ folder: "r", run, summary: await summarise(run, { questions: [score], generations }) });
}

/** Cells of a table row; escaped bars do not end one. */
const cells = (line: string) => line.split(/(?<!\\)\|/).slice(1, -1);

describe("runMarkdown", () => {
  it("shows scores beside floors, and says when they mean nothing", async () => {
    const markdown = await markdownOf();
    expect(markdown).toContain("## probe: scripted:oracle\n\n1 examples · dataset data.jsonl · run 20260102T030405Z");
    const row = markdown.split("\n").find((line) => line.startsWith("| CTR |"))!;
    // One question, wrong: Wilson's interval is 0 to z²/(1+z²) = 0.793.
    expect(cells(row).slice(0, 6)).toEqual([
      " CTR ",
      " 1 ",
      " 0.000 (0.000–0.793) ",
      ' 1.000 always "modify" ',
      " 0.333 ",
      " 0.539 ",
    ]);
    expect(markdown).toMatch(
      /^- CTR: \*\*NO\*\*, the model does not bind letters to options .*; A is 100 % of its answers\)$/m,
    );
  });

  it("has a table of generations", async () => {
    const forms = [...makeRunFile().forms, { task: "ACR", difficulty: null, questions: 2, skipped: 0 }];
    const counts = { complete: 1, truncated: 0, empty: 0, failed: 1, failures: { refused: 1 } };
    const markdown = await markdownOf({ forms, generations: 2, generation_counts: counts });
    // One of two: Wilson's interval is 0.5 ± 0.405.
    expect(markdown).toContain("| character for character | 2 | 0.500 (0.095–0.905) |");
    expect(markdown).toContain("**Failed generations: 1 (refused 1). The same command asks them again.**");
  });

  it("says what is missing", async () => {
    const counts = { chosen: 2, undecided: 1, failed: 1, failures: { unavailable: 1 } };
    const model = { ...makeRunModel("lab", {}), check: { forced: true } };
    const markdown = await markdownOf({ counts, model });
    expect(markdown).toContain("**FORCED:");
    expect(markdown).toContain("**Incomplete: 4 of 6 answers. The same command goes on.**");
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
    expect(new Set(table.map((line) => cells(line).length))).toEqual(new Set([11]));
  });
});
