import { readFile } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { messageOf, ProbeError } from "../../../base/errors.js";
import { shorten } from "../../../base/text.js";
import type { Console } from "../../../console/console.js";
import { EXIT, type ExitCode } from "../../../console/exit-codes.js";
import { type GivenOptions, parseOptions } from "../../../console/option.js";
import { showBlocks } from "../../../console/show-blocks.js";
import { readPrinted } from "../published/printed.js";
import { readRows } from "../published/read-rows.js";
import { rowTables } from "../published/row-tables.js";
import { statsBlocks } from "../published/stats-blocks.js";
import { statsDocument } from "../published/stats-document.js";
import { STATS_OPTIONS } from "./stats-options.js";

/** Prints tables, recomputed from files. */
export async function handleStats(given: GivenOptions, console: Console): Promise<ExitCode> {
  const { json } = parseOptions(STATS_OPTIONS, given);
  const paths = [given["files"] ?? []].flat().map(String);
  if (paths.length === 0)
    throw new ProbeError("bad_input", "Expected a per_case.csv of a run, found none. See --help.");
  const files = await Promise.all(paths.map((path) => readFileAt(path, console.workingDirectory)));
  const isPrinted = ({ name }: (typeof files)[number]) => extname(name) === ".json";
  const rows = files.filter((file) => !isPrinted(file)).flatMap(({ name, text }) => readRows(name, text));
  const stats = {
    printed: files.filter(isPrinted).map(({ name, text }) => readPrinted(name, text)),
    trials: rows.length,
    tables: rowTables(rows),
  };
  if (json) console.out(`${JSON.stringify(statsDocument(stats), null, 2)}\n`);
  else showBlocks(console, statsBlocks(stats));
  return EXIT.done;
}

async function readFileAt(name: string, workingDirectory: string): Promise<{ name: string; text: string }> {
  try {
    return { name, text: await readFile(resolve(workingDirectory, name), "utf8") };
  } catch (error) {
    throw new ProbeError(
      "bad_input",
      `Expected a file that can be read, found ${shorten(name, 300)}: ${messageOf(error)}`,
      { cause: error },
    );
  }
}
