import { expect, it } from "vitest";
import type { GivenOptions } from "../../src/console/option.js";
import { plainText } from "../../src/report/terminal.js";
import { nextBlocks, nextSteps } from "../../src/run/next-steps.js";
import type { ScoredRun } from "../../src/run/score-folder.js";

/** What next steps read of a run: two forms in one state, one in another, and a control. */
function scored(label: string, ablate: readonly string[] = []): ScoredRun {
  const form = (name: string, state: string | null) => ({
    kind: "choice",
    name,
    task: name.slice(0, 2),
    judgement: state === null ? null : { state },
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
