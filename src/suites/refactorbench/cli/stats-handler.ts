import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { messageOf, ProbeError } from "../../../base/errors.js";
import { shorten } from "../../../base/text.js";
import type { Console } from "../../../console/console.js";
import { EXIT, type ExitCode } from "../../../console/exit-codes.js";
import { type GivenOptions, parseOptions } from "../../../console/option.js";
import { showBlocks } from "../../../console/show-blocks.js";
import { type NamedText, publishedTables } from "../published/published-tables.js";
import { statsBlocks } from "../published/stats-blocks.js";
import { statsDocument } from "../published/stats-document.js";
import { STATS_OPTIONS } from "./stats-options.js";

/** Prints the tables of the paper, recomputed from files. */
export async function handleStats(given: GivenOptions, console: Console): Promise<ExitCode> {
  const { roundedInputs, json } = parseOptions(STATS_OPTIONS, given);
  const paths = [given["files"] ?? []].flat().map(String);
  if (paths.length === 0) {
    throw new ProbeError("bad_input", "Expected a CSV file of results, found none. See --help.");
  }
  const files = await Promise.all(paths.map((path) => readText(path, console.workingDirectory)));
  const stats = publishedTables(files, { isRounded: roundedInputs });
  if (json) console.out(`${JSON.stringify(statsDocument(stats), null, 2)}\n`);
  else showBlocks(console, statsBlocks(stats));
  return EXIT.done;
}

async function readText(path: string, workingDirectory: string): Promise<NamedText> {
  try {
    return { name: path, text: await readFile(resolve(workingDirectory, path), "utf8") };
  } catch (error) {
    throw new ProbeError(
      "bad_input",
      `Expected a CSV file that can be read, found ${shorten(path, 300)}: ${messageOf(error)}`,
      { cause: error },
    );
  }
}
