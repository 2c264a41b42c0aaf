import { recordedParameters } from "../../../console/recorded-options.js";
import { batchPrice } from "../../../model/prices.js";
import { FLOORS_FILE } from "../../../question/floors/floor-record.js";
import { ablationField, formName } from "../../../question/form.js";
import { permutationCount } from "../../../question/permutations.js";
import { isGenerationForm } from "../../../question/question-build.js";
import { wholeRun } from "../../../run/folder/run-folder.js";
import type { PlannedJournal, Suite, SuitePlan, SuiteRequest } from "../../../run/suite.js";
import { ANSWER_JOURNAL } from "../answer/answer.js";
import { GENERATION_JOURNAL } from "../answer/generation.js";
import { askAll } from "../ask/ask.js";
import type { PlanCounts, RunRequest } from "../ask/count-plan.js";
import { mostOptions, needsOf, planRun, type RunPlan } from "../ask/plan.js";
import { TEMPERATURE } from "../ask/question-requests.js";
import { RUN_OPTIONS, type RunValues } from "../options.js";
import { dataOf, mostPlaces, NO_GENERATIONS, type RunFile, runFileSchema } from "../record/run-file.js";
import { recordedProbe } from "../record/stored-run.js";
import { writeFloors } from "./form-floors.js";
import { probeFiles } from "./probe-modules.js";
import { scoreSuite } from "./score-run.js";

/** The journals of a run: its answers, and its generations where it has any. */
function journalsOf(run: RunFile): PlannedJournal[] {
  // Places are those of the whole run, whatever share of it this is.
  const whole = wholeRun(run);
  const answers: PlannedJournal = {
    codec: ANSWER_JOURNAL,
    plan: { items: whole.questions, places: mostPlaces(whole) },
    records: run.planned_answers,
    name: "answers",
  };
  const generations: PlannedJournal = {
    codec: GENERATION_JOURNAL,
    plan: { items: whole.generations, places: 1 },
    records: run.generations,
    name: "generations",
  };
  return [answers, ...(run.generations > 0 ? [generations] : [])];
}

/** Code review questions: multiple choice under every order of the options, and generation (arXiv 2503.16167). */
export const suite: Suite<RunValues, RunFile> = {
  name: "codereviewqa",
  title: "code review questions",
  options: RUN_OPTIONS,
  schema: runFileSchema,
  items: ["questions", "generations"],
  measures: ["invariant_accuracy", "em", "mean_accuracy", "plurality_agreement", "order_effect", "edit_similarity"],
  manner: [
    "prompt_mode",
    "mode",
    "early_stop",
    "think",
    "trace_thoughts",
    "orders",
    "repeats",
    "seed",
    "until",
    "max_completion_tokens",
  ],
  data: dataOf,
  plan: async (request) => planSuite(await planRun(await runRequest(request), request.warn), request.values),
  journals: journalsOf,
  besides: [
    { kind: "same", name: FLOORS_FILE },
    { kind: "lines", codec: async () => (await import("../answer/thoughts.js")).THOUGHT_JOURNAL },
  ],
  score: scoreSuite,
  dataDifferences: async (baseline, candidate) =>
    (await import("../record/same-questions.js")).selectionDifferences(baseline, candidate),
  otherRecords: async (folder) => (await import("../audit/known-audits.js")).auditRecords(folder),
  dataFacts: async (folders) => (await import("../audit/known-audits.js")).suiteFacts(folders),
  tables: {
    failures: async (request) => (await import("./table-sets.js")).failureSet(request),
    contamination: async (request) => (await import("./table-sets.js")).contaminationSet(request),
  },
  anchor: async (form, item) => (await import("../report/page/browser/filter.js")).questionAnchor(form, item),
  page: async (request) => (await import("./table-sets.js")).reviewPage(request),
  preview: async (request, asksServer) => {
    const measures = asksServer ? "servers too" : "in process";
    const [{ previewRun }, { previewBlocks }] = await Promise.all([
      import("../ask/preview/dry-run.js"),
      import("../report/preview-blocks.js"),
    ]);
    const preview = await previewRun(await runRequest(request), request.warn, measures);
    return { document: preview, blocks: previewBlocks(preview) };
  },
};

/** Plan of questions, as the engine takes it. */
export function planSuite(plan: RunPlan, values: RunValues): SuitePlan<RunFile> {
  const { request } = plan;
  return {
    forms: recordedForms(plan.whole ?? plan).map((form) => ({ task: form.task, name: formName(form) })),
    // Needs are of the whole run: the ways a model answers are part of its identity.
    needs: needsOf(plan.whole ?? plan),
    opening: {
      mode: request.mode,
      seed: request.selection.seed,
      optionCount: mostOptions(plan),
      ...(request.think === undefined ? { offByDefault: true } : { think: request.think }),
      ...(request.batch && { batch: true }),
    },
    ...(request.maxCost !== undefined && { isReserved: true }),
    ...(request.batch && { price: request.price }),
    parameters: recordedParameters(RUN_OPTIONS, values),
    limits: { ...generationLimits(plan), ...(plan.request.firstOrder && { first_order: plan.request.firstOrder }) },
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
      if (request.batch) await (await import("../ask/batch-asking.js")).askByBatch(plan, session);
      else await askAll(plan, session);
    },
  };
}

/** Counts in the record of a run, or of a share. */
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

/** Limits of generations, in a run that has any. */
function generationLimits({ forms }: RunPlan): RunFile["parameters"] {
  const limits = forms.filter(isGenerationForm).map(({ probe }) => probe.maxTokens);
  return limits.length === 0 ? {} : { temperature: TEMPERATURE, max_completion_tokens: Math.max(...limits) };
}

function uniquePrompts(plan: RunPlan): RunFile["prompts"] {
  const byId = new Map(plan.forms.map(({ template: { id, sha256: hash } }) => [id, { id, sha256: hash }]));
  return [...byId.values()];
}

/** A run of before first orders were drawn is resumed as it was begun. */
function asksInOrder(resumed: RunFile | null): boolean {
  return resumed !== null && resumed.parameters["first_order"] === undefined;
}

/** Request that the options of a run make. */
async function runRequest(request: SuiteRequest<RunValues, RunFile>): Promise<RunRequest> {
  const { values, model, connection, promptMode, price, workingDirectory, resumed } = request;
  const own = await probeFiles({ named: values.probe, resumed, workingDirectory, environment: process.env });
  const made: RunRequest = {
    model,
    connection,
    promptMode,
    price: values.batch ? batchPrice(price, model, connection) : price,
    tasks: values.task,
    difficulties: values.difficulty,
    ablate: values.ablate,
    dataset: values.dataset ?? "starter",
    selection: { languages: values.language, sample: values.sample, seed: values.seed, limit: values.limit },
    shard: request.shard ?? null,
    mode: values.mode,
    earlyStop: values.earlyStop,
    ...(values.earlyStop && !asksInOrder(resumed) && { firstOrder: "random" }),
    design: { orders: values.orders, repeats: values.repeats },
    ...(values.think !== null && { think: values.think }),
    ...(values.until !== null && { until: values.until }),
    ...(values.maxCost !== null && { maxCost: values.maxCost }),
    ...(values.traceThoughts !== null && { trace: values.traceThoughts }),
    ...(values.batch && { batch: true }),
    ...(values.batchWait !== null && { batchWait: values.batchWait }),
    skipInvalid: values.skipInvalid,
    probes: own.files,
    namedProbes: own.named,
  };
  if (values.batch || values.batchWait !== null) (await import("../ask/batch-takers.js")).requireBatch(made);
  return made;
}

/** The probes of one's own of a plan, as `run.json` keeps them. */
function recordedProbes({ ownProbes }: RunPlan): Pick<RunFile, "probes"> {
  return ownProbes.length > 0 ? { probes: ownProbes.map(recordedProbe) } : {};
}

/** The forms of a plan, likewise. */
function recordedForms({ forms }: PlanCounts): RunFile["forms"] {
  return forms.map(({ probe, difficulty, ablation, questions, skipped, orders }) => ({
    task: probe.task,
    difficulty,
    ...ablationField(ablation),
    questions,
    skipped,
    ...(probe.kind === "choice" ? { options: probe.optionCount } : {}),
    ...(probe.kind === "choice" && orders < permutationCount(probe.optionCount) ? { orders } : {}),
  }));
}
