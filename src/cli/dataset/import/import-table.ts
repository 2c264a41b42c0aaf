import { counted, shorten } from "../../../base/text.js";
import { EXIT, type ExitCode } from "../../../console/console.js";
import { jsonText } from "../../../console/json-output.js";
import { totalOf } from "../../../dataset/funnel.js";
import type { TableSource } from "../../../dataset/import/import-source.js";
import { openPromptfooTests } from "../../../dataset/import/promptfoo-tests.js";
import { importTable, openReviewTable, type TableImport } from "../../../dataset/import/review-table.js";
import { showBlocks } from "../../../report/terminal.js";
import { funnelTable } from "../funnel-table.js";
import { soundLines } from "../review-lines.js";
import type { ImportJob } from "./import-job.js";

/** Turns a CSV or TSV file, or tests of promptfoo, into raw triples and prints the funnel. */
export async function importTableFile({ kind, path }: TableSource, job: ImportJob, skip: boolean): Promise<ExitCode> {
  const { out, isJson, signal, onMessage, console } = job;
  const { unused, lines } = await (kind === "table" ? openReviewTable(path) : openPromptfooTests(path));
  if (unused.length > 0) {
    onMessage(
      `Left out ${counted(unused.length, kind === "table" ? "columns" : "variables")} of ${path}: ${shorten(unused.join(", "), 200)}`,
    );
  }
  const sound = soundLines(path, lines, { skip, warn: (text) => console.err(`${text}\n`) });
  let imported: TableImport;
  try {
    imported = await importTable(path, sound, out, { now: console.now(), signal });
  } catch (error) {
    if (!signal.aborted) throw error;
    console.err("Stopped; nothing was kept. The same command begins anew.\n");
    return EXIT.interrupted;
  }
  const { sha256, funnel } = imported;
  if (isJson) {
    console.out(jsonText({ out, sha256, funnel }));
    return EXIT.done;
  }
  showBlocks(console, [funnelTable(funnel)]);
  const kept = totalOf(funnel.kept);
  console.out(`${kept} of ${counted(totalOf(funnel.read), "rows")} became raw triples: ${out}\n`);
  if (kept > 0) console.out(`Next: probe dataset filter ${out} --out FILE, then probe dataset build.\n`);
  return EXIT.done;
}
