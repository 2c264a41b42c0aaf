import { realpath } from "node:fs/promises";
import { ProbeError } from "../../../base/errors.js";
import type { Console } from "../../../console/console.js";
import { EXIT, type ExitCode } from "../../../console/console.js";
import { jsonText } from "../../../console/json-output.js";
import { requireWritable } from "../../../console/output-file.js";
import { datasetFile } from "../../../dataset/dataset-file.js";
import { totalOf } from "../../../dataset/funnel.js";
import type { Block } from "../../../report/block.js";
import { type ColumnOf, numberColumn, sentence, tableOf, textColumn } from "../../../report/make-block.js";
import { showBlocks } from "../../../report/terminal.js";
import { requireSameDataset } from "../../../review/annotator-agreement.js";
import { type Applied, applyDecisions } from "../../../review/decision-application.js";
import { type DecisionsFile, readDecisions } from "../../../review/decisions-file.js";
import type { ApplyValues } from "../dataset-options.js";
import { funnelTable } from "../funnel-table.js";

/** `probe dataset apply`: what the check by hand leaves of a file. */
export async function handleApply(values: ApplyValues, console: Console): Promise<ExitCode> {
  const { decisions, out, resolutions: resolutionsPath, keepUndecided, overwrite, json } = values;
  const file = datasetFile(values.file);
  const inputs = [file, ...decisions, ...(resolutionsPath === null ? [] : [resolutionsPath])];
  await requireWritable([{ option: "out", path: out }], { inputs, overwrite });
  await requireDistinct(decisions);
  const files: DecisionsFile[] = [];
  for (const path of decisions) files.push(await readWithNote(path, console));
  const resolutions = resolutionsPath === null ? null : await readWithNote(resolutionsPath, console);
  requireDecided(files);
  const [first] = files;
  if (first !== undefined && resolutions !== null) requireSameDataset(first, resolutions);
  const applied = await applyDecisions({
    files,
    resolutions,
    data: file,
    out,
    dataAdvice: "Name the file that was reviewed, before the decisions.",
    keepsUndecided: keepUndecided,
  });
  if (json) console.out(jsonText({ file, out, ...applied }));
  else showBlocks(console, appliedBlocks(applied, out), "err");
  return EXIT.done;
}

/** Nothing is applied of files in which nobody decided anything: all examples would go, or all stay. */
function requireDecided(files: readonly DecisionsFile[]): void {
  if (files.some(({ decisions }) => decisions.size > 0)) return;
  throw new ProbeError(
    "bad_input",
    "Expected a decision about at least one example, found none; nothing was written. Decide: probe dataset review FILE " +
      "--annotator NAME",
  );
}

/** A person counts once. */
async function requireDistinct(paths: readonly string[]): Promise<void> {
  const real = await Promise.all(paths.map((path) => realpath(path).catch(() => path)));
  const twice = paths.find((_, i) => real.indexOf(real[i] ?? "") !== i);
  if (twice === undefined) return;
  throw new ProbeError("bad_input", `Expected each decisions file once, found ${twice} twice. Name it once.`);
}

function appliedBlocks(applied: Applied, out: string): Block[] {
  const { funnel, withQuestions } = applied;
  const kept = totalOf(funnel.kept);
  return [
    ...appliedTables(applied),
    sentence(`Kept ${kept} of ${totalOf(funnel.read)} examples: ${out}`),
    ...(kept > 0 ? [sentence(nextStep(withQuestions, out))] : []),
  ];
}

function nextStep(withQuestions: number, out: string): string {
  return withQuestions > 0
    ? `Ask them: probe run --model MODEL --dataset ${out}`
    : `Make questions of them: probe dataset build ${out} --surrogate MODEL --out FILE`;
}

type DroppedRow = Applied["questions"][number];

const DROPPED_COLUMNS: readonly ColumnOf<DroppedRow>[] = [
  textColumn("question", "question", ({ form }) => form),
  textColumn("reason", "dropped, because", ({ reason }) => reason.replaceAll("_", " ")),
  numberColumn("n", "n", "count", ({ count }) => count),
];

/** Tables of examples kept and dropped, and of the questions of those that were kept. */
export function appliedTables({ funnel, questions }: Applied): Block[] {
  if (questions.length === 0) return [funnelTable(funnel)];
  return [
    funnelTable(funnel),
    tableOf("Questions of kept examples that are asked no more", DROPPED_COLUMNS, questions),
  ];
}

/** Decisions of one annotator; a torn last line is passed over with a word. */
export async function readWithNote(path: string, console: Console): Promise<DecisionsFile> {
  const file = await readDecisions(path);
  if (file.tornBytes > 0) {
    console.err(`${path}: passed over a torn last line (${file.tornBytes} bytes).\n`);
  }
  return file;
}
