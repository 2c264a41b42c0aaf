import { describe, expect, it } from "vitest";
import { parseOptions } from "../../../../src/console/option.js";
import { NO_CONNECTION } from "../../../../src/model/model.js";
import { loadTemplate } from "../../../../src/question/prompt.js";
import type { PlannedForm, RunRequest } from "../../../../src/suites/codereviewqa/ask/count-plan.js";
import type { RunPlan } from "../../../../src/suites/codereviewqa/ask/plan.js";
import { RUN_OPTIONS, type RunValues } from "../../../../src/suites/codereviewqa/options.js";
import { planSuite } from "../../../../src/suites/codereviewqa/suite/questions-suite.js";

const VALUES: RunValues = {
  ...parseOptions(RUN_OPTIONS, {}),
  task: ["CL"],
  difficulty: ["easy", "hard"],
  dataset: "data.jsonl",
  language: ["go", "ruby"],
  sample: 10,
  seed: 7,
  skipInvalid: true,
};
const REQUEST: RunRequest = {
  model: { label: "mine", provider: "scripted", name: "uniform", settings: {} },
  tasks: ["CL"],
  difficulties: ["easy", "hard"],
  dataset: "data.jsonl",
  selection: { languages: ["go", "ruby"], sample: 10, seed: 7, limit: null },
  promptMode: "completion",
  mode: "fast",
  connection: NO_CONNECTION,
  price: null,
  earlyStop: false,
  probes: [],
  namedProbes: 0,
  skipInvalid: true,
};

/** CL in both difficulties about two examples: 2 questions of 24 orders each form. */
async function makePlan(): Promise<RunPlan> {
  const { probe } = await import("../../../../probes/cl.js");
  const template = await loadTemplate("CL");
  const forms = (["easy", "hard"] as const).map(
    (difficulty): PlannedForm => ({ probe, difficulty, template, questions: 2, skipped: 0, orders: 24 }),
  );
  return {
    request: REQUEST,
    forms,
    ownProbes: [],
    generations: 0,
    dataset: {
      path: "data.jsonl",
      sha256: "d".repeat(64),
      languages: ["go", "ruby", "c"],
      lines: [1, 2, 4],
      hasHunksOfTasks: false,
      invalidLines: 1,
      rawTriples: 0,
      problems: [],
    },
    whole: null,
    examples: 2,
    selected: new Set([1, 2]),
    selectionSha256: "s".repeat(64),
    questions: 4,
    plannedAnswers: 96,
  };
}

describe("planSuite", () => {
  it("records what is asked about which data, and nothing answered", async () => {
    const { own, needs, opening } = planSuite(await makePlan(), VALUES);
    expect(own).toEqual({
      dataset: {
        source: "data.jsonl",
        sha256: "d".repeat(64),
        selection_sha256: "s".repeat(64),
        examples: 3,
        selected: 2,
        invalid: 1,
      },
      forms: [
        { task: "CL", difficulty: "easy", questions: 2, skipped: 0, options: 4 },
        { task: "CL", difficulty: "hard", questions: 2, skipped: 0, options: 4 },
      ],
      questions: 4,
      planned_answers: 96,
      counts: { chosen: 0, undecided: 0, failed: 0, failures: {} },
      generations: 0,
      generation_counts: { complete: 0, truncated: 0, empty: 0, failed: 0, failures: {} },
    });
    expect(needs).toEqual(["symbols"]);
    expect(opening).toEqual({ mode: "fast", seed: 7, optionCount: 4, offByDefault: true });
  });

  it("keeps everything that was asked for but model and data", async () => {
    expect(planSuite(await makePlan(), VALUES).parameters).toEqual({
      tasks: ["CL"],
      difficulties: ["easy", "hard"],
      languages: ["go", "ruby"],
      sample: 10,
      seed: 7,
      limit: null,
      prompt_mode: "completion",
      mode: "fast",
      early_stop: false,
      skip_invalid: true,
    });
  });

  it("records the prompt of both difficulties once, with its hash", async () => {
    const { id, sha256 } = await loadTemplate("CL");
    expect(planSuite(await makePlan(), VALUES).prompts).toEqual([{ id, sha256 }]);
  });

  it("with ACR records how many generations there will be, and how they are asked for", async () => {
    const { probe } = await import("../../../../probes/acr.js");
    const template = await loadTemplate("ACR");
    const form: PlannedForm = { probe, difficulty: null, template, questions: 2, skipped: 0, orders: 0 };
    const plan = { ...(await makePlan()), forms: [form], questions: 0, plannedAnswers: 0, generations: 2 };
    const planned = planSuite(plan, VALUES);
    expect(planned.own).toMatchObject({
      forms: [{ task: "ACR", difficulty: null, questions: 2, skipped: 0 }],
      questions: 0,
      planned_answers: 0,
      generations: 2,
    });
    expect(planned.needs).toEqual(["completions"]);
    expect(planned.limits).toEqual({ temperature: 0, max_completion_tokens: 512 });
  });

  it("without ACR mentions no limits of generations", async () => {
    expect(planSuite(await makePlan(), VALUES).limits).toEqual({});
  });
});
