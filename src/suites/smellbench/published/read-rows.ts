import { z } from "zod";
import { ProbeError } from "../../../base/errors.js";
import { shorten } from "../../../base/text.js";
import { readCsv } from "../../../store/read-csv.js";
import type { CaseRow } from "../score/per-case.js";

const flag = z.enum(["true", "false", "1", "0"]).transform((text) => text === "true" || text === "1");
const maybe = <T extends z.ZodType>(schema: T) => z.union([z.literal("").transform(() => null), schema]).default(null);
const mark = maybe(z.coerce.number<string>().min(0).max(1));
const text = z.string().min(1);

const rowSchema = z
  .object({
    run_id: z.string().default(""),
    agent: z.string().default(""),
    model: text,
    project: z.string().default(""),
    instance_id: z.string().default(""),
    smell: z.string().default(""),
    difficulty: text,
    setting: text,
    trial: z.coerce.number<string>().int().nonnegative().default(0),
    tpr: flag,
    la: maybe(flag),
    la_file: maybe(flag),
    smell_elimination: mark,
    cross_file_coordination: mark,
    structural_soundness: mark,
    code_quality: mark,
  })
  .transform(
    ({
      run_id: run,
      instance_id: instance,
      la_file: laFile,
      agent,
      model,
      project,
      smell,
      difficulty,
      ...rest
    }): CaseRow => {
      const { setting, trial, tpr, la, ...marks } = rest;
      return { run, agent, model, project, instance, smell, difficulty, setting, trial, tpr, la, laFile, marks };
    },
  );

/**
 * The rows of a `per_case.csv`, or of any part of it that has model, setting, difficulty and tpr.
 * @throws ProbeError `bad_input` that names line and column
 */
export function readRows(name: string, csv: string): CaseRow[] {
  const table = readCsv(name, csv);
  const lacking = ["model", "difficulty", "setting", "tpr"].find((each) => !table.columns.has(each));
  if (lacking !== undefined)
    throw new ProbeError(
      "bad_input",
      `Expected rows of per_case.csv in ${name}, found no such column in column ${lacking}. Name one that a run wrote.`,
    );
  return table.rows.map(({ line, cells }) => {
    const read = rowSchema.safeParse(cells);
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    const column = String(issue?.path[0] ?? "");
    const found = Object.hasOwn(cells, column) ? `"${shorten(cells[column] ?? "", 80)}"` : "no such column";
    throw new ProbeError(
      "bad_input",
      `Expected rows of per_case.csv in ${name}, found ${found} in column ${column}, line ${line}. Name one that a run wrote.`,
    );
  });
}
