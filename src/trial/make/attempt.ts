import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Agent, Attempt, AttemptLimits, AttemptMeter, AttemptResult } from "../../agent/agent.js";
import type { ReplyBook } from "../../agent/replies.js";
import { sumOrNull } from "../../base/sums.js";
import { Workspace } from "../../workspace/workspace.js";
import type { BenchAdapter } from "../adapter.js";
import type { Assignment, Bench, BenchTask } from "../bench-task.js";
import type { Lead, Led } from "./attempt-lead.js";
import type { GoldBook } from "./gold-book.js";

/** One trial, before it is made. */
export interface TrialJob<Task extends BenchTask> {
  readonly item: number;
  readonly agent: Agent;
  readonly condition: string;
  readonly task: Task;
  readonly trial: number;
}

/** Setting of all trials of a run. */
export interface TrialSetting<Task extends BenchTask> {
  readonly adapter: BenchAdapter<Task>;
  readonly bench: Bench;
  /** Attempts, and what limits each. */
  readonly attempts: number;
  readonly limits: AttemptLimits;
  readonly seed: number;
  readonly replies: ReplyBook;
  readonly gold: GoldBook<Task>;
  /** Answers questions that come before the work; `null`: nobody does. */
  readonly adviser: ((lead: Lead) => Lead["ask"]) | null;
  /** The folder for the files of the trial. */
  readonly artifacts: string;
}

/** An attempt that took place. */
export type Done = Extract<AttemptResult, { status: "done" }>;

interface AttemptPlace {
  /** From 0. */
  readonly attempt: number;
  readonly limits: AttemptLimits;
  readonly notes: object[];
  /** Begin of the trial, by `performance.now()`. */
  readonly started: number;
}

/** An attempt that took place, and the tree that it left. */
type Attempted = (Done & { readonly workspace: Workspace }) | Extract<AttemptResult, { status: "unreachable" }>;

type Prepare = (workspace: Workspace, outputFolder: string) => Promise<Assignment>;

/** Makes one attempt on a fresh tree: what the suite puts before it, then the work. */
export async function makeAttempt<Task extends BenchTask>(
  job: TrialJob<Task>,
  setting: TrialSetting<Task>,
  place: AttemptPlace,
): Promise<Attempted> {
  const { task, condition, agent } = job;
  const { adapter, bench } = setting;
  const parts = new AttemptParts(job, setting, place);
  const led: Led =
    adapter.lead !== undefined && agent.runsCode
      ? await adapter.lead(task, condition, parts.lead(), bench)
      : { status: "ready", prepare: (workspace) => adapter.prepare(task, condition, workspace, bench) };
  if (led.status === "unreachable") return led;
  if (led.status === "ended") {
    const workspace = await Workspace.create(join(await bench.folder(), "work"), task.source);
    // Whoever got nothing to work on has reported nothing.
    return { ...led, status: "done", reportedSuccess: null, ...parts.meter(), workspace };
  }
  const { result, workspace } = await parts.run(led.prepare);
  return result.status === "unreachable" ? result : { ...result, ...parts.meter(), workspace };
}

/** The parts of an attempt, and what they took. */
class AttemptParts<Task extends BenchTask> {
  readonly #job: TrialJob<Task>;
  readonly #setting: TrialSetting<Task>;
  readonly #place: AttemptPlace;
  readonly #spent: AttemptMeter[] = [];

  constructor(job: TrialJob<Task>, setting: TrialSetting<Task>, place: AttemptPlace) {
    this.#job = job;
    this.#setting = setting;
    this.#place = place;
  }

  meter(): AttemptMeter {
    return meterOf(this.#spent);
  }

  /** @param phase absent: the work */
  async run(prepare: Prepare, phase?: string) {
    const { agent, task } = this.#job;
    const { adapter, bench, seed } = this.#setting;
    const folder = await bench.folder();
    const workspace = await Workspace.create(join(folder, "work"), task.source);
    const outputFolder = join(folder, "output");
    await mkdir(outputFolder);
    const note = this.#noting(phase);
    const asked: Attempt = {
      ...(await prepare(workspace, outputFolder)),
      key: this.#key(phase),
      workspace,
      cage: bench.cage,
      gold: await adapter.gold(task),
      outputFolder,
      limits: limitsLeft(this.#place.limits, this.#spent),
      seed,
      note,
      signal: bench.signal,
    };
    const result = await agent.run(asked);
    note({ role: "end", ...result, mostUsd: undefined });
    if (result.status === "done") this.#spent.push(result);
    return { result, workspace, outputFolder };
  }

  lead(): Lead {
    const { seed, bench, replies, adviser } = this.#setting;
    const lead: Lead = {
      key: this.#key(),
      seed,
      replies,
      ask: null,
      signal: bench.signal,
      run: ({ name, prepare }) => this.run(prepare, name),
      spend: (meter) => void this.#spent.push(meter),
      note: this.#noting("lead"),
    };
    return { ...lead, ask: adviser?.(lead) ?? null };
  }

  #key(phase?: string): Attempt["key"] {
    const { task, condition, trial } = this.#job;
    return { taskId: task.id, condition, trial, attempt: this.#place.attempt, ...(phase !== undefined && { phase }) };
  }

  #noting(phase?: string): (entry: object) => void {
    const { attempt, notes, started } = this.#place;
    const at = () => ({
      attempt,
      at_ms: Math.round(performance.now() - started),
      ...(phase !== undefined && { phase }),
    });
    return (entry) => void notes.push({ ...at(), ...entry });
  }
}

function exactSum(values: readonly (number | null)[]): number | null {
  const sum = sumOrNull(values);
  return sum === null || sum > Number.MAX_SAFE_INTEGER ? null : sum;
}

/** Sum of all parts; `null` where one is not known, or it is beyond what counts exactly. */
export function meterOf(parts: readonly AttemptMeter[]): AttemptMeter {
  return {
    calls: exactSum(parts.map(({ calls }) => calls)),
    promptTokens: exactSum(parts.map(({ promptTokens }) => promptTokens)),
    completionTokens: exactSum(parts.map(({ completionTokens }) => completionTokens)),
    costUsd: exactSum(parts.map(({ costUsd }) => costUsd)),
    mostUsd: mostSpent(parts),
  };
}

/** What parts cost at the most; `null`: nobody can tell. */
function mostSpent(parts: readonly AttemptMeter[]): number | null {
  return exactSum(parts.map(({ costUsd, mostUsd = null }) => costUsd ?? mostUsd));
}

/** Limits with the rest of a trial's budget. */
export function limitsLeft(limits: AttemptLimits, parts: readonly AttemptMeter[]): AttemptLimits {
  const spent = mostSpent(parts);
  return limits.budgetUsd === null || spent === null ? limits : { ...limits, budgetUsd: limits.budgetUsd - spent };
}

/** Tests for a budget that is spent, or may be: of one that was asked for, also where nobody can tell what was. */
export function isSpent({ budgetUsd, isUsualBudget = false }: AttemptLimits, parts: readonly AttemptMeter[]): boolean {
  if (budgetUsd === null) return false;
  const spent = mostSpent(parts);
  return spent === null ? !isUsualBudget : spent >= budgetUsd;
}
