import { badInput } from "../../base/errors.js";
import { sha256 } from "../../base/sha256.js";
import { counted, shorten } from "../../base/text.js";
import { modelName } from "../../model/vendor/model-name.js";
import type { Block } from "../../report/block.js";
import { heading, sentence } from "../../report/make-block.js";
import type { BlockSection } from "../../report/page.js";
import type { StoredRun } from "../../run/suite.js";
import type { ItemChoice, ItemStory } from "../../run/suite-page.js";
import type { BenchAdapter } from "../adapter.js";
import type { BenchTask } from "../bench-task.js";
import type { PartScore, SuitePart } from "../suite-part.js";
import { recordsOf, TRIALS, type TrialRecord } from "../trial-records.js";
import type { TrialRun } from "../trial-run.js";
import { readStory, type Story, type ToldRun } from "./read-story.js";
import { outcomeText, storySections } from "./story-blocks.js";

/** Trials of a page that are told one by one; of more, those that did not pass come first. */
const MOST_TOLD = 100;

/** A run's trials with all their scores. */
interface ToldTrials<Task extends BenchTask> extends ToldRun<Task> {
  readonly records: readonly TrialRecord[];
}

async function trialsOf<Task extends BenchTask>(
  adapter: BenchAdapter<Task>,
  part: SuitePart<Task>,
  stored: StoredRun<TrialRun>,
): Promise<ToldTrials<Task>> {
  const { folder, run } = stored;
  const made = await recordsOf(stored, TRIALS);
  const found: PartScore = await part.score(stored, made);
  return { adapter, folder, run, part: found, records: made.map(found.scored) };
}

/**
 * One trial from its files alone: no model, no data, no network.
 * @throws ProbeError `bad_input` that says which trials there are
 */
export async function tellTrial<Task extends BenchTask>(
  adapter: BenchAdapter<Task>,
  part: SuitePart<Task>,
  stored: StoredRun<TrialRun>,
  choice: ItemChoice,
): Promise<ItemStory> {
  const told = await trialsOf(adapter, part, stored);
  const record = chosen(told.records, stored.run, choice);
  const story = await readStory(told, record);
  const { task_id, condition, agent, trial } = record;
  const others = told.records.filter((each) => each.task_id === task_id).length - 1;
  return {
    title: task_id,
    facts: [condition, agent, `trial ${trial}`, outcomeText(story), `${counted(others, "other trials")} of the task`],
    sections: storySections(story),
    document: documentOf(story, stored.run),
  };
}

function chosen(records: readonly TrialRecord[], run: TrialRun, choice: ItemChoice): TrialRecord {
  const { item, condition, trial } = choice;
  const agent = choice.agent ?? run.agents[0]?.name ?? "";
  const ofTask = records.filter(({ task_id }) => task_id === item);
  const isOf = (agentName: string) => agentName === agent || agentName === `scripted:${agent}`;
  const found = ofTask.find(
    (each) =>
      isOf(each.agent) &&
      (condition === null || each.condition === condition) &&
      (trial === null || each.trial === trial),
  );
  if (found !== undefined) return found;
  const names = [...new Set(records.map(({ task_id }) => task_id))];
  if (ofTask.length === 0)
    throw badInput(`Expected a task of the run (${shorten(names.join(", "), 300)}), found "${shorten(item, 100)}".`);
  const there = ofTask.map((each) => `--condition ${each.condition} --agent ${each.agent} --trial ${each.trial}`);
  const asked = [condition, agent, trial === null ? null : `trial ${trial}`].filter((part) => part !== null).join(", ");
  throw badInput(
    `Expected a trial of ${item} in the run, found none of ${asked}. There are: ${shorten(there.join("; "), 500)}.`,
  );
}

/** Every trial of the agent that a run is about, folded, for its report. */
export async function toldSection<Task extends BenchTask>(
  adapter: BenchAdapter<Task>,
  part: SuitePart<Task>,
  stored: StoredRun<TrialRun>,
  isFirst: boolean,
): Promise<BlockSection["blocks"]> {
  const told = await trialsOf(adapter, part, stored);
  const own = told.records.filter(({ agent }) => agent === stored.run.agents[0]?.name);
  const stories: Story[] = [];
  for (const record of failedFirst(own, adapter.headline).slice(0, MOST_TOLD))
    stories.push(await readStory(told, record));
  const more = own.length - stories.length;
  const rest = `${more} more: probe suite show ${stored.run.run_id} TASK tells one.`;
  return [...stories.map((story) => foldedStory(story, isFirst)), ...(more > 0 ? [sentence(rest)] : [])];
}

/** In the order of the run, but for those that are too many to be told. */
function failedFirst(records: readonly TrialRecord[], headline: string): readonly TrialRecord[] {
  if (records.length <= MOST_TOLD) return records;
  return records.toSorted((a, b) => Number(a.scores[headline] === true) - Number(b.scores[headline] === true));
}

function foldedStory(story: Story, isFirst: boolean): Block {
  const { task_id, condition, trial } = story.record;
  const why = story.failure === null ? "" : `: ${shorten(story.failure, 200)}`;
  return {
    kind: "details",
    summary: `${task_id} · ${condition} · trial ${trial}: ${outcomeText(story)}${why}`,
    ...(isFirst && { id: trialAnchor(condition, `${task_id}#${trial}`).slice(1) }),
    blocks: storySections(story).flatMap(({ title, blocks }) => [heading(3, title), ...blocks]),
  };
}

/** Fragment of a trial in a report. @param item `task#trial`, or a task: its first trial */
export function trialAnchor(condition: string, item: string): string {
  const named = /#\d+$/.test(item) ? item : `${item}#0`;
  return `#trial-${sha256(JSON.stringify([condition, named])).slice(0, 16)}`;
}

/** Script of a page that opens the trial which its address names. */
export const OPEN_TRIAL = `{
  const openTold = () => {
    const told = document.getElementById(location.hash.slice(1));
    if (!(told instanceof HTMLDetailsElement)) return;
    told.open = true;
    told.scrollIntoView();
  };
  addEventListener("hashchange", openTold);
  openTold();
}`;

function documentOf({ record, passed, failure, steps, patch, goldPatch }: Story, run: TrialRun): object {
  const { task_id, condition, agent, trial, status, scores, agent_end, attempts, calls } = record;
  return {
    run_id: run.run_id,
    suite: run.suite,
    model: modelName(run.model),
    task_id,
    condition,
    agent,
    trial,
    status,
    passed,
    failure,
    agent_end,
    attempts,
    calls,
    prompt_tokens: record.prompt_tokens,
    completion_tokens: record.completion_tokens,
    cost_usd: record.cost_usd,
    duration_ms: record.duration_ms,
    scores,
    steps: steps.map(({ atMs, isFault, ...step }) => ({ at_ms: atMs, ...step, is_fault: isFault })),
    patch,
    gold_patch: goldPatch,
  };
}
