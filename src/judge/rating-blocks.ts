import { groupBy } from "../base/grouping.js";
import { meanOrNull, sumOrNull } from "../base/sums.js";
import { counted } from "../base/text.js";
import { knownCost } from "../model/prices.js";
import { modelName } from "../model/vendor/model-name.js";
import type { Block } from "../report/block.js";
import { type ColumnOf, heading, notice, numberColumn, sentence, tableOf, textColumn } from "../report/make-block.js";
import { money, numberText } from "../report/number-text.js";
import { columnsOf, type Table } from "../store/table.js";
import { type OwnTable, tableBy } from "../trial/score/own-table.js";
import type { TrialRun } from "../trial/trial-run.js";
import { type JudgeControl, worthNotice } from "./judge-controls.js";
import type { JudgedRun } from "./judged-run.js";
import { type Opinion, opinionsOf, RATING_FIELD_TABLE, type RatingRecord } from "./rating-records.js";

/** A judge's ratings of one trial. */
interface JudgedTrial {
  readonly task: string;
  readonly condition: string;
  readonly trial: number;
  readonly opinions: readonly Opinion[];
}

function trialsOf(records: readonly RatingRecord[]): JudgedTrial[] {
  const byTrial = groupBy(records, ({ task_id, condition, trial }) => JSON.stringify([task_id, condition, trial]));
  return [...byTrial.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    return [{ task: first.task_id, condition: first.condition, trial: first.trial, opinions: opinionsOf(own) }];
  });
}

/** A sign a criterion: passed, failed, not readable, not asked; of marks the mark itself, of 10. */
function markOf({ score, scale, votes }: Opinion): string {
  if (score === null) return votes.every(({ status }) => status === "not_asked") ? "·" : "?";
  if (scale === "points") return numberText(score * 10, "short");
  return score === 1 ? "✓" : score === 0 ? "✗" : "~";
}

const MAP_COLUMNS: readonly ColumnOf<JudgedTrial>[] = [
  textColumn("task", "task", ({ task }) => task, { width: 32 }),
  textColumn("arm", "condition", ({ condition }) => condition, { importance: 2 }),
  numberColumn("trial", "trial", "count", ({ trial }) => trial, { importance: 2 }),
];

const RUBRIC_COLUMNS: readonly ColumnOf<JudgedTrial>[] = [
  textColumn("rubrics", "rubrics", ({ opinions }) => opinions.map(markOf).join(""), { width: 24 }),
  numberColumn("passed", "passed", "count", ({ opinions }) => opinions.filter(({ score }) => score === 1).length),
  numberColumn("read", "of", "count", ({ opinions }) => opinions.filter(({ score }) => score !== null).length),
];

const MARK_COLUMNS: readonly ColumnOf<JudgedTrial>[] = [
  textColumn("marks", "marks", ({ opinions }) => opinions.map(markOf).join(" "), { width: 24 }),
  numberColumn("mean", "mean of 10", "short", ({ opinions }) => tenths(opinions)),
];

function isMarked(opinions: readonly Opinion[]): boolean {
  return opinions.some(({ scale }) => scale === "points");
}

/** The mean mark of 10; `null`: there is none. */
function tenths(opinions: readonly Opinion[]): number | null {
  const mark = meanOrNull(opinions.map(({ score }) => score));
  return mark === null ? null : mark * 10;
}

/** Agents whose trials are judged, and their judge. */
type Judged = Pick<JudgedRun, "agents" | "judge">;

/** Tasks by rubrics, a sign each; what it cost; and what the judge is worth. */
export function judgeBlocks(run: Judged, records: readonly RatingRecord[], control: JudgeControl | null): Block[] {
  if (run.judge === null)
    return [notice("warning", "Nobody judged: what needs a judge has no score. Name one with --judge.")];
  const [main] = run.agents;
  const own = records.filter(({ agent }) => agent === main?.name);
  const trials = trialsOf(own);
  const hasMarks = trials.some(({ opinions }) => isMarked(opinions));
  const even = run.judge.votes > 1 ? ", or as many votes say the contrary" : "";
  const titles = [...new Set(trials.flatMap(({ opinions }) => opinions.map(({ criterion }) => criterion)))];
  return [
    heading(3, `${hasMarks ? "Marks" : "Rubrics"}, judged by ${modelName(run.judge)}`),
    tableOf(null, [...MAP_COLUMNS, ...(hasMarks ? MARK_COLUMNS : RUBRIC_COLUMNS)], trials, { isCards: true }),
    sentence(
      hasMarks
        ? `In the order ${titles.map((title) => title.replaceAll("_", " ")).join(", ")}; ? cannot be read, · not asked.`
        : `✓ passed, ✗ failed, ? cannot be read${even}, · not asked; of faults, passed means that there is none.`,
    ),
    ...unreadBlocks(records, hasMarks ? "marks" : "verdicts"),
    ...controlBlocks(modelName(run.judge), control),
    sentence(spentText(run.judge, records)),
  ];
}

/** Notices about replies that could not be read, or were refused. They count as answered: a resumed run does not ask again. */
function unreadBlocks(records: readonly RatingRecord[], things: "marks" | "verdicts"): Block[] {
  const said = records.filter(isSaid);
  const told = (status: RatingRecord["status"], why: string) => {
    const count = said.filter((each) => each.status === status).length;
    return count === 0 ? [] : [notice("warning", `${count} of ${said.length} ${things} ${why}`)];
  };
  return [
    ...told("unreadable", "could not be read: they have no score."),
    ...told("refused", "failed: the judge replies about the right solution, and not about what was handed in."),
  ];
}

function isSaid({ status }: RatingRecord): boolean {
  return status === "read" || status === "unreadable" || status === "refused";
}

function controlBlocks(label: string, control: JudgeControl | null): Block[] {
  if (control === null)
    return [notice("warning", `Whether the judge ${label} tells right from wrong was not measured: add --controls.`)];
  return [worthNotice(control)];
}

/** Tokens and cost of a judge. */
function spentText({ price }: NonNullable<JudgedRun["judge"]>, records: readonly RatingRecord[]): string {
  const asked = records.filter((record) => isSaid(record) && record.shares_reply !== true);
  const prompt = sumOrNull(asked.map(({ prompt_tokens }) => prompt_tokens));
  const completion = sumOrNull(asked.map(({ completion_tokens }) => completion_tokens));
  const tokens =
    prompt === null || completion === null ? "tokens not told" : `${prompt} tokens of prompts, ${completion} written`;
  const rate =
    price === null ? null : { ...price, inputPerMillion: price.input, outputPerMillion: price.output, asOf: "" };
  const cost = knownCost(rate, prompt, completion);
  const paid = rate === null || cost === null ? "" : `; ${money(cost, rate.currency)}`;
  return `Judge: ${counted(asked.length, "calls")}; ${tokens}${paid}.`;
}

const DETAIL_COLUMNS: readonly ColumnOf<Opinion>[] = [
  textColumn("mark", "", markOf),
  textColumn("title", "rubric", ({ title }) => title),
  textColumn("kind", "kind", ({ polarity, importance }) => `${polarity}, ${importance}`, { importance: 2 }),
  textColumn("said", "said", ({ votes }) =>
    votes.map(({ verdict, status }) => verdict ?? status.replace("_", " ")).join(", "),
  ),
  textColumn("why", "why", ({ justification, votes }) => justification ?? votes[0]?.detail ?? ""),
];

function worthOf(opinions: readonly Opinion[]): string {
  const unread = opinions.filter(({ votes }) => votes.every(({ status }) => status === "unreadable")).length;
  const rest = unread === 0 ? "" : `, ${unread} could not be read`;
  if (isMarked(opinions)) return `${numberText(tenths(opinions), "short")} of 10 on average${rest}`;
  return `${opinions.filter(({ score }) => score === 1).length} of ${opinions.length} passed${rest}`;
}

/** Each verdict with its justification, folded by trial; of the agent that the run is about. */
export function justificationBlocks(run: Pick<JudgedRun, "agents">, records: readonly RatingRecord[]): Block[] {
  const own = records.filter(({ agent }) => agent === run.agents[0]?.name);
  return trialsOf(own).map(({ task, condition, trial, opinions }): Block => {
    const summary = `${task} · ${condition} · trial ${trial}: ${worthOf(opinions)}`;
    return { kind: "details", summary, blocks: [tableOf(null, DETAIL_COLUMNS, opinions, { isCards: true })] };
  });
}

/** A vote, and the run and judge that it is of. */
interface RatingRow extends RatingRecord {
  readonly runId: string;
  readonly suite: string;
  readonly judge: string;
}

const COLUMNS = [
  ...columnsOf<RatingRow>([
    ["run_id", "string", "The run.", ({ runId }) => runId],
    ["suite", "string", "The suite.", ({ suite }) => suite],
    ["judge", "string", "Who judged.", ({ judge }) => judge],
  ]),
  ...RATING_FIELD_TABLE.columns<RatingRow>([
    {
      name: "evaluable",
      type: "boolean",
      description: "True if the verdict counts.",
      value: ({ score }) => score !== null,
      behind: "score",
    },
  ]),
];

/** `verdicts.csv`: ratings of the agent that the run is about. */
export const RATING_TABLE: Table<RatingRow> = {
  file: "verdicts.csv",
  title: "One row a vote: what the judge said of a criterion.",
  primaryKey: ["run_id", "condition", "task_id", "trial", "criterion_id", "vote"],
  columns: COLUMNS,
};

/** `control_verdicts.csv`: ratings of the controls, by which the judge is judged. */
const CONTROL_TABLE: Table<RatingRow> = {
  file: "control_verdicts.csv",
  title: "One row a vote: what the judge said of right solutions and of empty ones.",
  primaryKey: ["run_id", "agent", "condition", "task_id", "trial", "criterion_id", "vote"],
  columns: [
    ...columnsOf<RatingRow>([
      ["agent", "string", "Whose solution: gold, or noop, which is empty.", ({ agent }) => agent],
    ]),
    ...COLUMNS,
  ],
};

/** Both tables of a run. */
export function ratingTables(run: TrialRun, judge: string, ratings: readonly RatingRecord[]): OwnTable[] {
  const main = run.agents[0]?.name;
  const rowsOf = (isMain: boolean) =>
    ratings
      .filter(({ agent }) => (agent === main) === isMain)
      .map((record) => ({ ...record, runId: run.run_id, suite: run.suite, judge }));
  return [tableBy(RATING_TABLE, () => rowsOf(true)), tableBy(CONTROL_TABLE, () => rowsOf(false))];
}
