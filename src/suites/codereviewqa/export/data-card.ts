import { stringify } from "yaml";
import { countBy } from "../../../base/grouping.js";
import { programIdentity } from "../../../base/program-identity.js";
import { counted } from "../../../base/text.js";
import { readExamples } from "../../../dataset/dataset-file.js";
import type { OfficialRecord } from "../../../dataset/official-record.js";
import { measureShortcuts, type Shortcuts } from "../../../question/floors/shortcuts.js";
import { formName } from "../../../question/form.js";
import type { Block } from "../../../report/block.js";
import { estimateColumn, heading, numberColumn, sentence, tableOf, textColumn } from "../../../report/make-block.js";
import { renderMarkdown } from "../../../report/markdown.js";
import type { Benchmark } from "./benchmark.js";
import { HUB_COLUMNS } from "./hub-columns.js";

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
export async function dataCard(benchmark: Benchmark, records: readonly OfficialRecord[]): Promise<string> {
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
