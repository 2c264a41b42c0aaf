import { z } from "zod";
import { ProbeError } from "../../../base/errors.js";
import { groupBy } from "../../../base/grouping.js";
import { meanOrNull } from "../../../base/sums.js";
import { shorten } from "../../../base/text.js";
import { readCsv } from "../../../store/read-csv.js";
import { METRIC_NAMES, type MetricName, type MetricValues, type ScoredRow } from "./output-arms.js";

const text = z.string().min(1);
const rowSchema = z.object({
  suite: z.literal("codetaste"),
  model: text,
  agent: text,
  condition: text,
  task_id: text,
  status: text,
  valid: z.string().default(""),
  language: z.string().default(""),
});

type TrialRow = z.infer<typeof rowSchema> & { readonly values: MetricValues };

/**
 * Reads the trials of runs (`trials.csv`): one row an agent, condition and instance, the mean of its graded trials.
 * @throws ProbeError `bad_input` that names line and column
 */
export function readTrials(files: readonly { readonly name: string; readonly text: string }[]): ScoredRow[] {
  const rows = files.flatMap(({ name, text: csv }) => rowsIn(name, csv));
  const judged = rows.filter(({ status, valid }) => status === "graded" && valid !== "false");
  const cases = groupBy(judged, (row) => JSON.stringify([agentOf(row), row.condition, row.task_id]));
  return [...cases.values()].flatMap((trials): ScoredRow[] => {
    const [first] = trials;
    if (first === undefined) return [];
    const values = METRIC_NAMES.map((name) => [name, meanOrNull(trials.map((trial) => trial.values[name]))] as const);
    const language = first.language === "" ? null : first.language;
    const { condition, task_id: task } = first;
    return [{ condition, agent: agentOf(first), task, language, values: Object.fromEntries(values) as MetricValues }];
  });
}

/** The model, where the built-in loop worked; a control by its name. */
function agentOf({ agent, model }: TrialRow): string {
  if (agent === "loop") return model;
  return agent === model || agent.startsWith("scripted:") ? agent : `${agent}, ${model}`;
}

function rowsIn(name: string, csv: string): TrialRow[] {
  const table = readCsv(name, csv);
  return table.rows.map(({ line, cells }) => {
    const read = rowSchema.safeParse(cells);
    const values = METRIC_NAMES.map((metric) => [metric, valueIn(cells[metric])] as const);
    const bad = values.find(([, value]) => value === undefined)?.[0];
    if (read.success && bad === undefined) return { ...read.data, values: Object.fromEntries(values) as MetricValues };
    const column = bad ?? String(read.error?.issues[0]?.path[0] ?? "");
    const found = Object.hasOwn(cells, column) ? `"${shorten(cells[column] ?? "", 80)}"` : "no such column";
    throw new ProbeError(
      "bad_input",
      `Expected trials of CodeTaste in ${name}, found ${found} in column ${column}, line ${line}. Name trials.csv of a run.`,
    );
  });
}

/** `null`: an empty cell, or a column that is not there; `undefined`: no number. */
function valueIn(cell: string | undefined): MetricValues[MetricName] | undefined {
  if (cell === undefined || cell === "") return null;
  if (cell === "true" || cell === "false") return Number(cell === "true");
  const value = Number(cell);
  return Number.isFinite(value) ? value : undefined;
}
