import { ProbeError } from "../../base/errors.js";
import type { Console } from "../../console/console.js";
import { EXIT, type ExitCode } from "../../console/console.js";
import { jsonText } from "../../console/json-output.js";
import { requireWritable } from "../../console/output-file.js";
import { datasetFile, inspectDataset, readExamples } from "../../dataset/dataset-file.js";
import { firstOf } from "../../dataset/problem.js";
import type { GroupFloors, RuleFloor } from "../../question/floors/floors.js";
import { measureShortcuts, type ShortcutReport, type Shortcuts } from "../../question/floors/shortcuts.js";
import { showBlocks } from "../../report/terminal.js";
import { writeAtomically } from "../../store/atomic-write.js";
import type { ShortcutsValues } from "./dataset-options.js";
import { shortcutBlocks } from "./shortcuts-table.js";

/** `probe dataset shortcuts`: what a benchmark's questions give away. */
export async function handleShortcuts(values: ShortcutsValues, console: Console): Promise<ExitCode> {
  const { out, overwrite, json } = values;
  const file = datasetFile(values.file);
  const outputs = out === null ? [] : [{ option: "out", path: out }];
  await requireWritable(outputs, { inputs: [file], overwrite });
  const report = await measureShortcuts(readExamples(file, await soundLines(file)));
  const document = jsonText(shortcutsDocument(report));
  if (out !== null) await writeAtomically(out, (append) => append(document));
  if (json) console.out(document);
  else showBlocks(console, shortcutBlocks(report));
  if (out !== null) console.err(`The same as JSON: ${out}\n`);
  return EXIT.done;
}

async function soundLines(file: string): Promise<ReadonlySet<number>> {
  const { lines, problems } = await inspectDataset(file);
  const [first, ...rest] = problems;
  if (first === undefined) return new Set(lines);
  throw new ProbeError("bad_input", firstOf([first, ...rest]));
}

/** Document of `probe dataset shortcuts --json` (spec §6); `parts` and `languages` have the fields of `forms`, `kept_out` all but the floor. */
function shortcutsDocument({ forms, parts, languages, keptOut }: ShortcutReport): object {
  return {
    forms: forms.map((form) => ({ ...placeOf(form), ...floorsOf(form.floors) })),
    parts: parts.map((each) => ({ ...placeOf(each), part: each.part, ...floorsOf(each.floors) })),
    languages: languages.map((each) => ({ ...placeOf(each), language: each.language, ...floorsOf(each.floors) })),
    kept_out: keptOut.map((each) => ({ ...placeOf(each), n: each.floors.n, rules: each.floors.rules.map(ruleOf) })),
  };
}

function placeOf({ task, difficulty }: Shortcuts): object {
  return { task, difficulty };
}

function floorsOf({ n, rules, highest }: GroupFloors): object {
  return {
    n,
    rules: rules.map(ruleOf),
    floor: highest?.share.value ?? null,
    floor_rule: highest?.rule ?? null,
  };
}

function ruleOf({ rule, sees, share: { value, low, high } }: RuleFloor): object {
  return { rule, sees, value, ci_low: low, ci_high: high };
}
