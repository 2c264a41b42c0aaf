import type { Suite } from "../../../run/suite.js";
import { previewPlan } from "../ask/dry-run.js";
import { planRun } from "../ask/plan.js";
import { type RunValues, RUN_OPTIONS } from "../options.js";
import { type RunFile, runFileSchema } from "../record/run-file.js";
import { datasetDifferences } from "../record/same-questions.js";
import { previewBlocks } from "../report/preview-blocks.js";
import { journalsOf } from "./journals.js";
import { planSuite } from "./plan.js";
import { runRequest } from "./request.js";
import { scoreSuite } from "./score.js";

/** Code review questions: multiple choice under every order of the options, and generation (arXiv 2503.16167). */
export const suite: Suite<RunValues, RunFile> = {
  name: "codereviewqa",
  title: "code review questions",
  options: RUN_OPTIONS,
  schema: runFileSchema,
  items: ["questions", "generations"],
  measures: ["invariant_accuracy", "em", "mean_accuracy", "plurality_agreement", "edit_similarity"],
  manner: ["prompt_mode", "mode", "early_stop", "max_completion_tokens"],
  data: ({ dataset: { source: _, ...dataset } }) => dataset,
  plan: async (request) => planSuite(await planRun(runRequest(request), request.warn), request.values),
  journals: journalsOf,
  score: scoreSuite,
  dataDifferences: datasetDifferences,
  preview: async (request) => {
    const preview = await previewPlan(await planRun(runRequest(request), request.warn), request);
    return { document: preview, blocks: previewBlocks(preview) };
  },
};
