import { readJsonLines } from "../../../dataset/json-lines.js";
import { type OfficialRecord, officialRecord, toExample } from "../../../dataset/official-record.js";
import { LineWriter } from "../../../store/atomic-write.js";
import type { Benchmark } from "./benchmark.js";
import { dataCard } from "./data-card.js";
import { type ExportFile, portableJson, textFile } from "./export-folder.js";
import { cellOf, HUB_COLUMNS, schemaOf } from "./hub-columns.js";
import { portableId } from "./question-rows.js";

/**
 * A data set as the hub has it: a card, a Parquet file for its viewer, and the records themselves, by which
 * `probe run --dataset hf:OWNER/NAME` asks them.
 */
export async function hubFiles(benchmark: Benchmark): Promise<ExportFile[]> {
  const { path, lines } = benchmark.inspection;
  const wanted = new Set(lines);
  const records: OfficialRecord[] = [];
  for await (const line of readJsonLines(path)) {
    if (line.status === "parsed" && wanted.has(line.line)) records.push(portable(officialRecord.parse(line.value)));
  }
  return [
    textFile("README.md", await dataCard(benchmark, records)),
    { name: "data/test.parquet", write: async (append) => append(await parquetOf(records)) },
    {
      name: "benchmark.jsonl",
      async write(append) {
        const writer = new LineWriter(append);
        for (const record of records) await writer.write(JSON.stringify(record));
        await writer.flush();
      },
    },
  ];
}

/** A record that UTF-8 has bytes for, with its id. */
function portable(record: OfficialRecord): OfficialRecord {
  return officialRecord.parse(JSON.parse(portableJson({ ...record, id: portableId(toExample(record).id) })));
}

/** The records as one Parquet file. */
async function parquetOf(records: readonly OfficialRecord[]): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import("hyparquet-writer");
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: HUB_COLUMNS.map(({ name }) => ({ name, data: records.map((record) => cellOf(record[name])) })),
      schema: [{ name: "root", num_children: HUB_COLUMNS.length }, ...HUB_COLUMNS.flatMap(schemaOf)],
    }),
  );
}
