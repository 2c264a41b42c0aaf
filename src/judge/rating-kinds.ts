import { groupBy } from "../base/grouping.js";
import { meanOrNull } from "../base/sums.js";
import type { Block } from "../report/block.js";
import { heading, numberColumn, sentence, tableOf, textColumn } from "../report/make-block.js";
import { columnsOf, type Table } from "../store/table.js";
import { type OwnTable, tableBy } from "../trial/score/own-table.js";
import type { TrialRun } from "../trial/trial-run.js";
import { opinionsOf, type RatingRecord } from "./rating-records.js";

/** Kind of a criterion under a condition; `null`: it is of none, such as a manifest. */
export type KindOf = (
  criterion: { readonly title: string; readonly polarity: string },
  condition: string,
) => string | null;

/** Pass rate of the criteria of a kind, faults that are not there among the passes. */
interface KindRow {
  readonly agent: string;
  readonly condition: string;
  readonly kind: string;
  /** Passed of those that can be read, all trials together; `null`: none can. */
  readonly pooled: number | null;
  /** Mean of the tasks' rates. */
  readonly byTask: number | null;
  readonly tasks: number;
  readonly read: number;
  readonly unread: number;
}

/** Pass rates by kind of criterion, in the order in which the kinds first stand. */
export function kindRows(ratings: readonly RatingRecord[], kindOf: KindOf): KindRow[] {
  const placed = ratings.flatMap((rating) => {
    const kind = kindOf(rating, rating.condition);
    return kind === null ? [] : [{ rating, kind }];
  });
  const sets = groupBy(placed, ({ rating, kind }) => JSON.stringify([rating.agent, rating.condition, kind]));
  return [...sets.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const byTask = [...groupBy(own, ({ rating }) => rating.task_id).values()].map(scoresOf);
    const scores = byTask.flat();
    const read = scores.filter((score) => score !== null).length;
    return [
      {
        agent: first.rating.agent,
        condition: first.rating.condition,
        kind: first.kind,
        pooled: meanOrNull(scores),
        byTask: meanOrNull(byTask.map(meanOrNull)),
        tasks: byTask.length,
        read,
        unread: scores.length - read,
      },
    ];
  });
}

function scoresOf(own: readonly { readonly rating: RatingRecord }[]): (number | null)[] {
  const trials = groupBy(own, ({ rating }) => rating.trial);
  return [...trials.values()].flatMap((each) => opinionsOf(each.map(({ rating }) => rating)).map(({ score }) => score));
}

/** `rating_kinds.csv`. */
export const KINDS: Table<KindRow & { readonly run: TrialRun }> = {
  file: "rating_kinds.csv",
  title: "One row a kind of criterion: the share that passes.",
  primaryKey: ["run_id", "agent", "condition", "kind"],
  columns: columnsOf<KindRow & { readonly run: TrialRun }>([
    ["run_id", "string", "The run.", ({ run }) => run.run_id],
    ["agent", "string", "Who worked.", ({ agent }) => agent],
    ["condition", "string", "The arm of the suite.", ({ condition }) => condition],
    ["kind", "string", "Kind of criterion, by its number.", ({ kind }) => kind],
    ["pass_rate_pooled", "number", "Passed of those that can be read, all trials together.", ({ pooled }) => pooled],
    ["pass_rate_by_task", "number", "Mean of the tasks' rates.", ({ byTask }) => byTask],
    ["tasks", "integer", "Tasks with such a criterion.", ({ tasks }) => tasks],
    ["read", "integer", "Criteria whose verdict can be read.", ({ read }) => read],
    ["unread", "integer", "Criteria without a verdict, in no rate.", ({ unread }) => unread],
  ]),
};

/** The table of a run. */
export function kindTable(run: TrialRun, rows: readonly KindRow[]): OwnTable {
  return tableBy(KINDS, () => rows.map((row) => ({ ...row, run })));
}

/** Pass rates by kind of the agent that the run is about. */
export function kindBlocks(run: TrialRun, rows: readonly KindRow[]): Block[] {
  const own = rows.filter(({ agent }) => agent === run.agents[0]?.name);
  if (own.length === 0) return [];
  return [heading(3, "Rubrics by kind"), tableOf(null, COLUMNS, own, { isCards: true }), sentence(BY_TASK)];
}

const BY_TASK = "of all: every rubric counts the same; by task: every task does.";

const COLUMNS = [
  textColumn<KindRow>("condition", "condition", ({ condition }) => condition),
  textColumn<KindRow>("kind", "kind", ({ kind }) => kind, { width: 32 }),
  numberColumn<KindRow>("pooled", "passed, of all", "fraction", ({ pooled }) => pooled),
  numberColumn<KindRow>("by_task", "by task", "fraction", ({ byTask }) => byTask),
  numberColumn<KindRow>("read", "rubrics", "count", ({ read }) => read),
  numberColumn<KindRow>("unread", "unread", "count", ({ unread }) => unread),
];
