import { sum } from "simple-statistics";
import { ProbeError } from "../../../../base/errors.js";
import type { Difficulty } from "../../../../dataset/example.js";
import { MOST_REQUESTS } from "../../../../model/batch/batch-api.js";
import { writesLetters } from "../../../../model/check/check-report.js";
import type { Model } from "../../../../model/model.js";
import { openModel } from "../../../../model/open-model.js";
import { batchShare } from "../../../../model/prices.js";
import { replyLimit, thoughtLimit } from "../../../../model/requests.js";
import { findVendor } from "../../../../model/vendor/vendors.js";
import { ablationField, type FormKey, formName, type Withheld } from "../../../../question/form.js";
import type { PromptTemplate } from "../../../../question/prompt.js";
import { isGenerationForm } from "../../../../question/question-build.js";
import { EVERY_ORDER } from "../../record/run-file.js";
import { answersOf, type PlannedForm, type RunRequest } from "../count-plan.js";
import { type FormNeeds, needsOfForms } from "../form-needs.js";
import {
  mostOptions,
  needsOf,
  plannedExamples,
  plannedOpenQuestions,
  plannedQuestions,
  planRun,
  type RunPlan,
  templatesByTask,
} from "../plan.js";
import { openRequest, questionOrders } from "../question-requests.js";
import { measureTime, type RunTime } from "./measure-time.js";
import { type ForeseenCost, foreseenCost } from "./preview-cost.js";

/** Preview of one probe form of a run. */
interface FormPreview {
  readonly task: string;
  readonly difficulty: Difficulty | null;
  /** Parts withheld; absent: none. */
  readonly ablation?: Withheld;
  readonly questions: number;
  readonly skipped: number;
  readonly calls: number;
  /** Sum over all prompts; `null` where the tokenizer is not known. */
  readonly promptTokens: number | null;
  readonly longestPromptTokens: number | null;
  /**
   * The most that can be generated: one token an answer, its thoughts, and for ACR the limit of each generation. Where letters
   * may be written it is the limit of the replies, as a model may think unasked.
   */
  readonly maxCompletionTokens: number;
}

/** Preview of a run, without a call of a model. */
export interface RunPreview {
  readonly model: string;
  readonly examples: number;
  readonly forms: readonly FormPreview[];
  readonly questions: number;
  readonly calls: number;
  /** Questions stop at their first wrong order: calls, tokens and cost are the most there can be. */
  readonly isAtMost: boolean;
  readonly promptTokens: number | null;
  /** From the prompts' length, about four bytes a token, where the tokenizer is not known. */
  readonly estimatedPromptTokens: number;
  readonly maxCompletionTokens: number;
  /** Estimated cost of the run; `null` where the price is not known. */
  readonly cost: ForeseenCost | null;
  /** Absent where it is asked question by question. */
  readonly batch?: {
    readonly service: string;
    /** The fewest batches. */
    readonly batches: number;
    /** Part of the listed price that is paid. */
    readonly priceShare: number;
  };
  /** The first prompt of each task. */
  readonly prompts: readonly { readonly task: string; readonly text: string }[];
  /** Knowledge that each form takes for a verdict. */
  readonly needs: readonly FormNeeds[];
  /** Reason for unknown tokens; `null` when they are known. */
  readonly tokensUnknown: string | null;
  /** Estimated duration. */
  readonly time: RunTime;
}

/**
 * Whose time is measured, by asking a few questions: nobody's, that of a model in this process, or also that of a server,
 * which may cost.
 */
export type Measures = "none" | "in process" | "servers too";

/**
 * Preview of a run: unless time is to be measured, the model is opened for its tokenizer alone, and evaluates nothing.
 * @throws ProbeError `bad_input`
 */
export async function previewRun(
  request: RunRequest,
  warn: (message: string) => void,
  measures: Measures = "none",
): Promise<RunPreview> {
  const plan = await planRun(request, warn);
  const { model, reason } = await openTokenizer(plan, warn, measures);
  try {
    return await previewPlan(plan, model, reason, measures);
  } finally {
    await model?.close();
  }
}

/** A model in this process can always be asked; a server is checked only if it will be, as that asks it. */
async function openTokenizer(
  plan: RunPlan,
  onMessage: (message: string) => void,
  measures: Measures,
): Promise<{ model: Model | null; reason: string | null }> {
  try {
    const { model: asked, promptMode, mode, selection, connection, think } = plan.request;
    const model = await openModel(asked, {
      promptMode,
      mode,
      seed: selection.seed,
      connection,
      ...(think === undefined ? { offByDefault: true } : { think }),
      needs: measures === "servers too" && !isInProcess(plan) ? needsOf(plan) : [],
      optionCount: mostOptions(plan),
      onMessage,
    });
    return { model, reason: model.countTokens === undefined ? "the model has no tokenizer here" : null };
  } catch (error) {
    if (error instanceof ProbeError && error.code === "model_unavailable")
      return { model: null, reason: error.message };
    throw error;
  }
}

/** Sizes of the prompts of one form. */
interface FormTokens {
  bytes: number;
  tokens: number;
  longest: number;
}

interface PromptMeasures {
  readonly byForm: ReadonlyMap<PlannedForm, FormTokens>;
  /** The first prompt of each task. */
  readonly first: ReadonlyMap<string, string>;
}

/** Renders every prompt of the plan and counts; the model evaluates nothing. */
async function measurePrompts(plan: RunPlan, model: Model | null): Promise<PromptMeasures> {
  const byForm = new Map(
    plan.forms.map((form): [PlannedForm, FormTokens] => [form, { bytes: 0, tokens: 0, longest: 0 }]),
  );
  const first = new Map<string, string>();
  const forms = new Map(plan.forms.map((form) => [formName({ ...form, task: form.probe.task }), form]));
  for await (const { task, prompt, ...rest } of renderedPrompts(plan)) {
    const form = forms.get(formName({ task, ...rest })) as PlannedForm;
    const sums = byForm.get(form);
    if (sums === undefined) continue;
    if (!first.has(task)) first.set(task, prompt);
    sums.bytes += Buffer.byteLength(prompt);
    const tokens = (await model?.countTokens?.(prompt, isGenerationForm(form) ? undefined : plan.request.think)) ?? 0;
    sums.tokens += tokens;
    sums.longest = Math.max(sums.longest, tokens);
  }
  return { byForm, first };
}

interface RenderedPrompt extends FormKey {
  readonly prompt: string;
}

/** Every prompt of the plan, in the order in which it would be asked. */
async function* renderedPrompts(plan: RunPlan): AsyncGenerator<RenderedPrompt> {
  const templates = templatesByTask(plan);
  for await (const question of plannedQuestions(plan)) {
    const { task, difficulty, ablation } = question;
    for (const { request } of questionOrders(question, templates.get(task) as PromptTemplate, plan.request)) {
      yield { task, difficulty, ablation, prompt: request.prompt };
    }
  }
  for await (const question of plannedOpenQuestions(plan)) {
    const { task } = question;
    const { request } = openRequest(question, templates.get(task) as PromptTemplate, plan.request.selection.seed);
    yield { task, difficulty: null, prompt: request.prompt };
  }
}

async function previewPlan(
  plan: RunPlan,
  model: Model | null,
  tokensUnknown: string | null,
  measures: Measures,
): Promise<RunPreview> {
  const { byForm, first } = await measurePrompts(plan, model);
  const known = tokensUnknown === null;
  const { think = "off" } = plan.request;
  const thoughts = thoughtLimit(think);
  const answerTokens = mayWriteLetters(plan, model) ? replyLimit(think) : 1 + thoughts;
  const forms = [...byForm].map(([form, { tokens, longest }]): FormPreview => {
    const generations = isGenerationForm(form) ? form.questions : 0;
    const calls = answersOf(form, plan.request.design ?? EVERY_ORDER) + generations;
    return {
      task: form.probe.task,
      difficulty: form.difficulty,
      ...ablationField(form.ablation),
      questions: form.questions,
      skipped: form.skipped,
      calls,
      promptTokens: known ? tokens : null,
      longestPromptTokens: known ? longest : null,
      maxCompletionTokens: isGenerationForm(form)
        ? generations * (form.probe.maxTokens + thoughts)
        : calls * answerTokens,
    };
  });
  const promptTokens = known ? sum([...byForm.values()].map(({ tokens }) => tokens)) : null;
  const estimatedPromptTokens = Math.ceil(sum([...byForm.values()].map(({ bytes }) => bytes)) / BYTES_A_TOKEN);
  const time = await timeOf(plan, byForm, model, measures);
  return {
    model: plan.request.model.label,
    examples: plan.examples,
    forms,
    questions: plan.questions + plan.generations,
    calls: plan.plannedAnswers + plan.generations,
    isAtMost: plan.request.earlyStop || plan.request.until !== undefined,
    promptTokens,
    estimatedPromptTokens,
    maxCompletionTokens: sum(forms.map(({ maxCompletionTokens }) => maxCompletionTokens)),
    cost: foreseenCost(plan, {
      promptTokens: promptTokens ?? estimatedPromptTokens,
      askedTokens: sum([...byForm].map(([form, sizes]) => (isGenerationForm(form) ? 0 : tokensOf(sizes, known)))),
      isEstimate: promptTokens === null,
      writtenTokens: sum(
        plan.forms.map((form) => (isGenerationForm(form) ? form.questions * (form.probe.maxTokens + thoughts) : 0)),
      ),
      answerTokens,
      thoughts: (time.status === "estimated" && time.thoughts) || null,
      sendsAgain: model?.sendsAgain === true,
    }),
    ...batchOf(plan),
    prompts: [...templatesByTask(plan).keys()].flatMap((task) => promptOf(task, first)),
    needs: await needsOfForms(plannedExamples(plan), plan.forms, {
      isOneOrder: plan.request.earlyStop,
      isSequential: plan.request.until !== undefined,
      orders: (plan.request.design ?? EVERY_ORDER).orders,
    }),
    tokensUnknown,
    time,
  };
}

/** Tells if letters will be read from what the model writes, as far as is known: after a check by the way that it found. */
function mayWriteLetters({ request: { model, connection } }: RunPlan, opened: Model | null): boolean {
  if (findVendor(model.provider) === undefined || opened?.sendsAgain === true) return false;
  const check = opened?.check;
  if (check?.chosen != null) return writesLetters(check);
  return connection.allowGenerated || model.settings["extraction"] === "generated";
}

const BYTES_A_TOKEN = 4;

function tokensOf({ tokens, bytes }: FormTokens, isKnown: boolean): number {
  return isKnown ? tokens : Math.ceil(bytes / BYTES_A_TOKEN);
}

function batchOf({ request, plannedAnswers, generations }: RunPlan): Pick<RunPreview, "batch"> {
  const { batch, model, connection } = request;
  const vendor = findVendor(model.provider);
  if (batch === undefined || vendor === undefined) return {};
  // Letters and texts may have other paths: no batch has both.
  const batches = Math.ceil(plannedAnswers / MOST_REQUESTS) + Math.ceil(generations / MOST_REQUESTS);
  return { batch: { service: vendor.service, batches, priceShare: batchShare(model, connection) } };
}

const isInProcess = ({ request }: RunPlan) => request.model.provider === "llama";

async function timeOf(
  plan: RunPlan,
  byForm: PromptMeasures["byForm"],
  model: Model | null,
  measures: Measures,
): Promise<RunTime> {
  const unknown = (reason: string): RunTime => ({ status: "unknown", reason });
  if (plan.request.model.provider === "scripted") return unknown("a scripted model answers at once");
  if (model === null) return unknown("the model is not at hand");
  if (measures === "none") return unknown("it was not measured");
  const isServer = !isInProcess(plan);
  if (isServer && measures !== "servers too") {
    return unknown("a dry run asks a server nothing; with --estimate it asks a few questions, which may cost");
  }
  const forms = [...byForm].map(([form, { bytes }]) => {
    return { name: formName({ ...form, task: form.probe.task }), questions: form.questions, bytes };
  });
  return measureTime(plan, forms, model, isServer);
}

function promptOf(task: string, first: PromptMeasures["first"]): RunPreview["prompts"] {
  const text = first.get(task);
  return text === undefined ? [] : [{ task, text }];
}
