import { join, resolve } from "node:path";
import type { Agent, AttemptLimits } from "../../agent/agent.js";
import { openReplyBook, type ReplyBook } from "../../agent/replies.js";
import { messageOf } from "../../base/errors.js";
import { cacheFolder } from "../../base/folders.js";
import { isInShard } from "../../base/shard.js";
import { shorten } from "../../base/text.js";
import { dollarPrice } from "../../model/prices.js";
import { workAtOnce } from "../../run/asking.js";
import type { OpenJournal, Performance } from "../../run/suite.js";
import { RESULTS_FOLDER } from "../../store/folder/work-folder.js";
import { sealLine } from "../../store/journal/codec.js";
import { MOST_TEXT_BYTES } from "../../store/text-lines.js";
import type { BenchAdapter } from "../adapter.js";
import { type BenchRoom, openRoom, TaskCages } from "../bench-room.js";
import type { BenchTask, Runtime } from "../bench-task.js";
import { checkTask } from "../check/check-task.js";
import { knownStrength } from "../check/test-mutants.js";
import { artifactsOf } from "../trial-artifacts.js";
import { COMMAND_LIMIT_SECONDS, type TrialValues } from "../trial-options.js";
import { CHECKS, isLost, outcomeOf, type PlacedCheck, TRIALS, type TrialRecord } from "../trial-records.js";
import { type Arms, type TrialRequest, trialsOf } from "../trial-run.js";
import type { TrialJob, TrialSetting } from "./attempt.js";
import { mainAgent, withControls } from "./choose-agent.js";
import { GoldBook } from "./gold-book.js";
import { NOT_MADE, placeOf, runTrial } from "./run-trial.js";

interface Work<Task extends BenchTask> {
  readonly adapter: BenchAdapter<Task>;
  readonly request: TrialRequest;
  readonly session: Performance;
  readonly tasks: readonly Task[];
  readonly arms: Arms;
  readonly runtime: Runtime;
  readonly hidden: readonly string[];
  readonly adviser: TrialSetting<Task>["adviser"];
}

/**
 * Checks every task, then makes every trial, as far as the journals do not hold them. The session's signal ends what is
 * under way, which may take hours: the run goes on with it from its beginning.
 */
export async function performTrials<Task extends BenchTask>(work: Work<Task>): Promise<void> {
  const { session, request, hidden } = work;
  // Other runs too: right solutions are among their artifacts.
  const cages = await TaskCages.open(work.adapter, {
    sandbox: request.values.sandbox,
    image: request.values.image,
    hidden: [
      ...hidden,
      session.folder,
      // A project, with what it keeps from others, such as its `.env`.
      request.workingDirectory,
      resolve(request.workingDirectory, RESULTS_FOLDER),
      // Audited code of suites, hidden tests and right solutions among it.
      join(cacheFolder(process.env), "suite-parts"),
    ],
  });
  const room = await openRoom(resolve(request.workingDirectory, session.folder), request.warn);
  const replies = await openReplyBook(session.folder, { fingerprint: session.fingerprint });
  try {
    const valid = await checkAll(work, room, cages);
    const { agent } = await mainAgent(request, cages.common, { model: session.model, replies });
    await session.withJournal(TRIALS, (journal) =>
      tryAll(work, { agent, room, cages, valid, journal, replies, gold: new GoldBook(work.adapter, work.tasks) }),
    );
  } catch (error) {
    // A check or trial that was under way did not take place: the run goes on with it.
    if (!isAbort(error, session.signal)) throw error;
  } finally {
    await replies.close();
    await room.close();
  }
}

function isAbort(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted && (error === signal.reason || (error instanceof Error && error.name === "AbortError"));
}

async function checkAll<Task extends BenchTask>(
  { adapter, session, tasks, arms, runtime }: Work<Task>,
  room: BenchRoom,
  cages: TaskCages,
): Promise<ReadonlyMap<string, PlacedCheck>> {
  const found = new Map<string, PlacedCheck>();
  await session.withJournal(CHECKS, async (journal) => {
    const own = [...tasks.entries()].filter(([item]) => isInShard(arms.shard, item));
    for (const [item, task] of own) {
      if (session.signal.aborted) return;
      const [known] = journal.isDone(item, 0) ? await journal.recordsOf(item) : [];
      if (known === undefined) {
        const { cage, obstacle } = await cages.of(task);
        const bench = room.open(cage, session.signal);
        const made = await checkTask(adapter, task, runtime, bench, obstacle).finally(() => bench.close());
        const strength = await knownStrength(adapter, task, runtime, cage);
        const checked = { item, ...made, ...(strength && { strength }) };
        await journal.append(checked);
        session.onRecord({ isFailed: checked.valid === null });
        found.set(task.id, checked);
      } else found.set(task.id, known);
    }
  });
  return found;
}

interface Trying<Task extends BenchTask> {
  readonly agent: Agent;
  readonly room: BenchRoom;
  readonly cages: TaskCages;
  readonly valid: ReadonlyMap<string, PlacedCheck>;
  readonly journal: OpenJournal<TrialRecord>;
  readonly replies: ReplyBook;
  readonly gold: GoldBook<Task>;
}

async function tryAll<Task extends BenchTask>(work: Work<Task>, trying: Trying<Task>): Promise<void> {
  const { session, request } = work;
  const { guard, signal } = session;
  const jobs = jobsOf(work, trying);
  let isOver = false;
  await workAtOnce(
    jobs,
    request.values.jobs ?? 1,
    () => isOver || signal.aborted,
    async (job) => {
      const record = await tryOne(work, trying, job);
      await trying.journal.append(record);
      session.onRecord({ isFailed: isLost(record) });
      if (guard.isHopeless({ outcome: outcomeOf(isLost(record), record) })) isOver = true;
    },
  );
}

/** Jobs that the journal does not hold yet. */
async function* jobsOf<Task extends BenchTask>(
  work: Work<Task>,
  { agent, journal }: Trying<Task>,
): AsyncGenerator<TrialJob<Task>> {
  for (const job of allJobs(work, agent)) if (!journal.isDone(job.item, job.trial)) yield job;
}

/** All trials, in the order of the run. */
function allJobs<Task extends BenchTask>({ request, tasks, arms }: Work<Task>, agent: Agent): TrialJob<Task>[] {
  const places = trialsOf(arms);
  return withControls(agent, request.values.controls)
    .flatMap((who) => arms.conditions.flatMap((condition) => tasks.map((task) => ({ who, condition, task }))))
    .flatMap(({ who, ...rest }, item) => {
      const job = { item, agent: who, ...rest };
      return Array.from({ length: places(item) }, (_, trial) => ({ ...job, trial }));
    });
}

async function tryOne<Task extends BenchTask>(
  { adapter, request, session, arms, adviser }: Work<Task>,
  { room, cages, valid, replies, gold }: Trying<Task>,
  job: TrialJob<Task>,
): Promise<TrialRecord> {
  const check = valid.get(job.task.id);
  if (check?.valid === false && !request.values.includeInvalid)
    return { ...placeOf(job), ...NOT_MADE, status: "invalid_task", valid: false, detail: check.reason };
  const { cage, obstacle: missing } = await cages.of(job.task);
  const bench = room.open(cage, session.signal);
  const obstacle = missing ?? adapter.unreachable?.(job.task) ?? (await bench.spaceFault());
  if (obstacle !== null)
    return { ...placeOf(job), ...NOT_MADE, status: "unreachable", valid: check?.valid ?? null, detail: obstacle };
  try {
    const { values } = request;
    const place = placeOf(job);
    const setting = {
      adapter,
      bench,
      adviser,
      replies,
      gold,
      artifacts: artifactsOf(session.folder, arms, place),
      attempts: values.attempts,
      limits: limitsOf(
        values,
        dollarPrice(request.price) === null ? null : (adapter.budgetUsd ?? null),
        adapter.timeLimit?.(job.task) ?? COMMAND_LIMIT_SECONDS,
      ),
      seed: values.seed,
    };
    const record = await runTrial(job, setting, check?.valid ?? null);
    // What the agent did, or its tests, may have failed for want of room.
    const full = await bench.spaceFault();
    if (full !== null) throw new Error(full);
    return readable(record);
  } catch (error) {
    if (isAbort(error, session.signal)) throw error;
    // What an agent left was no reason: the run goes on with the next trial, and with this one when it is resumed.
    const detail = shorten(messageOf(error), 300);
    return { ...placeOf(job), ...NOT_MADE, status: "grader_failed", valid: check?.valid ?? null, detail };
  } finally {
    await bench.close();
  }
}

/** @throws where the journal would not take it, or could not be read again: that would end the whole run */
function readable(record: TrialRecord): TrialRecord {
  const text = TRIALS.encode(record);
  TRIALS.decode(text);
  const bytes = Buffer.byteLength(sealLine(text));
  if (bytes > MOST_TEXT_BYTES)
    throw new Error(`Expected a record of at most ${MOST_TEXT_BYTES} bytes, found ${bytes}.`);
  return record;
}

function limitsOf(
  { maxCalls, timeLimit, agentCmd, budget }: TrialValues,
  usualUsd: number | null,
  usualSeconds: number,
): AttemptLimits {
  const seconds = timeLimit ?? (agentCmd === null ? null : usualSeconds);
  return {
    maxCalls,
    timeLimitMs: seconds === null ? null : seconds * 1000,
    budgetUsd: budget ?? usualUsd,
    isUsualBudget: budget === null,
  };
}
