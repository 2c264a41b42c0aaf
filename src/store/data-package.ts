import { stat } from "node:fs/promises";
import { join } from "node:path";
import { sha256OfFile } from "../base/sha256.js";
import { writeAtomically } from "./atomic-write.js";
import type { TableDescription } from "./table.js";

/** Writes `datapackage.json`: Frictionless table schemas, size and hash of each table in `folder`. */
export async function writeDataPackage(
  folder: string,
  runId: string,
  tables: readonly TableDescription[],
): Promise<void> {
  const resources = await Promise.all(tables.map((table) => describeTable(folder, table)));
  const descriptor = {
    profile: "tabular-data-package",
    name: runId.toLowerCase().replace(/[^a-z0-9._-]+/g, "-"),
    title: `Results of the run ${runId}`,
    resources,
  };
  await writeAtomically(join(folder, "datapackage.json"), (append) =>
    append(`${JSON.stringify(descriptor, null, 2)}\n`),
  );
}

async function describeTable(folder: string, table: TableDescription): Promise<object> {
  const path = join(folder, table.file);
  return {
    profile: "tabular-data-resource",
    name: table.file.replace(/\.csv$/, ""),
    path: table.file,
    title: table.title,
    format: "csv",
    mediatype: "text/csv",
    encoding: "utf-8",
    bytes: (await stat(path)).size,
    hash: `sha256:${await sha256OfFile(path)}`,
    schema: {
      fields: table.columns.map(({ name, type, description }) => ({ name, type, description })),
      missingValues: [""],
      primaryKey: table.primaryKey,
    },
  };
}
