import { join } from "node:path";
import { writeTable } from "../../../store/csv.js";
import { writeDataPackage } from "../../../store/data-package.js";
import type { TableDescription } from "../../../store/table.js";
import type { ContaminationRow } from "../metric/contamination/summarise.js";
import { type RowOwner, type RunRow, runRows } from "../record/run-row.js";
import type { AuditFile } from "./audit-file.js";
import { CONTAMINATION, CONTAMINATION_SUMMARY } from "./columns.js";
import { type AuditRecord, readRecords } from "./record.js";

/** Writes the tables of a finished audit from its journal, and describes them. */
export async function writeAuditTables(
  folder: string,
  journal: string,
  audit: Pick<AuditFile, "audit_id" | "model" | "benchmarks">,
  summary: readonly ContaminationRow[],
): Promise<void> {
  const owner = { runId: audit.audit_id, model: audit.model.label };
  const tables: TableDescription[] = [];
  for (const [benchmark, { name, tables: files }] of audit.benchmarks.entries()) {
    for (const [i, file] of files.entries()) {
      const isRenamed = i === 1;
      const table = { ...CONTAMINATION, file, title: titleOf(name, isRenamed) };
      await writeTable(join(folder, file), table, textRows(journal, owner, { benchmark, isRenamed }));
      tables.push(table);
    }
  }
  await writeTable(join(folder, CONTAMINATION_SUMMARY.file), CONTAMINATION_SUMMARY, runRows(owner, summary));
  await writeDataPackage(folder, audit.audit_id, [...tables, CONTAMINATION_SUMMARY]);
}

function titleOf(benchmark: string, isRenamed: boolean): string {
  const what = isRenamed ? "with its identifiers renamed" : "";
  return `One row a text of ${benchmark}${what === "" ? "" : `, ${what}`}.`;
}

async function* textRows(
  journal: string,
  owner: RowOwner,
  { benchmark, isRenamed }: { readonly benchmark: number; readonly isRenamed: boolean },
): AsyncGenerator<readonly RunRow<AuditRecord>[]> {
  for await (const record of readRecords(journal)) {
    const isHere = record.benchmark === benchmark && (record.form === "ACR_RENAMED") === isRenamed;
    if (isHere && record.status !== "not_renamed") yield runRows(owner, [record]);
  }
}
