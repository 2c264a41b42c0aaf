import { stat } from "node:fs/promises";
import { join } from "node:path";
import { badInput } from "../../../base/errors.js";
import { counted, shellWord } from "../../../base/text.js";
import { type Console, EXIT, type ExitCode, jsonText } from "../../../console/console.js";
import { usage } from "../../../console/option.js";
import { isImportSource } from "../../../dataset/dataset-file.js";
import { BUNDLED } from "../../../dataset/json-lines.js";
import { folderOfRun } from "../../../run/folder/list-runs.js";
import { datasetPath } from "../ask/plan.js";
import { openBenchmark } from "../export/benchmark.js";
import { type ExportFile, requireNewFolder, writeFolder } from "../export/export-folder.js";
import { EXPORT_FORMATS, type ExportFormat } from "../export/export-formats.js";
import { findNamedRun } from "../record/stored-run.js";
import type { ExportValues } from "./export-options.js";

/** `probe export`: a run or a data set in the format of another tool, in a folder of its own. */
export async function handleExport(values: ExportValues, console: Console): Promise<ExitCode> {
  const { format, out, json } = values;
  const chosen: ExportFormat = EXPORT_FORMATS[format];
  await requireNewFolder(out);
  const files = await writeFolder(out, await filesOf(chosen, values, (text) => console.err(`${text}\n`)));
  if (json) console.out(jsonText({ format, out, files }));
  else console.out(`${out}: ${chosen.tool}, ${counted(files.length, "files")}\n${next(format, out)}`);
  return EXIT.done;
}

async function filesOf(
  chosen: ExportFormat,
  { what, format, dataset, out }: ExportValues,
  warn: (text: string) => void,
): Promise<readonly ExportFile[]> {
  const isData = await isDataset(what);
  if (chosen.of === "run") {
    if (isData) throw usage("format", "a format of data sets", `${format}, which is of runs`);
    return chosen.files({ named: await findNamedRun(await folderOfRun(what)), datasets: dataset, warn });
  }
  if (dataset.length > 0) throw usage("dataset", `a format of runs beside it`, format);
  if (!isData) {
    const { run } = await findNamedRun(await folderOfRun(what));
    throw badInput(
      `Expected a data set for --format ${format}, found a run. Name what it asked about: ` +
        `probe export ${shellWord(run.dataset.source)} --format ${format} --out ${shellWord(out)}`,
    );
  }
  const { path, source } = await datasetPath(what, warn);
  return chosen.files(await openBenchmark(path, source));
}

/** `true`: a file, or the name of a data set; else a run is meant. */
async function isDataset(what: string): Promise<boolean> {
  if (what === BUNDLED || isImportSource(what)) return true;
  return (await stat(what).catch(() => null))?.isFile() === true;
}

/** The command that follows, by the format. */
function next(format: ExportValues["format"], out: string): string {
  const folder = shellWord(out);
  const commands: Readonly<Record<typeof format, string>> = {
    "inspect-log": `inspect view --log-dir ${folder}`,
    "inspect-task": `inspect eval ${shellWord(join(out, "codereviewqa.py"))} -T form=cl_hard --model openai/gpt-4o`,
    "lm-eval": `lm_eval --include_path ${folder} --tasks codereviewqa --model hf --model_args pretrained=MODEL`,
    promptfoo: `cd ${folder} && promptfoo eval -r openai:gpt-4o -o results.json && node accuracy.mjs results.json`,
    hub: `hf upload OWNER/NAME ${folder} --repo-type dataset`,
  };
  return `Next: ${commands[format]}\n`;
}
