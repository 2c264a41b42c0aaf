import { noopAgent } from "../agent/scripted-agents.js";
import { ProbeError } from "../base/errors.js";
import { isInShard } from "../base/shard.js";
import { sumOf } from "../base/sums.js";
import type { Model } from "../model/model.js";
import { openModel } from "../model/open-model.js";
import { knownCost } from "../model/prices.js";
import { notice, sentence } from "../report/make-block.js";
import { money } from "../report/number-text.js";
import type { Preview } from "../run/suite.js";
import { PlaceNumbers } from "../store/journal/slots.js";
import type { BenchTask } from "../trial/bench-task.js";
import { type JudgedArms, type JudgedRequest, ratingPlan } from "./judged-run.js";
import { type JudgePrompt, type Judging, MOST_RATING_TOKENS } from "./judging.js";
import type { NamedJudge } from "./open-judge.js";

interface Previewed<Task extends BenchTask> {
  readonly judging: Judging<Task>;
  readonly tasks: readonly Task[];
  readonly run: JudgedArms;
  readonly request: JudgedRequest;
  readonly named: NamedJudge | null;
}

/** Characters a token, where the model has no tokenizer here. */
const CHARACTERS_A_TOKEN = 4;

/**
 * Preview of a judge's questions, their number and their size: nobody is asked. Submissions are not known yet, so gold
 * stands for them.
 */
export async function previewJudge<Task extends BenchTask>(previewed: Previewed<Task>): Promise<Preview> {
  const { run, request, named } = previewed;
  if (named === null)
    return { blocks: [notice("warning", "Nobody judges: --judge is not given.")], document: { judge: { calls: 0 } } };
  const tokenizer = await openTokenizer(named, request);
  try {
    const votes = request.values.judgeVotes;
    const plan = ratingPlan(run, votes);
    const places = new PlaceNumbers(plan);
    const perTask = await Promise.all(previewed.tasks.map((task) => questionsAbout(previewed, task, tokenizer)));
    const counts = Array.from({ length: plan.items }, (_, item) => {
      const own = run.criteria[item % run.tasks.length] ?? 0;
      const times = own === 0 ? 0 : places.placesOf(item) / own;
      const { calls, prompt } = perTask[item % run.tasks.length]?.each ?? NO_QUESTIONS;
      return { calls: times * calls, prompt: times * prompt };
    });
    const own = perTask.filter((_, i) => isInShard(run.shard, i));
    const all = [...counts, ...own.map(({ first }) => first)];
    const calls = sumOf(all.map((count) => count.calls));
    const prompt = sumOf(all.map((count) => count.prompt));
    return shown(named, { calls, prompt, completion: calls * MOST_RATING_TOKENS, isCounted: tokenizer !== null });
  } finally {
    await tokenizer?.close();
  }
}

async function openTokenizer(
  { model, connection }: NamedJudge,
  { values, warn, promptMode }: JudgedRequest,
): Promise<Model | null> {
  if (model === null) return null;
  try {
    const opening = { promptMode, mode: "fast", needs: [], onMessage: warn } as const;
    const open = await openModel(model, { ...opening, seed: values.seed, connection });
    if (open.countTokens !== undefined) return open;
    await open.close();
    return null;
  } catch (error) {
    if (error instanceof ProbeError && error.code === "model_unavailable") return null;
    throw error;
  }
}

/** Calls, and tokens of their prompts. */
type Questions = Pick<Counted, "calls" | "prompt">;

const NO_QUESTIONS: Questions = { calls: 0, prompt: 0 };

/** Questions about a task before its trials, and about each of them: criteria with the same prompt are one question. */
async function questionsAbout<Task extends BenchTask>(
  { judging, request }: Previewed<Task>,
  task: Task,
  tokenizer: Model | null,
): Promise<{ readonly first: Questions; readonly each: Questions }> {
  const submitted = await judging.sample(task);
  const prompts = judging.criteria(task).map((criterion) => judging.prompt(task, criterion, submitted, null));
  const first = judging.first?.(task, { ...request.values }) ?? null;
  const distinct = [...new Set(prompts.map((prompt, i) => (prompt === null ? String(i) : textOf(prompt))))];
  return {
    first: first === null ? NO_QUESTIONS : await questions([textOf(first)], tokenizer),
    each: await questions(distinct, tokenizer),
  };
}

async function questions(texts: readonly string[], tokenizer: Model | null): Promise<Questions> {
  let prompt = 0;
  for (const text of texts)
    prompt += (await tokenizer?.countTokens?.(text)) ?? Math.ceil(text.length / CHARACTERS_A_TOKEN);
  return { calls: texts.length, prompt };
}

function textOf({ system, user }: JudgePrompt): string {
  return `${system}\n${user}`;
}

interface Counted {
  readonly calls: number;
  readonly prompt: number;
  readonly completion: number;
  readonly isCounted: boolean;
}

function shown({ label, price }: NamedJudge, { calls, prompt, completion, isCounted }: Counted): Preview {
  const cost = knownCost(price, prompt, completion);
  const how = isCounted ? "by its tokenizer" : "by length";
  const worth = price === null || cost === null ? "" : `, ${money(cost, price.currency)} at most`;
  const text =
    `The judge ${label} would be asked at most ${calls} times: about ${prompt} tokens of prompts (${how}, with right solutions for ` +
    `what is not known yet), ${completion} tokens written at most${worth}. Of empty solutions only those of ${noopAgent.name} are judged.`;
  return {
    blocks: [sentence(text)],
    document: {
      judge: {
        label,
        calls,
        estimated_prompt_tokens: prompt,
        max_completion_tokens: completion,
        cost: cost === null || price === null ? null : { amount: cost, currency: price.currency },
      },
    },
  };
}
