import type { Console } from "../../../../console/console.js";
import { EXIT, type ExitCode } from "../../../../console/exit-codes.js";
import { inspectDataset, readExamples } from "../../dataset/inspect.js";
import { describeProblem } from "../../dataset/problem.js";
import { measureShortcuts } from "../../floors/shortcuts.js";
import { shortcutWarnings } from "../../report/dataset/shortcuts-table.js";

/** `probe dataset validate`: every problem of every file, and what the valid records give away. */
export async function handleValidate(files: readonly string[], isJson: boolean, console: Console): Promise<ExitCode> {
  const reports = [];
  let isValid = true;
  for (const file of files) {
    const { sha256, languages, lines, invalidLines, problems } = await inspectDataset(file);
    isValid &&= problems.length === 0;
    const warnings = shortcutWarnings(await measureShortcuts(readExamples(file, new Set(lines))));
    reports.push({ file, sha256, valid: languages.length, invalid: invalidLines, problems, warnings });
    if (isJson) continue;
    for (const problem of problems) console.err(`${describeProblem(problem)}\n`);
    for (const warning of warnings) console.err(`Warning: ${file}: ${warning}\n`);
    const verdict = problems.length === 0 ? "valid" : `${invalidLines} invalid records, ${problems.length} problems`;
    console.out(`${file}: ${languages.length} valid records${problems.length === 0 ? "" : `; ${verdict}`}\n`);
  }
  if (isJson) console.out(`${JSON.stringify({ valid: isValid, files: reports }, null, 2)}\n`);
  return isValid ? EXIT.done : EXIT.badInput;
}
