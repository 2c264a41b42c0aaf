import type { AttemptKey } from "../agent/agent.js";
import type { Tool } from "../agent/tool.js";
import type { OptionTable } from "../console/option.js";
import type { Block } from "../report/block.js";
import type { Cage } from "../workspace/cage.js";
import type { TreeSource, Workspace } from "../workspace/workspace.js";
import type { Lead, Led } from "./make/lead.js";
import type { OwnTable } from "./score/own-table.js";
import type { SummaryOptions } from "./score/summarise-trials.js";
import type { SummaryRow } from "./score/trial-tables.js";
import type { TrialRecord } from "./trial-records.js";
import type { TrialRun } from "./trial-run.js";

/** One problem: a tree that is seen, an instruction, and what is hidden. */
export interface BenchTask {
  /** Letters, digits, `.`, `_`, `-` and `/`: a path of the run's artifacts. */
  readonly id: string;
  /** Its repository or family: tasks of one group are no independent cases. */
  readonly group: string;
  /** The only conditions that it is tried under; absent: all. */
  readonly conditions?: readonly string[];
  readonly source: TreeSource;
  /** Of everything that belongs to it, hidden things included. */
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

/** A file of code. */
export interface CodeText {
  /** From the root of its tree, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** What tests run with: the same runtime, the same results. */
export interface Runtime {
  readonly sha256: string;
  /** Such as `vitest: 4.1.12`; kept in `run.json`. */
  readonly versions: Readonly<Record<string, string>>;
  /** Set where the hash covers all that tests run with: a task that failed will fail again. Else it may have been the machine. */
  readonly isPinned?: true;
}

/** A value of a score: 0–1, `true` or `false`, a count, or a word; `null` where there is none. */
export type ScoreValue = number | boolean | string | null;

/** One column that a suite adds to `trials.csv`. */
export interface ScoreColumn {
  readonly name: string;
  /**
   * - `share`: true or false; the rate is reported
   * - `mean`: a number; the mean is reported
   * - `count`: likewise, whole
   * - `label`: a word; nothing is reported
   */
  readonly kind: "share" | "mean" | "count" | "label";
  readonly description: string;
  /** Whether a judge has a part in it: it is worth what the judge is worth. */
  readonly isJudged?: true;
}

/** A test of a task itself, before anybody is judged by it. */
export interface Baseline {
  /** Such as `original` or `gold`. */
  readonly check: string;
  /** On the source; `null`: nothing. */
  readonly patch: Buffer | null;
  /** Another tree than the task's, such as one without what is to be mended; absent: the task's. */
  readonly source?: TreeSource;
  /** The outcome that a valid task has. */
  readonly expected: string;
}

/** What hidden tests came to; outcome `null`: they could not be run here. */
export interface HiddenOutcome {
  readonly outcome: string | null;
  /** The first message; `null` where all is well. */
  readonly detail: string | null;
}

/** A wrong solution, graded: it is to fail as it was made to. */
export interface Proof {
  /** Such as `mutant syntax`. */
  readonly check: string;
  readonly outcome: string | null;
  readonly expected: string;
  readonly detail: string | null;
}

/** What a trial is prepared for an agent with. */
export interface Assignment {
  readonly system: string;
  readonly user: string;
  readonly instruction: string;
  readonly tools: readonly Tool[];
  /** Paths that the instruction names, and the folders that stand for them in a cage. */
  readonly at?: Readonly<Record<string, string>>;
}

/** What is to be graded. */
export interface Submission {
  readonly key: AttemptKey;
  /** A fresh tree with the patch on it; without the patch where that does not apply. */
  readonly graded: Workspace;
  readonly patch: Buffer;
  readonly applies: boolean;
  readonly reportedSuccess: boolean | null;
}

/** What a submission is worth. */
export type Grade =
  | {
      readonly status: "graded";
      readonly scores: Readonly<Record<string, ScoreValue>>;
      readonly nonTrivial: boolean | null;
      /** Whether what was graded changed the tests; such a trial fails. `null`: not looked at. */
      readonly tampered: boolean | null;
      /** Kept as `report.json`. */
      readonly report: object;
      /** Kept as `output.txt`. */
      readonly output: string;
    }
  | { readonly status: "grader_failed"; readonly detail: string };

/** Where a suite does its work. */
export interface Bench {
  readonly cage: Cage;
  /** Aborted when the run is stopped: what is under way then ends with its reason. */
  readonly signal: AbortSignal;
  /** A new folder of its own, outside the data and the run; gone after the trial. */
  folder(): Promise<string>;
}

/** Values of options by name, its own among them: each as its option parses it. */
export type OwnValues = Readonly<Record<string, unknown>>;

/** A suite of agents, as far as it differs from the others. */
export interface BenchAdapter<Task extends BenchTask = BenchTask> {
  readonly name: string;
  readonly title: string;
  /** Conditions that there are, those of a run that names none first. */
  readonly conditions: readonly { readonly name: string; readonly isDefault: boolean }[];
  /** What it takes besides the options of all such suites. */
  readonly options: OptionTable;
  /**
   * Another condition, where its own options make one of a condition that was chosen; absent: they make none.
   * @param values of its own options too
   */
  readonly conditionBy?: (condition: string, values: OwnValues) => string;
  readonly scores: readonly ScoreColumn[];
  /** The score that is the verdict on a trial: a `share`. */
  readonly headline: string;
  /** Tables of its own; absent: it has none. */
  readonly tables?: readonly OwnTable[];
  /** Rows of `summary.csv` besides those of all suites; absent: none. */
  readonly moreSummary?: (records: readonly TrialRecord[], options: SummaryOptions) => readonly SummaryRow[];
  /** What a person reads of a run besides what all suites show, made of all rows of `summary.csv`; absent: nothing. */
  readonly moreBlocks?: (run: TrialRun, summary: readonly SummaryRow[]) => readonly Block[];
  /** The prompts that agents are given, by name and SHA-256; kept in `run.json`. */
  readonly prompts: () => Promise<readonly { readonly id: string; readonly sha256: string }[]>;
  /** Limits of its own, such as those of its tests; kept in `run.json`. */
  readonly limits: Readonly<Record<string, number | string>>;
  /**
   * @param values of its own options
   * @throws ProbeError `bad_input` for data that is none
   */
  load(data: string | null, workingDirectory: string, values: OwnValues): Promise<BenchData<Task>>;
  /**
   * @param values of its own options
   * @throws ProbeError `bad_input` saying what to set up
   */
  runtime(values: OwnValues): Promise<Runtime>;
  /** Installs what the tests run with; absent: nothing is needed. */
  setup?(say: (message: string) => void): Promise<void>;
  /** What has to hold of a task before any agent is judged by it, such as hidden tests that pass on gold (suites.md §1.4). */
  baselines(task: Task): Promise<readonly Baseline[]>;
  /**
   * The hidden tests of a task, run on a tree.
   * @param check which baseline it is; with a small fault in the unmodified code (`tested`), that of the code itself
   */
  runHidden(task: Task, tree: Workspace, bench: Bench, check: string): Promise<HiddenOutcome>;
  /**
   * Files of the unmodified tree whose code the hidden tests of a task are about, by their paths: what `suite check
   * --mutants` puts faults into, to see whether `runHidden` notices. Tests that do not pass on that tree can tell nothing.
   * Absent, or none: it has no such tests.
   */
  tested?(task: Task): Promise<readonly string[]>;
  /**
   * The tests that judge a task: hidden ones, or those of its repository. Absent, or none: it has none that are code.
   * @param fresh the task's tree, to be changed at will
   */
  testTexts?(task: Task, fresh: Workspace): Promise<readonly CodeText[]>;
  /** Solutions that are known to be wrong, and how each is to be graded: run by `probe suite check` alone. */
  proofs?(task: Task, bench: Bench): Promise<readonly Proof[]>;
  /** Why nobody can be judged by a task anywhere, such as a field that it lacks; `null`, or absent: its tests tell. */
  faulty?(task: Task): string | null;
  /** Why nobody can be judged by a task here, such as a script that is missing; `null`: somebody can. */
  unreachable?(task: Task): string | null;
  /** The part of a patch that is code of the task; absent: all of it. */
  changesOf?(patch: string): string;
  /** The patch of a right solution; `null`: the task has none. */
  gold(task: Task): Promise<Buffer | null>;
  /**
   * What a task asks for as a reviewer would say it, in a few sentences: the review of every hunk that `suite probes` cuts
   * its patches into. Absent: no probes are made of its tasks.
   */
  request?(task: Task): Promise<string>;
  /** US dollars that a trial may cost where `--budget` does not say and prices are known; absent: no limit. */
  readonly budgetUsd?: number;
  /** What comes before the work of an attempt by an agent that runs code, such as a plan; absent: nothing. */
  lead?(task: Task, condition: string, lead: Lead, bench: Bench): Promise<Led>;
  /** What an agent is to do in its workspace: messages, tools, limits. */
  prepare(task: Task, condition: string, workspace: Workspace, bench: Bench): Promise<Assignment>;
  /** Removes from a tree what is no part of the solution; before its patch is taken. */
  settle?(task: Task, workspace: Workspace): Promise<void>;
  /** What a submission is worth, judged on a fresh tree. */
  grade(task: Task, submission: Submission, bench: Bench): Promise<Grade>;
}
