import { programIdentity } from "../../../base/program.js";
import type { Model } from "../../../model/model.js";
import type { Price } from "../../../model/prices.js";
import { recordedConnection, recordedSettings } from "../../../model/recorded-model.js";
import { fingerprintOf, type WorkIdentity, workId } from "../../../store/identity.js";
import { TEMPERATURE } from "../ask/open-request.js";
import type { RunPlan } from "../ask/plan.js";
import type { RunRequest } from "../ask/request.js";
import { isGenerationForm } from "../question/build.js";
import { NO_GENERATIONS, type RunFile, SCHEMA_VERSION } from "./run-file.js";

/** What makes a run what it is: two runs with equal identities ask the same and may share answers. */
type RunIdentity = Pick<RunFile, "model" | "dataset" | "parameters" | "prompts">;

/** The parameters as `run.json` keeps them; enough, with model and dataset, to ask the same again. */
export function parametersOf(request: RunRequest): RunFile["parameters"] {
  return {
    tasks: [...request.tasks],
    difficulties: [...request.difficulties],
    languages: [...request.selection.languages],
    sample: request.selection.sample,
    seed: request.selection.seed,
    limit: request.selection.limit,
    prompt_mode: request.promptMode,
    mode: request.mode,
    early_stop: request.earlyStop,
    skip_invalid: request.skipInvalid,
    model_args: recordedSettings(request.model.settings),
  };
}

/** The record of a run that is about to begin. */
export function newRunFile(plan: RunPlan, model: Model, now: Date): RunFile {
  const { request, dataset } = plan;
  const identity: RunIdentity = {
    model: {
      label: request.model.label,
      identity: { ...model.identity },
      connection: {
        ...recordedConnection(request.connection, request.model.settings),
        allow_generated: request.connection.allowGenerated,
        force: request.connection.force,
      },
      check: model.check === undefined ? null : { ...model.check },
    },
    dataset: {
      source: request.dataset,
      sha256: dataset.sha256,
      selection_sha256: plan.selectionSha256,
      examples: dataset.languages.length,
      selected: plan.selected.size,
      invalid: dataset.invalidLines,
    },
    parameters: { ...parametersOf(request), ...generationParameters(plan) },
    prompts: uniquePrompts(plan),
  };
  return {
    schema_version: SCHEMA_VERSION,
    program: programIdentity(),
    run_id: workId({ now, kind: null, label: identity.model.label, fingerprint: runFingerprint(identity) }),
    status: "running",
    ...identity,
    forms: plan.forms.map(({ probe, difficulty, questions, skipped }) => ({
      task: probe.task,
      difficulty,
      questions,
      skipped,
    })),
    questions: plan.questions,
    planned_answers: plan.plannedAnswers,
    counts: { chosen: 0, undecided: 0, failed: 0, failures: {} },
    generations: plan.generations,
    generation_counts: NO_GENERATIONS,
    tokens: { prompt: null, cached: null, completion: null, evaluated: null },
    price: request.price === null ? null : recordedPrice(request.price),
    cost: null,
    times: { created_at: now.toISOString(), updated_at: now.toISOString(), asking_ms: 0, sessions: 0 },
  };
}

/** What is set for generations, in a run that has any. */
function generationParameters({ forms }: RunPlan): RunFile["parameters"] {
  const limits = forms.filter(isGenerationForm).map(({ probe }) => probe.maxTokens);
  return limits.length === 0 ? {} : { temperature: TEMPERATURE, max_completion_tokens: Math.max(...limits) };
}

function recordedPrice({ currency, inputPerMillion, outputPerMillion, asOf }: Price): RunFile["price"] {
  return { currency, input: inputPerMillion, output: outputPerMillion, as_of: asOf };
}

function uniquePrompts(plan: RunPlan): RunFile["prompts"] {
  const byId = new Map(plan.forms.map(({ template: { id, sha256: hash } }) => [id, { id, sha256: hash }]));
  return [...byId.values()];
}

/** SHA-256 of what makes a run what it is. */
export function runFingerprint({
  model,
  dataset: { source: _, ...dataset },
  parameters,
  prompts,
}: RunIdentity): string {
  return fingerprintOf([model.label, model.identity, dataset, parameters, prompts]);
}

/** What has to be the same for a run to go on: where its data lie, and how its servers are reached, may change. */
export function runFacts({ model, dataset, parameters, prompts }: RunIdentity): WorkIdentity {
  const named = (prefix: string, values: Readonly<Record<string, WorkIdentity[string]>>) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [`${prefix} ${key}`, value]));
  return {
    model: model.label,
    ...named("model", model.identity),
    "dataset sha256": dataset.sha256,
    "selected examples": dataset.selection_sha256,
    ...Object.fromEntries(prompts.map(({ id, sha256 }) => [`prompt ${id}`, sha256])),
    ...named("parameter", parameters),
  };
}
