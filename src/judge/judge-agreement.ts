import { badInput } from "../base/errors.js";
import { groupBy } from "../base/grouping.js";
import { shorten } from "../base/text.js";
import type { Block, Inline } from "../report/block.js";
import { intervalOf, numberColumn, sentence, tableOf, textColumn } from "../report/make-block.js";
import { type Agreement, cohensKappa, macroF1, type Unanimity, unanimity } from "../stats/rater-agreement.js";
import { readCsv, type TextRow } from "../store/read-csv.js";
import { readText } from "../store/text-lines.js";
import type { JudgedRun } from "./judged-run.js";
import { type Opinion, opinionsOf, type RatingRecord, ratingsSaid } from "./rating-records.js";

/** The ratings of one run, and who judged. */
export interface JudgedFolder {
  readonly folder: string;
  readonly run: JudgedRun;
  readonly ratings: readonly RatingRecord[];
}

/** Agreement of two judges, or of two askings of one, on the same criteria about the same submissions. */
interface JudgeAgreement {
  /** `[passed, failed]` of the first by those of the second. */
  readonly counts: readonly (readonly number[])[];
  readonly kappa: Agreement;
  readonly macroF1: number | null;
  /** Over all votes of both. */
  readonly unanimity: Unanimity;
  /** Criteria that one of them did not judge, or whose verdict cannot be read. */
  readonly unread: number;
  /** Criteria about trials that handed in something else in the two runs. */
  readonly differing: number;
}

/**
 * Compares the verdicts of two runs; one folder twice: its first votes with its second.
 * @throws ProbeError `bad_input` when nothing can be compared
 */
export function judgeAgreement(first: JudgedFolder, second: JudgedFolder): JudgeAgreement {
  const [mine, theirs] = first.folder === second.folder ? byVotes(first) : [first.ratings, second.ratings];
  const others = opinionsByPlace(ratingsSaid(theirs));
  const pairs = [...opinionsByPlace(ratingsSaid(mine))].flatMap(([place, opinion]) => {
    const other = others.get(place);
    return other === undefined ? [] : [{ opinion, other }];
  });
  const same = pairs.filter(({ opinion, other }) => submissionOf(opinion) === submissionOf(other));
  const asked = same.filter(({ opinion }) => submissionOf(opinion) !== null);
  const read = asked.flatMap(({ opinion: { score: a }, other: { score: b } }) =>
    a === null || b === null ? [] : [[a, b] as const],
  );
  if (pairs.some(({ opinion }) => opinion.scale === "points"))
    throw badInput(
      `Expected verdicts that are passed or not, found marks of 0 to 10: ${first.folder}. Compare the columns of trials.csv.`,
    );
  if (pairs.length === 0)
    throw badInput(
      `Expected two runs of the same tasks, trials and criteria, found none in common: ${first.folder}, ${second.folder}.`,
    );
  const cell = (a: number, b: number) => read.filter(([x, y]) => x === a && y === b).length;
  const counts = [
    [cell(1, 1), cell(1, 0)],
    [cell(0, 1), cell(0, 0)],
  ];
  return {
    counts,
    kappa: cohensKappa(counts),
    macroF1: macroF1(counts),
    unanimity: unanimity(asked.map(({ opinion, other }) => [...votesOf(opinion), ...votesOf(other)])),
    unread: asked.length - read.length,
    differing: pairs.length - same.length,
  };
}

/** Votes of one run against each other: the first of each criterion, and the second. */
function byVotes({ folder, run, ratings }: JudgedFolder): [RatingRecord[], RatingRecord[]] {
  if ((run.judge?.votes ?? 0) < 2)
    throw badInput(
      `Expected two runs, or one with --judge-votes 2 or more, found ${folder} twice with one vote a criterion.`,
    );
  return [ratings.filter(({ vote }) => vote === 0), ratings.filter(({ vote }) => vote === 1)];
}

function opinionsByPlace(records: readonly RatingRecord[]): ReadonlyMap<string, Opinion> {
  const trials = groupBy(records, ({ agent, condition, task_id, trial }) =>
    JSON.stringify([agent, condition, task_id, trial]),
  );
  return new Map(
    [...trials].flatMap(([trial, own]) =>
      opinionsOf(own).map((opinion) => [`${trial} ${opinion.criterion}`, opinion] as const),
    ),
  );
}

function submissionOf({ votes }: Opinion): string | null {
  return votes[0]?.submission_sha256 ?? null;
}

function votesOf({ votes }: Opinion): (string | null)[] {
  return votes.map(({ score }) => (score === null ? null : String(score)));
}

interface Side {
  readonly said: string;
  readonly counts: readonly number[];
}

/** Agreement of two judges, for a person. */
export function agreementBlocks(names: readonly [string, string], found: JudgeAgreement): Block[] {
  const [first, second] = names;
  const { counts, kappa, macroF1, unanimity, unread, differing } = found;
  const column = (i: number, word: string) =>
    numberColumn<Side>(word, `second: ${word}`, "count", ({ counts: own }) => own[i] ?? 0);
  const rows = counts.map((own, i) => ({ said: `first: ${i === 0 ? "passed" : "failed"}`, counts: own }));
  const left = textColumn<Side>("first", "", ({ said }) => said);
  const { value = null, low, high } = unanimity.share ?? {};
  const facts: [string, Inline][] = [
    ["first", first],
    ["second", second],
    ["criteria judged by both", { value: kappa.n, format: "count" }],
    ["same verdict", { value: kappa.observed, format: "fraction" }],
    ["kappa", { value: kappa.kappa, format: "coefficient", interval: intervalOf(kappa.low, kappa.high) }],
    ["macro-F1", { value: macroF1, format: "coefficient" }],
    ["all votes the same", { value, format: "fraction", interval: intervalOf(low, high) }],
  ];
  return [
    tableOf(null, [left, column(0, "passed"), column(1, "failed")], rows),
    { kind: "facts", facts: facts.map(([name, part]) => ({ name, parts: [part] })) },
    ...(unread === 0 ? [] : [sentence(`${unread} criteria are left out: a verdict on them cannot be read.`)]),
    ...(differing === 0 ? [] : [sentence(`${differing} criteria are left out: what was handed in is not the same.`)]),
  ];
}

/** Agreement of two judges, as JSON. */
export function agreementDocument(names: readonly [string, string], found: JudgeAgreement): object {
  const { counts, kappa, macroF1, unanimity, unread, differing } = found;
  return {
    judges: names,
    counts,
    n: kappa.n,
    observed: kappa.observed,
    kappa: kappa.kappa,
    kappa_low: kappa.low,
    kappa_high: kappa.high,
    macro_f1: macroF1,
    unanimity: unanimity.share?.value ?? null,
    unanimity_n: unanimity.n,
    unread,
    differing,
  };
}

const REQUIRED = ["task_id", "criterion_id", "label"];

/** Labels as people write them: a criterion is passed or not; of a fault, passed: it is not there. */
const LABELS: ReadonlyMap<string, number> = new Map([
  ...["passed", "pass", "1", "true"].map((word) => [word, 1] as const),
  ...["failed", "fail", "0", "false"].map((word) => [word, 0] as const),
]);

/**
 * Labels of people from a CSV table, as ratings of what a run's judge rated: `task_id`, `criterion_id`, `label`; also `agent`,
 * `condition` and `trial`, where these are not those of the agent that the run is about, the only one, and 0.
 * @throws ProbeError `bad_input` for a table without these columns, a label that is none, or one of what was not rated
 */
export async function humanLabels(path: string, judged: JudgedFolder): Promise<JudgedFolder> {
  const { columns, rows } = readCsv(path, await readText(path));
  const missing = REQUIRED.filter((column) => !columns.has(column));
  if (missing.length > 0)
    throw badInput(`Expected the columns ${REQUIRED.join(", ")} in ${path}, found no ${missing.join(", ")}.`);
  const main = judged.run.agents[0]?.name;
  const byPlace = groupBy(judged.ratings, ({ task_id, criterion_id }) => JSON.stringify([task_id, criterion_id]));
  const ratings = rows.map((row) => {
    const own = byPlace.get(JSON.stringify([row.cells["task_id"], row.cells["criterion_id"]])) ?? [];
    const rated = own.find((rating) => isMeant(rating, row, main));
    if (rated === undefined)
      throw badInput(
        `Expected labels of what the judge of ${judged.folder} rated, found another in ${path}, line ${row.line}.`,
      );
    return labelled(rated, row, path);
  });
  return { folder: path, run: judged.run, ratings };
}

function isMeant(rating: RatingRecord, { cells }: TextRow, main: string | undefined): boolean {
  const { agent = main, condition, trial = "0" } = cells;
  return (
    rating.agent === (agent || main) &&
    (!condition || rating.condition === condition) &&
    rating.trial === Number(trial) &&
    rating.vote === 0
  );
}

function labelled(rating: RatingRecord, { cells, line }: TextRow, path: string): RatingRecord {
  const label = cells["label"] ?? "";
  const score = LABELS.get(label.trim().toLowerCase());
  if (score === undefined)
    throw badInput(
      `Expected passed or failed (1 or 0) in column label of ${path}, line ${line}, found "${shorten(label, 80)}".`,
    );
  return { ...rating, status: "read", verdict: label, score, score_published: score, justification: null };
}
