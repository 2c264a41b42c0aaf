import { wholeRun } from "../../../run/run-folder.js";
import type { PlannedJournal } from "../../../run/suite.js";
import { ANSWER_JOURNAL } from "../answer/answer-record.js";
import { GENERATION_JOURNAL } from "../answer/generation-record.js";
import { mostOrders } from "../record/most-options.js";
import type { RunFile } from "../record/run-file.js";

/** The journals of a run: its answers, and its generations where it has any. */
export function journalsOf(run: RunFile): PlannedJournal[] {
  // Places are those of the whole run, whatever share of it this is.
  const whole = wholeRun(run);
  const answers: PlannedJournal = {
    codec: ANSWER_JOURNAL,
    plan: { items: whole.questions, places: mostOrders(whole) },
    records: run.planned_answers,
    name: "answers",
  };
  const generations: PlannedJournal = {
    codec: GENERATION_JOURNAL,
    plan: { items: whole.generations, places: 1 },
    records: run.generations,
    name: "generations",
  };
  return [answers, ...(run.generations > 0 ? [generations] : [])];
}
