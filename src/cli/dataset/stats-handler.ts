import { languages, single } from "../../console/arguments.js";
import type { Console } from "../../console/console.js";
import { EXIT, type ExitCode } from "../../console/exit-codes.js";
import { requireWritable } from "../../console/output-file.js";
import { showBlocks } from "../../console/show-blocks.js";
import { describeReviews, type ReviewDescription } from "../../dataset/curate/review-statistics.js";
import { datasetFile } from "../../dataset/dataset-file.js";
import { recordedWarning } from "../../distractors/build-files.js";
import { writeTable } from "../../store/csv.js";
import { entryOf } from "../../store/table.js";
import { STATS, statsBlocks } from "./blocks/stats.js";
import { required } from "./required.js";
import { reviewLines } from "./review-lines.js";

type Text = string | readonly string[] | undefined;

/** The options of `probe dataset stats` as the parser hands them over. */
export interface StatsArguments {
  readonly file: string;
  readonly language?: Text;
  readonly csv?: Text;
  readonly skipInvalid?: boolean | undefined;
  readonly overwrite?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** `probe dataset stats`: the paper's Table 5 of any file of reviews. */
export async function handleStats(given: StatsArguments, console: Console): Promise<ExitCode> {
  const file = datasetFile(given.file);
  const csv = single("csv", given.csv) === undefined ? null : required("csv", given.csv);
  const chosen = languages(given.language);
  const outputs = csv === null ? [] : [{ option: "csv", path: csv }];
  await requireWritable(outputs, { inputs: [file], overwrite: given.overwrite === true });
  const warn = (message: string) => console.err(`${message}\n`);
  const warning = await recordedWarning(file);
  const description = await describeReviews(reviewLines(file, { skip: given.skipInvalid === true, warn }), chosen);
  if (csv !== null) await writeTable(csv, STATS, description.statistics);
  if (given.json === true) console.out(`${JSON.stringify(toDocument(file, warning, description), null, 2)}\n`);
  else showBlocks(console, statsBlocks(description));
  if (warning !== null) warn(warning);
  if (csv !== null) console.err(`The same as a table: ${csv}\n`);
  return EXIT.done;
}

function toDocument(
  file: string,
  warning: string | null,
  { examples, leftOut, statistics }: ReviewDescription,
): object {
  return {
    file,
    warning,
    examples,
    left_out: leftOut,
    statistics: statistics.map((row) => entryOf(STATS.columns, row)),
  };
}
