import { REPLIES } from "../agent/replies.js";
import { isInShard } from "../base/shard.js";
import { counted } from "../base/text.js";
import { modelName } from "../model/vendor/model-name.js";
import { sentence } from "../report/make-block.js";
import { plainPage } from "../run/plain-page.js";
import { storedRun } from "../run/score-folder.js";
import type { PlannedJournal, Preview, Suite, SuitePlan } from "../run/suite.js";
import type { SuitePage } from "../run/suite-page.js";
import type { BenchAdapter } from "./adapter.js";
import type { BenchTask } from "./bench-task.js";
import { subjectOf } from "./make/choose-agent.js";
import { performTrials } from "./make/perform-trials.js";
import { type PlannedRun, planTrials } from "./plan-trials.js";
import { scoreTrials } from "./score/score-trials.js";
import { OPEN_TRIAL, tellTrial, toldSection, trialAnchor } from "./story/tell-trial.js";
import { NO_PART, type PartPlan, type RunSection, type SuitePart } from "./suite-part.js";
import { ARTIFACTS_FOLDER } from "./trial-artifacts.js";
import { TRIAL_OPTIONS, type TrialValues } from "./trial-options.js";
import { CHECKS, TRIALS } from "./trial-records.js";
import { itemsOf, plannedTrials, type TrialRequest, type TrialRun, tasksOf, trialsOf } from "./trial-run.js";

/**
 * A suite of agents: trials are made and graded by the adapter, and the part adds to them.
 * @param part such as a judge; absent: none
 */
export function agentSuite<Task extends BenchTask>(
  adapter: BenchAdapter<Task>,
  part: SuitePart<Task> = NO_PART,
): Suite<TrialValues, TrialRun> {
  const options = { ...TRIAL_OPTIONS, ...part.options, ...adapter.options };
  const others = adapter.scores.filter(({ kind, name }) => kind !== "label" && name !== adapter.headline);
  const prepare = async (request: TrialRequest): Promise<Prepared<Task>> => {
    const planned = await planTrials(adapter, options, request);
    return { planned, part: await part.plan(planned.trials, request) };
  };
  const suite: Suite<TrialValues, TrialRun> = {
    name: adapter.name,
    title: adapter.title,
    options,
    schema: part.schema,
    items: ["trials"],
    measures: [adapter.headline, ...others.map(({ name }) => name), "cost_usd", "calls"],
    manner: ["think", "attempts", "max_calls", "time_limit", "budget", ...part.manner],
    subject: subjectOf,
    data: (run) => ({ ...trialFacts(run), ...part.data(run) }),
    journals: (run) => [...trialJournals(run), ...part.journals(run)],
    besides: [
      { kind: "lines", codec: () => Promise.resolve(REPLIES) },
      { kind: "folder", name: ARTIFACTS_FOLDER },
    ],
    plan: async (request) => planOf(adapter, request, await prepare(request)),
    score: (stored, write) => scoreTrials(adapter, part, stored, write),
    // A preview runs nothing, not even what tells an agent's version.
    preview: async ({ values, ...rest }) => {
      const request = { ...rest, values: { ...values, agentVersionCmd: null } };
      return previewOf(suite, request, await prepare(request));
    },
    page: ({ runs }) => pageOf(suite, adapter, part, runs),
    tell: (stored, choice) => tellTrial(adapter, part, stored, choice),
    anchor: trialAnchor,
    dataDifferences: (baseline, candidate) =>
      baseline.data.sha256 === candidate.data.sha256
        ? []
        : [`the tasks of ${baseline.data.source} and of ${candidate.data.source}`],
  };
  return suite;
}

/** A run that is planned, its data loaded once for trials and part. */
interface Prepared<Task extends BenchTask> {
  readonly planned: PlannedRun<Task>;
  readonly part: PartPlan;
}

function planOf<Task extends BenchTask>(
  adapter: BenchAdapter<Task>,
  request: TrialRequest,
  { planned, part }: Prepared<Task>,
): SuitePlan<TrialRun> {
  const { trials, runtime, hidden, plan } = planned;
  return {
    ...plan,
    own: part.own,
    ...(part.open && { open: part.open }),
    async perform(session) {
      const arms = { ...trials.own, shard: trials.shard };
      const adviser = part.adviser ?? null;
      await performTrials({ adapter, request, session, tasks: trials.tasks, arms, runtime, hidden, adviser });
      if (session.signal.aborted || session.guard.gaveUp !== null) return;
      await part.perform?.(session);
    },
  };
}

async function previewOf<Task extends BenchTask>(
  suite: Suite<TrialValues, TrialRun>,
  request: TrialRequest,
  { planned, part }: Prepared<Task>,
): Promise<Preview> {
  const { own, shard } = planned.trials;
  const { conditions, agents } = own;
  const tasks = tasksOf({ ...own, shard });
  const trials = plannedTrials({ ...own, shard });
  const names = agents.map(({ name }) => name).join(", ");
  const text = `${counted(tasks.length, "tasks")}, ${conditions.join(" and ")}, ${names}: ${counted(trials, "trials")}. Nothing was run.`;
  const { foreseenTrials } = await import("./past-trials.js");
  const { price, model, subject, values, workingDirectory } = request;
  const past = await foreseenTrials(suite, {
    trials: plannedTrials({ ...own, shard, agents: agents.filter((agent) => !agent.is_control) }),
    attempts: values.attempts,
    label: subject?.label ?? model.label,
    price,
    think: values.think,
    workingDirectory,
  });
  const more = await part.preview();
  return {
    blocks: [sentence(text), ...past.blocks, ...more.blocks],
    document: { tasks, conditions, agents, trials, ...past.document, ...more.document },
  };
}

/** Facts that identify the data of a run, besides model, prompts and parameters: with others it is not resumed. */
function trialFacts(run: TrialRun): Readonly<Record<string, string | number | boolean | null>> {
  const facts = run.agents.flatMap(({ name, identity }) =>
    Object.entries(identity).map(([key, value]) => [`agent ${name} ${key}`, value] as const),
  );
  return {
    sha256: run.data.sha256,
    tasks: run.tasks.map(({ id }) => id).join(","),
    conditions: run.conditions.join(","),
    "runtime sha256": run.runtime_sha256,
    "sandbox kind": run.sandbox.kind,
    ...(run.sandbox.image_id !== undefined && { "sandbox image": run.sandbox.image_id }),
    ...Object.fromEntries(Object.entries(run.tool_versions).map(([name, version]) => [`tool ${name}`, version])),
    ...Object.fromEntries(facts),
  };
}

function trialJournals(run: TrialRun): PlannedJournal[] {
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

/**
 * The results of each run, a leaderboard of several, the sections that adapter and part have for each run, and its trials
 * one by one.
 */
async function pageOf<Task extends BenchTask>(
  suite: Suite<TrialValues, TrialRun>,
  adapter: BenchAdapter<Task>,
  part: SuitePart<Task>,
  folders: readonly string[],
): Promise<SuitePage> {
  const sections = [];
  const trials: RunSection = {
    id: "trials",
    title: (model) => `Trials of ${model}, one by one`,
    blocks: async (stored) => [...(await toldSection(adapter, part, stored, stored.folder === folders[0]))],
  };
  for (const section of [...(adapter.sections ?? []), ...part.sections, trials])
    for (const [i, folder] of folders.entries()) {
      const stored = await storedRun(suite, folder);
      const blocks = await section.blocks(stored);
      const title = section.title(modelName(stored.run.model));
      if (blocks.length > 0) sections.push({ id: `${suite.name}-${section.id}-${i + 1}`, title, blocks });
    }
  const page = await plainPage(suite, folders, sections);
  return { ...page, part: { ...page.part, script: OPEN_TRIAL } };
}
