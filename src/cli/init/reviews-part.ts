import { ProbeError } from "../../base/errors.js";
import { shellWord, shorten } from "../../base/text.js";
import { datasetFile, isImportSource, readDataset } from "../../dataset/dataset-file.js";
import { parseImportSource } from "../../dataset/import/import-source.js";
import { requireFile, TABLE_ENDING } from "../../dataset/json-lines.js";
import { readTriples } from "../../dataset/triple.js";

/** The data in `probe.config.json`, and the commands that make them first. */
export interface ReviewsPart {
  /** As `run` names it; `null`: the starter set. */
  readonly dataset: string | null;
  /** Words behind `probe`. */
  readonly commands: readonly (readonly string[])[];
}

const RAW = "raw.jsonl";
const BENCHMARK = "bench.jsonl";
const BUILD = ["dataset", "build"];
const IMPORT = ["dataset", "import"];
const OUT = "--out";

/**
 * The reviews that somebody has: a benchmark, or what becomes one.
 * @throws ProbeError `bad_input` where they are none
 */
export async function reviewsPart(reviews: string | null): Promise<ReviewsPart> {
  if (reviews === null || datasetFile(reviews) !== reviews) return { dataset: null, commands: [] };
  const isElsewhere = isImportSource(reviews) || reviews.includes("://");
  if (isElsewhere || TABLE_ENDING.test(reviews)) return await importedPart(reviews);
  if ((await formOf(reviews)) === "benchmark") return { dataset: reviews, commands: [] };
  return { dataset: BENCHMARK, commands: [[...BUILD, reviews, OUT, BENCHMARK]] };
}

async function importedPart(reviews: string): Promise<ReviewsPart> {
  const { kind } = parseImportSource(reviews);
  if (kind === "table") await requireFile(reviews, "a table");
  const isBenchmark = kind === "hub";
  const commands = isBenchmark
    ? [[...IMPORT, reviews, OUT, BENCHMARK]]
    : [
        [...IMPORT, reviews, OUT, RAW],
        [...BUILD, RAW, OUT, BENCHMARK],
      ];
  return { dataset: BENCHMARK, commands };
}

/** Lines by which a file is known. */
const KNOWN_BY = 100;

/** Form of a file of reviews, by its first lines. */
async function formOf(path: string): Promise<"benchmark" | "reviews"> {
  if (await hasValid(readDataset(path))) return "benchmark";
  if (await hasValid(readTriples(path))) return "reviews";
  throw new ProbeError(
    "bad_input",
    `Expected reviews in ${shorten(path, 120)}, found none in its first lines. Each problem: ` +
      `probe dataset validate ${shellWord(path)}`,
  );
}

async function hasValid(lines: AsyncIterable<{ readonly status: string }>): Promise<boolean> {
  let seen = 0;
  for await (const { status } of lines) {
    if (status === "valid") return true;
    seen++;
    if (seen === KNOWN_BY) break;
  }
  return false;
}
