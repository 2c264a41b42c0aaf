import type { Block } from "../../report/block.js";
import {
  type ColumnOf,
  estimateColumn,
  heading,
  numberColumn,
  sentence,
  tableOf,
  textColumn,
} from "../../report/make-block.js";
import { numberText } from "../../report/number-text.js";
import { type Estimate, proportion } from "../../stats/interval.js";
import { type Agreement, cohensKappa } from "../../stats/rater-agreement.js";
import { columnsOf, type Table } from "../../store/table.js";
import { worthNotice } from "../judge-controls.js";
import {
  type Classed,
  type ClassVote,
  classOf,
  type Failure,
  type FailureClass,
  type KnownFailure,
} from "./classing.js";

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
interface ClassCount {
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
  return [
    heading(2, "Failures by class"),
    tableOf(null, counts.some(({ byRule }) => byRule !== null) ? [...COLUMNS, BY_RULE] : COLUMNS, counts),
    sentence("A class counts where two askings name it, the classes told in both orders."),
    worthNotice(worth),
  ];
}

const COLUMNS: readonly ColumnOf<ClassCount>[] = [
  textColumn("class", "class", ({ title }) => title),
  numberColumn("failures", "failures", "count", ({ count }) => count),
  estimateColumn("share", "of all", "fraction", ({ share }) => share),
];
const BY_RULE: ColumnOf<ClassCount> = numberColumn("by_rule", "by rule", "count", ({ byRule }) => byRule);

/** Worth of a model that sorts failures. */
interface SorterWorth {
  /** Share of the failures of known class that both askings sort right; `null`: none was asked about. */
  readonly right: Estimate | null;
  readonly known: number;
  /** Agreement of the two askings on the failures of the run. */
  readonly agreement: Agreement;
  readonly state: "tells" | "useless" | "unknown";
  /** Conclusion in words. */
  readonly text: string;
}

/**
 * Worth of a sorter by failures whose class is known, and by its agreement with itself. Useless: Wilson's 95 % interval of the
 * share that is right holds what naming any one class has, or who says nothing.
 */
export function sorterWorth(
  label: string,
  classes: readonly FailureClass[],
  known: readonly Classed<KnownFailure>[],
  found: readonly Classed<Failure>[],
): SorterWorth {
  const agreement = cohensKappa(countsOf(classes, found));
  const isLost = known.some(({ votes }) => votes.some(({ status }) => status === "lost"));
  const right = known.filter((each) => classOf(each) === each.failure.classId).length;
  const share = proportion(right, known.length);
  const common = { right: share, known: known.length, agreement };
  if (isLost || share === null || share.low === null)
    return {
      ...common,
      state: "unknown",
      text: `Whether ${label} tells classes apart is not known: not all was asked.`,
    };
  const chance = 1 / classes.length;
  const counts = `${right} of ${known.length} failures of known class are sorted right, by chance ${numberText(chance * known.length, "short")}`;
  const kappa = agreement.kappa === null ? "" : `; kappa of its two askings ${numberText(agreement.kappa, "ratio")}`;
  return share.low > chance
    ? { ...common, state: "tells", text: `${label} tells classes apart: ${counts}${kappa}.` }
    : { ...common, state: "useless", text: `${label} is useless for sorting: ${counts}${kappa}.` };
}

function countsOf(classes: readonly FailureClass[], found: readonly Classed<Failure>[]): number[][] {
  const isAt = ({ votes }: Classed<Failure>, asking: number, { id }: FailureClass) => {
    const vote = votes[asking];
    return vote?.status === "read" && vote.classId === id;
  };
  return classes.map((first) =>
    classes.map((second) => found.filter((each) => isAt(each, 0, first) && isAt(each, 1, second)).length),
  );
}
