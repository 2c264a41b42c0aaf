import { join } from "node:path";
import type { AttemptKey } from "../agent/agent.js";
import type { Tool } from "../agent/tool.js";
import { packageRoot } from "../base/folders.js";
import { sha256 } from "../base/sha256.js";
import type { Bytes } from "../base/text.js";
import type { Cage } from "../workspace/cage.js";
import type { TreeSource, Workspace } from "../workspace/workspace.js";
import type { ScoreValue, TestTally } from "./trial-records.js";

/** One problem: a tree that is seen, an instruction, and what is hidden. */
export interface BenchTask {
  /** Letters, digits, `.`, `_`, `-` and `/`: a path of the run's artifacts. */
  readonly id: string;
  /** Its repository or family: tasks of one group are no independent cases. */
  readonly group: string;
  /** The only conditions that it is tried under; absent: all. */
  readonly conditions?: readonly string[];
  readonly source: TreeSource;
  /** Image of a container in which its agent works and its tests run; absent: that of its suite, or this machine's system. */
  readonly image?: string;
  /** Hash of everything that belongs to it, hidden things included. */
  readonly sha256: string;
}

/** The tasks of a folder of data. */
export interface BenchData<Task extends BenchTask> {
  /** The folder, as it was named. */
  readonly source: string;
  readonly sha256: string;
  readonly tasks: readonly Task[];
  /** Folders that no agent may see. */
  readonly hidden: readonly string[];
}

/**
 * Data of a suite: named ones, or those that come with the program.
 * @param clones of the repositories that tasks are about: they have what people made of them
 */
export function benchData<Task extends BenchTask>(
  suite: string,
  named: string | null,
  tasks: readonly Task[],
  clones: string | null = null,
): BenchData<Task> {
  const own = `datasets/suites/${suite}`;
  // The history of a clone of this program has the tasks too.
  const hidden = named === null ? [join(packageRoot, own), join(packageRoot, ".git")] : [named];
  return {
    source: named ?? own,
    sha256: sha256(tasks.map((task) => `${task.id} ${task.sha256}\n`).join("")),
    tasks,
    hidden: clones === null ? hidden : [...hidden, clones],
  };
}

/** A file of code. */
export interface CodeText {
  /** From the root of its tree, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** Environment of tests: the same runtime, the same results. */
export interface Runtime {
  readonly sha256: string;
  /** Such as `vitest: 4.1.12`; kept in `run.json`. */
  readonly versions: Readonly<Record<string, string>>;
  /** Set where the hash covers all that tests run with: a task that failed will fail again. Else it may have been the machine. */
  readonly isPinned?: true;
}

/** A test of a task itself, before anybody is judged by it. */
export interface Baseline {
  /** Such as `original` or `gold`. */
  readonly check: string;
  /** On the source; `null`: nothing. */
  readonly patch: Bytes | null;
  /** Another tree than the task's, such as one without what is to be mended; absent: the task's. */
  readonly source?: TreeSource;
  /** The outcome that a valid task has. */
  readonly expected: string;
}

/** Outcome of hidden tests; outcome `null`: they could not be run here. */
export interface HiddenOutcome {
  readonly outcome: string | null;
  /** The first message; `null` where all is well. */
  readonly detail: string | null;
  /** Tests by their outcomes; absent: they were not counted. */
  readonly tests?: TestTally;
}

/** A wrong solution, graded: it is to fail as it was made to. */
export interface Proof {
  /** Such as `mutant syntax`. */
  readonly check: string;
  readonly outcome: string | null;
  readonly expected: string;
  readonly detail: string | null;
}

/** Assignment of an agent in a trial. */
export interface Assignment {
  readonly system: string;
  readonly user: string;
  readonly instruction: string;
  readonly tools: readonly Tool[];
  /** Paths that the instruction names, and the folders that stand for them in a cage. */
  readonly at?: Readonly<Record<string, string>>;
}

/** Submission to be graded. */
export interface Submission {
  readonly key: AttemptKey;
  /** A fresh tree with the patch on it; without the patch where that does not apply. */
  readonly graded: Workspace;
  readonly patch: Bytes;
  readonly applies: boolean;
  readonly reportedSuccess: boolean | null;
}

/** Grade of a submission. */
export type Grade =
  | {
      readonly status: "graded";
      readonly scores: Readonly<Record<string, ScoreValue>>;
      readonly nonTrivial: boolean | null;
      /** True if the graded code changed the tests; such a trial fails. `null`: not looked at. */
      readonly tampered: boolean | null;
      /** Kept as `report.json`. */
      readonly report: object;
      /** Kept as `output.txt`. */
      readonly output: string;
    }
  | { readonly status: "grader_failed"; readonly detail: string };

/** Bench: the place in which a suite does its work. */
export interface Bench {
  readonly cage: Cage;
  /** Aborted when the run is stopped: what is under way then ends with its reason. */
  readonly signal: AbortSignal;
  /** A new folder of its own, outside the data and the run; gone after the trial. */
  folder(): Promise<string>;
  /** Reason why tests may fail here for want of room on the disk, whoever is judged; `null`: there is enough. */
  spaceFault(): Promise<string | null>;
}
