import { ProbeError } from "../domain/errors.js";
import type { Difficulty } from "../domain/example.js";
import type { Model } from "../model/model.js";
import { costOf } from "../model/prices.js";
import { openModel } from "../model/registry.js";
import { permutationCount } from "../permutation/permutations.js";
import { type PlannedForm, plannedQuestions, planRun, type RunPlan } from "./plan.js";
import { questionOrders } from "./question-orders.js";
import type { RunRequest } from "./request.js";

/** What one probe form of a run would ask. */
export interface FormPreview {
  readonly task: string;
  readonly difficulty: Difficulty | null;
  readonly questions: number;
  readonly skipped: number;
  readonly calls: number;
  /** Sum over all prompts; `null` where the tokenizer is not known. */
  readonly promptTokens: number | null;
  readonly longestPromptTokens: number | null;
}

export interface RunPreview {
  readonly model: string;
  readonly examples: number;
  readonly forms: readonly FormPreview[];
  readonly questions: number;
  readonly calls: number;
  readonly promptTokens: number | null;
  /** From the prompts' length, about four bytes a token, where the tokenizer is not known. */
  readonly estimatedPromptTokens: number;
  /** What the run would cost; `null` where the price is not known. */
  readonly cost: {
    readonly amount: number;
    readonly isEstimate: boolean;
    readonly currency: string;
    readonly pricesAsOf: string;
  } | null;
  /** The first prompt of each task. */
  readonly prompts: readonly { readonly task: string; readonly text: string }[];
  /** Why tokens are not known; `null` when they are. */
  readonly tokensUnknown: string | null;
}

/**
 * What a run would ask, without asking: the model is opened for its tokenizer alone, and evaluates nothing.
 * @throws ProbeError `bad_input`
 */
export async function previewRun(request: RunRequest, warn: (message: string) => void): Promise<RunPreview> {
  const plan = await planRun(request, warn);
  const { model, reason } = await openTokenizer(request);
  try {
    return await previewPlan(plan, model, reason);
  } finally {
    await model?.close();
  }
}

async function openTokenizer(request: RunRequest): Promise<{ model: Model | null; reason: string | null }> {
  try {
    const { promptMode, mode, selection, connection } = request;
    const model = await openModel(request.model, {
      promptMode,
      mode,
      seed: selection.seed,
      connection,
      purpose: "count_tokens",
    });
    return { model, reason: model.countTokens === undefined ? "the model has no tokenizer here" : null };
  } catch (error) {
    if (error instanceof ProbeError && error.code === "model_unavailable")
      return { model: null, reason: error.message };
    throw error;
  }
}

/** What the prompts of one form come to. */
interface FormTokens {
  tokens: number;
  longest: number;
}

interface PromptMeasures {
  readonly byForm: ReadonlyMap<PlannedForm, FormTokens>;
  /** The first prompt of each task. */
  readonly first: ReadonlyMap<string, string>;
  readonly bytes: number;
}

/** Renders every prompt of the plan and counts; the model evaluates nothing. */
async function measurePrompts(plan: RunPlan, model: Model | null): Promise<PromptMeasures> {
  const byForm = new Map(plan.forms.map((form): [PlannedForm, FormTokens] => [form, { tokens: 0, longest: 0 }]));
  const first = new Map<string, string>();
  let bytes = 0;
  for await (const { task, difficulty, ...question } of plannedQuestions(plan)) {
    const form = plan.forms.find(({ probe, difficulty: other }) => probe.task === task && other === difficulty);
    const sums = form && byForm.get(form);
    if (form === undefined || sums === undefined) continue;
    for (const { request } of questionOrders({ ...question, task, difficulty }, form.template)) {
      if (!first.has(task)) first.set(task, request.prompt);
      bytes += Buffer.byteLength(request.prompt);
      const tokens = (await model?.countTokens?.(request.prompt)) ?? 0;
      sums.tokens += tokens;
      sums.longest = Math.max(sums.longest, tokens);
    }
  }
  return { byForm, first, bytes };
}

async function previewPlan(plan: RunPlan, model: Model | null, tokensUnknown: string | null): Promise<RunPreview> {
  const { byForm, first, bytes } = await measurePrompts(plan, model);
  const known = tokensUnknown === null;
  const promptTokens = known ? [...byForm.values()].reduce((sum, { tokens }) => sum + tokens, 0) : null;
  const estimatedPromptTokens = Math.ceil(bytes / BYTES_A_TOKEN);
  return {
    model: plan.request.model.label,
    examples: plan.selected.size,
    forms: [...byForm].map(([form, { tokens, longest }]) => ({
      task: form.probe.task,
      difficulty: form.difficulty,
      questions: form.questions,
      skipped: form.skipped,
      calls: form.questions * permutationCount(form.probe.optionCount),
      promptTokens: known ? tokens : null,
      longestPromptTokens: known ? longest : null,
    })),
    questions: plan.questions,
    calls: plan.plannedAnswers,
    promptTokens,
    estimatedPromptTokens,
    cost: previewCost(plan, promptTokens, estimatedPromptTokens),
    prompts: [...first].map(([task, text]) => ({ task, text })),
    tokensUnknown,
  };
}

const BYTES_A_TOKEN = 4;

function previewCost({ request, plannedAnswers }: RunPlan, exact: number | null, estimate: number): RunPreview["cost"] {
  const { price } = request;
  if (price === null) return null;
  const amount = costOf(price, exact ?? estimate, plannedAnswers);
  return { amount, isEstimate: exact === null, currency: price.currency, pricesAsOf: price.asOf };
}
