import { resolve } from "node:path";
import type { z } from "zod";
import { ProbeError } from "../base/errors.js";
import { groupBy } from "../base/grouping.js";
import { counted } from "../base/text.js";
import { costOf } from "../model/prices.js";
import { sentence } from "../report/make-block.js";
import type { Preview, Suite, SuitePlan, SuiteRequest } from "../run/suite.js";
import type { BenchAdapter, BenchTask } from "../trial/adapter.js";
import { agentSuite } from "../trial/agent-suite.js";
import type { Lead, LeadAnswer, LeadQuestion } from "../trial/make/lead.js";
import { tasksOf as sharedTasks, type TrialRun, trialRunSchema } from "../trial/trial-run.js";
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

/** A part of a trial that is asked of somebody, for a preview. */
export interface PlannedPart {
  readonly name: string;
  /** `agent`: a conversation with tools. `judge`: one question. */
  readonly asked: "agent" | "judge";
  /** What is said first, with what is not known yet left out. */
  readonly prompt: string;
  /** Tokens of the reply to a question, at most; of no account for an agent. */
  readonly maxTokens: number;
}

/** A suite whose agents may plan before they work. */
export interface AdvisedAdapter<Task extends BenchTask> {
  readonly bench: BenchAdapter<Task>;
  /** What a trial is made of, in order. */
  readonly parts: (task: Task, condition: string) => Promise<readonly PlannedPart[]>;
}

const advisedRunSchema = trialRunSchema.extend({
  /** `null`: no plan is judged. */
  judge: judgeSchema.nullable(),
});
type AdvisedRun = z.infer<typeof advisedRunSchema>;
type AdvisedRequest = SuiteRequest<AdvisedValues, AdvisedRun>;
type Inner = Suite<AdvisedValues, AdvisedRun>;

/** A suite of agents whose attempts may ask a judge before the work, such as which of several plans is best. */
export function advisedSuite<Task extends BenchTask>(advised: AdvisedAdapter<Task>): Inner {
  const bench = { ...advised.bench, options: { ...ADVICE_OPTIONS, ...advised.bench.options } };
  const inner = agentSuite(bench);
  return {
    ...inner,
    schema: advisedRunSchema,
    manner: [...inner.manner, "judge_temperature"],
    data: (run) => ({ ...inner.data(run), ...judgeFacts(run) }),
    plan: (request) => planAdvised(bench, advised, request),
    preview: (request) => previewParts(bench, advised, request),
    async score(stored, write) {
      const { run, ...score } = await inner.score(stored, write);
      return { ...score, run: { ...run, judge: stored.run.judge } };
    },
  };
}

type AdvisedPlan = SuitePlan<AdvisedRun>;

async function planAdvised<Task extends BenchTask>(
  bench: BenchAdapter<Task>,
  advised: AdvisedAdapter<Task>,
  request: AdvisedRequest,
): Promise<AdvisedPlan> {
  let advice: { readonly judge: OpenJudge; readonly named: NamedJudge } | null = null;
  const { lead } = bench;
  const asking: BenchAdapter<Task> = {
    ...bench,
    ...(lead !== undefined && {
      lead: (task, condition, own, room) => {
        const ask = advice === null ? null : askedBy(advice.judge, advice.named, own, request);
        return lead(task, condition, { ...own, ask }, room);
      },
    }),
  };
  const { open: _, own: trials, ...rest } = await agentSuite(asking).plan(request);
  const plan: AdvisedPlan = { ...rest, own: { ...trials, judge: null } };
  if (!(await isJudged(asking, advised, trials, request))) return plan;
  const named = await judgeOf(request);
  if (named === null)
    throw new ProbeError(
      "bad_input",
      "Expected --judge M: an agent that is no model cannot judge its own plans. Name one, or leave out the conditions " +
        "whose plans are judged, by --condition.",
    );
  return {
    ...plan,
    async open(opening) {
      const judge = await openJudge(named, request, opening);
      advice = { judge, named };
      return { own: { judge: judgeRecord(named, judge) }, close: () => judge.close() };
    },
  };
}

/** The judge that is named, or the model that works. */
function judgeOf(request: AdvisedRequest): Promise<NamedJudge | null> {
  const { values, model } = request;
  const works = [values.agent, values.agentCmd, values.patches].every((each) => each === null);
  return namedJudge({ ...request, values: { ...values, judge: values.judge ?? (works ? model.label : null) } });
}

function askedBy(
  judge: OpenJudge,
  { price }: NamedJudge,
  lead: Lead,
  { values }: AdvisedRequest,
): (question: LeadQuestion) => Promise<LeadAnswer> {
  const converse = judge.askingIn(lead.replies);
  return async ({ system, user, maxTokens }) => {
    const messages = [
      { role: "system", content: system },
      { role: "user", content: user },
    ] as const;
    const asked = { messages, tools: [], toolChoice: "none", responseFormat: null } as const;
    const how = { maxTokens, temperature: values.judgeTemperature, seed: lead.seed };
    const reply = await converse({ ...asked, ...how, key: { ...lead.key, turn: 0 } }, lead.signal);
    lead.note({ role: "judge", question: user, reply });
    if (reply.status === "failed") return { status: "failed", failure: reply.failure, detail: reply.detail };
    const { promptTokens, completionTokens, text } = reply;
    const isKnown = price !== null && promptTokens !== null && completionTokens !== null;
    const costUsd = isKnown ? costOf(price, promptTokens, completionTokens) : null;
    lead.spend({ calls: 0, promptTokens, completionTokens, costUsd });
    return { status: "said", text: text ?? "" };
  };
}

/** Whether who works plans at all: solutions that are there already do not. */
function plansItself({ agents }: Pick<TrialRun, "agents">): boolean {
  const identity = agents[0]?.identity ?? {};
  return identity["agent"] !== "patches" && identity["script"] === undefined;
}

async function tasksOf<Task extends BenchTask>(
  bench: BenchAdapter<Task>,
  { tasks }: Pick<TrialRun, "tasks">,
  { values, workingDirectory }: AdvisedRequest,
): Promise<Task[]> {
  const named = values.data === null ? null : resolve(workingDirectory, values.data);
  const data = await bench.load(named, workingDirectory, { ...values });
  const byId = new Map(data.tasks.map((task) => [task.id, task]));
  return tasks.flatMap(({ id }) => byId.get(id) ?? []);
}

async function isJudged<Task extends BenchTask>(
  bench: BenchAdapter<Task>,
  { parts }: AdvisedAdapter<Task>,
  own: Pick<TrialRun, "agents" | "tasks" | "conditions">,
  request: AdvisedRequest,
): Promise<boolean> {
  if (!plansItself(own)) return false;
  const [task] = await tasksOf(bench, own, request);
  if (task === undefined) return false;
  const all = await Promise.all(own.conditions.map((condition) => parts(task, condition)));
  return all.flat().some(({ asked }) => asked === "judge");
}

/** Where no tokenizer is asked. */
const CHARACTERS_A_TOKEN = 4;

/** What a run would ask, part by part. */
async function previewParts<Task extends BenchTask>(
  bench: BenchAdapter<Task>,
  advised: AdvisedAdapter<Task>,
  request: AdvisedRequest,
): Promise<Preview> {
  const plan = await planAdvised(bench, advised, request);
  const trials = await agentSuite(bench).preview?.(request, false);
  const { values } = request;
  const doesPlan = plansItself(plan.own);
  const parts: PlannedPart[] = [];
  const shared = sharedTasks({ tasks: plan.own.tasks, ...(plan.shard && { shard: plan.shard }) });
  for (const task of await tasksOf(bench, { tasks: shared }, request))
    for (const condition of plan.own.conditions) {
      const own = await advised.parts(task, condition);
      for (let trial = 0; trial < values.trials; trial++) parts.push(...(doesPlan ? own : own.slice(-1)));
    }
  const phases = [...groupBy(parts, ({ name }) => name)].map(([name, own]) => ({ name, count: own.length }));
  const questions = parts.filter(({ asked }) => asked === "judge");
  const calls = doesPlan ? (parts.length - questions.length) * values.maxCalls : 0;
  const tokens = doesPlan ? Math.ceil(sum(parts.map(({ prompt }) => prompt.length)) / CHARACTERS_A_TOKEN) : 0;
  const written = sum(questions.map(({ maxTokens }) => maxTokens));
  const list = phases.map(({ name, count }) => `${name} ${count}`).join(", ");
  const text =
    `Phases: ${parts.length} (${list}), each begun anew; an attempt that fails is made again. Where each is made once: at most ` +
    `${counted(calls, "calls")} of tools, ${counted(questions.length, "questions")} to a judge. What is said first has about ${tokens} tokens (by length); the judge ` +
    `writes at most ${written}.`;
  return {
    blocks: [...(trials?.blocks ?? []), sentence(text)],
    document: {
      ...trials?.document,
      ...{ phases, max_calls: calls, judge_calls: questions.length },
      ...{ estimated_prompt_tokens: tokens, max_judge_tokens: written },
    },
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
