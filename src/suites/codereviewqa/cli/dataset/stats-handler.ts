import { printable } from "../../../../base/text.js";
import { languages, single } from "../../../../console/arguments.js";
import type { Console } from "../../../../console/console.js";
import { EXIT, type ExitCode } from "../../../../console/exit-codes.js";
import { writeTable } from "../../../../store/csv.js";
import { recordedWarning } from "../../build/recorded-warning.js";
import { describeReviews, type ReviewDescription } from "../../describe/describe-reviews.js";
import { STATS, statsRows, statsText } from "../../report/dataset/stats-table.js";
import { requireWritable } from "./output-file.js";
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
  const { file } = given;
  const csv = single("csv", given.csv) === undefined ? null : required("csv", given.csv);
  const chosen = languages(given.language);
  const outputs = csv === null ? [] : [{ option: "csv", path: csv }];
  await requireWritable(outputs, { inputs: [file], overwrite: given.overwrite === true });
  const warn = (message: string) => console.err(`${message}\n`);
  const warning = await recordedWarning(file);
  const description = await describeReviews(reviewLines(file, { skip: given.skipInvalid === true, warn }), chosen);
  if (csv !== null) await writeTable(csv, STATS, statsRows(description.statistics));
  console.out(
    given.json === true
      ? `${JSON.stringify(toDocument(file, warning, description), null, 2)}\n`
      : statsText(description),
  );
  if (warning !== null) warn(warning);
  if (csv !== null) console.err(`The same as a table: ${printable(csv, 1000)}\n`);
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
    statistics: statistics.map(({ statistic, changeType, ...numbers }) => ({
      statistic,
      change_type: changeType,
      ...numbers,
    })),
  };
}
