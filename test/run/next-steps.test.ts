import { expect, it } from "vitest";
import { plainText } from "../../src/report/terminal.js";
import { nextSteps } from "../../src/run/next-steps.js";
import type { ScoredRun } from "../../src/run/score-folder.js";

/** What next steps read of a run: two forms in one state, one in another, and a control. */
function scored(label: string): ScoredRun {
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
    run: { model: { label } },
    score: { verdicts: { forms } },
  } as unknown as ScoredRun;
}

it("the forms of a state have its meaning once, and the page is the first of what comes next", () => {
  const text = plainText(nextSteps(scored("qwen"), "probe run"));
  expect(text.match(/CL easy, CL hard: unsteady: it understands/g)).toHaveLength(1);
  expect(text).toContain("SI hard: unknown: too few questions");
  expect(text).not.toContain("no review:");
  expect(text).toMatch(/Next\n {2}probe report 'results\/a run': /);
});

it("a bundled or scripted model leads to one of one's own, any other to its control", () => {
  expect(plainText(nextSteps(scored("tiny"), "probe run"))).toContain(
    "probe run --model path/to/model.gguf --task CL,SI: ",
  );
  expect(plainText(nextSteps(scored("qwen"), "probe run"))).toContain(
    "probe run --model qwen --task CL,SI --ablate review: ",
  );
});
