import type { Bytes } from "../base/text.js";
import type { Cage } from "../workspace/cage.js";
import type { Workspace } from "../workspace/workspace.js";
import type { Tool } from "./tool.js";

/** End of an agent. The tree it left is graded all the same. */
export const AGENT_ENDS = [
  "finished",
  "max_calls",
  "time_limit",
  "budget",
  "no_tool_call",
  "context_overflow",
  "refused",
  "crashed",
  // Nothing of it ran: the trial is unreachable.
  "not_started",
  // A step before the work, such as a plan, was not made.
  "no_plan",
] as const;
/** End of an agent. */
export type AgentEnd = (typeof AGENT_ENDS)[number];

/** Trial that an attempt belongs to, with the attempt's number. */
export interface AttemptKey {
  readonly taskId: string;
  readonly condition: string;
  /** From 0. */
  readonly trial: number;
  /** From 0. */
  readonly attempt: number;
  /** Phase before the work, such as `plan`; absent: the work. */
  readonly phase?: string;
}

/** Limits of an attempt. */
export interface AttemptLimits {
  /** Calls of tools. */
  readonly maxCalls: number;
  /** `null`: none. */
  readonly timeLimitMs: number | null;
  /** US dollars; `null`: none. */
  readonly budgetUsd: number | null;
  /** Set where the budget is the suite's usual one: of a cost that nobody can tell it is no limit. */
  readonly isUsualBudget?: boolean;
}

/** Request for an attempt. */
export interface Attempt {
  readonly key: AttemptKey;
  readonly workspace: Workspace;
  /** For an agent that runs commands: where they run. */
  readonly cage: Cage;
  /** For a model with tools. */
  readonly system: string;
  readonly user: string;
  readonly tools: readonly Tool[];
  /** For an agent that brings its own tools: the whole task in one text. */
  readonly instruction: string;
  /** Paths that the instruction names, and the folders that stand for them in a cage. */
  readonly at?: Readonly<Record<string, string>>;
  /** A right solution; `null` where there is none. */
  readonly gold: Bytes | null;
  /** An empty folder for what the agent tells besides. */
  readonly outputFolder: string;
  readonly limits: AttemptLimits;
  readonly seed: number;
  /** Keeps an entry of what happened. */
  readonly note: (entry: object) => void;
  /** Aborted when the run is stopped: the attempt then ends with the signal's reason, and counts for nothing. */
  readonly signal: AbortSignal;
}

/** Consumption of an attempt. `null`: not told. */
export interface AttemptMeter {
  readonly calls: number | null;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly costUsd: number | null;
  /** Cost at the most, by which a budget is held where `costUsd` is not told; never recorded. Absent: nobody can tell. */
  readonly mostUsd?: number | null;
}

/** Result of an attempt; `unreachable`: it did not take place. */
export type AttemptResult =
  | (AttemptMeter & {
      readonly status: "done";
      readonly end: AgentEnd;
      /** `null`: the agent does not say. */
      readonly reportedSuccess: boolean | null;
      /** Detail in words, where there is more to say. */
      readonly detail: string | null;
      /** Model that it worked with, as it says; absent: it says nothing. */
      readonly model?: string;
      /** Why the patch that it brought was not taken: that is then its work, not the tree. Absent: there is the tree. */
      readonly refused?: string;
    })
  | {
      readonly status: "unreachable";
      readonly detail: string;
      /** Set where an agent could not be started; absent: there was none to start. */
      readonly end?: "not_started";
    };

/** Something that changes a tree. */
export interface Agent {
  /** The column `agent`. */
  readonly name: string;
  /** Flat facts that make it the same agent again. */
  readonly identity: Readonly<Record<string, string | number | boolean | null>>;
  /** True if it runs code of its own, and so could see hidden tests if nothing held it back. */
  readonly runsCode: boolean;
  /** @throws the reason of the attempt's signal when that stops it */
  run(attempt: Attempt): Promise<AttemptResult>;
}

/** Nothing was called, nothing was paid. */
export const NO_METER: AttemptMeter = { calls: 0, promptTokens: 0, completionTokens: 0, costUsd: 0 };
