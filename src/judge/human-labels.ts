import { ProbeError } from "../base/errors.js";
import { groupBy } from "../base/grouping.js";
import { shorten } from "../base/text.js";
import { readCsv, type TextRow } from "../store/read-csv.js";
import { readText } from "../store/text-lines.js";
import type { JudgedFolder } from "./judge-agreement.js";
import type { RatingRecord } from "./rating-records.js";

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
    throw new ProbeError(
      "bad_input",
      `Expected the columns ${REQUIRED.join(", ")} in ${path}, found no ${missing.join(", ")}.`,
    );
  const main = judged.run.agents[0]?.name;
  const byPlace = groupBy(judged.ratings, ({ task_id, criterion_id }) => JSON.stringify([task_id, criterion_id]));
  const ratings = rows.map((row) => {
    const own = byPlace.get(JSON.stringify([row.cells["task_id"], row.cells["criterion_id"]])) ?? [];
    const rated = own.find((rating) => isMeant(rating, row, main));
    if (rated === undefined)
      throw new ProbeError(
        "bad_input",
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
    throw new ProbeError(
      "bad_input",
      `Expected passed or failed (1 or 0) in column label of ${path}, line ${line}, found "${shorten(label, 80)}".`,
    );
  return { ...rating, status: "read", verdict: label, score, score_published: score, justification: null };
}
