import { dirname, resolve } from "node:path";
import { ProbeError } from "../../../base/errors.js";
import type { Console } from "../../../console/console.js";
import { EXIT, type ExitCode } from "../../../console/exit-codes.js";
import { type GivenOptions, parseOptions } from "../../../console/option.js";
import { showBlocks } from "../../../console/show-blocks.js";
import { armsOf, pairedTests } from "../outputs/arms.js";
import { type OutputRow, readOutputs } from "../outputs/read-outputs.js";
import { statsBlocks } from "../outputs/stats-blocks.js";
import { statsDocument } from "../outputs/stats-document.js";
import { STATS_OPTIONS } from "./stats-options.js";

/** Prints what released outputs come to. */
export async function handleStats(given: GivenOptions, console: Console): Promise<ExitCode> {
  const { data, json } = parseOptions(STATS_OPTIONS, given);
  const paths = [given["files"] ?? []].flat().map(String);
  if (paths.length === 0)
    throw new ProbeError("bad_input", "Expected a folder of released outputs, found none. See --help.");
  const rows: OutputRow[] = [];
  for (const path of paths) {
    const outputs = resolve(console.workingDirectory, path);
    rows.push(
      ...(await readOutputs(outputs, data === null ? dirname(outputs) : resolve(console.workingDirectory, data))),
    );
  }
  const arms = armsOf(rows);
  const tests = pairedTests(arms);
  if (json) console.out(`${JSON.stringify(statsDocument(arms, tests), null, 2)}\n`);
  else showBlocks(console, statsBlocks(arms, tests));
  return EXIT.done;
}
