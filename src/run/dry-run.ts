import { ProbeError } from "../domain/errors.js";
import type { Difficulty } from "../domain/example.js";
import type { Model } from "../model/model.js";
import { openModel } from "../model/registry.js";
import { permutationCount } from "../permutation/permutations.js";
import { plannedQuestions, planRun, type RunPlan } from "./plan.js";
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
    const model = await openModel(request.model, { promptMode, mode, seed: selection.seed, connection });
    return { model, reason: model.countTokens === undefined ? "the model has no tokenizer here" : null };
  } catch (error) {
    if (error instanceof ProbeError && error.code === "model_unavailable")
      return { model: null, reason: error.message };
    throw error;
  }
}

async function previewPlan(plan: RunPlan, model: Model | null, tokensUnknown: string | null): Promise<RunPreview> {
  const forms = plan.forms.map((form) => ({ form, tokens: 0, longest: 0 }));
  const prompts = new Map<string, string>();
  for await (const question of plannedQuestions(plan)) {
    const entry = forms.find(
      ({ form }) => form.probe.task === question.task && form.difficulty === question.difficulty,
    );
    if (entry === undefined) continue;
    for (const { request } of questionOrders(question, entry.form.template)) {
      if (!prompts.has(question.task)) prompts.set(question.task, request.prompt);
      const tokens = await model?.countTokens?.(request.prompt);
      if (tokens === undefined) break;
      entry.tokens += tokens;
      entry.longest = Math.max(entry.longest, tokens);
    }
  }
  const known = tokensUnknown === null;
  return {
    model: plan.request.model.label,
    examples: plan.selected.size,
    forms: forms.map(({ form, tokens, longest }) => ({
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
    promptTokens: known ? forms.reduce((sum, { tokens }) => sum + tokens, 0) : null,
    prompts: [...prompts].map(([task, text]) => ({ task, text })),
    tokensUnknown,
  };
}
