import { programIdentity } from "../../../base/program.js";
import { sha256 } from "../../../base/sha256.js";
import { shorten } from "../../../base/text.js";
import type { Model } from "../../../model/model.js";
import type { Price } from "../../../model/prices.js";
import { recordedConnection, recordedSettings } from "../../../model/recorded-model.js";
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
    run_id: runId(identity, now),
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

/** Such as `20261121T230354Z-tiny-1f2e3d4c`: when it began, the model, and a hash of the identity. */
function runId(identity: RunIdentity, now: Date): string {
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, "");
  const slug = identity.model.label
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .slice(-40)
    .replace(/^[-.]+/, "");
  return `${stamp}-${slug}-${fingerprint(identity)}`;
}

/** First 8 hex digits of the SHA-256 of what makes a run what it is. */
export function fingerprint(run: RunIdentity): string {
  const { source: _, ...dataset } = run.dataset;
  return sha256(JSON.stringify([run.model.label, run.model.identity, dataset, run.parameters, run.prompts])).slice(
    0,
    8,
  );
}

/** How a recorded run differs from the one asked for now, a line a difference; none: its answers may be kept. */
export function runDifferences(recorded: RunIdentity, asked: RunIdentity): string[] {
  const compare = (what: string, then: unknown, now: unknown) =>
    JSON.stringify(then) === JSON.stringify(now)
      ? []
      : [`${what}: the run has ${show(then)}, this command ${show(now)}`];
  const keys = (a: object, b: object) => [...new Set([...Object.keys(a), ...Object.keys(b)])];
  const promptOf = (run: RunIdentity, id: string) => run.prompts.find((prompt) => prompt.id === id)?.sha256;
  const ids = [...new Set([...recorded.prompts, ...asked.prompts].map(({ id }) => id))];
  return [
    ...compare("model", recorded.model.label, asked.model.label),
    ...keys(recorded.model.identity, asked.model.identity).flatMap((key) =>
      compare(`model ${key}`, recorded.model.identity[key], asked.model.identity[key]),
    ),
    ...compare("dataset sha256", recorded.dataset.sha256, asked.dataset.sha256),
    ...compare("selected examples", recorded.dataset.selection_sha256, asked.dataset.selection_sha256),
    ...ids.flatMap((id) => compare(`prompt ${id}`, promptOf(recorded, id), promptOf(asked, id))),
    ...keys(recorded.parameters, asked.parameters).flatMap((key) =>
      compare(`parameter ${key}`, recorded.parameters[key], asked.parameters[key]),
    ),
  ];
}

function show(value: unknown): string {
  return value === undefined ? "none" : shorten(JSON.stringify(value), 80);
}
