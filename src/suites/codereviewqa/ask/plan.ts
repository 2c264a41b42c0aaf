import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { badInput, type ProbeError } from "../../../base/errors.js";
import { USUAL_OPTIONS } from "../../../base/symbol.js";
import { counted } from "../../../base/text.js";
import {
  type DatasetInspection,
  datasetFile,
  inspectDataset,
  isImportSource,
  readExamples,
  selectExamples,
} from "../../../dataset/dataset-file.js";
import { DIFFICULTIES, type Example } from "../../../dataset/example.js";
import { ProblemList } from "../../../dataset/problem.js";
import type { Capability } from "../../../model/requests.js";
import type { LoadedProbe } from "../../../question/own-probe.js";
import { loadProbes, taskHint } from "../../../question/probes.js";
import { loadTemplate, type PromptTemplate, placeholdersOf } from "../../../question/prompt.js";
import type { OpenQuestion, ProbeDefinition, Question } from "../../../question/question.js";
import {
  buildOpenQuestions,
  buildQuestions,
  isChoiceForm,
  type ProbeForm,
  probeForms,
  WITHHELD_VALUES,
} from "../../../question/question-build.js";
import { EVERY_ORDER } from "../record/run-file.js";
import { countPlan, type PlanCounts, type RunRequest, shareOf } from "./count-plan.js";

/** Everything a run will ask, known before the first model call. */
export interface RunPlan extends PlanCounts {
  readonly request: RunRequest;
  /** Counts of the whole run, where this is a share of it; `null`: this is all. */
  readonly whole: PlanCounts | null;
  readonly dataset: DatasetInspection;
  /** File lines of the selected examples. */
  readonly selected: ReadonlySet<number>;
  /** SHA-256 over the ids of the selected examples, in order. */
  readonly selectionSha256: string;
  /** Probes of one's own among those that are asked. */
  readonly ownProbes: readonly LoadedProbe[];
}

const MAX_SHOWN_PROBLEMS = 10;

/**
 * The file a dataset name stands for (a path, `starter`, `hf:owner/name`), and the name that stands for the same bytes
 * later: of a hub dataset, the one with its commit.
 * @throws ProbeError `bad_input`, or `model_unavailable` when a hub dataset cannot be had
 */
export async function datasetPath(
  name: string,
  onMessage: (message: string) => void,
): Promise<{ readonly path: string; readonly source: string }> {
  const isFile = !isImportSource(name);
  if (isFile && (existsSync(datasetFile(name)) || existsSync(dirname(name))))
    return { path: datasetFile(name), source: name };
  const { meantSources, parseImportSource } = await import("../../../dataset/import/import-source.js");
  if (isFile) {
    const [meant] = meantSources(name);
    if (meant === undefined) return { path: name, source: name };
    throw badInput(`Expected a JSONL file at ${name}, found no such file. Did you mean ${meant}?`);
  }
  const source = parseImportSource(name);
  if (source.kind !== "hub") {
    throw badInput(
      `Expected the path of a JSONL file, hf:OWNER/NAME or "starter", found ${name}. Reviews elsewhere are ` +
        `imported first: probe dataset import ${name} --out FILE.`,
    );
  }
  const [{ cachedDataset }, { hubAccess }] = await Promise.all([
    import("../../../dataset/import/hub-cache.js"),
    import("../../../dataset/import/hub-access.js"),
  ]);
  const { signal } = new AbortController();
  return cachedDataset(source, hubAccess({ signal, onMessage }), () => new Date());
}

/**
 * Reads and checks the whole dataset, selects, and counts. The plan's request names the dataset with its commit.
 * @throws ProbeError `bad_input` for bad data, an unknown task, or nothing to ask; `model_unavailable` when the dataset
 * cannot be had
 */
export async function planRun(request: RunRequest, warn: (message: string) => void): Promise<RunPlan> {
  requireManner(request);
  const shipped = await loadProbes();
  const own = await ownProbesOf(request, shipped);
  const probes = chooseProbes(request, shipped, own);
  const { path, source } = await datasetPath(request.dataset, warn);
  const dataset = await inspectDataset(path);
  if (dataset.problems.length > 0) handleProblems(dataset, request.skipInvalid, warn);
  const selected = selectExamples(dataset, request.selection);
  const difficulties = request.difficulties.length === 0 ? DIFFICULTIES : request.difficulties;
  const forms = probeForms(probes, difficulties, request.ablate);
  requireChoices(request, forms);
  const ownProbes = own.filter(({ probe }) => probes.includes(probe));
  const templates = await loadTemplates(probes, ownProbes);
  for (const form of forms) requireShown(form, templates.get(form.probe) as PromptTemplate);
  const { shard = null, design = EVERY_ORDER } = request;
  const uncounted = forms.map((form) => ({ ...form, template: templates.get(form.probe) as PromptTemplate }));
  const counting = { path: dataset.path, selected, shard, check: await ownChecks(ownProbes) };
  const { own: counts, whole, idsSha256 } = await countPlan({ forms: uncounted, design }, counting);
  const plan: RunPlan = {
    ...counts,
    request: { ...request, dataset: source },
    whole: shard === null ? null : whole,
    dataset,
    selected,
    selectionSha256: idsSha256,
    ownProbes,
  };
  if (plan.questions + plan.generations === 0) throw nothingToAsk(plan);
  return plan;
}

/** Capabilities that the model of a plan needs. */
export function needsOf({ questions, generations }: Pick<PlanCounts, "questions" | "generations">): Capability[] {
  return [...(questions > 0 ? (["symbols"] as const) : []), ...(generations > 0 ? (["completions"] as const) : [])];
}

/** The most options that a question of the plan has. */
export function mostOptions({ forms }: RunPlan): number {
  return Math.max(USUAL_OPTIONS, ...forms.filter(isChoiceForm).map(({ probe }) => probe.optionCount));
}

/** @throws ProbeError `bad_input` where options that say how it is asked contradict each other */
function requireManner({ earlyStop, think, trace, design = EVERY_ORDER, ...request }: RunRequest): void {
  const { maxCost, price, model, until, shard } = request;
  if (maxCost !== undefined && price === null) {
    throw badInput(
      `Expected a price for --max-cost, found none for ${model.label}. Say what its tokens cost, under prices in ` +
        "probe.config.json (docs/models.md), or leave --max-cost out.",
    );
  }
  if (model.provider === "huggingface" && think !== undefined && think !== "off") {
    throw badInput(
      `Expected no --think with ${model.label}, found one: letters are asked of it without thoughts. Leave it out, or ` +
        "name the model openai:NAME, with the service's --base-url.",
    );
  }
  if (until !== undefined && shard != null) {
    throw badInput(
      "Expected --until decided without --shard, found both: a share alone does not know what the others found. Leave " +
        "one out.",
    );
  }
  if (earlyStop && design.repeats > 1) {
    throw badInput(
      `Expected --repeats without --early-stop, found both: orders that are not asked cannot be asked ${design.repeats} ` +
        "times. Leave one out.",
    );
  }
  if (trace === undefined || (think !== undefined && think !== "off")) return;
  throw badInput(
    `Expected --think with --trace-thoughts ${trace}, found ${think === undefined ? "none" : "--think off"}: there are no ` +
      "thoughts to follow. Give --think a number of tokens, low, medium or high.",
  );
}

/** @throws ProbeError `bad_input` where there is nothing to withhold anything from */
function requireChoices({ ablate = [] }: RunRequest, forms: readonly ProbeForm[]): void {
  if (ablate.length === 0 || forms.some(isChoiceForm)) return;
  throw badInput(
    `Expected a task with options to choose from for --ablate, found ${forms.map(({ probe }) => probe.task).join(", ")}: ` +
      "only multiple-choice questions are asked once more. Name another --task too, or leave --ablate out.",
  );
}

/**
 * Refuses to withhold a part that a prompt does not show under its usual name: the questions would be the same twice.
 */
function requireShown({ probe, ablation }: ProbeForm, template: PromptTemplate): void {
  if (ablation === undefined) return;
  const shown = placeholdersOf(template);
  const missing = WITHHELD_VALUES[ablation].find((name) => !shown.includes(name));
  if (missing === undefined) return;
  throw badInput(
    `Expected the template of ${probe.task} to show {${missing}}, which --ablate ${ablation} withholds, found none in ` +
      `${template.id}. Leave ${probe.task} out, or withhold something else.`,
  );
}

/** Probes of one's own; what runs them is loaded only where there are any. */
async function ownProbesOf(
  { probes }: RunRequest,
  shipped: ReadonlyMap<string, ProbeDefinition>,
): Promise<LoadedProbe[]> {
  if (probes.length === 0) return [];
  const { loadOwnProbes } = await import("../../../question/own-probe.js");
  return loadOwnProbes(probes, shipped);
}

function chooseProbes(
  { tasks, namedProbes }: RunRequest,
  shipped: ReadonlyMap<string, ProbeDefinition>,
  own: readonly LoadedProbe[],
): ProbeDefinition[] {
  const probes = new Map([...shipped, ...own.map(({ probe }) => [probe.task, probe] as const)]);
  if (tasks.length === 0 && namedProbes > 0) return own.slice(0, namedProbes).map(({ probe }) => probe);
  // Generations are slow, and paid for by the token: only when asked for.
  if (tasks.length === 0) return [...shipped.values()].filter(({ kind }) => kind === "choice");
  return [...new Set(tasks)].map((task) => {
    const probe = probes.get(task.toUpperCase());
    if (probe !== undefined) return probe;
    throw badInput(
      `Expected --task to be one of ${[...probes.keys()].join(", ")}, found "${task}".` +
        taskHint(task, probes.values()),
    );
  });
}

async function loadTemplates(
  probes: readonly ProbeDefinition[],
  own: readonly LoadedProbe[],
): Promise<ReadonlyMap<ProbeDefinition, PromptTemplate>> {
  const templates = new Map<ProbeDefinition, PromptTemplate>(own.map(({ probe, template }) => [probe, template]));
  for (const probe of probes) {
    if (!templates.has(probe)) templates.set(probe, await loadTemplate(probe.task, probe.promptSet));
  }
  return templates;
}

type CheckQuestion = (example: Example, form: ProbeForm) => void;

/** Tries the questions of probes of one's own: nobody else has. */
async function ownChecks(own: readonly LoadedProbe[]): Promise<CheckQuestion> {
  if (own.length === 0) return () => undefined;
  const { checkOwnQuestion } = await import("../../../question/own-probe.js");
  const templates = new Map<ProbeDefinition, PromptTemplate>(own.map(({ probe, template }) => [probe, template]));
  return (example, form) => {
    const template = templates.get(form.probe);
    if (template !== undefined && isChoiceForm(form)) checkOwnQuestion(example, form, template);
  };
}

function handleProblems(dataset: DatasetInspection, skipInvalid: boolean, warn: (message: string) => void): void {
  if (dataset.rawTriples > 0 && dataset.languages.length === 0) {
    throw badInput(
      `Expected records with questions in ${dataset.path}, found ${dataset.rawTriples} raw triples, which have none yet. ` +
        `Make them: probe dataset build ${dataset.path} --out FILE`,
    );
  }
  const problems = new ProblemList();
  problems.add(dataset.problems);
  const list = problems.text(MAX_SHOWN_PROBLEMS);
  if (skipInvalid && dataset.languages.length > 0) {
    warn(`${list}\nSkipped ${counted(dataset.invalidLines, "invalid records")} (--skip-invalid).`);
    return;
  }
  const advice = dataset.languages.length > 0 ? " Correct them, or leave these records out with --skip-invalid." : "";
  throw badInput(
    `${list}${list.includes("\n") ? "\n" : ". "}The dataset has ${counted(dataset.problems.length, "problems")}; ` +
      `nothing was asked.${advice}`,
  );
}

function nothingToAsk(plan: RunPlan): ProbeError {
  const reason =
    plan.forms.length === 0
      ? "no probe has the difficulty asked for"
      : plan.selected.size === 0
        ? "no example was selected: check --language, --limit and --sample"
        : "none of the selected examples suits the tasks";
  return badInput(`Expected at least one question, found none: ${reason}.`);
}

/** Streams the examples of the whole run, in the order in which they are asked about. */
export function plannedExamples(plan: RunPlan): AsyncGenerator<Example> {
  return readExamples(plan.dataset.path, plan.selected);
}

/** Streams the multiple-choice questions of the plan, in the order of the tables; places are those of the whole run. */
export function plannedQuestions(plan: RunPlan): AsyncGenerator<Question> {
  return buildQuestions(plannedExamples(plan), plan.forms, shareOf(plan.forms, plan.request.shard));
}

/** Streams the open questions of the plan, likewise. */
export function plannedOpenQuestions(plan: RunPlan): AsyncGenerator<OpenQuestion> {
  return buildOpenQuestions(plannedExamples(plan), plan.forms, shareOf(plan.forms, plan.request.shard));
}

export function templatesByTask({ forms }: RunPlan): ReadonlyMap<string, PromptTemplate> {
  return new Map(forms.map(({ probe, template }) => [probe.task, template]));
}
