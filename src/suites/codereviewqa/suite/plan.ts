import { recordedParameters } from "../../../console/option.js";
import type { SuitePlan } from "../../../run/suite.js";
import { askQuestions } from "../ask/ask.js";
import { askOpenQuestions } from "../ask/generate.js";
import { TEMPERATURE } from "../ask/open-request.js";
import { mostOptions, needsOf, type RunPlan } from "../ask/plan.js";
import { RUN_OPTIONS, type RunValues } from "../options.js";
import { isGenerationForm } from "../question/build.js";
import { NO_GENERATIONS, type RunFile } from "../record/run-file.js";
import { writeFloors } from "./floors.js";
import { recordedForms } from "./recorded-forms.js";

/** What a plan of questions is to the engine. */
export function planSuite(plan: RunPlan, values: RunValues): SuitePlan<RunFile> {
  const { request, dataset } = plan;
  return {
    needs: needsOf(plan),
    opening: { mode: request.mode, seed: request.selection.seed, optionCount: mostOptions(plan) },
    parameters: recordedParameters(RUN_OPTIONS, values),
    limits: generationLimits(plan),
    prompts: uniquePrompts(plan),
    own: {
      dataset: {
        source: request.dataset,
        sha256: dataset.sha256,
        selection_sha256: plan.selectionSha256,
        examples: dataset.languages.length,
        selected: plan.selected.size,
        invalid: dataset.invalidLines,
      },
      ...recordedForms(plan),
      questions: plan.questions,
      planned_answers: plan.plannedAnswers,
      counts: { chosen: 0, undecided: 0, failed: 0, failures: {} },
      generations: plan.generations,
      generation_counts: NO_GENERATIONS,
    },
    async perform(session) {
      if (plan.questions > 0) {
        await writeFloors(plan, session);
        await askQuestions(plan, session);
      }
      if (plan.generations > 0) await askOpenQuestions(plan, session);
    },
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
