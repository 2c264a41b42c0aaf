import { badInput } from "../../base/errors.js";
import { LANGUAGES } from "../../base/language.js";
import { type Console, EXIT, type ExitCode, jsonText } from "../../console/console.js";
import { requireWritable } from "../../console/output-file.js";
import { type LanguageDraw, type StratifiedSample, StratifiedSampler } from "../../dataset/curate/stratified-sample.js";
import { datasetFile } from "../../dataset/dataset-file.js";
import { type Funnel, FunnelCounter, totalOf } from "../../dataset/funnel.js";
import { readTriples, type TripleLine } from "../../dataset/triple.js";
import type { Block, Column, TableBlock } from "../../report/block.js";
import { type ColumnOf, numberColumn, sentence, tableOf, textColumn } from "../../report/make-block.js";
import { showBlocks } from "../../report/terminal.js";
import { LineWriter, writeAtomically } from "../../store/atomic-write.js";
import type { SampleValues } from "./dataset-options.js";
import { funnelTable } from "./funnel-table.js";
import { reviewLines } from "./review-lines.js";

/** `probe dataset sample`: draws by language, then by repository. */
export async function handleSample(values: SampleValues, console: Console): Promise<ExitCode> {
  const { out, perLanguage, seed, overwrite, skipInvalid, json } = values;
  const file = datasetFile(values.in);
  await requireWritable([{ option: "out", path: out }], { inputs: [file], overwrite });
  const sampler = new StratifiedSampler();
  const warn = (message: string) => console.err(`${message}\n`);
  for await (const line of reviewLines(file, { skip: skipInvalid, warn })) {
    if (line.status === "valid") sampler.add(line.line, line.triple.language, line.triple.repo);
  }
  const sample = sampler.draw(perLanguage, seed);
  const funnel = await writeSample(file, out, sample);
  const { languages } = sample;
  if (json) {
    const document = { file, out, per_language: perLanguage, seed, languages, funnel };
    console.out(jsonText(document));
  } else showBlocks(console, summary(sample, funnel, perLanguage, out), "err");
  return EXIT.done;
}

/** Reads the file a second time and keeps the lines drawn. */
async function writeSample(file: string, out: string, sample: StratifiedSample): Promise<Funnel> {
  const counter = new FunnelCounter();
  await writeAtomically(out, async (append) => {
    const writer = new LineWriter(append);
    for await (const line of readTriples(file)) {
      count(line, sample.lines, counter);
      if (line.status === "valid" && sample.lines.has(line.line)) await writer.write(line.text);
    }
    await writer.flush();
    if (totalOf(counter.funnel().kept) !== sample.lines.size) {
      throw badInput(`Expected ${file} to stay as it is while it is read, found it changed. Run this again.`);
    }
  });
  return counter.funnel();
}

function count(line: TripleLine, drawn: ReadonlySet<number>, counter: FunnelCounter): void {
  if (line.status === "invalid") counter.drop("other", "invalid record");
  else if (line.status === "unsupported") counter.drop("other", "unsupported language");
  else if (drawn.has(line.line)) counter.keep(line.triple.language);
  else counter.drop(line.triple.language, "not drawn");
}

function summary({ languages }: StratifiedSample, funnel: Funnel, perLanguage: number, out: string): Block[] {
  const short = languages.filter(({ taken }) => taken < perLanguage);
  const absent = LANGUAGES.filter((name) => !languages.some(({ language }) => language === name));
  const unnamed = languages
    .flatMap(({ repositories }) => repositories)
    .filter(({ repo }) => repo === null)
    .reduce((sum, { available }) => sum + available, 0);
  return [
    sampleTable(languages),
    funnelTable(funnel),
    ...short.map(({ language, taken }) =>
      sentence(`${language}: all ${taken} taken, fewer than the ${perLanguage} asked for.`),
    ),
    ...(absent.length > 0 ? [sentence(`No examples of ${absent.join(", ")}.`)] : []),
    ...(unnamed > 0
      ? [sentence(`Examples without a repository: ${unnamed}; within a language they count as one repository.`)]
      : []),
    sentence(`Took ${totalOf(funnel.kept)} of ${totalOf(funnel.read)} reviews: ${out}`),
  ];
}

/** Table of a sample: examples from each language, and the repositories over which they are spread. */
export function sampleTable(languages: readonly LanguageDraw[]): TableBlock {
  return tableOf(null, COLUMNS, languages);
}

const COLUMNS: readonly ColumnOf<LanguageDraw>[] = [
  textColumn("language", "language", ({ language }) => language),
  countColumn("available", 2, ({ available }) => available),
  countColumn("taken", 1, ({ taken }) => taken),
  countColumn("repositories", 1, (draw) => named(draw).length),
  countColumn("of them taken from", 2, (draw) => named(draw).filter(({ taken }) => taken > 0).length),
  countColumn("most from one", 3, ({ repositories }) => Math.max(0, ...repositories.map(({ taken }) => taken))),
];

function named({ repositories }: LanguageDraw) {
  return repositories.filter(({ repo }) => repo !== null);
}

function countColumn(
  label: string,
  importance: Column["importance"],
  of: (draw: LanguageDraw) => number,
): ColumnOf<LanguageDraw> {
  return numberColumn(label, label, "count", (draw) => of(draw), { importance });
}
