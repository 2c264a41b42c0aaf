import type { Block } from "../../report/block.js";
import {
  type ColumnOf,
  estimateColumn,
  heading,
  notice,
  numberColumn,
  sentence,
  tableOf,
  textColumn,
} from "../../report/make-block.js";
import { type Estimate, proportion } from "../../stats/interval.js";
import { columnsOf, type Table } from "../../store/table.js";
import type { SorterWorth } from "./class-worth.js";
import { type Classed, type ClassVote, classOf, type Failure, type FailureClass } from "./classing.js";

/** Failure of a trial in a run. */
export interface TrialFailure extends Failure {
  readonly runId: string;
  readonly taskId: string;
  readonly condition: string;
  readonly trial: number;
  readonly criterionId: string;
  /** Class by the suite's rule, without a model; `null`: it has none. */
  readonly rule: string | null;
}

/** `failure_classes.csv`, in the folder `classes` of a run. */
export const FAILURE_CLASSES: Table<Classed<TrialFailure>> = {
  file: "failure_classes.csv",
  title: "One row a criterion that a trial does not meet: the class of the failure, by a model.",
  primaryKey: ["run_id", "task_id", "condition", "trial", "criterion_id"],
  columns: columnsOf<Classed<TrialFailure>>([
    ["run_id", "string", "The run.", ({ failure }) => failure.runId],
    ["task_id", "string", "The task.", ({ failure }) => failure.taskId],
    ["condition", "string", "The arm of the suite.", ({ failure }) => failure.condition],
    ["trial", "integer", "Number of the independent trial, from 0.", ({ failure }) => failure.trial],
    ["criterion_id", "string", "Criterion that is not met.", ({ failure }) => failure.criterionId],
    ["class", "string", "Class that both askings name; empty: they name two, or none.", classOf],
    ["first", "string", "Class by the first asking; empty: none.", ({ votes }) => named(votes[0])],
    ["second", "string", "By the second, the classes told in reverse.", ({ votes }) => named(votes[1])],
    ["rule", "string", "Class by the suite's rule, without a model; empty: none.", ({ failure }) => failure.rule],
  ]),
};

function named(vote: ClassVote | undefined): string | null {
  return vote?.status === "read" ? vote.classId : null;
}

/** Count of a class, and its share of all failures. */
export interface ClassCount {
  /** `null`: the askings differ, or one cannot be read. */
  readonly id: string | null;
  readonly title: string;
  readonly count: number;
  readonly share: Estimate | null;
  /** Count by the suite's rule; `null`: it has none. */
  readonly byRule: number | null;
}

export function classCounts(classes: readonly FailureClass[], found: readonly Classed<TrialFailure>[]): ClassCount[] {
  const hasRule = found.some(({ failure }) => failure.rule !== null);
  const none = { id: null, title: "not decided" };
  return [...classes, none].map(({ id, title }) => {
    const count = found.filter((each) => classOf(each) === id).length;
    const byRule = hasRule ? found.filter(({ failure }) => failure.rule === id).length : null;
    return { id, title, count, share: proportion(count, found.length), byRule };
  });
}

/** Failures by class, and the worth of who sorted them. */
export function classBlocks(counts: readonly ClassCount[], worth: SorterWorth): Block[] {
  const tones = { tells: "good", useless: "bad", unknown: "warning" } as const;
  return [
    heading(2, "Failures by class"),
    tableOf(null, counts.some(({ byRule }) => byRule !== null) ? [...COLUMNS, BY_RULE] : COLUMNS, counts),
    sentence("A class counts where two askings name it, the classes told in both orders."),
    notice(tones[worth.state], worth.text),
  ];
}

const COLUMNS: readonly ColumnOf<ClassCount>[] = [
  textColumn("class", "class", ({ title }) => title),
  numberColumn("failures", "failures", "count", ({ count }) => count),
  estimateColumn("share", "of all", "fraction", ({ share }) => share),
];
const BY_RULE: ColumnOf<ClassCount> = numberColumn("by_rule", "by rule", "count", ({ byRule }) => byRule);
