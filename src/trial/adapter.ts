import type { Bytes } from "../base/text.js";
import type { OptionTable } from "../console/option.js";
import type { Block } from "../report/block.js";
import type { Workspace } from "../workspace/workspace.js";
import type {
  Assignment,
  Baseline,
  Bench,
  BenchData,
  BenchTask,
  CodeText,
  Grade,
  HiddenOutcome,
  Proof,
  Runtime,
  Submission,
} from "./bench-task.js";
import type { TrialGrouping } from "./facts/fact-table.js";
import type { Lead, Led } from "./make/attempt-lead.js";
import type { OwnTable } from "./score/own-table.js";
import type { SummaryOptions } from "./score/summarise-trials.js";
import type { SummaryRow } from "./score/trial-tables.js";
import type { RunSection } from "./suite-part.js";
import type { ScoreColumn, TrialRecord } from "./trial-records.js";
import type { TrialRun } from "./trial-run.js";

/** Values of options by name, its own among them: each as its option parses it. */
export type OwnValues = Readonly<Record<string, unknown>>;

/** A suite of agents, as far as it differs from the others. */
export interface BenchAdapter<Task extends BenchTask = BenchTask> {
  readonly name: string;
  readonly title: string;
  /** Image of a container for tasks that name none of their own; absent: this machine's system. */
  readonly image?: string;
  /** Conditions that there are, those of a run that names none first. */
  readonly conditions: readonly { readonly name: string; readonly isDefault: boolean }[];
  /** Options besides those of all such suites. */
  readonly options: OptionTable;
  /**
   * Another condition, where its own options make one of a condition that was chosen; absent: they make none.
   * @param values of its own options too
   */
  readonly conditionBy?: (condition: string, values: OwnValues) => string;
  readonly scores: readonly ScoreColumn[];
  /** The score that is the verdict on a trial: a `share`. */
  readonly headline: string;
  /** Rule that the headline of a trial was made by, in a few words, where there have been several; absent: one. */
  readonly ruleOf?: (scores: TrialRecord["scores"]) => string;
  /** Tables of its own; absent: it has none. */
  readonly tables?: readonly OwnTable[];
  /** Rows of `summary.csv` besides those of all suites; absent: none. */
  readonly moreSummary?: (records: readonly TrialRecord[], options: SummaryOptions) => readonly SummaryRow[];
  /** Ways to set trials apart in `facts.csv`, besides those of all suites; absent: none. */
  readonly groupings?: readonly TrialGrouping[];
  /** Blocks of a run behind those of all suites, by all rows of `summary.csv` and all trials; absent: none. */
  readonly moreBlocks?: (
    run: TrialRun,
    summary: readonly SummaryRow[],
    records: readonly TrialRecord[],
  ) => readonly Block[];
  /** Sections of a page, about each run; absent: none. */
  readonly sections?: readonly RunSection[];
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
  /**
   * Checks of a task that have to hold before any agent is judged by it, such as hidden tests that pass on gold
   * (suites.md §1.4).
   */
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
  /**
   * Reason why nobody can be judged by a task anywhere, such as a field that it lacks; `null`, or absent: its tests
   * tell.
   */
  faulty?(task: Task): string | null;
  /** Reason why nobody can be judged by a task here, such as a script that is missing; `null`: somebody can. */
  unreachable?(task: Task): string | null;
  /** The part of a patch that is code of the task; absent: all of it. */
  changesOf?(patch: string): string;
  /** The patch of a right solution; `null`: the task has none. */
  gold(task: Task): Promise<Bytes | null>;
  /** Tells whether there is one, where it takes work to make; absent: by `gold`. */
  hasGold?(task: Task): boolean;
  /** Seconds that an attempt of a command agent may take where `--time-limit` does not say; absent: the house's. */
  timeLimit?(task: Task): number;
  /**
   * Request of a task as a reviewer would say it, in a few sentences: the review of every hunk that `suite probes` cuts
   * its patches into. Absent: no probes are made of its tasks.
   */
  request?(task: Task): Promise<string>;
  /** US dollars that a trial may cost where `--budget` does not say and prices are known; absent: no limit. */
  readonly budgetUsd?: number;
  /** Phases before the work of an attempt by an agent that runs code, such as a plan; absent: none. */
  lead?(task: Task, condition: string, lead: Lead, bench: Bench): Promise<Led>;
  /** Assignment of an agent in its workspace: messages, tools, limits. */
  prepare(task: Task, condition: string, workspace: Workspace, bench: Bench): Promise<Assignment>;
  /** Removes from a tree what is no part of the solution; before its patch is taken. */
  settle?(task: Task, workspace: Workspace): Promise<void>;
  /** Grades a submission on a fresh tree; one on which it throws fails, where it does not on the right solution. */
  grade(task: Task, submission: Submission, bench: Bench): Promise<Grade>;
}
