import { recordedParameters } from "../../../console/option.js";
import type { SuitePlan } from "../../../run/suite.js";
import { askQuestions } from "../ask/ask.js";
import type { PlanCounts } from "../ask/count-plan.js";
import { askOpenQuestions } from "../ask/generate.js";
import { TEMPERATURE } from "../ask/open-request.js";
import { mostOptions, needsOf, type RunPlan } from "../ask/plan.js";
import { RUN_OPTIONS, type RunValues } from "../options.js";
import { isGenerationForm } from "../question/build.js";
import { NO_GENERATIONS, type RunFile } from "../record/run-file.js";
import { writeFloors } from "./floors.js";
import { recordedForms, recordedProbes } from "./recorded-forms.js";

/** What a plan of questions is to the engine. */
export function planSuite(plan: RunPlan, values: RunValues): SuitePlan<RunFile> {
  const { request } = plan;
  return {
    // Of the whole run: by which ways a model answers is part of what it is.
    needs: needsOf(plan.whole ?? plan),
    opening: { mode: request.mode, seed: request.selection.seed, optionCount: mostOptions(plan) },
    parameters: recordedParameters(RUN_OPTIONS, values),
    limits: generationLimits(plan),
    prompts: uniquePrompts(plan),
    own: {
      ...recordedCounts(plan, plan),
      ...recordedProbes(plan),
      counts: { chosen: 0, undecided: 0, failed: 0, failures: {} },
      generation_counts: NO_GENERATIONS,
    },
    ...(request.shard != null && { shard: { ...request.shard, whole: recordedCounts(plan, plan.whole ?? plan) } }),
    async perform(session) {
      if ((plan.whole ?? plan).questions > 0) await writeFloors(plan, session);
      if (plan.questions > 0) await askQuestions(plan, session);
      if (plan.generations > 0) await askOpenQuestions(plan, session);
    },
  };
}

/** What a run, or a share of it, says of how much it asks. */
function recordedCounts({ request, dataset, selectionSha256 }: RunPlan, counts: PlanCounts) {
  return {
    dataset: {
      source: request.dataset,
      sha256: dataset.sha256,
      selection_sha256: selectionSha256,
      examples: dataset.languages.length,
      selected: counts.examples,
      invalid: dataset.invalidLines,
      ...(dataset.hasHunksOfTasks && { hunks_of_tasks: true as const }),
    },
    forms: recordedForms(counts),
    questions: counts.questions,
    planned_answers: counts.plannedAnswers,
    generations: counts.generations,
  };
}

/** What is set for generations, in a run that has any. */
function generationLimits({ forms }: RunPlan): RunFile["parameters"] {
  const limits = forms.filter(isGenerationForm).map(({ probe }) => probe.maxTokens);
  return limits.length === 0 ? {} : { temperature: TEMPERATURE, max_completion_tokens: Math.max(...limits) };
}

function uniquePrompts(plan: RunPlan): RunFile["prompts"] {
  const byId = new Map(plan.forms.map(({ template: { id, sha256: hash } }) => [id, { id, sha256: hash }]));
  return [...byId.values()];
}
