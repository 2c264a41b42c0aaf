import { counted } from "../../base/text.js";
import { type Console, EXIT, type ExitCode, jsonText } from "../../console/console.js";
import { type DatasetInspection, datasetFile, inspectDataset, readExamples } from "../../dataset/dataset-file.js";
import { type DataProblem, ProblemList } from "../../dataset/problem.js";
import { readTriples } from "../../dataset/triple.js";
import { measureShortcuts } from "../../question/floors/shortcuts.js";
import type { ValidateValues } from "./dataset-options.js";
import { shortcutWarnings } from "./shortcuts-handler.js";

/** Kinds of problem that are shown of a file. */
const MAX_SHOWN_PROBLEMS = 20;

/** Entry of a file in `--json`. */
interface FileReport {
  readonly file: string;
  readonly sha256: string;
  /** `records` have questions, `triples` do not yet. */
  readonly form: "records" | "triples";
  readonly valid: number;
  readonly invalid: number;
  readonly problems: readonly DataProblem[];
  readonly warnings: readonly string[];
}

/** `probe dataset validate`: what is wrong with every file, and what valid records give away. */
export async function handleValidate({ files, json }: ValidateValues, console: Console): Promise<ExitCode> {
  const reports: FileReport[] = [];
  for (const file of files) {
    const report = await reportOf(file);
    reports.push(report);
    if (!json) show(report, console);
  }
  const isValid = reports.every(({ problems }) => problems.length === 0);
  if (json) console.out(jsonText({ valid: isValid, files: reports }));
  return isValid ? EXIT.done : EXIT.badInput;
}

/** A file without a single record is one of triples if it holds any. */
async function reportOf(file: string): Promise<FileReport> {
  const path = datasetFile(file);
  const inspection = await inspectDataset(path);
  const { sha256, languages, lines, invalidLines: invalid, problems } = inspection;
  if (languages.length === 0 && inspection.rawTriples > 0) return tripleReport(file, inspection);
  const warnings = shortcutWarnings(await measureShortcuts(readExamples(path, new Set(lines))));
  return { file, sha256, form: "records", valid: languages.length, invalid, problems, warnings };
}

async function tripleReport(file: string, { sha256 }: DatasetInspection): Promise<FileReport> {
  const problems: DataProblem[] = [];
  const unsupported = new Map<string, number>();
  let [valid, invalid] = [0, 0];
  for await (const line of readTriples(file)) {
    if (line.status === "valid") valid++;
    else if (line.status === "unsupported") {
      unsupported.set(line.language, (unsupported.get(line.language) ?? 0) + 1);
    } else {
      invalid++;
      problems.push(...line.problems);
    }
  }
  const warnings = [...unsupported].map(
    ([language, count]) => `${count} × language "${language}", which no probe knows: build leaves them out`,
  );
  return { file, sha256, form: "triples", valid, invalid, problems, warnings };
}

function show({ file, form, valid, invalid, problems, warnings }: FileReport, console: Console): void {
  const list = new ProblemList();
  list.add(problems);
  if (list.total > 0) console.err(`${list.text(MAX_SHOWN_PROBLEMS)}\n`);
  for (const warning of warnings) console.err(`Warning: ${file}: ${warning}\n`);
  const what =
    form === "records" ? counted(valid, "valid records") : `${counted(valid, "valid code reviews")} (raw triples)`;
  const rest = list.total === 0 ? "" : `; ${invalid} invalid, ${counted(list.total, "problems")}`;
  console.out(`${file}: ${what}${rest}\n`);
  if (form === "triples" && valid > 0) {
    console.err(`They have no questions yet. Make them: probe dataset build ${file} --out FILE\n`);
  }
}
