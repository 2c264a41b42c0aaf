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
import type { CaseRow } from "../score/per-case.js";
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
  requireOnce(rows);
  const stats = {
    printed: files.filter(isPrinted).map(({ name, text }) => readPrinted(name, text)),
    trials: rows.length,
    tables: rowTables(rows),
  };
  if (json) console.out(`${JSON.stringify(statsDocument(stats), null, 2)}\n`);
  else showBlocks(console, statsBlocks(stats));
  return EXIT.done;
}

/** Rows that say which trial they are of stand once. */
function requireOnce(rows: readonly CaseRow[]): void {
  const named = rows.filter(({ run, instance }) => run !== "" && instance !== "");
  const keys = named.map((row) =>
    JSON.stringify([row.run, row.agent, row.model, row.project, row.setting, row.instance, row.trial]),
  );
  if (new Set(keys).size === keys.length) return;
  throw new ProbeError("bad_input", "Expected every trial once, found some twice. Name each per_case.csv once.");
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
