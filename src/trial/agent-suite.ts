import { resolve } from "node:path";
import { REPLIES } from "../agent/replies.js";
import { ProbeError } from "../base/errors.js";
import { isInShard, type Shard } from "../base/shard.js";
import { counted } from "../base/text.js";
import { recordedParameters } from "../console/recorded-options.js";
import type { PlannedJournal, StoredRun, Suite, SuitePlan, SuiteScore, WriteTable } from "../run/suite.js";
import { entryOf } from "../store/table.js";
import { judgementText } from "../verdict/judgement.js";
import { openCage } from "../workspace/cage.js";
import type { BenchAdapter, BenchTask } from "./adapter.js";
import { ARTIFACTS_FOLDER } from "./artifacts.js";
import { mainAgent, subjectOf, withControls } from "./make/choose-agent.js";
import { performTrials } from "./make/perform-trials.js";
import { requireNamedCode } from "./named-code.js";
import { goldRows } from "./score/gold-likeness.js";
import { trialReality } from "./score/reality.js";
import { strengthRows } from "./score/strength-rows.js";
import { summarise } from "./score/summarise-trials.js";
import { trialBlocks } from "./score/trial-blocks.js";
import { SUMMARY, trialsTable, VALIDITY, validityRows } from "./score/trial-tables.js";
import { trialVerdicts } from "./score/trial-verdicts.js";
import { selectConditions, selectTasks } from "./select-tasks.js";
import { COMMAND_LIMIT_SECONDS, TRIAL_OPTIONS, type TrialValues } from "./trial-options.js";
import { CHECKS, isLost, type PlacedCheck, TRIALS, type TrialRecord } from "./trial-records.js";
import {
  isTried,
  itemsOf,
  plannedTrials,
  type TrialRequest,
  type TrialRun,
  tasksOf,
  trialRunSchema,
  trialsOf,
} from "./trial-run.js";

/** A suite of agents, by what it does not share with the others. */
export function agentSuite<Task extends BenchTask>(adapter: BenchAdapter<Task>): Suite<TrialValues, TrialRun> {
  const others = adapter.scores.filter(({ kind, name }) => kind !== "label" && name !== adapter.headline);
  return {
    name: adapter.name,
    title: adapter.title,
    options: { ...TRIAL_OPTIONS, ...adapter.options },
    schema: trialRunSchema,
    items: ["trials"],
    measures: [adapter.headline, ...others.map(({ name }) => name), "cost_usd", "calls"],
    manner: ["attempts", "max_calls", "time_limit", "budget"],
    subject: subjectOf,
    data: dataOf,
    journals: journalsOf,
    besides: [
      { kind: "lines", codec: REPLIES },
      { kind: "folder", name: ARTIFACTS_FOLDER },
    ],
    plan: (request) => planTrials(adapter, request),
    score: (stored, write) => scoreTrials(adapter, stored, write),
    preview: async (request) => {
      const { own, shard } = await planTrials(adapter, request);
      const { conditions, agents } = own;
      const tasks = tasksOf({ ...own, shard });
      const trials = plannedTrials({ ...own, shard });
      const names = agents.map(({ name }) => name).join(", ");
      const text = `${counted(tasks.length, "tasks")}, ${conditions.join(" and ")}, ${names}: ${counted(trials, "trials")}. Nothing was run.`;
      return { blocks: [{ kind: "text", parts: [text] }], document: { tasks, conditions, agents, trials } };
    },
    dataDifferences: (baseline, candidate) =>
      baseline.data.sha256 === candidate.data.sha256
        ? []
        : [`the tasks of ${baseline.data.source} and of ${candidate.data.source}`],
  };
}

/** What makes a run what it is besides model, prompts and parameters: another of these is refused by name. */
function dataOf(run: TrialRun): Readonly<Record<string, string | number | boolean | null>> {
  const facts = run.agents.flatMap(({ name, identity }) =>
    Object.entries(identity).map(([key, value]) => [`agent ${name} ${key}`, value] as const),
  );
  return {
    sha256: run.data.sha256,
    tasks: run.tasks.map(({ id }) => id).join(","),
    conditions: run.conditions.join(","),
    "runtime sha256": run.runtime_sha256,
    "sandbox kind": run.sandbox.kind,
    ...Object.fromEntries(Object.entries(run.tool_versions).map(([name, version]) => [`tool ${name}`, version])),
    ...Object.fromEntries(facts),
  };
}

function journalsOf(run: TrialRun): PlannedJournal[] {
  return [
    {
      codec: TRIALS,
      plan: { items: itemsOf(run), places: trialsOf(run) },
      records: plannedTrials(run),
      name: "trials",
    },
    {
      codec: CHECKS,
      plan: { items: run.tasks.length, places: (item) => Number(isInShard(run.shard, item)) },
      records: tasksOf(run).length,
      name: "checks",
    },
  ];
}

async function planTrials<Task extends BenchTask>(
  adapter: BenchAdapter<Task>,
  request: TrialRequest,
): Promise<SuitePlan<TrialRun>> {
  const { values, workingDirectory } = request;
  const named = values.data === null ? null : resolve(workingDirectory, values.data);
  const data = await adapter.load(named, workingDirectory, { ...values });
  const asked = selectConditions(adapter, values);
  const tried = data.tasks.filter((task) => asked.some((condition) => isTried(task, condition)));
  const tasks = selectTasks({ ...data, tasks: tried }, values);
  const conditions = asked.filter((condition) => tasks.some((task) => isTried(task, condition)));
  const shard = requireEnough(request.shard ?? undefined, tasks.length);
  const runtime = await adapter.runtime({ ...values });
  const cage = await openCage({ sandbox: values.sandbox, hidden: data.hidden });
  requireNamedCode(request, cage);
  const { agent, needs } = await mainAgent(request, cage, null);
  const agents = withControls(agent, values.controls);
  const isExposed = cage.kind === "none" && agent.runsCode;
  const arms = {
    tasks: await Promise.all(tasks.map((task) => taskRecord(adapter, task))),
    conditions,
    agents: agents.map(({ name, identity }) => ({ name, is_control: name !== agent.name, identity: { ...identity } })),
    trials_per_task: values.trials,
  };
  const ownArms = { ...arms, shard };
  return {
    needs,
    parameters: recordedParameters({ ...TRIAL_OPTIONS, ...adapter.options }, values),
    prompts: [...(await adapter.prompts())],
    limits: { ...adapter.limits, command_limit_seconds: COMMAND_LIMIT_SECONDS },
    opening: { mode: "fast", seed: values.seed },
    own: {
      kind: "suite",
      data: { source: data.source, sha256: data.sha256 },
      ...arms,
      runtime_sha256: runtime.sha256,
      tool_versions: runtime.versions,
      sandbox: { kind: cage.kind, version: cage.version, reason: cage.reason },
      hidden_tests_exposed: isExposed,
    },
    ...(shard && { shard }),
    perform: (session) =>
      performTrials({ adapter, request, session, tasks, arms: ownArms, runtime, hidden: data.hidden }),
  };
}

/** @throws ProbeError `bad_input` when there are more shares than tasks */
function requireEnough(shard: Shard | undefined, tasks: number): Shard | undefined {
  if (shard === undefined || shard.count <= tasks) return shard;
  throw new ProbeError(
    "bad_input",
    `Expected --shard i/n with n up to ${tasks}, as many as there are tasks, found ${shard.count}. Split the run into fewer.`,
  );
}

async function taskRecord<Task extends BenchTask>(
  adapter: BenchAdapter<Task>,
  task: Task,
): Promise<TrialRun["tasks"][number]> {
  const { id, group, conditions } = task;
  const hasGold = (await adapter.gold(task)) !== null;
  return { id, group, ...(conditions && { conditions: [...conditions] }), ...(!hasGold && { has_gold: false }) };
}

async function scoreTrials<Task extends BenchTask>(
  adapter: BenchAdapter<Task>,
  stored: StoredRun<TrialRun>,
  write: WriteTable,
): Promise<SuiteScore<TrialRun>> {
  const { run, folder } = stored;
  const { scores, headline, tables: own = [] } = adapter;
  const records: TrialRecord[] = [];
  for await (const own of stored.records(TRIALS)) records.push(...own);
  const checks: PlacedCheck[] = [];
  for await (const own of stored.records(CHECKS)) checks.push(...own);
  const cluster = run.parameters["cluster"] === "group" ? "group" : "task";
  const options = { scores, headline, trials: run.trials_per_task, cluster, seed: 0 } as const;
  const summary = [
    ...summarise(records, options),
    ...(adapter.moreSummary?.(records, options) ?? []),
    ...strengthRows(records, checks),
    ...goldRows(records, options),
  ];
  const owner = { runId: run.run_id, suite: run.suite, model: run.model.label };
  const table = trialsTable(scores);
  await write(
    table,
    records.map((record) => ({ ...record, owner })),
  );
  await write(VALIDITY, validityRows(run.suite, checks));
  await write(
    SUMMARY,
    summary.map((row) => ({ ...row, owner })),
  );
  for (const each of own) await each.write(write, run, records);
  const reality = trialReality(run, checks, summary);
  const verdicts = { ...trialVerdicts({ run, folder, records, summary, scores, headline }), reality };
  const judgements = verdicts.forms.map(({ judgement }) => judgementText(judgement));
  const lost = records.filter(isLost).length;
  const missing = plannedTrials(run) - records.length;
  return {
    tables: [table, VALIDITY, SUMMARY, ...own.map(({ description }) => description)],
    run: { ...run, ...spent(records) },
    verdicts,
    failed: lost + checks.filter(({ valid }) => valid === null).length,
    unfinished: missing === 0 ? null : `${missing} of ${plannedTrials(run)} trials that are not made yet`,
    facts: [counted(tasksOf(run).length, "tasks"), run.conditions.join(" and "), counted(records.length, "trials")],
    blocks: [
      ...trialBlocks({ run, summary, records, checks, scores, headline, judgements }),
      ...(adapter.moreBlocks?.(run, summary) ?? []),
    ],
    document: { summary: summary.map((row) => entryOf(SUMMARY.columns, { ...row, owner })) },
  };
}

/** Tokens and cost of all trials; `null` as soon as one of them is unknown. */
function spent(records: readonly TrialRecord[]) {
  const total = (of: "prompt_tokens" | "completion_tokens" | "cost_usd") =>
    records
      .filter(({ status }) => status === "graded")
      .reduce<number | null>((sum, record) => (sum === null || record[of] === null ? null : sum + record[of]), 0);
  return {
    tokens: { prompt: total("prompt_tokens"), cached: null, completion: total("completion_tokens"), evaluated: null },
    cost: total("cost_usd"),
  };
}
