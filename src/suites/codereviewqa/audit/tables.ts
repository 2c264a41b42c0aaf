import { join } from "node:path";
import { type Cell, writeTable } from "../../../store/csv.js";
import { writeDataPackage } from "../../../store/data-package.js";
import type { TableDefinition } from "../../../store/table.js";
import { perplexity } from "../metric/contamination/sequence-score.js";
import { NGRAM } from "../metric/contamination/starting-points.js";
import type { ContaminationRow } from "../metric/contamination/summarise.js";
import { CONTAMINATION, CONTAMINATION_SUMMARY } from "../record/columns.js";
import type { AuditFile } from "./audit-file.js";
import { type AuditRecord, readRecords } from "./record.js";
import { SUMMARY_FILE } from "./table-files.js";

/** Writes the tables of a finished audit from its journal, and describes them. */
export async function writeAuditTables(
  folder: string,
  journal: string,
  audit: Pick<AuditFile, "audit_id" | "model" | "benchmarks">,
  summary: readonly ContaminationRow[],
): Promise<void> {
  const run: readonly Cell[] = [audit.audit_id, audit.model.label];
  const tables: TableDefinition[] = [];
  for (const [benchmark, { name, tables: files }] of audit.benchmarks.entries()) {
    for (const [i, file] of files.entries()) {
      const isRenamed = i === 1;
      const table = { ...CONTAMINATION, file, title: titleOf(name, isRenamed) };
      await writeTable(join(folder, file), table, textRows(journal, run, { benchmark, isRenamed }));
      tables.push(table);
    }
  }
  const table = { ...CONTAMINATION_SUMMARY, file: SUMMARY_FILE };
  await writeTable(
    join(folder, SUMMARY_FILE),
    table,
    summary.map((row) => [...run, ...summaryCells(row)]),
  );
  await writeDataPackage(folder, audit.audit_id, [...tables, table]);
}

function titleOf(benchmark: string, isRenamed: boolean): string {
  const what = isRenamed ? "with its identifiers renamed" : "";
  return `One row a text of ${benchmark}${what === "" ? "" : `, ${what}`}.`;
}

async function* textRows(
  journal: string,
  run: readonly Cell[],
  { benchmark, isRenamed }: { readonly benchmark: number; readonly isRenamed: boolean },
): AsyncGenerator<readonly Cell[]> {
  for await (const record of readRecords(journal)) {
    const isHere = record.benchmark === benchmark && (record.form === "ACR_RENAMED") === isRenamed;
    if (isHere && record.status !== "not_renamed") yield [...run, ...textCells(record)];
  }
}

/** A text that was not scored has no numbers. */
function textCells(record: AuditRecord): Cell[] {
  const { example_id, language, form, task, difficulty } = record;
  const place = [example_id, language, form === "MCQA" ? form : "ACR", task, difficulty];
  if (record.status !== "scored") return [...place, null, null, null, NGRAM.n, null, null, null];
  const { tokens, nll, ngram_starts, ngram_hits } = record;
  const accuracy = ngram_hits === null || ngram_starts === 0 ? null : ngram_hits / ngram_starts;
  return [...place, tokens, nll, perplexity(record), NGRAM.n, ngram_starts, ngram_hits, accuracy];
}

function summaryCells(row: ContaminationRow): Cell[] {
  const { benchmark, form, task, difficulty, groupBy, group, metric, value, ciLow, ciHigh, n } = row;
  return [benchmark, form, task, difficulty, groupBy, group, metric, value, ciLow, ciHigh, n];
}
