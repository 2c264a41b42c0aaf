import type { AgentEnd, AttemptKey, AttemptMeter, AttemptResult } from "../../agent/agent.js";
import type { ReplyBook } from "../../agent/replies.js";
import type { FailedReply } from "../../model/requests.js";
import type { Workspace } from "../../workspace/workspace.js";
import type { Assignment } from "../bench-task.js";

/** A part of an attempt that comes before its work, such as a plan: begun anew, on a tree that is thrown away. */
export interface Phase {
  /** Such as `plan`. */
  readonly name: string;
  /**
   * Assignment of the agent in the phase.
   * @param outputFolder an empty one for its output; a command agent may write to it
   */
  prepare(workspace: Workspace, outputFolder: string): Promise<Assignment>;
}

/** End of a phase, and the folder of its output. */
interface PhaseEnd {
  readonly result: AttemptResult;
  readonly outputFolder: string;
}

/** Question to a judge before the work. */
interface LeadQuestion {
  readonly system: string;
  readonly user: string;
  /** Tokens of the reply. */
  readonly maxTokens: number;
}

/** Reply to it; `failed`: none. */
type LeadAnswer =
  | { readonly status: "said"; readonly text: string }
  | { readonly status: "failed"; readonly failure: FailedReply["failure"]; readonly detail: string };

/** Abilities of a suite before the work of an attempt. All that they take is part of what the attempt takes. */
export interface Lead {
  readonly key: AttemptKey;
  readonly seed: number;
  readonly signal: AbortSignal;
  readonly replies: ReplyBook;
  /** Lets the agent do a phase. */
  run(phase: Phase): Promise<PhaseEnd>;
  /** Asks a judge; `null`: there is none. */
  readonly ask: ((question: LeadQuestion) => Promise<LeadAnswer>) | null;
  /** Counts what was taken besides. */
  spend(meter: AttemptMeter): void;
  /** Keeps an entry of what happened. */
  note(entry: object): void;
}

/** Outcome of a lead: the assignment of the work, or why there is none. */
export type Led =
  | {
      readonly status: "ready";
      /** Assignment of the agent at work. */
      readonly prepare: (workspace: Workspace) => Promise<Assignment>;
    }
  /** The attempt ends here; the tree as it was is graded. */
  | { readonly status: "ended"; readonly end: AgentEnd; readonly detail: string }
  | { readonly status: "unreachable"; readonly detail: string };
