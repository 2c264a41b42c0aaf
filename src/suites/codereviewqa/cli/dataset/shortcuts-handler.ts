import { ProbeError } from "../../../../base/errors.js";
import { single } from "../../../../console/arguments.js";
import type { Console } from "../../../../console/console.js";
import { EXIT, type ExitCode } from "../../../../console/exit-codes.js";
import { requireWritable } from "../../../../console/output-file.js";
import { showBlocks } from "../../../../console/show-blocks.js";
import { writeAtomically } from "../../../../store/atomic-write.js";
import { datasetFile } from "../../dataset/bundled.js";
import { inspectDataset, readExamples } from "../../dataset/inspect.js";
import { describeProblem } from "../../dataset/problem.js";
import { measureShortcuts } from "../../floors/shortcuts.js";
import { shortcutBlocks } from "../../report/dataset/shortcuts-table.js";
import { required } from "./required.js";
import { shortcutsDocument } from "./shortcuts-document.js";

type Text = string | readonly string[] | undefined;

/** The options of `probe dataset shortcuts` as the parser hands them over. */
export interface ShortcutsArguments {
  readonly file: string;
  readonly out?: Text;
  readonly overwrite?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** `probe dataset shortcuts`: what a benchmark's questions give away. */
export async function handleShortcuts(given: ShortcutsArguments, console: Console): Promise<ExitCode> {
  const file = datasetFile(given.file);
  const out = single("out", given.out) === undefined ? null : required("out", given.out);
  const outputs = out === null ? [] : [{ option: "out", path: out }];
  await requireWritable(outputs, { inputs: [file], overwrite: given.overwrite === true });
  const report = await measureShortcuts(readExamples(file, await soundLines(file)));
  const document = `${JSON.stringify(shortcutsDocument(report), null, 2)}\n`;
  if (out !== null) await writeAtomically(out, (append) => append(document));
  if (given.json === true) console.out(document);
  else showBlocks(console, shortcutBlocks(report));
  if (out !== null) console.err(`The same as JSON: ${out}\n`);
  return EXIT.done;
}

async function soundLines(file: string): Promise<ReadonlySet<number>> {
  const { lines, invalidLines, problems } = await inspectDataset(file);
  const [first] = problems;
  if (first === undefined) return new Set(lines);
  const shown = file;
  throw new ProbeError(
    "bad_input",
    `${describeProblem(first)}\nExpected valid records alone, found ${invalidLines} invalid, of which this is the first. ` +
      `See all with: probe dataset validate ${shown}`,
  );
}
