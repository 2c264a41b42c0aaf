import { counted } from "../../base/text.js";
import type { Block } from "../../report/block.js";
import {
  type ColumnOf,
  estimateColumn,
  heading,
  leftColumn,
  notice,
  numberColumn,
  sentence,
  tableOf,
  textCell,
  textColumn,
} from "../../report/make-block.js";
import { numberText } from "../../report/number-text.js";
import { proportion } from "../../stats/interval.js";
import { columnsOf, type Table } from "../../store/table.js";
import type { TaskStrength } from "../trial-records.js";
import type { MutationCheck, TestedMutant } from "./test-mutants.js";

/** A task whose hidden tests were tried on mutants. */
interface MutatedTask {
  readonly task_id: string;
  /** `null`: they were not. */
  readonly mutation: MutationCheck | null;
}

interface MutantRow {
  readonly suite: string;
  readonly taskId: string;
  readonly place: number;
  readonly mutant: TestedMutant;
}

/** `mutants.csv`. */
export const MUTANTS: Table<MutantRow> = {
  file: "mutants.csv",
  title: "One row a small fault that was put into a task's code, to see whether its hidden tests notice.",
  primaryKey: ["suite", "task_id", "mutant"],
  columns: columnsOf<MutantRow>([
    ["suite", "string", "The suite.", ({ suite }) => suite],
    ["task_id", "string", "The task.", ({ taskId }) => taskId],
    ["mutant", "integer", "In the order drawn, from 0.", ({ place }) => place],
    ["file", "string", "File with the fault.", ({ mutant }) => mutant.file],
    ["line", "integer", "Line of the fault, from 1.", ({ mutant }) => mutant.line],
    ["operator", "string", "Kind of fault.", ({ mutant }) => mutant.operator],
    [
      "outcome",
      "string",
      "killed: the tests fail; timed_out: they do not end, which counts as killed; survived; not_run.",
      ({ mutant }) => mutant.outcome,
    ],
    ["diff", "string", "From the code as it was.", ({ mutant }) => mutant.diff],
  ]),
};

export function mutantRows(suite: string, tasks: readonly MutatedTask[]): MutantRow[] {
  return tasks.flatMap(({ task_id: taskId, mutation }) =>
    (mutation?.tested ?? []).map((mutant, place) => ({ suite, taskId, place, mutant })),
  );
}

/** Entry of `--json` about a task (suites.md §1.6); bounds of Wilson's 95 % interval of the share killed, 0–1. */
export function mutationDocument(check: MutationCheck): object {
  const share = proportion(check.killed, check.mutants);
  return {
    mutants: check.mutants,
    killed: check.killed,
    killed_ci_low: share?.low ?? null,
    killed_ci_high: share?.high ?? null,
    survivors: survivorsOf(check).map(({ file, line, operator, diff }) => ({ file, line, operator, diff })),
    mutants_reason: check.reason,
  };
}

function survivorsOf({ tested }: MutationCheck): TestedMutant[] {
  return tested.filter(({ outcome }) => outcome === "survived");
}

/** Hidden tests that kill a smaller share of the mutants certify little. */
const LEAST_KILLED = 0.5;

/** Tests if a task's hidden tests kill fewer than half of the mutants. */
export function isWeak({ mutants, killed }: Pick<TaskStrength, "mutants" | "killed">): boolean {
  return mutants > 0 && killed / mutants < LEAST_KILLED;
}

/** The known limit of every number about mutants. */
export const EQUIVALENT_MUTANTS =
  "Some mutants do what the code did (equivalent mutants), and no test can kill these; which they are, only reading tells.";

/** Report for a person on hidden tests that were tried on mutants; nothing where none were. */
export function strengthBlocks(tasks: readonly MutatedTask[]): Block[] {
  const tried = tasks.flatMap(({ task_id, mutation }) => (mutation === null ? [] : [{ task_id, ...mutation }]));
  if (tried.length === 0) return [];
  const survivors = tried.filter((task) => survivorsOf(task).length > 0);
  return [
    heading(3, "Mutants killed by the hidden tests"),
    tableOf(null, STRENGTH_COLUMNS, tried),
    ...tried.filter(isWeak).map(weakNotice),
    sentence(EQUIVALENT_MUTANTS),
    ...survivors.map((task): Block => {
      const own = survivorsOf(task);
      const summary = `${task.task_id}: ${counted(own.length, "mutants")} that no hidden test kills`;
      return { kind: "details", summary, blocks: own.map(({ diff }): Block => ({ kind: "code", text: diff })) };
    }),
  ];
}

/** Marks a task whose hidden tests kill few mutants. */
export function weakNotice({ task_id, mutants, killed }: TaskStrength & { readonly task_id: string }): Block {
  const share = numberText(killed / mutants, "fraction");
  return notice(
    "warning",
    `${task_id}: its hidden tests kill ${killed} of ${mutants} mutants (${share}), fewer than half: passing them certifies little.`,
  );
}

const STRENGTH_COLUMNS: readonly ColumnOf<MutationCheck & { readonly task_id: string }>[] = [
  textColumn("task", "task", ({ task_id }) => task_id),
  numberColumn("mutants", "mutants", "count", ({ mutants }) => mutants),
  estimateColumn("killed", "killed", "fraction", ({ killed, mutants }) => proportion(killed, mutants)),
  leftColumn("mark", "", (task) => textCell(task.reason ?? (isWeak(task) ? "weak: below one half" : ""), "warning"), {
    width: 20,
  }),
];
