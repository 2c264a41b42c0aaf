import type { z } from "zod";
import { badInput } from "../base/errors.js";
import { groupBy } from "../base/grouping.js";
import { isInShard } from "../base/shard.js";
import { sumOf } from "../base/sums.js";
import { counted } from "../base/text.js";
import { dollarPrice, knownCost, mostPromptTokens } from "../model/prices.js";
import { thoughtLimit } from "../model/requests.js";
import { sentence } from "../report/make-block.js";
import type { Preview } from "../run/suite.js";
import type { BenchTask } from "../trial/bench-task.js";
import type { Lead } from "../trial/make/attempt-lead.js";
import { NO_SCORE, type PartPlan, type SuitePart, type TrialPlan } from "../trial/suite-part.js";
import { type TrialRequest, type TrialRun, trialRunSchema } from "../trial/trial-run.js";
import { ADVICE_OPTIONS, type AdvisedValues } from "./judge-options.js";
import {
  judgeFacts,
  judgeRecord,
  judgeSchema,
  type NamedJudge,
  namedJudge,
  type OpenJudge,
  openJudge,
} from "./open-judge.js";

/** A phase of a trial, for a preview. */
export interface PlannedPhase {
  readonly name: string;
  /** `agent`: a conversation with tools. `judge`: one question. */
  readonly asked: "agent" | "judge";
  /** The first messages; what is not known yet is left out. */
  readonly prompt: string;
  /** Tokens of the reply to a question, at most; 0 for an agent. */
  readonly maxTokens: number;
}

/** The phases of a trial, in order. */
type PhasesOf<Task extends BenchTask> = (task: Task, condition: string) => Promise<readonly PlannedPhase[]>;

const advisedRunSchema = trialRunSchema.extend({
  /** `null`: no plan is judged. */
  judge: judgeSchema.nullable(),
});
export type AdvisedRun = z.infer<typeof advisedRunSchema>;
type AdvisedRequest = TrialRequest<AdvisedValues, AdvisedRun>;

/** A part that has opened a judge by the time that trials are made. */
export interface AdviserPart<Task extends BenchTask> extends SuitePart<Task, AdvisedValues, AdvisedRun> {
  plan(trials: TrialPlan<Task>, request: AdvisedRequest): Promise<AdviserPlan>;
}

interface AdviserPlan extends PartPlan<AdvisedRun> {
  /** `null`: nobody is to judge, or the run has not begun. */
  judge(): OpenJudge | null;
}

/** The part of a suite whose attempts may ask a judge before the work, such as which of several plans is best. */
export function adviserPart<Task extends BenchTask>(phasesOf: PhasesOf<Task>): AdviserPart<Task> {
  return {
    schema: advisedRunSchema,
    options: ADVICE_OPTIONS,
    manner: ["judge_think", "judge_temperature"],
    data: judgeFacts,
    journals: () => [],
    plan: (trials, request) => planAdviser(phasesOf, trials, request),
    score: async () => NO_SCORE,
    sections: [],
  };
}

async function planAdviser<Task extends BenchTask>(
  phasesOf: PhasesOf<Task>,
  trials: TrialPlan<Task>,
  request: AdvisedRequest,
): Promise<AdviserPlan> {
  let judge: OpenJudge | null = null;
  const plan = {
    own: { ...trials.own, judge: null },
    judge: () => judge,
    preview: () => previewPhases(phasesOf, trials, request.values),
  };
  if (!(await isJudged(phasesOf, trials))) return plan;
  const named = await judgeOf(request);
  if (named === null)
    throw badInput(
      "Expected --judge M: an agent that is no model cannot judge its own plans. Name one, or leave out the conditions " +
        "whose plans are judged, by --condition.",
    );
  return {
    ...plan,
    async open(opening) {
      const open = await openJudge(named, request, opening);
      judge = open;
      return { own: { judge: judgeRecord(named, open) }, close: () => open.close() };
    },
    adviser: (lead) => (judge === null ? null : askedOf(judge, named, lead, request)),
  };
}

/** The judge that is named, or the model that works. */
function judgeOf(request: AdvisedRequest): Promise<NamedJudge | null> {
  const { values, model } = request;
  const works = [values.agent, values.agentCmd, values.patches].every((each) => each === null);
  // A model that judges its own plans thinks about them as it thinks about its work, unless told otherwise.
  const judgeThink = values.judgeThink ?? (values.judge === null ? values.think : null);
  return namedJudge({
    ...request,
    values: { ...values, judge: values.judge ?? (works ? model.label : null), judgeThink },
  });
}

function askedOf(
  judge: OpenJudge,
  { price: told, think }: NamedJudge,
  lead: Lead,
  { values }: AdvisedRequest,
): NonNullable<Lead["ask"]> {
  const converse = judge.askingIn(lead.replies);
  const price = dollarPrice(told);
  return async ({ system, user, maxTokens }) => {
    // Recorded replies are found by the hash of it, in this order of its members.
    const request = {
      messages: [
        { role: "system", content: system },
        { role: "user", content: user },
      ],
      tools: [],
      toolChoice: "none",
      responseFormat: null,
      maxTokens,
      temperature: values.judgeTemperature,
      seed: lead.seed,
      key: { ...lead.key, turn: 0 },
    } as const;
    const reply = await converse(request, lead.signal);
    lead.note({ role: "judge", question: user, reply });
    if (reply.status === "failed") return { status: "failed", failure: reply.failure, detail: reply.detail };
    const { promptTokens, completionTokens, text } = reply;
    lead.spend({
      calls: 0,
      promptTokens,
      completionTokens,
      costUsd: knownCost(price, promptTokens, completionTokens),
      mostUsd: knownCost(
        price,
        promptTokens ?? mostPromptTokens(request.messages),
        completionTokens ?? maxTokens + thoughtLimit(think),
      ),
    });
    return { status: "said", text: text ?? "" };
  };
}

/** Tests if the agent plans: patches and scripts that are there already do not. */
export function plansItself({ agents }: Pick<TrialRun, "agents">): boolean {
  const identity = agents[0]?.identity ?? {};
  return identity["agent"] !== "patches" && identity["script"] === undefined;
}

async function isJudged<Task extends BenchTask>(
  phasesOf: PhasesOf<Task>,
  { tasks, own }: TrialPlan<Task>,
): Promise<boolean> {
  const [task] = tasks;
  if (task === undefined || !plansItself(own)) return false;
  const all = await Promise.all(own.conditions.map((condition) => phasesOf(task, condition)));
  return all.flat().some(({ asked }) => asked === "judge");
}

/** Characters a token, where no tokenizer is asked. */
const CHARACTERS_A_TOKEN = 4;

/** The questions of a run, phase by phase. */
async function previewPhases<Task extends BenchTask>(
  phasesOf: PhasesOf<Task>,
  { tasks, own, shard }: TrialPlan<Task>,
  values: AdvisedValues,
): Promise<Preview> {
  const doesPlan = plansItself(own);
  const parts: PlannedPhase[] = [];
  for (const task of tasks.filter((_, i) => isInShard(shard, i)))
    for (const condition of own.conditions) {
      const phases = await phasesOf(task, condition);
      for (let trial = 0; trial < values.trials; trial++) parts.push(...(doesPlan ? phases : phases.slice(-1)));
    }
  const phases = [...groupBy(parts, ({ name }) => name)].map(([name, { length }]) => ({ name, count: length }));
  const questions = parts.filter(({ asked }) => asked === "judge");
  const calls = doesPlan ? (parts.length - questions.length) * values.maxCalls : 0;
  const tokens = doesPlan ? Math.ceil(sumOf(parts.map(({ prompt }) => prompt.length)) / CHARACTERS_A_TOKEN) : 0;
  const written = sumOf(questions.map(({ maxTokens }) => maxTokens));
  const list = phases.map(({ name, count }) => `${name} ${count}`).join(", ");
  const text =
    `Phases: ${parts.length} (${list}), each begun anew; an attempt that fails is made again. Where each is made once: at most ` +
    `${counted(calls, "calls")} of tools, ${counted(questions.length, "questions")} to a judge. What is said first has about ${tokens} tokens (by length); the judge ` +
    `writes at most ${written}.`;
  return {
    blocks: [sentence(text)],
    document: {
      phases,
      max_calls: calls,
      judge_calls: questions.length,
      estimated_prompt_tokens: tokens,
      max_judge_tokens: written,
    },
  };
}
