import type { SchemaElement } from "hyparquet-writer";
import { stringify } from "yaml";
import { countBy } from "../../../base/grouping.js";
import { programIdentity } from "../../../base/program-identity.js";
import { counted } from "../../../base/text.js";
import { readExamples } from "../../../dataset/dataset-file.js";
import { readJsonLines } from "../../../dataset/json-lines.js";
import { type OfficialRecord, officialRecord, toExample } from "../../../dataset/official-record.js";
import { measureShortcuts, type Shortcuts } from "../../../question/floors/shortcuts.js";
import { formName } from "../../../question/form.js";
import type { Block } from "../../../report/block.js";
import { estimateColumn, heading, numberColumn, sentence, tableOf, textColumn } from "../../../report/make-block.js";
import { renderMarkdown } from "../../../report/markdown.js";
import { LineWriter } from "../../../store/atomic-write.js";
import { type Benchmark, portableId } from "./benchmark.js";
import { type ExportFile, portableJson, textFile } from "./export-folder.js";

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

/** Kinds of cells: a text, texts, line numbers, sets of line numbers. */
type CellKind = "text" | "texts" | "lines" | "sets";

interface HubColumn {
  readonly name: keyof OfficialRecord;
  readonly kind: CellKind;
  readonly describe: string;
}

/** Columns of the table on the hub: the fields of a record, none besides. */
const HUB_COLUMNS: readonly HubColumn[] = [
  { name: "id", kind: "text", describe: "Name of the example." },
  { name: "lang", kind: "text", describe: "Language of the code." },
  { name: "old", kind: "text", describe: "Hunk before the review, with marker columns." },
  { name: "new", kind: "text", describe: "Hunk after it." },
  { name: "review", kind: "text", describe: "The reviewer's comment." },
  { name: "type_correct", kind: "text", describe: "Type of change that it asks for." },
  { name: "type_wrong", kind: "texts", describe: "The two other types." },
  { name: "loc_correct", kind: "lines", describe: "Lines of the hunk before that it concerns; 0 is before the first." },
  { name: "loc_wrong_easy", kind: "sets", describe: "Three wrong sets of lines, easy to tell." },
  { name: "loc_wrong_hard", kind: "sets", describe: "Three wrong sets of lines, hard to tell." },
  { name: "solution_correct", kind: "text", describe: "The right revision, changed lines only." },
  { name: "solution_wrong_easy", kind: "texts", describe: "Three wrong revisions, easy to tell." },
  { name: "solution_wrong_hard", kind: "texts", describe: "Three wrong revisions, hard to tell." },
  { name: "not_built", kind: "text", describe: "Reasons why questions could not be built, by task, as JSON." },
  { name: "not_asked", kind: "text", describe: "Reasons why questions are not asked, by form, as JSON." },
  { name: "repo", kind: "text", describe: "Repository." },
  { name: "source", kind: "text", describe: "Origin of the review." },
  { name: "license", kind: "text", describe: "Licence of the code." },
];

/** A list or a text; an object as JSON. */
export function cellOf(value: OfficialRecord[keyof OfficialRecord]): unknown {
  if (value === undefined) return null;
  return typeof value === "string" || Array.isArray(value) ? value : JSON.stringify(value);
}

/** The elements of Parquet's schema that a column is. */
function schemaOf({ name, kind }: HubColumn): SchemaElement[] {
  switch (kind) {
    case "text":
      return [textElement(name)];
    case "texts":
      return listOf(name, [textElement("element")]);
    case "lines":
      return listOf(name, [LINE]);
    case "sets":
      return listOf(name, listOf("element", [LINE]));
  }
}

const LINE: SchemaElement = { name: "element", type: "INT32", repetition_type: "OPTIONAL" };

function textElement(name: string): SchemaElement {
  return { name, type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" };
}

/** A list as Parquet has it since 2.4: three levels. */
function listOf(name: string, element: readonly SchemaElement[]): SchemaElement[] {
  return [
    { name, repetition_type: "OPTIONAL", num_children: 1, converted_type: "LIST" },
    { name: "list", repetition_type: "REPEATED", num_children: 1 },
    ...element,
  ];
}

/** Licences by the names that the hub has for them: SPDX's, in small letters. */
const KNOWN_LICENCES: ReadonlySet<string> = new Set([
  "agpl-3.0",
  "apache-2.0",
  "artistic-2.0",
  "bsd-2-clause",
  "bsd-3-clause",
  "bsl-1.0",
  "cc-by-4.0",
  "cc-by-sa-4.0",
  "cc0-1.0",
  "epl-2.0",
  "gpl-2.0",
  "gpl-3.0",
  "isc",
  "lgpl-2.1",
  "lgpl-3.0",
  "mit",
  "mpl-2.0",
  "unlicense",
  "zlib",
]);

/** Bounds of the hub's classes of sizes, by their names. */
const SIZES = [
  [1000, "n<1K"],
  [10_000, "1K<n<10K"],
  [100_000, "10K<n<100K"],
  [Number.POSITIVE_INFINITY, "100K<n<1M"],
] as const;

/** `README.md` of a data set on the hub: what its software reads, then what a person does. */
async function dataCard(benchmark: Benchmark, records: readonly OfficialRecord[]): Promise<string> {
  const { inspection } = benchmark;
  const { forms } = await measureShortcuts(readExamples(inspection.path, new Set(inspection.lines)));
  const front = stringify(frontMatter(records), { lineWidth: 0 });
  return `---\n${front}---\n\n${renderMarkdown(cardBlocks(benchmark, records, forms))}`;
}

function frontMatter(records: readonly OfficialRecord[]): object {
  const licences = [...new Set(records.map(licenceOf))].sort();
  return {
    license: licences.length === 1 ? licences[0] : licences,
    ...(licences.includes("other") && { license_name: "see-the-column-license" }),
    language: ["code"],
    task_categories: ["multiple-choice", "question-answering"],
    tags: ["code", "code-review"],
    size_categories: [SIZES.find(([bound]) => records.length < bound)?.[1]],
    configs: [{ config_name: "default", data_files: [{ split: "test", path: "data/test.parquet" }] }],
  };
}

/** A licence as the hub names it; `other` for one that it has no name for, `unknown` where none is told. */
function licenceOf({ license }: OfficialRecord): string {
  if (license === undefined || license === "") return "unknown";
  const name = license.toLowerCase().replace(/-(?:only|or-later)$/, "");
  return KNOWN_LICENCES.has(name) ? name : "other";
}

function cardBlocks(
  { inspection }: Benchmark,
  records: readonly OfficialRecord[],
  forms: readonly Shortcuts[],
): Block[] {
  const { name, version } = programIdentity();
  return [
    heading(1, "Code reviews with questions"),
    sentence(
      `${counted(records.length, "code reviews")}, each with the code before and after it and multiple-choice questions ` +
        "about what it asks for (CodeReviewQA, arXiv 2503.16167): which type of change (CTR), which lines (CL), which " +
        "revision (SI). A question counts as understood where it is answered right under every order of its options.",
    ),
    heading(2, "Questions, and what they give away"),
    tableOf(
      null,
      [
        textColumn<Shortcuts>("form", "form", formName),
        numberColumn<Shortcuts>("questions", "questions", "count", ({ floors }) => floors.n),
        estimateColumn<Shortcuts>(
          "floor",
          "best rule without comprehension",
          "fraction",
          ({ floors }) => floors.highest?.share ?? null,
        ),
        textColumn<Shortcuts>("rule", "rule", ({ floors }) => floors.highest?.rule ?? ""),
      ],
      forms,
    ),
    sentence("A score says something only above the best of these rules."),
    heading(2, "Contents"),
    countTable(
      "language",
      records.map(({ lang }) => lang),
    ),
    countTable(
      "licence",
      records.map(({ license }) => license ?? "not told"),
    ),
    tableOf(
      null,
      [
        textColumn<(typeof HUB_COLUMNS)[number]>("column", "column", (column) => column.name),
        textColumn<(typeof HUB_COLUMNS)[number]>("meaning", "meaning", ({ describe }) => describe),
      ],
      HUB_COLUMNS,
    ),
    heading(2, "Use"),
    { kind: "code", text: "probe run --model tiny --dataset hf:OWNER/NAME" },
    sentence(`Made by ${name} ${version} from a file with the SHA-256 ${inspection.sha256}.`),
  ];
}

function countTable(what: string, values: readonly string[]): Block {
  const counts = [...countBy(values)].sort(([, a], [, b]) => b - a);
  type Row = (typeof counts)[number];
  return tableOf(
    null,
    [
      textColumn<Row>(what, what, ([value]) => value),
      numberColumn<Row>("records", "records", "count", ([, count]) => count),
    ],
    counts,
  );
}
